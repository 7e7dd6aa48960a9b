//! The one catalogue of commands: what people may type, on every platform.
//!
//! A platform's registration, the readers of lines, `help`, autocomplete and the README's table are all made from it.

mod entries;
mod readme;

use std::fmt;

pub use entries::{COMMANDS, THEMES};
pub use readme::readme_table;

use crate::ids::Platform;
use crate::rules;

/// Which command: what [`crate::command`] does is chosen by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Opens a table.
    New,
    /// Takes a seat.
    Join,
    /// Turns an invitation or an offer down.
    Decline,
    /// Reserves a seat for somebody.
    Invite,
    /// Takes a reservation or a seat back.
    Remove,
    /// Leaves a table that has not started.
    Leave,
    /// Begins a game.
    Start,
    /// Closes a table.
    Cancel,
    /// Opens the same table again.
    Rematch,
    /// Throws the dice.
    Roll,
    /// Plays moves.
    Move,
    /// Gives up the rest of the roll.
    Pass,
    /// Shows the position.
    Board,
    /// Lists the legal moves.
    Moves,
    /// Resigns.
    Resign,
    /// Offers or accepts an end by agreement.
    Draw,
    /// Claims the win that stands.
    Claim,
    /// Lists tables.
    Games,
    /// Goes to the table that waits for the caller.
    Next,
    /// Tells how a table stands.
    Show,
    /// Hands out a game's record.
    Record,
    /// Explains a game.
    Rules,
    /// Explains a table's dice.
    Dice,
    /// Moves a table to this place.
    Here,
    /// Settings of a server or room.
    Place,
    /// Lists what the bot lacks in this place.
    Doctor,
    /// Explains the commands.
    Help,
}

/// One command as it is offered to people.
pub struct Command {
    /// Which it is.
    pub verb: Verb,
    /// The word typed after `/` or `!`: lower-case letters, at most 32.
    pub name: &'static str,
    /// What it does, in at most 100 characters.
    pub does: &'static str,
    /// What else is worth knowing, for `help`; may be empty.
    pub more: &'static str,
    /// What can be given with it, the required first.
    pub options: &'static [CommandOption],
    /// Lines that work, without the sign before the name.
    pub examples: &'static [&'static str],
}

/// One option of a command.
#[derive(Debug)]
pub struct CommandOption {
    /// The word before the colon: lower-case letters and hyphens, at most 32.
    pub key: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Whether the command needs it.
    pub required: bool,
    /// What it is for, in at most 100 characters.
    pub help: &'static str,
}

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// So many mentions at most.
    People(usize),
    /// One mention.
    Person,
    /// A game's key, its name or an unambiguous beginning of either.
    Game,
    /// The same, or `default`.
    GameOrDefault,
    /// A seat or an army's name; checked against the game by the command.
    Seat,
    /// A seat, or `random`.
    SeatOrRandom,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A whole number between two bounds, both included.
    Number(i64, i64),
    /// Yes or no; the option's name alone means yes.
    YesNo,
    /// Yes or no, or `default`.
    YesNoOrDefault,
    /// A table's code.
    Table,
    /// One or several moves.
    Moves,
    /// A square or a piece.
    SquareOrPiece,
    /// Options of the game as `key=choice`, several with spaces between.
    GameOptions,
    /// A position as SETUP text, a JSON object.
    Position,
    /// Rooms or channels, or `all`, which is the default.
    Rooms,
    /// A command's name.
    Command,
    /// What commands begin with in a Matrix room: one to three signs, or `default`.
    Prefix,
    /// Words of one's own, so many characters at most.
    Text(usize),
}

impl Takes {
    /// Whether several words without a name of their own may follow each other as one value.
    pub fn several_words(self) -> bool {
        match self {
            Takes::People(_)
            | Takes::Game
            | Takes::GameOrDefault
            | Takes::Moves
            | Takes::GameOptions
            | Takes::Position
            | Takes::Rooms
            | Takes::SquareOrPiece
            | Takes::Text(_) => true,
            Takes::Person
            | Takes::Seat
            | Takes::SeatOrRandom
            | Takes::Word(_)
            | Takes::Number(..)
            | Takes::YesNo
            | Takes::YesNoOrDefault
            | Takes::Table
            | Takes::Prefix
            | Takes::Command => false,
        }
    }

