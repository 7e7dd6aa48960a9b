//! Thirty-two bytes written as 64 lower-case hexadecimal digits: the shape of secrets, commitments and contributions.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Thirty-two bytes; their text and their stored form are 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hex32([u8; 32]);

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 64 hexadecimal digits")]
pub struct NotHex32;

impl Hex32 {
    /// These bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hex32 {
    type Err = NotHex32;

    fn from_str(text: &str) -> Result<Self, NotHex32> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).map_err(|_| NotHex32)?;
        Ok(Self(bytes))
    }
}

impl From<Hex32> for String {
    fn from(value: Hex32) -> Self {
        value.to_string()
    }
}

impl TryFrom<String> for Hex32 {
    type Error = NotHex32;

    fn try_from(text: String) -> Result<Self, NotHex32> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_are_the_same_thing() {
        let text = "00ff".repeat(16);
        let read: Hex32 = text.parse().unwrap();
        assert_eq!(read.bytes()[..2], [0x00, 0xff]);
        assert_eq!(read.to_string(), text);
        assert_eq!(text.to_uppercase().parse::<Hex32>().unwrap(), read);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "00", &"0g".repeat(32), &"00".repeat(33), "é"] {
            assert_eq!(text.parse::<Hex32>(), Err(NotHex32), "{text}");
        }
    }
}
