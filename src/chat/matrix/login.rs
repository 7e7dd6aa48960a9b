//! Logging in: once by password or token, from then on with the kept session and the device's keys beside it (R106).

use std::path::{Path, PathBuf};
use std::{fs, io};

use matrix_sdk::authentication::matrix::MatrixSession;
use matrix_sdk::config::RequestConfig;
use matrix_sdk::encryption::{BackupDownloadStrategy, EncryptionSettings};
use matrix_sdk::ruma::{ServerName, UserId};
use matrix_sdk::{Client, ClientBuildError, SessionMeta, SessionTokens, SqliteStoreConfig};

use super::account::{Whose, whose};
use super::connection::Waiting;
use super::refusal::{self, Refusal};
use super::session::{Sessions, store_key};
use super::{MatrixError, Settings};
use crate::chat::address::without_password;
use crate::table::SealingKey;

/// The folder of the SDK's store in the data folder.
const FOLDER: &str = "matrix";

/// The file with the device's keys in it.
const CRYPTO: &str = "matrix-sdk-crypto.sqlite3";

/// How often the SDK itself tries a request before it is told. Longer waits are the adapter's own.
const TRIES: usize = 3;

/// Logs in, or goes on as the device that is logged in. Waits while the homeserver cannot be reached; `None` when the program
/// stops meanwhile.
pub(super) async fn logged_in(
    settings: &Settings,
    sessions: &Sessions<'_>,
    key: &SealingKey,
    waiting: &mut Waiting,
) -> Result<Option<Client>, MatrixError> {
    let folder = settings.folder.join(FOLDER);
    let mut before = None;
    if settings.new_device {
        // What cannot be read any more is no obstacle here.
        before = sessions.kept().await.ok().flatten();
        sessions.forget().await?;
        put_aside(&folder)?;
    } else if let Some(session) = sessions.kept().await? {
        return restored(settings, sessions, key, session, waiting).await;
    }
    let login = Login {
        settings,
        sessions,
        key,
        folder,
        before,
    };
    match settings.access_token.is_empty() {
        false => login.by_token(waiting).await,
        true if settings.password.is_empty() => Err(MatrixError::NoCredentials),
        true => login.by_password(waiting).await,
    }
}

/// Goes on as the device that is logged in, if its keys are there.
async fn restored(
    settings: &Settings,
    sessions: &Sessions<'_>,
    key: &SealingKey,
    mut session: MatrixSession,
    waiting: &mut Waiting,
) -> Result<Option<Client>, MatrixError> {
    let folder = settings.folder.join(FOLDER);
    let device = format!("{} of {}", session.meta.device_id, session.meta.user_id);
    if !is_user(&settings.user, &session.meta.user_id) {
        return Err(MatrixError::OtherUser {
            kept: session.meta.user_id.to_string(),
            user: settings.user.clone(),
        });
    }
    if !folder.join(CRYPTO).is_file() {
        return Err(MatrixError::NoStore {
            path: folder,
            device,
        });
    }
    let Some(client) = opened(settings, &folder, key, waiting).await? else {
        return Ok(None);
    };
    let given = settings.access_token.reveal();
    let kept = session.tokens.access_token.clone();
    let found = match whose(&client, &kept, waiting).await {
        // A fresh token of the same device was set.
        Err(MatrixError::Token) if !given.is_empty() && given != kept => {
            let found = whose(&client, given, waiting).await?;
            given.clone_into(&mut session.tokens.access_token);
            found
        }
        found => found?,
    };
    let Some(found) = found else {
        return Ok(None);
    };
    if found.user != session.meta.user_id || found.device != Some(session.meta.device_id.clone()) {
        return Err(MatrixError::Token);
    }
    activate(&client, session.clone(), &folder, &device).await?;
    if session.tokens.access_token != kept {
        sessions.keep(&session).await?;
    }
    Ok(Some(client))
}

/// A first login.
struct Login<'a> {
    settings: &'a Settings,
    sessions: &'a Sessions<'a>,
    key: &'a SealingKey,
    folder: PathBuf,
    /// The session before, when a new device was asked for.
    before: Option<MatrixSession>,
}

