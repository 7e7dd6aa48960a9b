//! A table as it is stored, what the lists show of it, and how it is found.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{At, PersonId, Place};

/// A table as stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// What the lists show of it.
    pub listing: Listing,
    /// How many events it has.
    pub version: u64,
    /// All of them, in order.
    pub events: Vec<Value>,
}

/// What the lists show of a table, and what it is found by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// Everybody seated or invited.
    pub people: Vec<PersonId>,
    /// Whose move it is.
    pub turn: Vec<PersonId>,
    /// Where it is played.
    pub places: Vec<Place>,
    /// May be joined from other places.
    pub open: bool,
    /// How far it has come.
    pub stage: Stage,
    /// When it last changed.
    pub since: At,
    /// When something has to be done about it unasked, such as closing a table nobody joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<At>,
    /// What else a list says of it, small: game and the like.
    pub summary: Value,
}

/// How far a table has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Waiting for players.
    Gathering,
    /// Being played.
    Playing,
    /// Over, or closed before it began.
    Finished,
}

impl Stage {
    /// Every stage in order.
    pub const ALL: [Self; 3] = [Self::Gathering, Self::Playing, Self::Finished];
}

/// Which stages a search asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stages {
    /// Every table.
    All,
    /// Those gathering or playing.
    Unfinished,
    /// Those of one stage.
    Only(Stage),
}

impl Stages {
    /// Whether this stage is asked for.
    #[must_use]
    pub fn include(self, stage: Stage) -> bool {
        match self {
            Self::All => true,
            Self::Unfinished => stage != Stage::Finished,
            Self::Only(one) => one == stage,
        }
    }
}

/// Which tables are wanted; each kind has an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Find {
    /// Those a person is seated at or invited to.
    OfPerson {
        /// Who.
        person: PersonId,
        /// How far they have come.
        stages: Stages,
    },
    /// Those played in a place; those in a thread also count as in its room.
    InPlace {
        /// Where.
        place: Place,
        /// How far they have come.
        stages: Stages,
    },
    /// Those that wait for players and may be joined from elsewhere.
    Open,
    /// Those with an expiry before this moment, the earliest first.
    Expiring {
        /// The moment.
        before: At,
    },
    /// Those that are over.
    Finished,
}

impl Find {
    /// Whether a table with this listing is wanted.
    #[must_use]
    pub fn wants(&self, listing: &Listing) -> bool {
        match self {
            Self::OfPerson { person, stages } => {
                stages.include(listing.stage) && listing.people.contains(person)
            }
            Self::InPlace { place, stages } => {
                stages.include(listing.stage)
                    && listing.places.iter().any(|own| own.is_within(place))
            }
            Self::Open => listing.open && listing.stage == Stage::Gathering,
            Self::Expiring { before } => listing.expires.is_some_and(|expires| expires < *before),
            Self::Finished => listing.stage == Stage::Finished,
        }
    }
}
