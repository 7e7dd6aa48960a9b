//! Who sits where before the game: joining, inviting, removing, leaving, starting.

use super::dice::Contribution;
use super::event::{Event, Joined};
use super::refusal::Refusal;
use super::state::{Phase, Table};
use crate::ids::{PersonId, Place};
use crate::rules::Seat;

/// Somebody who wants to sit down.
#[derive(Debug, Clone)]
pub struct Joining {
    /// Who.
    pub person: PersonId,
    /// From where.
    pub place: Place,
    /// On which seat; on the one kept for them, or the first free one, when they do not say.
    pub seat: Option<Seat>,
    /// The id of the message they ask by.
    pub message: String,
    /// A word of their own for the fair dice; may be empty.
    pub word: String,
}

impl Table {
    /// Takes a free seat, or the one kept for the person. Asking again changes nothing (R44).
    ///
    /// # Errors
    /// When no seat, or not the wanted one, can be had by this person from this place.
    pub fn join(&self, joining: &Joining) -> Result<Vec<Event>, Refusal> {
        let person = joining.person;
        if let Phase::Over { .. } = self.phase {
            return Err(Refusal::Finished);
        }
        if let Some(seat) = self.seats_of(person).next() {
            let stays = joining.seat.is_none_or(|wanted| wanted == seat);
            return if stays {
                Ok(Vec::new())
            } else {
                Err(Refusal::AlreadySeated { seat })
            };
        }
        self.before_the_start()?;
        let here = self.is_played_in(&joining.place);
        let first = self.places().first().map(Place::whole_room);
        let first = first.as_ref() == Some(&joining.place.whole_room());
        if !here && !self.opened.open && self.invitation(person).is_none() {
            return Err(Refusal::Elsewhere);
        }
        let seat = self.seat_for(person, joining.seat)?;
        Ok(vec![Event::Joined(Box::new(Joined {
            person,
            seats: vec![seat],
            contribution: Contribution::of(person, &joining.message, &joining.word),
            message: joining.message.clone(),
            place: (self.opened.open && !first).then(|| joining.place.clone()),
        }))])
    }

    /// Reserves a free seat for somebody.
    ///
    /// # Errors
    /// When the caller is not the host, the game has begun, or the person cannot be invited (R46).
    pub fn invite(&self, by: PersonId, person: PersonId) -> Result<Vec<Event>, Refusal> {
        self.by_host(by)?;
        if self.opened.solo {
            return Err(Refusal::SoloInvites);
        }
        if by == person {
            return Err(Refusal::InvitesSelf);
        }
        if self.seats_of(person).next().is_some() {
            return Err(Refusal::HasSeat(person));
        }
        if self.invitation(person).is_some() {
            return Err(Refusal::HasInvitation(person));
        }
        if self.unreserved() == 0 {
            return Err(Refusal::NoFreeSeat);
        }
        Ok(vec![Event::Invited { person, seat: None }])
    }

    /// Takes a reservation, or a seat, back. Who moderates the place may do that beside the host.
    ///
    /// # Errors
    /// When the caller is not the host and does not moderate, the game has begun, or the person is not here or is the
    /// host.
    pub fn remove(
        &self,
        by: PersonId,
        person: PersonId,
        moderates: bool,
    ) -> Result<Vec<Event>, Refusal> {
        match moderates {
            true => self.before_the_start()?,
            false => self.by_host(by)?,
        }
        if by == person && by == self.host {
            return Err(Refusal::RemovesSelf);
        }
        if person == self.host {
            return Err(Refusal::RemovesHost(person));
        }
        if self.seats_of(person).next().is_some() {
            Ok(vec![Event::Removed { person }])
        } else if self.invitation(person).is_some() {
            Ok(vec![Event::Uninvited { person }])
        } else {
            Err(Refusal::NotHere(person))
        }
    }

    /// Gives a seat back before the start (R43). When the host leaves, the next one seated is the host; when nobody is
    /// left, the table is closed.
    ///
    /// # Errors
    /// When the caller has no seat, or the game has begun: then there is `resign`.
    pub fn leave(&self, person: PersonId) -> Result<Vec<Event>, Refusal> {
        if !matches!(self.phase, Phase::Over { .. }) {
            self.seated(person)?;
        }
        self.before_the_start()?;
        let mut events = vec![Event::Left { person }];
        if person == self.host {
            let next = self.people().find(|other| *other != person);
            events.push(match next {
                Some(person) => Event::Host { person },
                None => Event::Cancelled { secret: None },
            });
        }
        Ok(events)
    }

    /// Begins with the seats that are taken. As long as there are no computer players to fill the others this says which
    /// seats are free; a table with none free has begun by itself.
    ///
    /// # Errors
    /// Always, by the above.
    pub fn start(&self, by: PersonId) -> Result<Vec<Event>, Refusal> {
        self.by_host(by)?;
        let free = self.free_seats().collect();
        Err(Refusal::NotBegun { free })
    }

    fn by_host(&self, person: PersonId) -> Result<(), Refusal> {
        self.before_the_start()?;
        if person == self.host {
            Ok(())
        } else {
            Err(Refusal::NotHost { host: self.host })
        }
    }

    fn before_the_start(&self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Gathering => Ok(()),
            Phase::Playing(_) => Err(Refusal::Begun),
            Phase::Over { .. } => Err(Refusal::Finished),
        }
    }

    /// How many free seats are kept for nobody.
    pub(super) fn unreserved(&self) -> usize {
        self.free_seats().count().saturating_sub(self.invited.len())
    }

    fn seat_for(&self, person: PersonId, wanted: Option<Seat>) -> Result<Seat, Refusal> {
        let invitation = self.invitation(person);
        if invitation.is_none() && self.unreserved() == 0 && wanted.is_none() {
            return Err(Refusal::NoFreeSeat);
        }
        let kept = invitation.and_then(|invitation| invitation.seat);
        let seat = match wanted.or(kept) {
            Some(seat) => seat,
            None => self
                .free_seats()
                .find(|seat| self.kept_for_another(person, *seat).is_none())
                .ok_or(Refusal::NoFreeSeat)?,
        };
        let seats = self.info.seats;
        if !seats.contains(&seat) {
            return Err(Refusal::NoSuchSeat { seat, seats });
        }
        if let Some(person) = self.sitter(seat) {
            return Err(Refusal::SeatTaken { seat, person });
        }
        if let Some(person) = self.kept_for_another(person, seat) {
            return Err(Refusal::SeatReserved { seat, person });
        }
        if invitation.is_none() && self.unreserved() == 0 {
            return Err(Refusal::NoFreeSeat);
        }
        Ok(seat)
    }

    fn kept_for_another(&self, person: PersonId, seat: Seat) -> Option<PersonId> {
        self.invited
            .iter()
            .find(|other| other.seat == Some(seat) && other.person != person)
            .map(|other| other.person)
    }
}
