//! What happens at a table, as it is stored. A table's history is a list of these; its state is a fold over them.
//!
//! The stored form has a version ([`Entry::VERSION`]); snapshots guard it. People stand in it as numbers only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dice::Contribution;
use super::secret::{Commitment, Revealed, Sealed};
use crate::ids::{At, PersonId, Place, TableCode};
use crate::rules::{Roll, Seat, Setup};

/// One event with when it happened and whose doing it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The version of the stored form.
    pub v: u32,
    /// When.
    pub at: At,
    /// Whose doing; nobody's when it follows from the rules or from the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PersonId>,
    /// What.
    pub event: Event,
}

/// A stored entry that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It was written by a later program.
    #[error("it has version {0}, written by a newer program; this one reads versions up to {current}", current = Entry::VERSION)]
    Newer(u64),
    /// It is not an entry.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The table was opened; always the first event. The host's seat follows as [`Event::Joined`].
    Opened(Box<Opened>),
    /// A seat was reserved for somebody.
    Invited {
        /// For whom.
        person: PersonId,
        /// A certain seat (of a rematch); otherwise any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// A reservation was taken back.
    Uninvited {
        /// Whose.
        person: PersonId,
    },
    /// Somebody turned an invitation down.
    Declined {
        /// Who.
        person: PersonId,
    },
    /// Somebody sat down.
    Joined(Box<Joined>),
    /// Somebody left before the start.
    Left {
        /// Who.
        person: PersonId,
    },
    /// The host took a seat back before the start.
    Removed {
        /// Whose.
        person: PersonId,
    },
    /// The host left and somebody else is the host now.
    Host {
        /// Who.
        person: PersonId,
    },
    /// All seats were taken and the game began.
    Started {
        /// The drawn order of the back row, where the options ask for one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<u32>,
    },
    /// The dice were thrown.
    Rolled {
        /// Which roll of the table, from 1.
        n: u32,
        /// The dice, in the order thrown.
        dice: Roll,
    },
    /// Moves were played by one command, in their exact text.
    Moved {
        /// At least one.
        moves: Vec<String>,
    },
    /// The rest of the roll was given up.
    Passed,
    /// Something was offered that needs the others' consent. The event's number is the offer's id.
    Offered {
        /// What.
        matter: Matter,
    },
    /// Somebody consented to an open offer.
    Accepted {
        /// To which.
        matter: Matter,
    },
    /// Somebody turned an open offer down.
    TurnedDown {
        /// Which.
        matter: Matter,
    },
    /// An offer was taken back, or lapsed.
    OfferWithdrawn {
        /// Which.
        matter: Matter,
    },
    /// All who are still in the game have agreed to end it (G8).
    Agreed,
    /// Somebody wants to resign and has to confirm it.
    ResignAsked {
        /// For which seat.
        seat: Seat,
        /// The last moment at which it can be confirmed.
        until: At,
    },
    /// A player resigned (G9).
    Resigned {
        /// Which seat's.
        seat: Seat,
    },
    /// The player to move claimed the victory (CJ10).
    Claimed,
    /// The game is over by its rules.
    Ended {
        /// The fair dice's secret, published now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<Revealed>,
    },
    /// The table was closed without a result.
    Cancelled {
        /// The fair dice's secret, published now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<Revealed>,
    },
    /// Nobody joined for so long that the table was closed.
    Expired,
    /// The table is played in another place from now on.
    Placed {
        /// Where.
        place: Place,
        /// Which of its places that was until now.
        instead_of: Place,
    },
    /// A new table with the same people and options was opened.
    Rematched {
        /// Its code.
        code: TableCode,
    },
}

/// With what a table was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The table's code.
    pub code: TableCode,
    /// The key of the game.
    pub game: String,
    /// The chosen options.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Who opened it.
    pub host: PersonId,
    /// Where.
    pub place: Place,
    /// Whether it may be joined from other places.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Whether one person plays all seats.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solo: bool,
    /// The position to start from, if not the array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<Setup>>,
    /// Where its dice come from; nowhere in games without dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<DiceTerms>,
    /// The table it is a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<TableCode>,
}

/// Where a table's dice come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiceTerms {
    /// From a secret drawn at the opening and the players' contributions.
    Fair {
        /// SHA-256 of the secret.
        commitment: Commitment,
        /// The secret, encrypted until the game is over.
        sealed: Sealed,
    },
    /// From a file (`--dice FILE`): not fair.
    File,
}

/// How somebody sat down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    /// Who.
    pub person: PersonId,
    /// On which seats: one, or all of a solo table.
    pub seats: Vec<Seat>,
    /// What they add to the fair dice.
    pub contribution: Contribution,
    /// The message they joined by; it stands in the contribution.
    pub message: String,
    /// The place of an open table that they joined from, where it is not the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What can be offered to the others at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// To end the game by agreement.
    Draw,
    /// To close the table without a result.
    Cancel,
}

impl Matter {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Draw, Self::Cancel];
}

impl Entry {
    /// The version that this program writes.
    pub const VERSION: u32 = 1;

    /// An entry in the form of today.
    pub fn new(at: At, by: Option<PersonId>, event: Event) -> Self {
        Self {
            v: Self::VERSION,
            at,
            by,
            event,
        }
    }

    /// Reads a stored entry of this or an earlier version.
    ///
    /// # Errors
    /// When it is from a later version, or damaged.
    pub fn read(stored: &Value) -> Result<Self, EntryError> {
        match stored.get("v").and_then(Value::as_u64) {
            Some(v) if v > u64::from(Self::VERSION) => Err(EntryError::Newer(v)),
            _ => Self::deserialize(stored).map_err(|error| EntryError::Damaged(error.to_string())),
        }
    }

    /// The stored form.
    pub fn stored(&self) -> Value {
        serde_json::json!(self)
    }
}
