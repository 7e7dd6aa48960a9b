//! Squares and their names (RULES.md G1).

use std::fmt;
use std::str::FromStr;

/// A square by file and rank, both counted from 0 at the South-West corner (`a1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    file: u8,
    rank: u8,
}

impl Square {
    /// The square on a file (0 is `a`, at most 25) and a rank (0 is `1`).
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Square {
        Square { file, rank }
    }

    /// The file, 0 for `a`.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.file
    }

    /// The rank, 0 for `1`.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.rank
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.file % 26),
            u16::from(self.rank) + 1
        )
    }
}

/// A text that is not a letter and a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no square")]
pub struct NotASquare(pub String);

impl FromStr for Square {
    type Err = NotASquare;

    /// Reads `a1` … `z99`; whether a board has the square is the board's to say.
    fn from_str(text: &str) -> Result<Square, NotASquare> {
        let no = || NotASquare(text.to_owned());
        let mut letters = text.chars();
        let file = letters
            .next()
            .filter(char::is_ascii_lowercase)
            .ok_or_else(no)?;
        let digits = letters.as_str();
        let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        match digits.parse::<u8>() {
            Ok(number) if plain && number > 0 && !digits.starts_with('0') => {
                Ok(Square::new(file as u8 - b'a', number - 1))
            }
            _ => Err(no()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_read_as_they_are_written() {
        for text in ["a1", "h8", "j10", "n14"] {
            assert_eq!(
                text.parse::<Square>().map(|s| s.to_string()).as_deref(),
                Ok(text)
            );
        }
        for text in ["", "a", "a0", "a01", "A1", "1a", "a1b", "é1", "a+1"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
