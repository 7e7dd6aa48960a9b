//! Why a line cannot be read, worded for the one who wrote it.

use std::collections::BTreeSet;
use std::fmt;

use super::super::catalogue::{Command, Takes};
use super::super::text::Text;
use crate::lookalike::look_alike;

/// What is wrong with a line.
#[derive(Debug, Clone)]
pub enum ReadError {
    /// The word after the sign is no command.
    NoSuchCommand {
        /// What was written.
        name: String,
        /// The command most like it.
        nearest: Option<&'static str>,
    },
    /// The word before a colon is no option of the command.
    NoSuchOption {
        /// The command.
        command: &'static Command,
        /// What was written.
        name: String,
        /// The option most like it.
        nearest: Option<&'static str>,
    },
    /// An option the command needs was not given.
    Missing {
        /// The command.
        command: &'static Command,
        /// The option.
        key: &'static str,
        /// What it is for.
        help: &'static str,
    },
    /// An option was given twice.
    Twice {
        /// The option.
        key: &'static str,
    },
    /// One of the game's options was chosen twice.
    ChosenTwice {
        /// The game's option.
        key: String,
    },
    /// The whole line is longer than a command can be.
    LineTooLong {
        /// How many characters a line may have.
        most: usize,
        /// How many were written.
        found: usize,
    },
    /// A word that belongs to no option.
    Surplus {
        /// The command.
        command: &'static Command,
        /// The word.
        word: String,
    },
    /// A value its option does not take.
    Value {
        /// The option.
        key: &'static str,
        /// What was written.
        text: String,
        /// What the option takes.
        takes: Takes,
        /// The value most like it.
        nearest: Option<String>,
    },
    /// A beginning that several values share.
    Several {
        /// What was written.
        text: String,
        /// The values it could be.
        among: Vec<&'static str>,
    },
    /// More mentions than the option takes.
    TooMany {
        /// The option.
        key: &'static str,
        /// How many it takes.
        most: usize,
        /// How many were named.
        found: usize,
    },
    /// A text longer than the option takes.
    TooLong {
        /// The option.
        key: &'static str,
        /// How many characters it takes.
        most: usize,
        /// How many were written.
        found: usize,
    },
}

impl ReadError {
    /// What is wrong; commands in it are something to type, which each platform writes with its own sign.
    pub fn text(&self) -> Text {
        match self {
            ReadError::NoSuchCommand { name, nearest } => {
                let wrong = Text::from(format!("There is no command “{}”. ", brief(name)));
                match nearest {
                    Some(nearest) => wrong
                        .plain("Did you mean ")
                        .code(format!("/{nearest}"))
                        .plain("?"),
                    None => wrong.code("/help").plain(" lists them."),
                }
                .plain(strange(name))
            }
            ReadError::NoSuchOption {
                command,
                name,
                nearest,
            } => {
                let wrong = Text::new().code(format!("/{}", command.name));
                let wrong = wrong.plain(format!(" has no option “{}”. ", brief(name)));
                match nearest {
                    Some(nearest) => wrong.plain(format!("Did you mean “{nearest}”?")),
                    None => usage(wrong, command),
                }
                .plain(strange(name))
            }
            ReadError::Missing { command, key, help } => {
                let wrong = Text::new().code(format!("/{}", command.name));
                usage(wrong.plain(format!(" needs {key}: {help}. ")), command)
            }
            ReadError::Twice { key } => {
                Text::from(format!("“{key}” is given twice. Once is enough."))
            }
            ReadError::ChosenTwice { key } => {
                Text::from(format!("“{}” is chosen twice. Once is enough.", brief(key)))
            }
            ReadError::LineTooLong { most, found } => Text::from(format!(
                "A command may have at most {most} characters; yours has {found}."
            )),
            ReadError::Surplus { command, word } => usage(
                Text::from(format!("I do not know what “{}” is for. ", brief(word))),
                command,
            ),
            ReadError::Value {
                key,
                text,
                takes,
                nearest,
            } => Text::from(format!(
                "{key} cannot be “{}”: it takes {}.{}{}",
                brief(text),
                wanted(*takes),
                did_you_mean(nearest),
                match takes {
                    // Names may be written in any letters.
                    Takes::People(_) | Takes::Person | Takes::Rooms => String::new(),
                    _ => strange(text),
                }
            )),
            ReadError::Several { text, among } => Text::from(format!(
                "“{}” could be {}. Write a little more of it.",
                brief(text),
                among.join(" or ")
            )),
            ReadError::TooMany { key, most, found } => Text::from(format!(
                "{key} takes at most {most} players; you named {found}."
            )),
            ReadError::TooLong { key, most, found } => Text::from(format!(
                "{key} may have at most {most} characters; yours has {found}."
            )),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nobody is named in it.
        f.write_str(&self.text().to_plain(|_| String::new()))
    }
}

impl std::error::Error for ReadError {}

fn usage(wrong: Text, command: &Command) -> Text {
    wrong.plain("Write ").code(command.usage()).plain(".")
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |nearest| {
        format!(" Did you mean “{nearest}”?")
    })
}