    /// The values to choose from, where there are few: for a platform's menus and autocomplete.
    pub fn choices(self) -> Vec<&'static str> {
        match self {
            Takes::Game => rules::games().map(|info| info.key).collect(),
            Takes::GameOrDefault => {
                let games = Takes::Game.choices().into_iter();
                games.chain([DEFAULT]).collect()
            }
            Takes::Seat => SEATS.to_vec(),
            Takes::SeatOrRandom => SEATS.iter().copied().chain(["random"]).collect(),
            Takes::Word(words) => words.to_vec(),
            Takes::YesNo => vec!["yes", "no"],
            Takes::YesNoOrDefault => vec!["yes", "no", DEFAULT],
            Takes::Command => COMMANDS.iter().map(|command| command.name).collect(),
            Takes::People(_)
            | Takes::Person
            | Takes::Number(..)
            | Takes::Table
            | Takes::Moves
            | Takes::SquareOrPiece
            | Takes::GameOptions
            | Takes::Position
            | Takes::Rooms
            | Takes::Prefix
            | Takes::Text(_) => Vec::new(),
        }
    }
}

/// What sets a setting back to what holds where nothing is set.
pub const DEFAULT: &str = "default";

/// The same, as it was called at first.
pub const NONE: &str = "none";

/// The seats of all games.
const SEATS: &[&str] = &["south", "west", "north", "east", "white", "black"];

impl CommandOption {
    /// Whether it means anything on a platform: only there it is offered. Typed elsewhere it is read all the same.
    pub fn is_for(&self, platform: Platform) -> bool {
        match self.takes {
            Takes::Prefix => platform == Platform::Matrix,
            // Only whether tables get threads is a setting of this kind.
            Takes::YesNoOrDefault => platform != Platform::Console,
            _ => true,
        }
    }

    /// Whether it is a setting that can be set back.
    pub fn has_default(&self) -> bool {
        match self.takes {
            Takes::GameOrDefault | Takes::YesNoOrDefault | Takes::Prefix | Takes::Rooms => true,
            Takes::Word(words) => words.contains(&DEFAULT),
            _ => false,
        }
    }
}

impl Command {
    /// The option of this key.
    pub fn option(&self, key: &str) -> Option<&'static CommandOption> {
        self.options.iter().find(|option| option.key == key)
    }

    /// The option that needs no name: the first required one, or the first of a command that requires none.
    pub fn unnamed(&self) -> Option<&'static CommandOption> {
        self.options
            .iter()
            .find(|option| option.required)
            .or(self.options.first())
    }

    /// The option that takes mentions, so that `@ada` needs no name.
    pub fn mentioning(&self) -> Option<&'static CommandOption> {
        self.options
            .iter()
            .find(|option| matches!(option.takes, Takes::People(_) | Takes::Person))
    }

    /// How it is written, as in `/move moves [table:…]`.
    pub fn usage(&self) -> String {
        let unnamed = self.unnamed().map(|option| option.key);
        let mut line = format!("/{}", self.name);
        for option in self.options {
            let named = if unnamed == Some(option.key) && option.required {
                option.key.to_uppercase()
            } else {
                format!("{}:…", option.key)
            };
            if option.required {
                line.push_str(&format!(" {named}"));
            } else {
                line.push_str(&format!(" [{named}]"));
            }
        }
        line
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Command").field(&self.name).finish()
    }
}

/// The command of this name, in any case.
pub fn command(name: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.name.eq_ignore_ascii_case(name))
}

/// The catalogue's entry of a verb.
pub fn entry(verb: Verb) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.verb == verb)
}

#[cfg(test)]
mod tests;
