//! How each event changes a table.

use std::collections::BTreeSet;

use super::agree::{Offer, OfferId};
use super::deed::{Deed, DeedError, Yes};
use super::event::{Entry, Event, Joined, Matter};
use super::game::Game;
use super::secret::Revealed;
use super::start::{StartError, first_position};
use super::state::{Chair, Ending, Invitation, Phase, Sitter, Table};
use crate::ids::{At, PersonId, TableCode};
use crate::rules::{self, Effect, Options, Seat};

/// Why stored events are not the history of a table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FoldError {
    /// There are none, or the first does not open a table.
    #[error("the history does not begin with the opening of a table")]
    NotOpened,
    /// The event cannot happen where it stands.
    #[error("event {number} cannot happen there")]
    OutOfPlace {
        /// Counted from 0.
        number: u64,
    },
    /// The game is not known.
    #[error("there is no game {0}")]
    UnknownGame(String),
    /// The game cannot begin with these options or from this position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The rules refuse what was done.
    #[error("event {number} cannot be played: {why}")]
    Deed {
        /// Counted from 0.
        number: u64,
        /// Why.
        why: DeedError,
    },
}

impl Table {
    /// The table with this history.
    ///
    /// # Errors
    /// When the entries are no history of a table.
    pub fn fold<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<Self, FoldError> {
        let mut entries = entries.into_iter();
        let first = entries.next().ok_or(FoldError::NotOpened)?;
        let mut table = Self::opened_by(first)?;
        for entry in entries {
            table.apply(entry)?;
        }
        Ok(table)
    }

    /// The table after its first event.
    ///
    /// # Errors
    /// When the event does not open a table, or game, options and position do not fit.
    pub fn opened_by(entry: &Entry) -> Result<Self, FoldError> {
        let Event::Opened(opened) = &entry.event else {
            return Err(FoldError::NotOpened);
        };
        let info =
            rules::game(&opened.game).ok_or_else(|| FoldError::UnknownGame(opened.game.clone()))?;
        let chair = |seat: &Seat| Chair {
            seat: *seat,
            sitter: None,
        };
        Ok(Self {
            info,
            options: Options::checked(info, &opened.options).map_err(StartError::from)?,
            host: opened.host,
            places: vec![opened.place.clone()],
            chairs: info.seats.iter().map(chair).collect(),
            invited: Vec::new(),
            phase: Phase::Gathering,
            version: 1,
            positioned: 1,
            played: Vec::new(),
            opened_at: entry.at,
            joined_at: entry.at,
            since: entry.at,
            closed_at: None,
            rematch: None,
            opened: (**opened).clone(),
        })
    }

    /// Takes in one more event and tells what it brought about on the board.
    ///
    /// # Errors
    /// When the event cannot happen here. The table may then be half changed: use a copy where that matters.
    pub fn apply(&mut self, entry: &Entry) -> Result<Vec<Effect>, FoldError> {
        let number = self.version;
        let effects = match &entry.event {
            Event::Invited { person, seat } => self.invite_in(*person, *seat),
            Event::Uninvited { person } | Event::Declined { person } => self.uninvite(*person),
            Event::Joined(joined) => self.seat_in(joined, entry.at),
            Event::Left { person } | Event::Removed { person } => self.unseat(*person),
            Event::Host { person } => self.host_is(*person),
            Event::Started { order } => self.begin(*order)?,
            Event::Rolled { n, dice } => self.deed(number, |game| game.roll(*n, dice))?,
            Event::Moved { moves } => self.moved(number, entry.by, moves)?,
            Event::Passed => self.passed(number, entry.by)?,
            Event::Offered { matter } => self.offered(*matter, entry.by, OfferId(number)),
            Event::Accepted { matter } => self.accepted(*matter, entry.by),
            Event::TurnedDown { matter } | Event::OfferWithdrawn { matter } => {
                self.without_offer(*matter)
            }
            Event::Agreed => self.deed(number, |game| game.act(Deed::Agree(Yes)))?,
            Event::ResignAsked { seat, until } => self.resign_asked(*seat, entry.by, *until),
            Event::Resigned { seat } => self.deed(number, |game| game.act(Deed::Resign(*seat)))?,
            Event::Claimed => self.deed(number, |game| game.act(Deed::Claim(Yes)))?,
            Event::Ended { secret } => self.ended(*secret, entry.at),
            Event::Cancelled { secret } => {
                self.close(Ending::Cancelled { secret: *secret }, entry.at)
            }
            Event::Expired => self.close(Ending::Expired, entry.at),
            Event::Rematched { code } => self.rematched(*code),
            Event::Placed { place, instead_of } => self.placed(place, instead_of),
            Event::Opened(_) => None,
        };
        self.version += 1;
        self.since = entry.at;
        self.note_position(&entry.event);
        effects.ok_or(FoldError::OutOfPlace { number })
    }
}

/// What each event does; `None` where it cannot happen.
impl Table {
    fn gathering(&self) -> Option<()> {
        matches!(self.phase, Phase::Gathering).then_some(())
    }

    fn game_mut(&mut self) -> Option<&mut Game> {
        match &mut self.phase {
            Phase::Playing(game) => Some(game),
            Phase::Gathering | Phase::Over { .. } => None,
        }
    }

    fn invite_in(&mut self, person: PersonId, seat: Option<Seat>) -> Option<Vec<Effect>> {
        self.gathering()?;
        self.invited.push(Invitation { person, seat });
        Some(Vec::new())
    }

