//! What the lists show of a table, and what it is found by.

use serde::{Deserialize, Serialize};

use super::state::{Ending, Phase, Table};
use crate::ids::PersonId;
use crate::rules::Seat;
use crate::store::{Listing, Stage};

/// What else a list says of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The key of the game.
    pub game: String,
    /// The seats and who sits there.
    pub seats: Vec<(Seat, Option<PersonId>)>,
    /// Who is the host.
    pub host: PersonId,
    /// Whether the game has begun.
    #[serde(default)]
    pub begun: bool,
    /// How many moves have been played.
    #[serde(default)]
    pub moves: usize,
    /// The seat on turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Seat>,
    /// Who has won, once the game has a result; nobody is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winners: Option<Vec<Seat>>,
}

impl Summary {
    /// Whether a person has a seat, and not only an invitation.
    pub fn seats(&self, person: PersonId) -> bool {
        self.seats.iter().any(|(_, sitter)| *sitter == Some(person))
    }

    /// The summary in a listing; `None` when it is another program's.
    pub fn of(listing: &Listing) -> Option<Self> {
        Self::deserialize(&listing.summary).ok()
    }
}

impl Table {
    /// What the lists show of it. A table that nobody has joined for `expiry` milliseconds may be closed.
    pub fn listing(&self, expiry: u64) -> Listing {
        let invited = self.invited.iter().map(|invitation| invitation.person);
        let gathering = matches!(self.phase, Phase::Gathering);
        Listing {
            people: self.people().chain(invited).collect(),
            turn: self.on_turn_now().into_iter().collect(),
            places: self.places.clone(),
            open: self.opened.open,
            stage: match self.phase {
                Phase::Gathering => Stage::Gathering,
                Phase::Playing(_) => Stage::Playing,
                Phase::Over { .. } => Stage::Finished,
            },
            since: self.since,
            expires: gathering.then(|| self.joined_at.plus_millis(expiry)),
            summary: serde_json::json!(self.summary()),
        }
    }

    /// What a list says of it.
    pub fn summary(&self) -> Summary {
        let seats = self.chairs.iter().map(|chair| {
            let sitter = chair.sitter.as_ref();
            (chair.seat, sitter.map(|sitter| sitter.person))
        });
        Summary {
            game: self.opened.game.clone(),
            seats: seats.collect(),
            host: self.host,
            begun: self.game().is_some(),
            moves: self.game().map_or(0, |game| game.last_moves().count()),
            turn: match &self.phase {
                Phase::Playing(game) => Some(game.play.mover()),
                Phase::Gathering | Phase::Over { .. } => None,
            },
            winners: match self.ending() {
                Some(Ending::Played { outcome, .. }) => Some(outcome.winners.clone()),
                _ => None,
            },
        }
    }
}
