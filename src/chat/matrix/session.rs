//! Who is logged in: the session with the homeserver, kept in the store, sealed under the data folder's key.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use matrix_sdk::authentication::matrix::MatrixSession;
use zeroize::Zeroizing;

use super::{MatrixError, notes};
use crate::club::{Chance, Club, OsChance};
use crate::table::SealingKey;

const KEY: &str = "matrix/session";
const DEVICE: &str = "matrix/device";

/// What the keys of the adapter are derived for.
const FOR_SESSION: &str = "ashtapada matrix session";
const FOR_STORE: &str = "ashtapada matrix store";

const NONCE: usize = 24;

/// Reads and writes the session.
pub(super) struct Sessions<'a> {
    club: &'a Club,
    key: Zeroizing<[u8; 32]>,
}

/// The key of the SDK's store.
pub(super) fn store_key(key: &SealingKey) -> Zeroizing<[u8; 32]> {
    key.derived(FOR_STORE)
}

impl<'a> Sessions<'a> {
    pub(super) fn new(club: &'a Club, key: &SealingKey) -> Sessions<'a> {
        Sessions {
            club,
            key: key.derived(FOR_SESSION),
        }
    }

    /// The kept session.
    ///
    /// # Errors
    /// [`MatrixError::Unsealed`] when it is sealed under another key; when the store fails.
    pub(super) async fn kept(&self) -> Result<Option<MatrixSession>, MatrixError> {
        let Some(sealed) = self.club.store().note(KEY).await? else {
            return Ok(None);
        };
        let opened = sealed.as_str().and_then(|sealed| open(&self.key, sealed));
        opened.map(Some).ok_or(MatrixError::Unsealed)
    }

    /// Keeps a session; durable when this returns.
    ///
    /// # Errors
    /// When the store takes no more, or there is no randomness.
    pub(super) async fn keep(&self, session: &MatrixSession) -> Result<(), MatrixError> {
        let mut nonce = [0; NONCE];
        OsChance.fill(&mut nonce)?;
        let sealed = seal(&self.key, session, nonce).ok_or(MatrixError::Unsealed)?;
        Ok(notes::write(self.club, KEY, &sealed).await?)
    }

    /// Forgets the session and the device, for a new one.
    ///
    /// # Errors
    /// When the store takes no more.
    pub(super) async fn forget(&self) -> Result<(), MatrixError> {
        Ok(notes::remove(self.club, &[KEY, DEVICE]).await?)
    }

    /// The device as which a login by password is begun. It is noted before: when the program is killed in the middle of it,
    /// the next login is as the same device, to which the keys belong that are in the SDK's store by then.
    ///
    /// # Errors
    /// When the store fails, or there is no randomness.
    pub(super) async fn device(&self) -> Result<String, MatrixError> {
        if let Some(device) = notes::read(self.club, DEVICE).await? {
            return Ok(device);
        }
        let mut drawn = [0; 5];
        OsChance.fill(&mut drawn)?;
        let device = hex::encode_upper(drawn);
        notes::write(self.club, DEVICE, &device).await?;
        Ok(device)
    }
}

fn seal(key: &[u8; 32], session: &MatrixSession, nonce: [u8; NONCE]) -> Option<String> {
    let plain = Zeroizing::new(serde_json::to_vec(session).ok()?);
    let payload = Payload {
        msg: plain.as_slice(),
        aad: KEY.as_bytes(),
    };
    let cipher = XChaCha20Poly1305::new(key.into());
    let sealed = cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
    Some(hex::encode(nonce) + hex::encode(sealed).as_str())
}

fn open(key: &[u8; 32], sealed: &str) -> Option<MatrixSession> {
    let bytes = hex::decode(sealed).ok()?;
    let (nonce, msg) = bytes.split_first_chunk::<NONCE>()?;
    let payload = Payload {
        msg,
        aad: KEY.as_bytes(),
    };
    let cipher = XChaCha20Poly1305::new(key.into());
    let plain = cipher.decrypt(&XNonce::from(*nonce), payload).ok()?;
    serde_json::from_slice(&Zeroizing::new(plain)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::{owned_device_id, owned_user_id};
    use matrix_sdk::{SessionMeta, SessionTokens};

    fn session() -> MatrixSession {
        MatrixSession {
            meta: SessionMeta {
                user_id: owned_user_id!("@bot:a.org"),
                device_id: owned_device_id!("ABC"),
            },
            tokens: SessionTokens {
                access_token: "syt_very_secret".to_owned(),
                refresh_token: None,
            },
        }
    }

    #[test]
    fn a_sealed_session_opens_under_its_key_only_and_shows_nothing() {
        let sealed = seal(&[1; 32], &session(), [9; NONCE]).unwrap();
        let opened = open(&[1; 32], &sealed).unwrap();
        assert_eq!(opened, session());
        assert!(open(&[2; 32], &sealed).is_none());
        assert!(open(&[1; 32], &sealed.replacen('a', "b", 1)).is_none());
        assert!(open(&[1; 32], "00").is_none() && open(&[1; 32], "x").is_none());
        assert!(!sealed.contains(&hex::encode("secret")));
    }

    #[test]
    fn the_keys_of_session_and_store_differ() {
        let key = SealingKey::new([7; 32]);
        assert_ne!(key.derived(FOR_SESSION), store_key(&key));
    }
}
