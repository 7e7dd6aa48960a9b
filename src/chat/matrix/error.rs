//! Why the adapter cannot run. Nothing here holds a password, token or key.

use std::path::PathBuf;

/// Why the adapter ended, or did not begin.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// `matrix.homeserver` is neither an address nor a server name.
    #[error(
        "matrix.homeserver: {0} is neither an address such as https://example.org nor a server name"
    )]
    Homeserver(String),
    /// M_FORBIDDEN at the login by password.
    #[error(
        "the homeserver does not accept the password of {user}; check matrix.user and matrix.password"
    )]
    Password {
        /// The account as it was set.
        user: String,
    },
    /// The server knows no login by password.
    #[error(
        "the homeserver offers no login by password; set matrix.access_token in place of matrix.password"
    )]
    NoPasswordLogin,
    /// M_UNKNOWN_TOKEN at the start or while running.
    #[error(
        "the homeserver does not accept the bot's access token any more (the device was logged out); set matrix.access_token to a fresh one of the same device, or run `ashtapada run --new-device` to log in anew with matrix.password"
    )]
    Token,
    /// M_USER_DEACTIVATED, or a locked or suspended account.
    #[error(
        "the homeserver says that the account {0} cannot be used: it is deactivated, locked or suspended"
    )]
    Account(String),
    /// The token belongs to somebody else than `matrix.user`.
    #[error(
        "matrix.access_token belongs to {token}, but matrix.user is {user}; set what belongs together"
    )]
    OtherAccount {
        /// Whose the token is.
        token: String,
        /// Who was set.
        user: String,
    },
    /// The token belongs to no device (an application service's).
    #[error(
        "matrix.access_token belongs to no device, so nothing can be encrypted with it; use one of a login"
    )]
    NoDevice,
    /// The token of the device before, after a new one was asked for.
    #[error(
        "matrix.access_token belongs to {0}, the device before; set one of a new login, or matrix.password"
    )]
    SameDevice(String),
    /// R106: a session without its crypto store.
    #[error(
        "{} with the keys of {device} is missing, but the data folder has its session (R106). Put the folder back from a back-up; or run `ashtapada run --new-device` once, and the bot logs in as a new device",
        path.display()
    )]
    NoStore {
        /// The folder.
        path: PathBuf,
        /// Whose it was.
        device: String,
    },
    /// R106: a crypto store of another account or device.
    #[error(
        "{} holds the keys of another account or device than {device} (R106). Put back the folder that belongs to it; or run `ashtapada run --new-device` once, and the bot logs in as a new device",
        path.display()
    )]
    OtherStore {
        /// The folder.
        path: PathBuf,
        /// Who was expected.
        device: String,
    },
    /// The data folder's session belongs to another account than `matrix.user`.
    #[error(
        "this data folder is logged in to Matrix as {kept}, but matrix.user is {user}; use another data folder, set matrix.user back, or run `ashtapada run --new-device` once to change the account"
    )]
    OtherUser {
        /// Who is logged in.
        kept: String,
        /// Who was set.
        user: String,
    },
    /// The kept session was sealed under another key, or is damaged.
    #[error(
        "the session with the homeserver cannot be read: it was sealed under another key than the data folder's (R106). Put the key file back from a back-up; or run `ashtapada run --new-device` once, and the bot logs in as a new device"
    )]
    Unsealed,
    /// There is neither a session nor a password or token.
    #[error("the bot has not logged in yet; set matrix.password or matrix.access_token")]
    NoCredentials,
    /// The SDK's store cannot be opened.
    #[error("{}: {what}", path.display())]
    Store {
        /// The folder.
        path: PathBuf,
        /// What the SDK said.
        what: String,
    },
    /// The homeserver refuses the login for another reason that will not pass.
    #[error("the homeserver refuses the login: {0}")]
    Login(String),
    /// The store of games failed.
    #[error(transparent)]
    Kept(#[from] crate::store::StoreError),
    /// No randomness.
    #[error(transparent)]
    Chance(#[from] crate::club::NoChance),
    /// What posts messages has broken.
    #[error(
        "a fault in the program stopped the posting of messages; what waits is posted when it is started anew"
    )]
    Poster,
    /// What hears has broken.
    #[error(
        "a fault in the program stopped the hearing of messages; they are heard when it is started anew"
    )]
    Hearing,
}
