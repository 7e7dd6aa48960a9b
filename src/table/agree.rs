//! What needs the others' consent: ending the game by agreement (G8), and closing a table that has begun.
//!
//! An offer has an id, the number of its event; consent and refusal may name it, and are refused when it is not open any
//! more, so that an old button never answers a new offer (R47, R128). Different matters are open beside each other and
//! answered apart (R49).

use std::collections::BTreeSet;

use super::event::{Event, Matter};
use super::game::Game;
use super::refusal::Refusal;
use super::state::{Phase, Table};
use crate::ids::PersonId;

/// Which offer: the number of the event that made it, within its table.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct OfferId(pub u64);

/// An open offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Which.
    pub id: OfferId,
    /// What it is about.
    pub matter: Matter,
    /// Who made it.
    pub by: PersonId,
    /// Who has agreed, the one who made it included.
    pub agreed: BTreeSet<PersonId>,
}

impl Game {
    /// The open offer of a matter.
    pub fn offer(&self, matter: Matter) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.matter == matter)
    }
}

impl Table {
    /// Offers to end the game by agreement, or agrees to it. Doing either again changes nothing.
    ///
    /// # Errors
    /// When there is no game, the caller is not in it any more, or `offer` names one that has lapsed.
    pub fn draw(&self, person: PersonId, offer: Option<OfferId>) -> Result<Vec<Event>, Refusal> {
        let game = self.playing()?;
        self.still_in(game, person)?;
        agree(game, Matter::Draw, person, offer)
    }

    /// Before the start: closes the table, for the host or who runs the place. Later: asks all to close it, or agrees to
    /// that, until every player has moved.
    ///
    /// # Errors
    /// When the caller may not, it is too late, or `offer` names one that has lapsed.
    pub fn cancel(
        &self,
        person: PersonId,
        runs_place: bool,
        offer: Option<OfferId>,
    ) -> Result<Vec<Event>, Refusal> {
        match self.phase() {
            Phase::Gathering if person == self.host() || runs_place => {
                Ok(vec![Event::Cancelled { secret: None }])
            }
            Phase::Gathering => Err(Refusal::NotHost { host: self.host() }),
            Phase::Over { .. } => Err(Refusal::Finished),
            Phase::Playing(game) => {
                self.seated(person)?;
                if self.all_have_moved(game) {
                    return Err(Refusal::TooLateToCancel);
                }
                agree(game, Matter::Cancel, person, offer)
            }
        }
    }

    /// Turns down an invitation, or an open offer; the one who made the offer takes it back by this.
    ///
    /// # Errors
    /// When nothing is open, several offers are and none is named, or the named one has lapsed.
    pub fn decline(&self, person: PersonId, offer: Option<OfferId>) -> Result<Vec<Event>, Refusal> {
        let game = match self.phase() {
            Phase::Gathering if self.invitation(person).is_some() => {
                return Ok(vec![Event::Declined { person }]);
            }
            Phase::Gathering => return Err(Refusal::NothingOpen),
            Phase::Over { .. } if offer.is_some() => return Err(Refusal::OfferLapsed),
            Phase::Over { .. } => return Err(Refusal::Finished),
            Phase::Playing(game) => game,
        };
        self.seated(person)?;
        let offer = match (offer, game.offers.as_slice()) {
            (Some(id), offers) => offers
                .iter()
                .find(|offer| offer.id == id)
                .ok_or(Refusal::OfferLapsed)?,
            (None, []) => return Err(Refusal::NothingOpen),
            (None, [only]) => only,
            (None, several) => {
                let matters = several.iter().map(|offer| offer.matter).collect();
                return Err(Refusal::WhichOffer(matters));
            }
        };
        let matter = offer.matter;
        if offer.by == person {
            return Ok(vec![Event::OfferWithdrawn { matter }]);
        }
        if matter == Matter::Draw {
            self.still_in(game, person)?;
        }
        Ok(vec![Event::TurnedDown { matter }])
    }

    /// Whether everybody whose consent the offer needs has given it.
    pub(super) fn is_agreed(&self, game: &Game, offer: &Offer) -> bool {
        let mut needed = self.needed(game, offer.matter);
        needed.all(|person| offer.agreed.contains(&person))
    }

    /// Whether the offer has lapsed without anybody's doing: who made it is out of the game, or it came too late.
    pub(super) fn has_lapsed(&self, game: &Game, offer: &Offer) -> bool {
        match offer.matter {
            Matter::Draw => !self.is_in(game, offer.by),
            Matter::Cancel => self.all_have_moved(game),
        }
    }

    /// Whose consent an open offer still lacks.
    pub fn awaited(&self, game: &Game, offer: &Offer) -> Vec<PersonId> {
        self.needed(game, offer.matter)
            .filter(|person| !offer.agreed.contains(person))
            .collect()
    }

    fn needed(&self, game: &Game, matter: Matter) -> impl Iterator<Item = PersonId> {
        self.people()
            .filter(move |person| matter == Matter::Cancel || self.is_in(game, *person))
    }

    fn all_have_moved(&self, game: &Game) -> bool {
        self.people().all(|person| game.moved.contains(&person))
    }
}

/// The events by which an offer that its maker moved past is taken back.
pub(super) fn taken_back(game: &Game, person: PersonId) -> Option<Event> {
    game.offer(Matter::Draw)
        .filter(|offer| offer.by == person)
        .map(|offer| Event::OfferWithdrawn {
            matter: offer.matter,
        })
}

fn agree(
    game: &Game,
    matter: Matter,
    person: PersonId,
    named: Option<OfferId>,
) -> Result<Vec<Event>, Refusal> {
    let open = game.offer(matter);
    match (open, named) {
        (open, Some(id)) if open.is_none_or(|offer| offer.id != id) => Err(Refusal::OfferLapsed),
        (Some(offer), _) if offer.agreed.contains(&person) => Ok(Vec::new()),
        (Some(_), _) => Ok(vec![Event::Accepted { matter }]),
        (None, _) => Ok(vec![Event::Offered { matter }]),
    }
}
