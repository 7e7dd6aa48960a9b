//! The secret behind a table's fair dice, what is published of it before anybody joins, and how it is kept meanwhile.

use std::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::hex32::Hex32;
use crate::ids::TableCode;

/// The 32 bytes a table draws at its opening. Never printed: it leaves this type only sealed, or revealed after the game.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<[u8; 32]>);

/// SHA-256 of a table's secret, published at the opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commitment(pub Hex32);

/// A secret that has been published, the game being over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revealed(pub Hex32);

/// A secret encrypted under the installation's key (XChaCha20-Poly1305, bound to its table's code): nonce, then
/// ciphertext, in hexadecimal.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sealed(String);

/// The installation's key, under which secrets are sealed. Never printed.
#[derive(Clone)]
pub struct SealingKey(Zeroizing<[u8; 32]>);

/// How many drawn bytes sealing takes.
pub const NONCE_LEN: usize = 24;

/// A sealed secret that cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The stored text is not a sealed secret.
    #[error("the table's stored secret is damaged")]
    Malformed,
    /// It was sealed under another key, for another table, or was changed.
    #[error("the table's secret was sealed under another key")]
    Key,
}

impl Secret {
    /// The secret made of these drawn bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// What may be published before the game.
    pub fn commitment(&self) -> Commitment {
        Commitment(Hex32::new(Sha256::digest(*self.0).into()))
    }

    /// The published form; for finished games only.
    pub fn reveal(&self) -> Revealed {
        Revealed(Hex32::new(*self.0))
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<Revealed> for Secret {
    fn from(revealed: Revealed) -> Self {
        Self::new(*revealed.0.bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(…)")
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealingKey(…)")
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl SealingKey {
    /// The key made of these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Encrypts a table's secret; `nonce` is drawn anew for each.
    pub fn seal(
        &self,
        code: TableCode,
        secret: &Secret,
        nonce: [u8; NONCE_LEN],
    ) -> Result<Sealed, SealError> {
        let code = code.to_string();
        let payload = Payload {
            msg: secret.bytes(),
            aad: code.as_bytes(),
        };
        let sealed = self
            .cipher()
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| SealError::Malformed)?;
        Ok(Sealed(hex::encode(nonce) + hex::encode(sealed).as_str()))
    }

    /// Decrypts a table's secret.
    pub fn open(&self, code: TableCode, sealed: &Sealed) -> Result<Secret, SealError> {
        let bytes = hex::decode(&sealed.0).map_err(|_| SealError::Malformed)?;
        let (nonce, msg) = bytes
            .split_first_chunk::<NONCE_LEN>()
            .ok_or(SealError::Malformed)?;
        let code = code.to_string();
        let payload = Payload {
            msg,
            aad: code.as_bytes(),
        };
        let plain = self
            .cipher()
            .decrypt(&XNonce::from(*nonce), payload)
            .map_err(|_| SealError::Key)?;
        let plain = Zeroizing::new(plain);
        let bytes = plain
            .as_slice()
            .try_into()
            .map_err(|_| SealError::Malformed)?;
        Ok(Secret::new(bytes))
    }

    /// Another key for one purpose, from which this one cannot be told: HMAC-SHA256 of the purpose's name.
    pub fn derived(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        // HMAC fills a key up to a block with zeros.
        let mut block = Zeroizing::new([0; 64]);
        block[..32].copy_from_slice(&*self.0);
        let mut mac = Hmac::<Sha256>::new((&*block).into());
        mac.update(purpose.as_bytes());
        Zeroizing::new(mac.finalize().into_bytes().into())
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> TableCode {
        text.parse().unwrap()
    }

    #[test]
    fn a_sealed_secret_opens_only_for_its_table_and_under_its_key() {
        let secret = Secret::new([7; 32]);
        let key = SealingKey::new([1; 32]);
        let sealed = key.seal(code("K7Q2F"), &secret, [9; NONCE_LEN]).unwrap();
        assert_eq!(key.open(code("K7Q2F"), &sealed), Ok(secret));
        assert_eq!(key.open(code("K7Q2G"), &sealed), Err(SealError::Key));
        let other = SealingKey::new([2; 32]);
        assert_eq!(other.open(code("K7Q2F"), &sealed), Err(SealError::Key));
        let short = Sealed("00".to_owned());
        assert_eq!(key.open(code("K7Q2F"), &short), Err(SealError::Malformed));
    }

    #[test]
    fn a_derived_key_is_of_its_key_and_purpose() {
        let key = SealingKey::new([1; 32]);
        // By Python's hmac.
        assert_eq!(
            hex::encode(*key.derived("one")),
            "a80f93cf75fcc63026c96a2bbf8a0a2a23b0a5c5ef381dca4fdb47cfd8a28e1d"
        );
        assert_ne!(key.derived("one"), key.derived("two"));
        assert_ne!(key.derived("one"), SealingKey::new([2; 32]).derived("one"));
    }

    #[test]
    fn r73_nothing_printed_or_stored_before_the_end_shows_the_secret() {
        let bytes = std::array::from_fn(|i| i as u8 ^ 0xa5);
        let secret = Secret::new(bytes);
        let key = SealingKey::new([1; 32]);
        let sealed = key.seal(code("K7Q2F"), &secret, [9; NONCE_LEN]).unwrap();
        let shown = format!(
            "{secret:?} {sealed:?} {key:?} {} {}",
            serde_json::to_string(&sealed).unwrap(),
            secret.commitment()
        );
        assert!(!shown.contains(&hex::encode(bytes)[..16]), "{shown}");
        assert!(!shown.contains(&format!("{bytes:?}")[1..20]), "{shown}");
    }
}
