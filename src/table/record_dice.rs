//! The dice in a record: where they came from, and what is needed to check them.

use serde::{Deserialize, Serialize};

use super::dice::Contribution;
use super::event::DiceTerms;
use super::secret::{Commitment, Revealed};
use super::state::Table;
use crate::ids::PersonId;

/// Where the dice came from, and what is needed to check them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "DiceSection", into = "DiceSection")]
pub enum RecordDice {
    /// Fair dice.
    Fair {
        /// Published before anybody joined.
        commitment: Commitment,
        /// The players', in the order in which the dice use them.
        contributions: Vec<Contributed>,
        /// The secret, once the game is over.
        secret: Option<Revealed>,
        /// The drawn order of the back row.
        order: Option<u32>,
    },
    /// Rolls from a file: not fair.
    File {
        /// The order of the back row from the file.
        order: Option<u32>,
    },
}

/// A contribution and what it was made of, but for the player's own word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contributed {
    /// The contribution.
    pub hex: Contribution,
    /// Whose.
    pub person: PersonId,
    /// The message they joined by.
    pub message: String,
}

/// [`RecordDice`] as it stands in JSON.
#[derive(Clone, Serialize, Deserialize)]
struct DiceSection {
    fair: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commitment: Option<Commitment>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contributions: Vec<Contributed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<Revealed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<u32>,
}

impl RecordDice {
    /// The section of a table with these terms.
    pub(super) fn of(table: &Table, terms: &DiceTerms, order: Option<u32>) -> Self {
        match terms {
            DiceTerms::File => RecordDice::File { order },
            DiceTerms::Fair { commitment, .. } => RecordDice::Fair {
                commitment: *commitment,
                contributions: table
                    .players()
                    .map(|sitter| Contributed {
                        hex: sitter.contribution,
                        person: sitter.person,
                        message: sitter.message.clone(),
                    })
                    .collect(),
                secret: table.secret(),
                order,
            },
        }
    }
}

impl From<DiceSection> for RecordDice {
    fn from(section: DiceSection) -> Self {
        match section.commitment {
            Some(commitment) if section.fair => Self::Fair {
                commitment,
                contributions: section.contributions,
                secret: section.secret,
                order: section.order,
            },
            _ => Self::File {
                order: section.order,
            },
        }
    }
}

impl From<RecordDice> for DiceSection {
    fn from(dice: RecordDice) -> Self {
        match dice {
            RecordDice::Fair {
                commitment,
                contributions,
                secret,
                order,
            } => Self {
                fair: true,
                commitment: Some(commitment),
                contributions,
                secret,
                order,
            },
            RecordDice::File { order } => Self {
                fair: false,
                commitment: None,
                contributions: Vec::new(),
                secret: None,
                order,
            },
        }
    }
}
