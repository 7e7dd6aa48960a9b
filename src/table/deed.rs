//! What can be done in a game, in the form in which records hold it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rules::{self, NotAMoveText, Play, Refused, Roll, Seat, parse_move};

/// What was done, in the form in which records hold it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deed {
    /// The dice were thrown.
    Roll(Roll),
    /// A move in its exact text.
    Move(String),
    /// The rest of the roll was given up.
    Pass(Yes),
    /// A player resigned.
    Resign(Seat),
    /// A player's time ran out.
    Timeout(Seat),
    /// The player to move claimed the victory.
    Claim(Yes),
    /// All agreed to end the game.
    Agree(Yes),
}

/// Written as `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "bool", try_from = "bool")]
pub struct Yes;

impl From<Yes> for bool {
    fn from(_: Yes) -> Self {
        true
    }
}

impl TryFrom<bool> for Yes {
    type Error = &'static str;

    fn try_from(value: bool) -> Result<Self, Self::Error> {
        value.then_some(Self).ok_or("can only be true")
    }
}

/// Why something cannot be done in a game.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DeedError {
    /// The text is no move.
    #[error(transparent)]
    Text(#[from] NotAMoveText),
    /// The rules do not allow it.
    #[error("the rules do not allow it")]
    Refused(Refused),
}

impl From<Refused> for DeedError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl Deed {
    /// The event of the rules that this is.
    ///
    /// # Errors
    /// When a move's text is none of this game.
    pub fn event(&self, play: &Play) -> Result<rules::Event, NotAMoveText> {
        Ok(match self {
            Self::Roll(roll) => rules::Event::Roll(roll.clone()),
            Self::Move(text) => rules::Event::Move(parse_move(play.info(), text)?),
            Self::Pass(Yes) => rules::Event::Pass,
            Self::Resign(seat) => rules::Event::Resign(*seat),
            Self::Timeout(seat) => rules::Event::Timeout(*seat),
            Self::Claim(Yes) => rules::Event::Claim,
            Self::Agree(Yes) => rules::Event::Agree,
        })
    }
}

impl fmt::Display for Deed {
    /// As in the text form: `[3,5]`, `b1c3`, `pass`, `resign:south`, `timeout:south`, `claim`, `agree`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Roll(roll) => write!(f, "[{roll}]"),
            Self::Move(text) => f.write_str(text),
            Self::Pass(Yes) => f.write_str("pass"),
            Self::Resign(seat) => write!(f, "resign:{seat}"),
            Self::Timeout(seat) => write!(f, "timeout:{seat}"),
            Self::Claim(Yes) => f.write_str("claim"),
            Self::Agree(Yes) => f.write_str("agree"),
        }
    }
}

impl Deed {
    /// Reads the text form; a word that is nothing else is taken for a move.
    pub(super) fn read(word: &str) -> Option<Self> {
        if let Some(roll) = word.strip_prefix('[') {
            let roll: Roll = roll.strip_suffix(']')?.parse().ok()?;
            return Some(Self::Roll(roll));
        }
        if let Some((what, seat)) = word.split_once(':') {
            let seat = seat.parse().ok()?;
            return match what {
                "resign" => Some(Self::Resign(seat)),
                "timeout" => Some(Self::Timeout(seat)),
                _ => None,
            };
        }
        Some(match word {
            "pass" => Self::Pass(Yes),
            "claim" => Self::Claim(Yes),
            "agree" => Self::Agree(Yes),
            text => Self::Move(text.to_owned()),
        })
    }
}
