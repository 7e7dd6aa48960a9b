//! The device among the account's devices: cross-signing, so that clients see it as verified, recovery and key backup, and
//! conflicts of one-time keys (R107).

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::encryption::VerificationState;
use matrix_sdk::encryption::backups::BackupState;
use matrix_sdk::encryption::recovery::RecoveryState;
use matrix_sdk::ruma::api::client::uiaa::{
    AuthData, MatrixUserIdentifier, Password, UserIdentifier,
};
use matrix_sdk::store::StateStoreDataKey;
use zeroize::Zeroizing;

use super::pause::Pauses;
use super::{Matrix, login};

/// The file in the data folder to which a new recovery key is written.
const FILE: &str = "matrix-recovery-key";

/// How long the start waits for this before it goes on without.
const AT_START: Duration = Duration::from_secs(30);

/// The longest pause between tries.
const LONGEST: Duration = Duration::from_secs(3600);

/// Sees to it that the device is verified and the keys are backed up; goes on with that while the adapter runs, if it does not
/// succeed at once.
pub(super) async fn settle(matrix: &Arc<Matrix>) {
    let mut settling = tokio::spawn({
        let matrix = Arc::clone(matrix);
        async move {
            let mut pauses = Pauses::up_to(LONGEST);
            while !settled(&matrix).await {
                tokio::time::sleep(pauses.next(None).max(Duration::from_secs(30))).await;
            }
        }
    });
    if tokio::time::timeout(AT_START, &mut settling).await.is_err() {
        tracing::warn!("matrix: verifying the device takes long; it goes on meanwhile");
    }
}

/// Does what can be done now. False when it is to be tried again.
async fn settled(matrix: &Matrix) -> bool {
    let encryption = matrix.client.encryption();
    encryption.wait_for_e2ee_initialization_tasks().await;
    let whole = is_verified_by_now(matrix).await && (is_backed_up(matrix) || !has_key_set(matrix));
    let recovered = whole || recovered(matrix).await;
    let verified = is_verified_by_now(matrix).await;
    let backed_up = match verified {
        true => with_recovery_key(matrix).await,
        false => true,
    };
    look(matrix);
    if !verified {
        tracing::warn!(
            "matrix: other people's clients show this device as not verified; set matrix.recovery_key to the account's recovery key, or verify the device from another one"
        );
    }
    recovered && backed_up
}

fn is_verified(matrix: &Matrix) -> bool {
    matrix.client.encryption().verification_state().get() == VerificationState::Verified
}

/// The same, asking for the keys again: what was signed just now is known only then.
async fn is_verified_by_now(matrix: &Matrix) -> bool {
    let encryption = matrix.client.encryption();
    if !is_verified(matrix)
        && let Err(error) = encryption.request_user_identity(&matrix.me).await
    {
        tracing::debug!("matrix: the own keys: {error}");
    }
    is_verified(matrix)
}

/// Notes for `doctor` how things stand.
pub(super) fn look(matrix: &Matrix) {
    let (verified, backed_up) = (is_verified(matrix), is_backed_up(matrix));
    matrix.health.device(verified, backed_up);
}

fn is_backed_up(matrix: &Matrix) -> bool {
    matches!(
        matrix.client.encryption().backups().state(),
        BackupState::Enabled | BackupState::Creating | BackupState::Resuming
    )
}

fn has_key_set(matrix: &Matrix) -> bool {
    !matrix.settings.recovery_key.is_empty()
}