    fn uninvite(&mut self, person: PersonId) -> Option<Vec<Effect>> {
        self.gathering()?;
        let before = self.invited.len();
        self.invited
            .retain(|invitation| invitation.person != person);
        (self.invited.len() < before).then(Vec::new)
    }

    fn seat_in(&mut self, joined: &Joined, at: At) -> Option<Vec<Effect>> {
        self.gathering()?;
        let place = self.joined_in(joined.place.as_ref())?;
        for seat in &joined.seats {
            let chair = self.chairs.iter_mut().find(|chair| chair.seat == *seat)?;
            if chair.sitter.is_some() {
                return None;
            }
            chair.sitter = Some(Sitter {
                person: joined.person,
                contribution: joined.contribution,
                message: joined.message.clone(),
                place: place.clone(),
            });
        }
        self.invited
            .retain(|invitation| invitation.person != joined.person);
        if !self.is_played_in(&place) {
            self.places.push(place);
        }
        self.joined_at = at;
        Some(Vec::new())
    }

    fn unseat(&mut self, person: PersonId) -> Option<Vec<Effect>> {
        self.gathering()?;
        let mut found = None;
        for chair in &mut self.chairs {
            if chair
                .sitter
                .take_if(|sitter| sitter.person == person)
                .is_some()
            {
                found = Some(Vec::new());
            }
        }
        found
    }

    fn host_is(&mut self, person: PersonId) -> Option<Vec<Effect>> {
        self.host = person;
        Some(Vec::new())
    }

    fn begin(&mut self, order: Option<u32>) -> Result<Option<Vec<Effect>>, FoldError> {
        if self.gathering().is_none() || self.chairs.iter().any(|chair| chair.sitter.is_none()) {
            return Ok(None);
        }
        let play = first_position(
            self.info,
            &self.options,
            order,
            self.opened.position.as_deref(),
        )?;
        self.invited.clear();
        self.phase = Phase::Playing(Game::new(play, order));
        Ok(Some(Vec::new()))
    }

    fn deed(
        &mut self,
        number: u64,
        act: impl FnOnce(&mut Game) -> Result<Vec<Effect>, DeedError>,
    ) -> Result<Option<Vec<Effect>>, FoldError> {
        self.game_mut()
            .map(act)
            .transpose()
            .map_err(|why| FoldError::Deed { number, why })
    }

    fn moved(
        &mut self,
        number: u64,
        by: Option<PersonId>,
        moves: &[String],
    ) -> Result<Option<Vec<Effect>>, FoldError> {
        self.deed(number, |game| {
            game.moved.extend(by);
            let mut effects = Vec::new();
            for text in moves {
                effects.extend(game.act(Deed::Move(text.clone()))?);
            }
            Ok(effects)
        })
    }

    fn passed(
        &mut self,
        number: u64,
        by: Option<PersonId>,
    ) -> Result<Option<Vec<Effect>>, FoldError> {
        self.deed(number, |game| {
            game.moved.extend(by);
            game.act(Deed::Pass(Yes))
        })
    }

    fn offered(
        &mut self,
        matter: Matter,
        by: Option<PersonId>,
        id: OfferId,
    ) -> Option<Vec<Effect>> {
        let by = by?;
        let game = self.game_mut()?;
        if game.offer(matter).is_some() {
            return None;
        }
        game.offers.push(Offer {
            id,
            matter,
            by,
            agreed: BTreeSet::from([by]),
        });
        Some(Vec::new())
    }

    fn accepted(&mut self, matter: Matter, by: Option<PersonId>) -> Option<Vec<Effect>> {
        let game = self.game_mut()?;
        let offer = game
            .offers
            .iter_mut()
            .find(|offer| offer.matter == matter)?;
        offer.agreed.insert(by?);
        Some(Vec::new())
    }

    fn without_offer(&mut self, matter: Matter) -> Option<Vec<Effect>> {
        let game = self.game_mut()?;
        game.offer(matter)?;
        game.offers.retain(|offer| offer.matter != matter);
        Some(Vec::new())
    }

    fn resign_asked(&mut self, seat: Seat, by: Option<PersonId>, until: At) -> Option<Vec<Effect>> {
        let by = by?;
        let game = self.game_mut()?;
        game.resigning.retain(|(who, _, _)| *who != by);
        game.resigning.push((by, seat, until));
        Some(Vec::new())
    }

    fn ended(&mut self, secret: Option<Revealed>, at: At) -> Option<Vec<Effect>> {
        let outcome = self.game_mut()?.play.outcome()?;
        self.close(Ending::Played { outcome, secret }, at)
    }

    fn close(&mut self, ending: Ending, at: At) -> Option<Vec<Effect>> {
        let game = match std::mem::replace(&mut self.phase, Phase::Gathering) {
            Phase::Gathering => None,
            Phase::Playing(mut game) => {
                game.offers.clear();
                game.resigning.clear();
                Some(game)
            }
            over @ Phase::Over { .. } => {
                self.phase = over;
                return None;
            }
        };
        self.invited.clear();
        self.phase = Phase::Over { game, ending };
        self.closed_at = Some(at);
        Some(Vec::new())
    }

    fn rematched(&mut self, code: TableCode) -> Option<Vec<Effect>> {
        if !matches!(self.phase, Phase::Over { .. }) {
            return None;
        }
        self.rematch = Some(code);
        Some(Vec::new())
    }
}