/// Which letters are of another script, behind a sentence on what they are in: ` (“о” is a Cyrillic letter.)`.
fn strange(text: &str) -> String {
    const MOST: usize = 5;
    let letters = look_alike(text).map_or(Vec::new(), |found| found.letters);
    let scripts: BTreeSet<&str> = letters.iter().filter_map(|one| one.script).collect();
    let kinds: Vec<String> = scripts
        .into_iter()
        .map(|script| {
            let own = letters.iter().filter(|one| one.script == Some(script));
            let own: Vec<String> = own
                .take(MOST)
                .map(|one| format!("“{}”", one.written))
                .collect();
            match own.as_slice() {
                [only] => format!("{only} is a {script} letter"),
                [first @ .., last] => {
                    format!("{} and {last} are {script} letters", first.join(", "))
                }
                [] => String::new(),
            }
        })
        .collect();
    match kinds.is_empty() {
        true => String::new(),
        false => format!(" ({}.)", kinds.join("; ")),
    }
}

fn wanted(takes: Takes) -> String {
    match takes {
        Takes::People(_) | Takes::Person => "mentions, such as @ada".to_owned(),
        Takes::Game
        | Takes::GameOrDefault
        | Takes::Seat
        | Takes::SeatOrRandom
        | Takes::YesNoOrDefault
        | Takes::Word(_) => takes.choices().join(", "),
        Takes::Number(least, most) => format!("a whole number from {least} to {most}"),
        Takes::YesNo => "yes or no".to_owned(),
        Takes::Table => "a table's code of five characters, such as K7Q2F".to_owned(),
        Takes::Moves => "moves, such as b1c3 a2a3".to_owned(),
        Takes::SquareOrPiece => "a square or a piece, such as b1 or horse".to_owned(),
        Takes::GameOptions => "key=choice, such as corner=boat".to_owned(),
        Takes::Position => {
            "a SETUP text, a JSON object such as /record gives at its end".to_owned()
        }
        Takes::Rooms => "channels, such as #games, or all or default".to_owned(),
        Takes::Prefix => {
            "one to three signs such as ! or ?, without letters, digits, blanks, quotes or any of > < @ # { }; or default".to_owned()
        }
        Takes::Command => "a command's name".to_owned(),
        Takes::Text(most) => format!("at most {most} characters"),
    }
}

/// The beginning of a text, so that an answer stays short.
fn brief(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut brief: String = text.chars().take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        brief.push('…');
    }
    brief
}

impl PartialEq for ReadError {
    /// Errors that say the same are the same.
    fn eq(&self, other: &ReadError) -> bool {
        self.to_string() == other.to_string()
    }
}
