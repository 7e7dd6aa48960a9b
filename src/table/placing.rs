//! Where a table is played: moving it to another place.

use super::event::Event;
use super::refusal::Refusal;
use super::state::{Phase, Table};
use crate::ids::{PersonId, Place};
use crate::rules::Effect;

impl Table {
    /// Moves the table, from where the person plays in it, to another place. Where it is there already it is only said
    /// again that it is: so a board whose message was deleted comes back (R25).
    ///
    /// # Errors
    /// When the caller neither has a seat nor is the host nor moderates the place, or the table is finished.
    pub fn here(
        &self,
        person: PersonId,
        place: &Place,
        moderates: bool,
    ) -> Result<Vec<Event>, Refusal> {
        if let Phase::Over { .. } = self.phase() {
            return Err(Refusal::Finished);
        }
        if person != self.host() && !moderates {
            self.seated(person)?;
        }
        let own = self.place_of(person).unwrap_or(place);
        Ok(vec![Event::Placed {
            place: place.clone(),
            instead_of: own.clone(),
        }])
    }

    /// The event by which `place` takes the place of `own`; none where that changes nothing.
    pub fn placed_from(&self, own: &Place, place: &Place) -> Option<Event> {
        (own != place && self.places().contains(own)).then(|| Event::Placed {
            place: place.clone(),
            instead_of: own.clone(),
        })
    }

    /// The place in which a person plays: where they sat down, else the table's first.
    pub fn place_of(&self, person: PersonId) -> Option<&Place> {
        let sitters = self
            .chairs()
            .iter()
            .filter_map(|chair| chair.sitter.as_ref());
        let mut own = sitters.filter(|sitter| sitter.person == person);
        own.next()
            .map(|sitter| &sitter.place)
            .or(self.places().first())
    }

    /// What [`Event::Placed`] does; `None` where the table is not played there.
    pub(super) fn placed(&mut self, place: &Place, instead_of: &Place) -> Option<Vec<Effect>> {
        let at = self.places.iter().position(|own| own == instead_of)?;
        self.places.retain(|own| own != place);
        match self.places.iter_mut().find(|own| *own == instead_of) {
            Some(own) => *own = place.clone(),
            None => self.places.insert(at.min(self.places.len()), place.clone()),
        }
        let sitters = self.chairs.iter_mut();
        for sitter in sitters.filter_map(|chair| chair.sitter.as_mut()) {
            if sitter.place == *instead_of {
                sitter.place = place.clone();
            }
        }
        Some(Vec::new())
    }

    /// The table's place that somebody joined in; a new one as it is.
    pub(super) fn joined_in(&self, place: Option<&Place>) -> Option<Place> {
        let Some(place) = place else {
            return self.places.first().cloned();
        };
        let room = place.whole_room();
        let mut own = self.places.iter();
        let own = own.find(|own| own.whole_room() == room);
        Some(own.unwrap_or(place).clone())
    }
}
