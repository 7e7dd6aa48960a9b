//! What can be wrong with a configuration, worded for the one who wrote it.

use std::fmt;
use std::path::PathBuf;

use super::names::{BOT, LONGEST_NAME};

/// Why a configuration was refused. The text names the place and says what would be right.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read the configuration file {}: {cause}; --config needs the path of a readable TOML file such as config.example.toml", path.display())]
    Unreadable {
        /// The file asked for.
        path: PathBuf,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// The file is not TOML.
    #[error(
        "{spot}: this is not TOML: {what}; a setting is written `key = value`, a section `[name]`"
    )]
    Syntax {
        /// Where.
        spot: Spot,
        /// What the TOML reader said.
        what: String,
    },
    /// A key, section or variable that is no setting.
    #[error(
        "{spot}: there is no setting `{name}`; {}",
        nearest_or_example(nearest)
    )]
    Unknown {
        /// Where.
        spot: Spot,
        /// The name that was written.
        name: String,
        /// The setting most like it.
        nearest: Option<String>,
    },
    /// A value that does not fit its setting.
    #[error("{spot}: `{name}` takes {wanted}")]
    BadValue {
        /// Where.
        spot: Spot,
        /// The setting.
        name: String,
        /// What would be right.
        wanted: Wanted,
    },
    /// Settings that fit each for itself, but not together.
    #[error("the configuration does not fit together: {0}")]
    Together(String),
    /// An environment variable that is not Unicode.
    #[error("{0}: the variable is not valid Unicode; set it to plain text")]
    NotUnicode(Spot),
}

fn nearest_or_example(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "config.example.toml lists them all".to_owned(),
    }
}

/// Where a setting was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// A line of a file, counted from 1.
    Line(PathBuf, usize),
    /// An environment variable.
    Variable(String),
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Line(path, line) => write!(f, "{}, line {line}", path.display()),
            Spot::Variable(name) => write!(f, "environment variable {name}"),
        }
    }
}

/// What a setting's value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A text.
    Text,
    /// A path.
    Path,
    /// An HTTP address.
    Url,
    /// An HTTP address or the name of a Matrix server.
    Homeserver,
    /// Matrix servers and accounts.
    Inviters,
    /// A number within bounds.
    Number {
        /// The least allowed.
        least: i64,
        /// The most allowed.
        most: i64,
    },
    /// True or false.
    YesNo,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A log filter.
    Log,
    /// The beginning of a command.
    Prefix,
    /// The name of a speaker.
    Speaker,
    /// The name of a room.
    Room,
    /// A section, not a value.
    Section,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Text => f.write_str("a text in quotes"),
            Wanted::Path => f.write_str("a path in quotes, \"\" for none"),
            Wanted::Url => {
                f.write_str("an address in quotes that begins with https:// or http://, \"\" for none")
            }
            Wanted::Homeserver => f.write_str(
                "an address in quotes such as \"https://matrix.example.org\", or a server's name such as \"example.org\", \"\" for none",
            ),
            Wanted::Inviters => f.write_str(
                "servers and accounts in quotes with blanks between, such as \"example.org @bob:other.org\", \"\" for everybody",
            ),
            Wanted::Number { least, most } => {
                write!(f, "a whole number from {least} to {most}, without quotes")
            }
            Wanted::YesNo => f.write_str("true or false, without quotes"),
            Wanted::Word(words) => write!(f, "one of \"{}\"", words.join("\", \"")),
            Wanted::Log => f.write_str(
                "a level in quotes (\"error\", \"warn\", \"info\", \"debug\", \"trace\"), or levels by part as in \"warn,ashtapada=debug\"",
            ),
            Wanted::Prefix => {
                f.write_str("one to three signs in quotes, such as \"!\", no letters, digits or spaces")
            }
            Wanted::Speaker | Wanted::Room => {
                write!(
                    f,
                    "a name in quotes: letters and digits, and \"_\", \"-\" or \".\" between them, at most {LONGEST_NAME} in all"
                )?;
                match self {
                    Wanted::Speaker => {
                        write!(f, "; \"{BOT}\" and \"everyone\" are not free")
                    }
                    _ => Ok(()),
                }
            }
            Wanted::Section => f.write_str("settings of its own: write it as a section in brackets"),
        }
    }
}