impl Login<'_> {
    async fn by_token(&self, waiting: &mut Waiting) -> Result<Option<Client>, MatrixError> {
        let token = self.settings.access_token.reveal();
        let Some(client) = self.opened(waiting).await? else {
            return Ok(None);
        };
        let Some(Whose { user, device }) = whose(&client, token, waiting).await? else {
            return Ok(None);
        };
        if !is_user(&self.settings.user, &user) {
            return Err(MatrixError::OtherAccount {
                token: user.to_string(),
                user: self.settings.user.clone(),
            });
        }
        let device = device.ok_or(MatrixError::NoDevice)?;
        let before = self.before.as_ref();
        if before
            .is_some_and(|before| before.meta.user_id == user && before.meta.device_id == device)
        {
            return Err(MatrixError::SameDevice(device.to_string()));
        }
        let name = format!("{device} of {user}");
        let session = MatrixSession {
            meta: SessionMeta {
                user_id: user,
                device_id: device,
            },
            tokens: SessionTokens {
                access_token: token.to_owned(),
                refresh_token: None,
            },
        };
        activate(&client, session.clone(), &self.folder, &name).await?;
        self.sessions.keep(&session).await?;
        Ok(Some(client))
    }

    async fn by_password(&self, waiting: &mut Waiting) -> Result<Option<Client>, MatrixError> {
        let settings = self.settings;
        let device = self.sessions.device().await?;
        loop {
            let Some(client) = self.opened(waiting).await? else {
                return Ok(None);
            };
            let auth = client.matrix_auth();
            let login = auth
                .login_username(&settings.user, settings.password.reveal())
                .device_id(&device)
                .initial_device_display_name(&settings.device_name);
            let Some(answer) = waiting.unless_stopped(login.send()).await else {
                return Ok(None);
            };
            let Err(error) = answer else {
                if let Some(session) = auth.session() {
                    self.sessions.keep(&session).await?;
                }
                return Ok(Some(client));
            };
            // With a session the server has answered, and it is the device's own store that refuses.
            if auth.session().is_some() || matches!(error, matrix_sdk::Error::CryptoStoreError(_)) {
                return Err(self.other_store(&device));
            }
            match refusal::of(&error) {
                Refusal::Again(asked) => {
                    if !waiting.wait(&settings.homeserver, asked).await {
                        return Ok(None);
                    }
                }
                Refusal::Forbidden(_) => {
                    return Err(MatrixError::Password {
                        user: settings.user.clone(),
                    });
                }
                Refusal::Account => return Err(MatrixError::Account(settings.user.clone())),
                Refusal::Token => return Err(MatrixError::Token),
                Refusal::Other(0, _) => return Err(self.other_store(&device)),
                Refusal::Other(_, said) => {
                    return Err(match self.offers_passwords(&client).await {
                        true => MatrixError::Login(said),
                        false => MatrixError::NoPasswordLogin,
                    });
                }
            }
        }
    }

    async fn opened(&self, waiting: &mut Waiting) -> Result<Option<Client>, MatrixError> {
        opened(self.settings, &self.folder, self.key, waiting).await
    }

    async fn offers_passwords(&self, client: &Client) -> bool {
        use matrix_sdk::ruma::api::client::session::get_login_types::v3::LoginType;

        let offered = client.matrix_auth().get_login_types().await;
        let is_password = |kind: &LoginType| matches!(kind, LoginType::Password(_));
        // What cannot be asked is not blamed.
        offered.map_or(true, |offered| offered.flows.iter().any(is_password))
    }

    fn other_store(&self, device: &str) -> MatrixError {
        MatrixError::OtherStore {
            path: self.folder.clone(),
            device: format!("{device} of {}", self.settings.user),
        }
    }
}

/// Makes the client the session's device; its keys must be in the store, or the store be new.
async fn activate(
    client: &Client,
    session: MatrixSession,
    folder: &Path,
    device: &str,
) -> Result<(), MatrixError> {
    let restored = client.restore_session(session).await;
    restored.map_err(|error| {
        tracing::debug!("matrix: the session cannot be restored: {error}");
        MatrixError::OtherStore {
            path: folder.to_owned(),
            device: device.to_owned(),
        }
    })
}

