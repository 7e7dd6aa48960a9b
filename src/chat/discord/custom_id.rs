//! What a button or menu carries: enough to be understood after restarts and weeks, in Discord's 100 characters.
//!
//! - `a|31|roll table:K7Q2F`: does what the line says, if the table's position is still the one numbered 31; with `-` in place of
//!   the number, whatever the position;
//! - `h|31|K7Q2F|…`: a step of making a move by hand, with what has been chosen so far;
//! - `o|31|K7Q2F`: opens the menu of what can be offered.
//!
//! Buttons of other versions of the program are read as nothing, and answered as such (R13).

use std::fmt;

use crate::ids::TableCode;

/// The most bytes of a custom id.
pub(super) const LONGEST: usize = 100;

/// What was pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pressed {
    /// Acts like a command line.
    Act {
        /// The position version of the table at which it was offered, if it is for that position only.
        expects: Option<u64>,
        /// The line, without the sign before the command.
        line: String,
    },
    /// Goes on making a move by hand.
    Hand {
        /// The position version of the table.
        expects: u64,
        /// The table.
        table: TableCode,
        /// What has been chosen so far.
        hand: String,
    },
    /// Opens the menu of what can be offered.
    Offer {
        /// The position version of the table.
        expects: u64,
        /// The table.
        table: TableCode,
    },
}

impl Pressed {
    /// Acts like a line such as `/roll table:K7Q2F`.
    pub(super) fn act(expects: Option<u64>, line: &str) -> Pressed {
        let line = line.strip_prefix(['/', '!']).unwrap_or(line);
        Pressed::Act {
            expects,
            line: line.to_owned(),
        }
    }

    /// The custom id; `None` when it would be too long for Discord.
    pub(super) fn id(&self) -> Option<String> {
        let id = self.to_string();
        (id.len() <= LONGEST).then_some(id)
    }
}

impl fmt::Display for Pressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pressed::Act {
                expects: Some(version),
                line,
            } => write!(f, "a|{version}|{line}"),
            Pressed::Act {
                expects: None,
                line,
            } => write!(f, "a|-|{line}"),
            Pressed::Hand {
                expects,
                table,
                hand,
            } => write!(f, "h|{expects}|{table}|{hand}"),
            Pressed::Offer { expects, table } => write!(f, "o|{expects}|{table}"),
        }
    }
}

/// Reads a custom id; `None` for what this version of the program has not made.
pub(super) fn read(id: &str) -> Option<Pressed> {
    let (kind, rest) = id.split_once('|')?;
    let (version, rest) = rest.split_once('|')?;
    match kind {
        "a" if !rest.is_empty() => Some(Pressed::Act {
            expects: match version {
                "-" => None,
                version => Some(number(version)?),
            },
            line: rest.to_owned(),
        }),
        "h" => {
            let (table, hand) = rest.split_once('|')?;
            Some(Pressed::Hand {
                expects: number(version)?,
                table: table.parse().ok()?,
                hand: hand.to_owned(),
            })
        }
        "o" => Some(Pressed::Offer {
            expects: number(version)?,
            table: rest.parse().ok()?,
        }),
        _ => None,
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let table: TableCode = "K7Q2F".parse().unwrap();
        for (pressed, id) in [
            (
                Pressed::act(Some(31), "/roll table:K7Q2F"),
                "a|31|roll table:K7Q2F",
            ),
            (
                Pressed::act(None, "join seat:white table:K7Q2F"),
                "a|-|join seat:white table:K7Q2F",
            ),
            (
                Pressed::Hand {
                    expects: 31,
                    table,
                    hand: "b1c3.a2".to_owned(),
                },
                "h|31|K7Q2F|b1c3.a2",
            ),
            (
                Pressed::Hand {
                    expects: 4,
                    table,
                    hand: String::new(),
                },
                "h|4|K7Q2F|",
            ),
            (Pressed::Offer { expects: 31, table }, "o|31|K7Q2F"),
        ] {
            assert_eq!(pressed.id().as_deref(), Some(id));
            assert_eq!(read(id), Some(pressed));
        }
    }

    #[test]
    fn r13_ids_of_other_versions_are_nothing() {
        for id in [
            "",
            "join:K7Q2F",
            "a",
            "a|31",
            "a|31|",
            "a|x|roll",
            "a|+31|roll",
            "a||roll",
            "h|31|K7Q2F",
            "h|-|K7Q2F|b1",
            "h|31|nope!|b1",
            "o|-|K7Q2F",
            "o|31|",
            "z|31|roll",
            "é|é|é",
        ] {
            assert_eq!(read(id), None, "{id}");
        }
    }

    #[test]
    fn what_is_too_long_for_discord_has_no_id() {
        let line = format!("move {}", "b1c3 ".repeat(30));
        assert_eq!(Pressed::act(Some(1), &line).id(), None);
    }
}
