//! Opening tables: new ones, and rematches.

use std::collections::BTreeMap;

use super::act::TRIES;
use super::settle::Draft;
use super::shelf::Lockable;
use super::{Caller, Club, ClubError, Done, Happened, Sought, Wording, chance};
use crate::ids::{At, PersonId, Place, TableCode};
use crate::rules::{self, Setup};
use crate::store::{Find, Stages, StoreError};
use crate::table::{
    DiceTerms, Event, Invitation, Opening, Refusal, SeatWish, Secret, Summary, Table,
};

/// A table that somebody wants.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The key of the game.
    pub game: String,
    /// The chosen options.
    pub options: BTreeMap<String, String>,
    /// Who is invited.
    pub with: Vec<PersonId>,
    /// Where the caller sits.
    pub seat: SeatWish,
    /// The caller plays all seats.
    pub solo: bool,
    /// It may be joined from other places.
    pub open: bool,
    /// The position to start from, if not the array.
    pub position: Option<Box<Setup>>,
    /// A word for the fair dice; may be empty.
    pub word: String,
}

/// How many codes are drawn before giving up.
const CODES_TRIED: usize = 1000;

impl Club {
    /// Opens a table and seats the caller.
    ///
    /// # Errors
    /// [`ClubError`]; nothing has changed then.
    pub async fn open(
        &self,
        caller: &Caller,
        wanted: &Wanted,
        wording: Wording<'_>,
    ) -> Result<Done, ClubError> {
        if let Some(number) = self.handled(caller).await? {
            if self.was_refused(caller).await? {
                return Ok(Done::RefusedBefore);
            }
            return Ok(self.done_before(caller, None, number).await);
        }
        let done = self.try_open(caller, wanted, wording).await;
        self.remembered(caller, done).await
    }

    async fn try_open(
        &self,
        caller: &Caller,
        wanted: &Wanted,
        wording: Wording<'_>,
    ) -> Result<Done, ClubError> {
        let _seats = self.locks.lock(Lockable::SeatsOf(caller.person)).await;
        self.check_seats_of(caller.person).await?;
        self.check_channels(caller).await?;
        self.check_place(caller).await?;
        for guest in &wanted.with {
            self.check_can_play(*guest).await?;
        }
        for _ in 0..TRIES {
            let at = self.clock.now();
            let opening = self.opening(caller, wanted).await?;
            let happened = self.opened(caller, at, opening)?;
            match self.keep(Some(caller), at, &[&happened], wording).await {
                Ok(()) => return Ok(Done::Now(Box::new(happened))),
                // Somebody else drew the same code at the same instant.
                Err(StoreError::Stale { .. }) => {}
                Err(StoreError::Handled { number, .. }) => {
                    return Ok(self.done_before(caller, None, number).await);
                }
                Err(other) => return Err(other.into()),
            }
        }
        Err(ClubError::Busy)
    }

    /// Opens the rematch of a finished table: the same people and options, seats moved on by one. The caller is seated,
    /// for the others their seats are kept.
    ///
    /// # Errors
    /// [`ClubError`]; nothing has changed then.
    pub async fn rematch(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        wording: Wording<'_>,
    ) -> Result<Done, ClubError> {
        if let Some(number) = self.handled(caller).await? {
            if self.was_refused(caller).await? {
                return Ok(Done::RefusedBefore);
            }
            return Ok(self.done_before(caller, named, number).await);
        }
        let done = self.try_rematch(caller, named, wording).await;
        self.remembered(caller, done).await
    }

    async fn try_rematch(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        wording: Wording<'_>,
    ) -> Result<Done, ClubError> {
        let code = self.which(caller, named, &Sought::Finished).await?;
        let _seats = self.locks.lock(Lockable::SeatsOf(caller.person)).await;
        let _table = self.locks.lock(Lockable::Table(code)).await;
        self.check_seats_of(caller.person).await?;
        for _ in 0..TRIES {
            let at = self.clock.now();
            let old = self.load(code).await?;
            let opening = self.rematch_opening(caller, &old).await?;
            let next = opening.code;
            let mut new = self.opened(caller, at, opening)?;
            new.elsewhere = elsewhere(&old, &new.table);
            let mut draft = Draft::on(&old, at);
            draft.take(Some(caller.person), Event::Rematched { code: next })?;
            let noted = draft.happened(Some(caller.person), None);
            // Only the new table is told of.
            let told = |one: &Happened| match one.table.code() == next {
                true => wording(one),
                false => Vec::new(),
            };
            match self.keep(Some(caller), at, &[&noted, &new], &told).await {
                Ok(()) => return Ok(Done::Now(Box::new(new))),
                Err(StoreError::Stale { .. }) => self.shelf.forget(code),
                Err(StoreError::Handled { number, .. }) => {
                    return Ok(self.done_before(caller, None, number).await);
                }
                Err(other) => return Err(other.into()),
            }
        }
        Err(ClubError::Busy)
    }

