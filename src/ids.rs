//! The names by which tables, people, places, causes and moments are known in every layer.
//!
//! Nothing here reads a clock or draws a number: what is drawn or measured comes in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The characters of a table's code: digits and letters that cannot be taken for one another.
const ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A table's code: five characters of `23456789ABCDEFGHJKMNPQRSTVWXYZ`, such as `K7Q2F`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableCode([u8; TableCode::LENGTH]);

/// A text that is not a table's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a table's code: five characters of 23456789ABCDEFGHJKMNPQRSTVWXYZ")]
pub struct NotACode(pub String);

impl TableCode {
    /// How many characters a code has.
    pub const LENGTH: usize = 5;

    /// The code that a drawn number stands for, or `None` where that code could be read as a move or a word
    /// (`A7A8F`, `RATHA`): then draw again. About two numbers in five give a code.
    #[must_use]
    pub fn drawn(number: u32) -> Option<Self> {
        let code = Self::numbered(number);
        (!code.reads_like_a_move()).then_some(code)
    }

    /// The code of a number, counted in the alphabet's base and wrapping after 30⁵.
    #[must_use]
    pub fn numbered(number: u32) -> Self {
        let mut rest = number as usize;
        let mut code = [0; Self::LENGTH];
        for place in code.iter_mut().rev() {
            *place = ALPHABET[rest % ALPHABET.len()];
            rest /= ALPHABET.len();
        }
        Self(code)
    }

    /// Whether some board of ours could take these characters for a move: in a move every digit follows the
    /// letter of a file (`a` to `n`), and a text without any digit may be the name of a piece.
    #[must_use]
    pub fn reads_like_a_move(self) -> bool {
        let stray_digit = |at: usize| {
            self.0[at].is_ascii_digit() && (at == 0 || !(b'A'..=b'N').contains(&self.0[at - 1]))
        };
        !(0..Self::LENGTH).any(stray_digit)
    }

    /// The characters as ASCII bytes, upper case.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }

    /// The code with these ASCII bytes, upper case; `None` when one of them is no character of a code.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::LENGTH]) -> Option<Self> {
        bytes
            .iter()
            .all(|byte| ALPHABET.contains(byte))
            .then_some(Self(bytes))
    }
}

impl FromStr for TableCode {
    type Err = NotACode;

    /// Reads a code in upper or lower case.
    fn from_str(text: &str) -> Result<Self, NotACode> {
        let upper = text.to_ascii_uppercase();
        let bytes: Option<[u8; Self::LENGTH]> = upper.as_bytes().try_into().ok();
        bytes
            .and_then(Self::from_bytes)
            .ok_or_else(|| NotACode(text.to_owned()))
    }
}

impl TryFrom<String> for TableCode {
    type Error = NotACode;

    fn try_from(text: String) -> Result<Self, NotACode> {
        text.parse()
    }
}

impl From<TableCode> for String {
    fn from(code: TableCode) -> Self {
        code.to_string()
    }
}

impl fmt::Display for TableCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|&byte| fmt::Write::write_char(f, char::from(byte)))
    }
}

impl fmt::Debug for TableCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableCode({self})")
    }
}

/// A person's running number, from 1, never given twice. Platform accounts and names hang on it in a table of people
/// of their own, so that games stay valid when a person is renamed or forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub u64);

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where people chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// The terminal.
    Console,
    /// Discord.
    Discord,
    /// Matrix.
    Matrix,
}

impl Platform {
    /// Every platform.
    pub const ALL: [Self; 3] = [Self::Console, Self::Discord, Self::Matrix];

    /// The platform's name in lower case, as it stands in stored records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Console => "console",
            Self::Discord => "discord",
            Self::Matrix => "matrix",
        }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no platform: console, discord or matrix")]
pub struct NotAPlatform(pub String);

impl FromStr for Platform {
    type Err = NotAPlatform;

    fn from_str(text: &str) -> Result<Self, NotAPlatform> {
        Self::ALL
            .into_iter()
            .find(|platform| platform.name() == text)
            .ok_or_else(|| NotAPlatform(text.to_owned()))
    }
}

