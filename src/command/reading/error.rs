//! Why a line cannot be read, worded for the one who wrote it.

use super::super::catalogue::{Command, Takes};

/// What is wrong with a line.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadError {
    /// The word after the sign is no command.
    #[error("There is no command “{}”. {}", brief(name), command_hint(*nearest))]
    NoSuchCommand {
        /// What was written.
        name: String,
        /// The command most like it.
        nearest: Option<&'static str>,
    },
    /// The word before a colon is no option of the command.
    #[error("/{} has no option “{}”. {}", command.name, brief(name), option_hint(command, *nearest))]
    NoSuchOption {
        /// The command.
        command: &'static Command,
        /// What was written.
        name: String,
        /// The option most like it.
        nearest: Option<&'static str>,
    },
    /// An option the command needs was not given.
    #[error("/{} needs {key}: {help}. Write {}.", command.name, command.usage())]
    Missing {
        /// The command.
        command: &'static Command,
        /// The option.
        key: &'static str,
        /// What it is for.
        help: &'static str,
    },
    /// An option was given twice.
    #[error("“{key}” is given twice. Once is enough.")]
    Twice {
        /// The option.
        key: &'static str,
    },
    /// One of the game's options was chosen twice.
    #[error("“{}” is chosen twice. Once is enough.", brief(key))]
    ChosenTwice {
        /// The game's option.
        key: String,
    },
    /// The whole line is longer than a command can be.
    #[error("A command may have at most {most} characters; yours has {found}.")]
    LineTooLong {
        /// How many characters a line may have.
        most: usize,
        /// How many were written.
        found: usize,
    },
    /// A word that belongs to no option.
    #[error("I do not know what “{}” is for. Write {}.", brief(word), command.usage())]
    Surplus {
        /// The command.
        command: &'static Command,
        /// The word.
        word: String,
    },
    /// A value its option does not take.
    #[error("{key} cannot be “{}”: it takes {}.{}", brief(text), wanted(*takes), did_you_mean(nearest))]
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
    #[error("“{}” could be {}. Write a little more of it.", brief(text), among.join(" or "))]
    Several {
        /// What was written.
        text: String,
        /// The values it could be.
        among: Vec<&'static str>,
    },
    /// More mentions than the option takes.
    #[error("{key} takes at most {most} players; you named {found}.")]
    TooMany {
        /// The option.
        key: &'static str,
        /// How many it takes.
        most: usize,
        /// How many were named.
        found: usize,
    },
    /// A text longer than the option takes.
    #[error("{key} may have at most {most} characters; yours has {found}.")]
    TooLong {
        /// The option.
        key: &'static str,
        /// How many characters it takes.
        most: usize,
        /// How many were written.
        found: usize,
    },
}

fn command_hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("Did you mean /{nearest}?"),
        None => "/help lists them.".to_owned(),
    }
}

fn option_hint(command: &Command, nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("Did you mean “{nearest}”?"),
        None => format!("Write {}.", command.usage()),
    }
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |nearest| {
        format!(" Did you mean “{nearest}”?")
    })
}

fn wanted(takes: Takes) -> String {
    match takes {
        Takes::People(_) | Takes::Person => "mentions, such as @ada".to_owned(),
        Takes::Game | Takes::GameOrNone | Takes::Seat | Takes::SeatOrRandom | Takes::Word(_) => {
            takes.choices().join(", ")
        }
        Takes::Number(least, most) => format!("a whole number from {least} to {most}"),
        Takes::YesNo => "yes or no".to_owned(),
        Takes::Table => "a table's code of five characters, such as K7Q2F".to_owned(),
        Takes::Moves => "moves, such as b1c3 a2a3".to_owned(),
        Takes::SquareOrPiece => "a square or a piece, such as b1 or horse".to_owned(),
        Takes::GameOptions => "key=choice, such as corner=boat".to_owned(),
        Takes::Position => {
            "a SETUP text, a JSON object such as /record gives at its end".to_owned()
        }
        Takes::Rooms => "channels, such as #games, or all".to_owned(),
        Takes::Prefix => {
            "one to three signs such as ! or ?, without letters, digits, blanks, quotes or any of > < @ # { }; or none".to_owned()
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