    fn opened(&self, caller: &Caller, at: At, opening: Opening) -> Result<Happened, ClubError> {
        let code = opening.code;
        let mut events = opening.decide()?.into_iter();
        let first = events.next().ok_or(ClubError::NoSuchTable(code))?;
        let mut draft = Draft::opening(code, at, caller.person, first)?;
        for event in events {
            draft.take(Some(caller.person), event)?;
        }
        self.settle(&mut draft)?;
        Ok(draft.happened(Some(caller.person), None))
    }

    async fn opening(&self, caller: &Caller, wanted: &Wanted) -> Result<Opening, ClubError> {
        let code = self.free_code().await?;
        let invited = wanted.with.iter().map(|person| Invitation {
            person: *person,
            seat: None,
        });
        Ok(Opening {
            code,
            game: wanted.game.clone(),
            options: wanted.options.clone(),
            host: caller.person,
            place: caller.place.clone(),
            invited: invited.collect(),
            seat: wanted.seat,
            drawn: chance::number(&*self.chance)?,
            solo: wanted.solo,
            open: wanted.open,
            position: wanted.position.clone(),
            dice: self.dice_terms(code, &wanted.game)?,
            message: caller.message(),
            word: wanted.word.clone(),
            rematch_of: None,
        })
    }

    async fn rematch_opening(&self, caller: &Caller, old: &Table) -> Result<Opening, ClubError> {
        let earlier = match old.rematch_code() {
            Some(code) => Some(self.load(code).await?),
            None => None,
        };
        let plan = old.rematch_after(caller.person, earlier.as_deref())?;
        let code = self.free_code().await?;
        let before = old.opened();
        let here = !caller.direct && old.is_played_in(&caller.place);
        if here {
            self.check_channels(caller).await?;
        }
        let place = old.places().first().unwrap_or(&before.place);
        Ok(Opening {
            code,
            game: before.game.clone(),
            options: before.options.clone(),
            host: caller.person,
            place: if here { &caller.place } else { place }.clone(),
            invited: plan.invited,
            seat: SeatWish::Named(plan.seat),
            drawn: 0,
            solo: before.solo,
            open: before.open,
            position: before.position.clone(),
            dice: self.dice_terms(code, &before.game)?,
            message: caller.message(),
            word: String::new(),
            rematch_of: Some(old.code()),
        })
    }

    /// Where the dice of a new table come from. The secret leaves this function sealed.
    fn dice_terms(&self, code: TableCode, game: &str) -> Result<Option<DiceTerms>, ClubError> {
        let info = rules::game(game).ok_or_else(|| Refusal::UnknownGame(game.to_owned()))?;
        if info.dice.is_none() {
            return Ok(None);
        }
        if self.dice_file.is_some() {
            return Ok(Some(DiceTerms::File));
        }
        let secret = Secret::new(chance::drawn(&*self.chance)?);
        let nonce = chance::drawn(&*self.chance)?;
        Ok(Some(DiceTerms::Fair {
            commitment: secret.commitment(),
            sealed: self.key.seal(code, &secret, nonce)?,
        }))
    }

    /// A code that no table has and nobody could take for a move.
    async fn free_code(&self) -> Result<TableCode, ClubError> {
        for _ in 0..CODES_TRIED {
            let drawn = TableCode::drawn(chance::number(&*self.chance)?);
            if let Some(code) = drawn
                && self.store.listing(code).await?.is_none()
            {
                return Ok(code);
            }
        }
        Err(ClubError::NoFreeCode)
    }

    pub(super) async fn check_seats_of(&self, person: PersonId) -> Result<(), ClubError> {
        let limit = self.limits.tables_of_person;
        let stages = Stages::Unfinished;
        let find = Find::OfPerson { person, stages };
        let found = self.store.tables(find, usize::MAX).await?;
        // Invitations are others' doing and do not count.
        let seated = found.iter().filter(|(_, listing)| {
            Summary::of(listing).is_some_and(|summary| summary.seats(person))
        });
        if seated.count() >= limit {
            Err(ClubError::TooManyTables { limit })
        } else {
            Ok(())
        }
    }

    pub(super) async fn check_place(&self, caller: &Caller) -> Result<(), ClubError> {
        let limit = self.limits.tables_in_place;
        let find = Find::InPlace {
            place: caller.place.whole_room(),
            stages: Stages::Unfinished,
        };
        let found = self.store.tables(find, limit).await?;
        if found.len() >= limit {
            Err(ClubError::PlaceFull { limit })
        } else {
            Ok(())
        }
    }
}

/// The places of a game that its rematch is not opened in, each with those who played there.
fn elsewhere(old: &Table, new: &Table) -> Vec<(Place, Vec<PersonId>)> {
    let places = old.places().iter().filter(|place| !new.is_played_in(place));
    let players = |place: &Place| {
        let people = old.people();
        people
            .filter(|person| old.place_of(*person) == Some(place))
            .collect()
    };
    places
        .map(|place| (place.clone(), players(place)))
        .collect()
}
