//! Resigning (G9): asked for first, confirmed within a minute; on one's own turn or not (R53).

use super::agree::taken_back;
use super::event::Event;
use super::game::Game;
use super::refusal::Refusal;
use super::state::Table;
use crate::ids::{At, PersonId};
use crate::rules::Seat;

/// How long a request to resign can be confirmed, in milliseconds.
pub const CONFIRM_WITHIN: u64 = 60_000;

impl Table {
    /// Asks to resign, or confirms an earlier request of the same person. A confirmation that comes too late, or that
    /// nothing was asked before, asks anew.
    ///
    /// # Errors
    /// When there is no game, the caller is out of it, or holds several seats and names none of them.
    pub fn resign(
        &self,
        person: PersonId,
        seat: Option<Seat>,
        confirm: bool,
        now: At,
    ) -> Result<Vec<Event>, Refusal> {
        let game = self.playing()?;
        self.still_in(game, person)?;
        let asked = game
            .resigning
            .iter()
            .find(|(who, of, until)| {
                *who == person && now <= *until && seat.is_none_or(|seat| seat == *of)
            })
            .map(|(_, of, _)| *of)
            .filter(|of| game.play.in_play(*of));
        match asked {
            Some(seat) if confirm => {
                let mut events = vec![Event::Resigned { seat }];
                events.extend(self.taken_back_by_resigning(game, person, seat));
                Ok(events)
            }
            _ => {
                let seat = self.which_seat(game, person, seat)?;
                let until = now.plus_millis(CONFIRM_WITHIN);
                Ok(vec![Event::ResignAsked { seat, until }])
            }
        }
    }

    fn which_seat(
        &self,
        game: &Game,
        person: PersonId,
        named: Option<Seat>,
    ) -> Result<Seat, Refusal> {
        let held: Vec<Seat> = self
            .seats_of(person)
            .filter(|seat| game.play.in_play(*seat))
            .collect();
        match (named, held.as_slice()) {
            (Some(seat), held) if held.contains(&seat) => Ok(seat),
            (Some(seat), _) => Err(Refusal::NotYourSeat(seat)),
            (None, [only]) => Ok(*only),
            (None, _) => Err(Refusal::WhichSeat(held)),
        }
    }

    /// Somebody who has left the game offers nothing; with another seat still in it, the offer stands.
    fn taken_back_by_resigning(&self, game: &Game, person: PersonId, seat: Seat) -> Option<Event> {
        let mut others = self
            .seats_of(person)
            .filter(|own| *own != seat && game.play.in_play(*own));
        match others.next() {
            Some(_) => None,
            None => taken_back(game, person),
        }
    }
}