/// Where a table is played or a message goes: a Discord channel or thread, a Matrix room or thread, a room of the console.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Whose place it is.
    pub platform: Platform,
    /// The platform's id of the channel or room.
    pub room: String,
    /// The platform's id of the thread within it, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
}

impl Place {
    /// A whole room.
    #[must_use]
    pub fn room(platform: Platform, room: impl Into<String>) -> Self {
        Self {
            platform,
            room: room.into(),
            thread: None,
        }
    }

    /// A thread in a room.
    #[must_use]
    pub fn thread(platform: Platform, room: impl Into<String>, thread: impl Into<String>) -> Self {
        Self {
            platform,
            room: room.into(),
            thread: Some(thread.into()),
        }
    }

    /// The room around a thread; a room is its own.
    #[must_use]
    pub fn whole_room(&self) -> Self {
        Self {
            platform: self.platform,
            room: self.room.clone(),
            thread: None,
        }
    }

    /// Whether something here also counts as being in `other`: the same place, or a thread of that room.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self == other
            || (other.thread.is_none()
                && self.platform == other.platform
                && self.room == other.room)
    }
}

impl fmt::Display for Place {
    /// `console:hall`, `matrix:!room/thread`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.platform, self.room)?;
        self.thread
            .as_ref()
            .map_or(Ok(()), |thread| write!(f, "/{thread}"))
    }
}

/// What caused a command: the platform and its id of the interaction, event or message (`discord:1234`). A cause is
/// acted on once, also across restarts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cause(pub String);

impl Cause {
    /// The cause with this id on this platform.
    #[must_use]
    pub fn new(platform: Platform, id: impl fmt::Display) -> Self {
        Self(format!("{platform}:{id}"))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A moment: milliseconds since the Unix epoch.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct At(pub u64);

impl At {
    /// This moment and so many milliseconds more; stays at the end of time rather than wrapping.
    #[must_use]
    pub const fn plus_millis(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this moment, none when it lies ahead.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_in_either_case_and_written_in_upper() {
        let code: TableCode = "k7q2f".parse().unwrap();
        assert_eq!(code.to_string(), "K7Q2F");
        assert_eq!(serde_json::to_string(&code).unwrap(), "\"K7Q2F\"");
        assert_eq!(
            serde_json::from_str::<TableCode>("\"K7Q2F\"").unwrap(),
            code
        );
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in [
            "", "K7Q2", "K7Q2FF", "K7Q2I", "K7Q2O", "K7Q21", "K7Q2L", "K7Q2U", "K7é2", "ſ7Q2F",
        ] {
            assert_eq!(text.parse::<TableCode>(), Err(NotACode(text.to_owned())));
        }
    }

    #[test]
    fn a_drawn_code_is_never_readable_as_a_move() {
        for (text, like_a_move) in [
            ("K7Q2F", false),
            ("A7A8F", true),
            ("NB2C3", true),
            ("RATHA", true),
            ("22222", false),
            ("QA2B3", true),
        ] {
            assert_eq!(
                text.parse::<TableCode>().unwrap().reads_like_a_move(),
                like_a_move,
                "{text}"
            );
        }
        let drawn = (0..24_300_000)
            .step_by(997)
            .filter(|&number| TableCode::drawn(number).is_some())
            .count();
        assert!(drawn > 24_300 / 3, "only {drawn} codes can be drawn");
    }

    #[test]
    fn numbers_give_different_codes() {
        assert_eq!(TableCode::numbered(0).to_string(), "22222");
        assert_eq!(TableCode::numbered(30 * 30).to_string(), "22322");
        assert_eq!(TableCode::numbered(24_299_999).to_string(), "ZZZZZ");
    }

    #[test]
    fn a_thread_is_within_its_room_and_not_the_other_way_round() {
        let room = Place::room(Platform::Matrix, "!room");
        let thread = Place::thread(Platform::Matrix, "!room", "$event");
        assert!(thread.is_within(&room) && thread.is_within(&thread) && !room.is_within(&thread));
        assert_eq!(thread.to_string(), "matrix:!room/$event");
        assert_eq!(thread.whole_room(), room);
        assert_eq!(
            serde_json::to_string(&room).unwrap(),
            r#"{"platform":"matrix","room":"!room"}"#
        );
    }
}