/// The client with its store open and the homeserver found; not logged in. `None` when the program stops meanwhile.
async fn opened(
    settings: &Settings,
    folder: &Path,
    key: &SealingKey,
    waiting: &mut Waiting,
) -> Result<Option<Client>, MatrixError> {
    make_private(folder)?;
    loop {
        // A raw key: to derive one from a passphrase takes half a minute at every start.
        let store = SqliteStoreConfig::new(folder).key(Some(&store_key(key)));
        let builder = Client::builder()
            .sqlite_store_with_config_and_cache_path(store, None::<PathBuf>)
            .request_config(RequestConfig::new().retry_limit(TRIES))
            .with_encryption_settings(EncryptionSettings {
                auto_enable_cross_signing: true,
                auto_enable_backups: true,
                backup_download_strategy: BackupDownloadStrategy::AfterDecryptionFailure,
            });
        let server = &settings.homeserver;
        let builder = if server.contains("://") {
            builder.homeserver_url(server)
        } else {
            ServerName::parse(server)
                .map_err(|_| MatrixError::Homeserver(without_password(server)))?;
            // By its .well-known, or itself where it has none.
            builder.server_name_or_homeserver_url(server)
        };
        let Some(built) = waiting.unless_stopped(builder.build()).await else {
            return Ok(None);
        };
        match built {
            Ok(client) => return Ok(Some(client)),
            Err(ClientBuildError::Url(_) | ClientBuildError::InvalidServerName) => {
                return Err(MatrixError::Homeserver(without_password(server)));
            }
            Err(ClientBuildError::SqliteStore(error)) => {
                return Err(MatrixError::Store {
                    path: folder.to_owned(),
                    what: error.to_string(),
                });
            }
            Err(error) => {
                tracing::debug!("matrix: {}: {error}", without_password(server));
                if !waiting.wait(server, None).await {
                    return Ok(None);
                }
            }
        }
    }
}

/// Whether `set`, an MXID or the part before its colon, names the account; nothing set names any.
fn is_user(set: &str, user: &UserId) -> bool {
    let set = set.trim();
    set.is_empty()
        || set.eq_ignore_ascii_case(user.as_str())
        || set.eq_ignore_ascii_case(user.localpart())
}

fn make_private(folder: &Path) -> Result<(), MatrixError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| MatrixError::Store {
        path: folder.to_owned(),
        what: error.to_string(),
    })
}

/// Keeps the folder of the device before under another name: there may be keys in it that somebody wants back.
fn put_aside(folder: &Path) -> Result<(), MatrixError> {
    if !folder.exists() {
        return Ok(());
    }
    let aside = beside(folder).map_err(|error| MatrixError::Store {
        path: folder.to_owned(),
        what: error.to_string(),
    })?;
    tracing::warn!(
        "matrix: the keys of the device before are now in {}; remove it when nobody needs them",
        aside.display()
    );
    Ok(())
}

/// Renames what is there, without writing over what was renamed before. Its new name.
pub(super) fn beside(path: &Path) -> io::Result<PathBuf> {
    let mut names = (1u64..).map(|number| path.with_extension(format!("before-{number}")));
    let name = names.find(|name| !name.exists());
    let name = name.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &name)?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::user_id;

    #[test]
    fn an_account_is_named_whole_or_by_its_first_part() {
        let user = user_id!("@bot:a.org");
        for (set, is) in [
            ("@bot:a.org", true),
            ("bot", true),
            ("Bot", true),
            ("", true),
            ("@bot:b.org", false),
            ("@bot", false),
            ("bob", false),
        ] {
            assert_eq!(is_user(set, user), is, "{set}");
        }
    }

    #[test]
    fn r106_what_was_there_is_put_aside_and_never_written_over() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join(FOLDER);
        put_aside(&folder).unwrap();
        for number in 1..=2 {
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(CRYPTO), number.to_string()).unwrap();
            put_aside(&folder).unwrap();
        }
        let kept = |name: &str| fs::read_to_string(data.path().join(name).join(CRYPTO)).unwrap();
        assert_eq!(
            (kept("matrix.before-1"), kept("matrix.before-2")),
            ("1".to_owned(), "2".to_owned())
        );
        assert!(!folder.exists());
    }
}
