//! Positions as texts: what a player sees (STATE) and what can be loaded (SETUP), by `vectors/README.md`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::dice::Roll;
use super::seat::Seat;

/// A position as it is loaded. What is absent is at the value its field names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The board text.
    pub board: String,
    /// Whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mover: Option<Seat>,
    /// Dice not yet used: the mover has rolled. Absent: in games with dice the mover must roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Roll>,
    /// Points in the order of play (zeros).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i32>>,
    /// Who commands each army, in the order of play (every seat its own).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<Seat>>,
    /// Players who have resigned, or in CJ lost their King (none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<Seat>,
    /// Letters of pieces captured and not yet brought back (none).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reserve: BTreeMap<Seat, String>,
    /// PC: seats that have brought back a King (none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub king_returned: Vec<Seat>,
    /// FH, XH: whose Kings a seat has captured (none).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kings_taken: BTreeMap<Seat, Vec<Seat>>,
    /// Squares of waiting pawns, longest first (none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<String>,
    /// PC: rolls left against the bare Kings of South and North, and of West and East (not counted).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bare: Option<[Option<u8>; 2]>,
    /// Plies or turns without a capture or a pawn move (0).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quiet: u16,
}

fn is_zero(number: &u16) -> bool {
    *number == 0
}

/// Everything a player sees of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The board text.
    pub board: String,
    /// `roll`, `move` or `over`.
    pub phase: String,
    /// Whose turn it is, or was.
    pub mover: Seat,
    /// Dice not yet used, ascending.
    pub dice: Vec<u8>,
    /// Every legal move's text, sorted.
    pub legal: Vec<String>,
    /// Points in the order of play, in games with points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i32>>,
    /// Who commands each army, in games with thrones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<Seat>>,
    /// Players who are out of the game.
    pub out: Vec<Seat>,
    /// Squares of waiting pawns, longest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Vec<String>>,
    /// PC: rolls left against bare Kings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bare: Option<[Option<u8>; 2]>,
    /// Plies or turns without a capture or a pawn move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<u16>,
    /// The result of a finished game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

/// The result of a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The word for how it ended.
    pub reason: String,
    /// Who won; nobody is a draw.
    pub winners: Vec<Seat>,
}
