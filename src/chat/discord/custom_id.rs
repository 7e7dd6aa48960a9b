//! What a button or menu carries: enough to be understood after restarts and weeks, in Discord's 100 characters.
//!
//! - `a|31|roll table:K7Q2F`: does what the line says, if the table's position is still the one numbered 31; with `-` in place of
//!   the number, whatever the position;
//! - `h|31|K7Q2F|…`: a step of making a move by hand, with what has been chosen so far;
//! - `o|31|K7Q2F`: opens the menu of what can be offered.
//!
//! Buttons of other versions of the program are read as nothing, and answered as such (R13).

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
        version: u64,
        /// The table.
        table: TableCode,
        /// What has been chosen so far; empty at the beginning.
        state: String,
    },
    /// Opens the menu of what can be offered.
    Offer {
        /// The position version of the table.
        version: u64,
        /// The table.
        table: TableCode,
    },
}

/// Acts like a line such as `/roll table:K7Q2F`.
pub(super) fn act(expects: Option<u64>, line: &str) -> String {
    let line = line.strip_prefix(['/', '!']).unwrap_or(line);
    match expects {
        Some(version) => format!("a|{version}|{line}"),
        None => format!("a|-|{line}"),
    }
}

/// Begins making a move by hand (with an empty state), or goes on with it.
pub(super) fn hand(version: u64, table: TableCode, state: &str) -> String {
    format!("h|{version}|{table}|{state}")
}

/// Opens the menu of what can be offered.
pub(super) fn offer(version: u64, table: TableCode) -> String {
    format!("o|{version}|{table}")
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
            let (table, state) = rest.split_once('|')?;
            Some(Pressed::Hand {
                version: number(version)?,
                table: table.parse().ok()?,
                state: state.to_owned(),
            })
        }
        "o" => Some(Pressed::Offer {
            version: number(version)?,
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
        let line = |line: &str| line.to_owned();
        for (id, written, pressed) in [
            (
                "a|31|roll table:K7Q2F",
                act(Some(31), "/roll table:K7Q2F"),
                Pressed::Act {
                    expects: Some(31),
                    line: line("roll table:K7Q2F"),
                },
            ),
            (
                "a|-|join seat:white table:K7Q2F",
                act(None, "join seat:white table:K7Q2F"),
                Pressed::Act {
                    expects: None,
                    line: line("join seat:white table:K7Q2F"),
                },
            ),
            (
                "h|31|K7Q2F|b1c3.a2",
                hand(31, table, "b1c3.a2"),
                Pressed::Hand {
                    version: 31,
                    table,
                    state: line("b1c3.a2"),
                },
            ),
            (
                "h|4|K7Q2F|",
                hand(4, table, ""),
                Pressed::Hand {
                    version: 4,
                    table,
                    state: String::new(),
                },
            ),
            (
                "o|31|K7Q2F",
                offer(31, table),
                Pressed::Offer { version: 31, table },
            ),
        ] {
            assert_eq!(written, id);
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
}
