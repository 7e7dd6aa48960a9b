//! Rolls from a file in place of fair ones (`--dice FILE`), for scripts and tests.
//!
//! One roll a line (`3,5`); `order N` (0–23) is the Partnership game's drawn set-up and counts apart from the rolls.
//! Roll number n of a table takes the file's nth roll, so the file goes on where the stored table stands. Empty lines
//! and what follows a `#` are passed over.

use std::num::NonZeroU32;

use crate::rules::Roll;

/// The rolls of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiceFile {
    rolls: Vec<Line>,
    order: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    number: usize,
    roll: Roll,
}

/// What is wrong with a file of rolls.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceFileError {
    /// A line is neither a roll nor an order.
    #[error(
        "line {line} of the dice file, `{text}`, is neither a roll such as `3,5` nor `order N` with N from 0 to 23"
    )]
    Line {
        /// Counted from 1.
        line: usize,
        /// What stands there, shortened.
        text: String,
    },
    /// The file holds fewer rolls than the table needs.
    #[error("the dice file has {has} rolls and this is roll {n} of the table")]
    RanOut {
        /// Which roll of the table is due.
        n: u32,
        /// How many rolls the file holds.
        has: usize,
    },
    /// A roll has another number of dice than the game throws.
    #[error("line {line} of the dice file has {has} dice and the game throws {wanted}")]
    Count {
        /// Counted from 1.
        line: usize,
        /// How many dice stand there.
        has: usize,
        /// How many the game throws.
        wanted: usize,
    },
    /// There is no `order` line and the game needs one.
    #[error("the dice file has no line `order N`")]
    NoOrder,
}

impl DiceFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`DiceFileError::Line`] for the first line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, DiceFileError> {
        let mut file = Self {
            rolls: Vec::new(),
            order: None,
        };
        for (index, whole) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = whole.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let number = index + 1;
            let bad = || DiceFileError::Line {
                line: number,
                text: line.chars().take(40).collect(),
            };
            if let Some(order) = line.strip_prefix("order") {
                let order = read_order(order).ok_or_else(bad)?;
                file.order.get_or_insert(order);
            } else {
                let roll = line.parse().map_err(|_| bad())?;
                file.rolls.push(Line { number, roll });
            }
        }
        Ok(file)
    }

    /// A table's roll number `n` in a game that throws so many dice.
    ///
    /// # Errors
    /// When the file is too short, or the line has another number of dice.
    pub fn roll(&self, n: NonZeroU32, dice: usize) -> Result<Roll, DiceFileError> {
        let index = usize::try_from(n.get() - 1).unwrap_or(usize::MAX);
        let line = self.rolls.get(index).ok_or(DiceFileError::RanOut {
            n: n.get(),
            has: self.rolls.len(),
        })?;
        if line.roll.faces().len() != dice {
            return Err(DiceFileError::Count {
                line: line.number,
                has: line.roll.faces().len(),
                wanted: dice,
            });
        }
        Ok(line.roll.clone())
    }

    /// The drawn set-up: the file's first `order` line.
    ///
    /// # Errors
    /// [`DiceFileError::NoOrder`] when it has none.
    pub fn order(&self) -> Result<u8, DiceFileError> {
        self.order.ok_or(DiceFileError::NoOrder)
    }
}

fn read_order(text: &str) -> Option<u8> {
    let order: u8 = text.strip_prefix([' ', '\t'])?.trim().parse().ok()?;
    (order < 24).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roll(faces: &[u8]) -> Roll {
        Roll::new(faces).unwrap()
    }

    fn number(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    #[test]
    fn rolls_are_counted_apart_from_orders_comments_and_empty_lines() {
        let file =
            DiceFile::parse("\u{feff}# a game\r\n3,5\r\n\r\norder 7\r\n1, 6 # late\r\norder 8\r\n")
                .unwrap();
        assert_eq!(file.roll(number(1), 2), Ok(roll(&[3, 5])));
        assert_eq!(file.roll(number(2), 2), Ok(roll(&[1, 6])));
        assert_eq!(file.order(), Ok(7));
        assert_eq!(
            file.roll(number(3), 2),
            Err(DiceFileError::RanOut { n: 3, has: 2 })
        );
        let wrong = DiceFileError::Count {
            line: 5,
            has: 2,
            wanted: 3,
        };
        assert_eq!(file.roll(number(2), 3), Err(wrong));
        assert_eq!(
            DiceFile::parse("3,5").unwrap().order(),
            Err(DiceFileError::NoOrder)
        );
    }

    #[test]
    fn r71_a_bad_line_is_named_by_its_number() {
        for bad in [
            "0,6",
            "3,7",
            "3;5",
            "3,5,1,1",
            "-1,2",
            "2147483647",
            "order",
            "order 24",
            "order7",
            "order -1",
            "3,",
            "é",
        ] {
            let found = DiceFile::parse(&format!("3,5\n{bad}\n"));
            let expected = DiceFileError::Line {
                line: 2,
                text: bad.to_owned(),
            };
            assert_eq!(found, Err(expected));
        }
    }
}
