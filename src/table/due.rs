//! What a table's state calls for without anybody asking: the start, the end, and what becomes of offers.

use super::agree::Offer;
use super::event::Matter;
use super::game::Game;
use super::state::{Phase, Table};

/// An event that the table's state calls for without anybody asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// All seats are taken; a number below `draw` is to be drawn for the set-up, if there is one.
    Start {
        /// How many numbers there are to draw from.
        draw: Option<u32>,
    },
    /// All have agreed to end the game.
    Agree,
    /// All have agreed to close the table.
    Cancel,
    /// An offer has lapsed.
    Lapse(Matter),
    /// The game is over.
    End,
}

impl Table {
    /// What the state calls for next; nothing most of the time.
    pub fn due(&self) -> Option<Due> {
        match &self.phase {
            Phase::Gathering => {
                let full = self.chairs.iter().all(|chair| chair.sitter.is_some());
                let draw = self.options.undrawn(self.info).map(|(_, count)| count);
                full.then_some(Due::Start { draw })
            }
            Phase::Playing(game) if game.play.outcome().is_some() => Some(Due::End),
            Phase::Playing(game) => game
                .offers
                .iter()
                .find_map(|offer| self.offer_due(game, offer)),
            Phase::Over { .. } => None,
        }
    }

    fn offer_due(&self, game: &Game, offer: &Offer) -> Option<Due> {
        let agreed = match offer.matter {
            Matter::Draw => Due::Agree,
            Matter::Cancel => Due::Cancel,
        };
        if self.has_lapsed(game, offer) {
            Some(Due::Lapse(offer.matter))
        } else {
            self.is_agreed(game, offer).then_some(agreed)
        }
    }
}
