//! What ties the files of one data folder together: the folder's id, and a chain of digests over its commands.
//!
//! Every file says to which folder it belongs and which digest the chain has where it begins, so that a file of another
//! folder, or of a copy of this one that went its own way (a fork), is recognised.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The id of a data folder, drawn when it is made. A copy of the folder keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FolderId(pub(super) u128);

impl FolderId {
    pub(super) fn draw() -> Self {
        Self(rand::random())
    }
}

/// The digest of all commands up to one: each is mixed into that of the commands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chain(pub(super) u64);

impl Chain {
    /// The digest before the first command of a folder.
    pub(super) fn seed(folder: FolderId) -> Self {
        let [high, low] = [folder.0 >> 64, folder.0].map(|half| half as u64);
        Self(mixed(high ^ mixed(low)))
    }

    /// The digest of no lines at all, from which the sum of a file is counted.
    pub(super) const EMPTY: Self = Self(0);

    /// The digest with one more line, whose JSON has this CRC-32.
    pub(super) fn next(self, crc: u32) -> Self {
        Self(mixed(self.0 ^ u64::from(crc)))
    }
}

/// A well mixed number (the finaliser of `SplitMix64`).
pub(super) fn mixed(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A place in the history: a command's number, and the digest up to it where that is known. It is unknown in files of
/// the first format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) n: u64,
    pub(super) chain: Option<Chain>,
}

/// The text is none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no hexadecimal number of the right length")]
pub struct NotHex;

macro_rules! as_hex {
    ($name:ident, $number:ty, $digits:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:0width$x}", self.0, width = $digits)
            }
        }

        impl FromStr for $name {
            type Err = NotHex;

            fn from_str(text: &str) -> Result<Self, NotHex> {
                let plain = text.len() == $digits && text.bytes().all(|b| b.is_ascii_hexdigit());
                let number = plain.then(|| <$number>::from_str_radix(text, 16).ok());
                number.flatten().map(Self).ok_or(NotHex)
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotHex;

            fn try_from(text: String) -> Result<Self, NotHex> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.to_string()
            }
        }
    };
}

as_hex!(FolderId, u128, 32);
as_hex!(Chain, u64, 16);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_digests_are_read_back_as_they_are_written() {
        let id = FolderId(7 << 64 | 3);
        assert_eq!(id.to_string(), "00000000000000070000000000000003");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(
            "+0000000000000070000000000000003".parse::<FolderId>(),
            Err(NotHex)
        );
        let chain = Chain::seed(id).next(9);
        assert_eq!(chain.to_string().parse(), Ok(chain));
    }

    #[test]
    fn a_digest_tells_folders_and_the_order_of_lines_apart() {
        let (one, other) = (Chain::seed(FolderId(1)), Chain::seed(FolderId(1 << 64)));
        assert_ne!(one, other);
        assert_ne!(one.next(1).next(2), one.next(2).next(1));
    }
}