/// Verifies the device by a recovery key, or makes the account's first identity. False when it is to be tried again.
async fn recovered(matrix: &Matrix) -> bool {
    let encryption = matrix.client.encryption();
    if let Some(key) = recovery_key(matrix) {
        return match encryption
            .recovery()
            .recover_and_fix_backup(key.trim())
            .await
        {
            Ok(()) => {
                tracing::info!("matrix: the device is verified by the recovery key");
                true
            }
            Err(error) => {
                tracing::error!(
                    "matrix: the device cannot be verified by the recovery key: {error}"
                );
                // A wrong key will not become right.
                !matches!(
                    error,
                    matrix_sdk::encryption::recovery::RecoveryError::Sdk(matrix_sdk::Error::Http(
                        _
                    ))
                )
            }
        };
    }
    let Err(refused) = encryption.bootstrap_cross_signing_if_needed(None).await else {
        return true;
    };
    let password = &matrix.settings.password;
    let Some(asked) = refused.as_uiaa_response().filter(|_| !password.is_empty()) else {
        tracing::warn!("matrix: cross-signing cannot be set up: {refused}");
        return matches!(
            super::refusal::of(&refused),
            super::refusal::Refusal::Other(..)
        ) || refused.as_uiaa_response().is_some();
    };
    let user = MatrixUserIdentifier::new(matrix.me.to_string());
    let mut answer = Password::new(UserIdentifier::Matrix(user), password.reveal().to_owned());
    answer.session.clone_from(&asked.session);
    let again = encryption.bootstrap_cross_signing(Some(AuthData::Password(answer)));
    again
        .await
        .inspect_err(|error| tracing::warn!("matrix: cross-signing cannot be set up: {error}"))
        .is_ok()
}

/// Sees to it that there is a recovery key. False when it is to be tried again.
async fn with_recovery_key(matrix: &Matrix) -> bool {
    let recovery = matrix.client.encryption().recovery();
    if !matches!(recovery.state(), RecoveryState::Disabled) {
        return true;
    }
    let key = match recovery.enable().await {
        Ok(key) => Zeroizing::new(key),
        Err(error) => {
            tracing::warn!("matrix: a recovery key cannot be made: {error}");
            return false;
        }
    };
    let path = file(matrix);
    match write(&path, &key) {
        Ok(()) => tracing::warn!(
            "matrix: the account's new recovery key is in {}; keep a copy elsewhere, it brings a lost data folder's device back",
            path.display()
        ),
        Err(error) => tracing::error!(
            "matrix: the account's new recovery key cannot be written to {}: {error}; reset it from another client",
            path.display()
        ),
    }
    true
}

fn file(matrix: &Matrix) -> PathBuf {
    matrix.settings.folder.join(FILE)
}

/// The recovery key that is set, else the one that was made here.
fn recovery_key(matrix: &Matrix) -> Option<Zeroizing<String>> {
    let set = &matrix.settings.recovery_key;
    if !set.is_empty() {
        return Some(Zeroizing::new(set.reveal().to_owned()));
    }
    let made = fs::read_to_string(file(matrix)).ok().map(Zeroizing::new);
    made.filter(|key| !key.trim().is_empty())
}

/// Writes the key for its owner only; those that were there are kept beside.
fn write(path: &Path, key: &str) -> io::Result<()> {
    if path.exists() {
        login::beside(path)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{key}")?;
    file.sync_all()
}

/// R107: the server has a one-time key under a name that this device gives to another. From then on people cannot open
/// encrypted sessions with it.
pub(super) async fn watch_conflicts(matrix: &Arc<Matrix>) {
    let mut conflicts = matrix.client.subscribe_to_duplicate_key_upload_errors();
    let known = StateStoreDataKey::OneTimeKeyAlreadyUploaded;
    match matrix.client.state_store().get_kv_data(known).await {
        Ok(Some(_)) => conflict(matrix),
        Ok(None) => {}
        Err(error) => tracing::warn!("matrix: the SDK's store: {error}"),
    }
    let matrix = Arc::downgrade(matrix);
    tokio::spawn(async move {
        use tokio::sync::broadcast::error::RecvError;

        while let Ok(_) | Err(RecvError::Lagged(_)) = conflicts.recv().await {
            let Some(matrix) = matrix.upgrade() else {
                return;
            };
            conflict(&matrix);
        }
    });
}

fn conflict(matrix: &Matrix) {
    matrix.health.key_conflict();
    tracing::error!(
        "matrix: the homeserver has keys of this device that its store does not know, so some messages cannot be read (R107); the data folder was put back from a back-up, or two programs used it. Run `ashtapada run --new-device` once"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_recovery_key_is_for_its_owner_only_and_none_is_written_over() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        write(&path, "EsTc old").unwrap();
        write(&path, "EsTc next").unwrap();
        write(&path, "EsTc new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "EsTc new\n");
        for (number, key) in [(1, "EsTc old\n"), (2, "EsTc next\n")] {
            let before = path.with_extension(format!("before-{number}"));
            assert_eq!(fs::read_to_string(before).unwrap(), key);
        }
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
