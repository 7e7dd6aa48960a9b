//! Which table is meant when a command does not say (COMMANDS.md).

use std::sync::Arc;

use super::{Action, Caller, Club, ClubError, Sought};
use crate::ids::{Place, TableCode};
use crate::store::{Find, Listing, Stage, Stages};
use crate::table::{Summary, Table};

/// A table that could be meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its code.
    pub code: TableCode,
    /// What lists show of it.
    pub listing: Listing,
}

/// How many finished tables are looked at first; more only where none of them is meant.
const NEWEST_FINISHED: usize = 64;

impl Club {
    /// A table to look at: by its code, or the one that is meant here.
    ///
    /// # Errors
    /// When there is none, several could be meant, or it is no business of the caller's.
    pub async fn look(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        sought: &Sought,
    ) -> Result<Arc<Table>, ClubError> {
        let code = self.which(caller, named, sought).await?;
        let table = self.load(code).await?;
        let concerns = table.opened().open
            || table.is_played_in(&caller.place)
            || table.seats_of(caller.person).next().is_some()
            || table.invitation(caller.person).is_some();
        if concerns {
            Ok(table)
        } else {
            Err(ClubError::Elsewhere(code))
        }
    }

    /// The table that is meant: the named one; else, of those at which this can be done, the only one here; else the only
    /// one where it is the caller's turn; else the only one where the caller has a seat. Never a guess between two.
    pub(super) async fn which(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        sought: &Sought,
    ) -> Result<TableCode, ClubError> {
        if let Some(code) = named {
            return Ok(code);
        }
        if *sought == Sought::Finished {
            return self.last_own_finished(caller).await;
        }
        let groups = match sought {
            Sought::To(Action::Here) => {
                vec![self.own_elsewhere(caller).await?, self.near(caller).await?]
            }
            _ => self.in_order(caller).await?,
        };
        for sought in [Some(sought), sought.lesser().as_ref()]
            .into_iter()
            .flatten()
        {
            for group in &groups {
                let fitting = self.fitting(caller, sought, group).await;
                if !fitting.is_empty() {
                    return only_meant(caller, fitting);
                }
            }
        }
        // It can be done nowhere. At the table that would be meant the reason is told.
        let nearest = groups.into_iter().find(|group| !group.is_empty());
        let Some(nearest) = nearest else {
            return self.over(caller, sought).await;
        };
        let seated = |one: &Candidate| is_seated(caller, &one.listing);
        if sought.needs_seat() && !nearest.iter().any(seated) {
            return match (self.last_own_finished(caller).await, nearest.as_slice()) {
                (Err(ClubError::NoTable), [only]) => Ok(only.code),
                (Err(ClubError::NoTable), _) => Err(ClubError::NoSeat),
                (own, _) => own,
            };
        }
        only_meant(caller, nearest)
    }

    /// The tables that could be meant, nearest first. A place's own come before all others; those of other places are
    /// meant in a talk with the bot alone only.
    async fn in_order(&self, caller: &Caller) -> Result<Vec<Vec<Candidate>>, ClubError> {
        let near = self.near(caller).await?;
        // A thread is about its table, like the board that somebody answers to.
        let in_thread = caller.place.thread.is_some() && !near.is_empty();
        if !caller.direct || in_thread {
            return Ok(vec![near]);
        }
        let (person, stages) = (caller.person, Stages::Unfinished);
        let mut others = self.candidates(Find::OfPerson { person, stages }).await?;
        others.retain(|one| !near.iter().any(|here| here.code == one.code));
        Ok(vec![near, others])
    }

    /// The unfinished tables of this place; in a thread without tables of its own, those of its room. All of them: a
    /// guess among the newest would be a guess.
    async fn near(&self, caller: &Caller) -> Result<Vec<Candidate>, ClubError> {
        let stages = Stages::Unfinished;
        for place in around(&caller.place) {
            let found = self.candidates(Find::InPlace { place, stages }).await?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The caller's unfinished tables that are not played in this place.
    async fn own_elsewhere(&self, caller: &Caller) -> Result<Vec<Candidate>, ClubError> {
        let (person, stages) = (caller.person, Stages::Unfinished);
        let mut found = self.candidates(Find::OfPerson { person, stages }).await?;
        found.retain(|one| {
            is_seated(caller, &one.listing) && !one.listing.places.contains(&caller.place)
        });
        Ok(found)
    }

    /// The game that is over, where there is no table for what is sought.
    async fn over(&self, caller: &Caller, sought: &Sought) -> Result<TableCode, ClubError> {
        match sought {
            sought if !sought.reaches_finished() => Err(ClubError::NoTable),
            Sought::To(_) => match self.last_own_finished(caller).await {
                Err(ClubError::NoTable) => self.last_finished(caller).await,
                own => own,
            },
            _ => self.last_finished(caller).await,
        }
    }

    /// The game finished last here; in a talk with the bot alone, the caller's.
    async fn last_finished(&self, caller: &Caller) -> Result<TableCode, ClubError> {
        if caller.direct {
            return self.last_own_finished(caller).await;
        }
        let stages = Stages::Only(Stage::Finished);
        for place in around(&caller.place) {
            let find = Find::InPlace { place, stages };
            if let Some(code) = self.newest_game(find, |_| true).await? {
                return Ok(code);
            }
        }
        Err(ClubError::NoTable)
    }

    /// The game that was finished last of those in which the caller had a seat here; in a talk with the bot alone,
    /// anywhere.
    async fn last_own_finished(&self, caller: &Caller) -> Result<TableCode, ClubError> {
        let person = caller.person;
        let stages = Stages::Only(Stage::Finished);
        let find = || Find::OfPerson { person, stages };
        let own = |listing: &Listing| is_seated(caller, listing);
        if caller.direct {
            let found = self.newest_game(find(), own).await?;
            return found.ok_or(ClubError::NoTable);
        }
        for place in around(&caller.place) {
            let here = |listing: &Listing| {
                own(listing) && listing.places.iter().any(|own| own.is_within(&place))
            };
            if let Some(code) = self.newest_game(find(), here).await? {
                return Ok(code);
            }
        }
        Err(ClubError::NoTable)
    }

    /// The newest of these tables at which a game had begun; those that were closed before the start are none.
    async fn newest_game(
        &self,
        find: Find,
        fits: impl Fn(&Listing) -> bool,
    ) -> Result<Option<TableCode>, ClubError> {
        for most in [NEWEST_FINISHED, usize::MAX] {
            let found = self.store.tables(find.clone(), most).await?;
            let meant = found.iter().find(|(_, listing)| {
                fits(listing) && Summary::of(listing).is_some_and(|summary| summary.begun)
            });
            if let Some((code, _)) = meant {
                return Ok(Some(*code));
            }
            if found.len() < most {
                break;
            }
        }
        Ok(None)
    }

    pub(super) async fn candidates(&self, find: Find) -> Result<Vec<Candidate>, ClubError> {
        let found = self.store.tables(find, usize::MAX).await?;
        let candidate = |(code, listing)| Candidate { code, listing };
        Ok(found.into_iter().map(candidate).collect())
    }
}

/// The place itself, and around a thread its room.
fn around(place: &Place) -> impl Iterator<Item = Place> {
    let room = place.thread.is_some().then(|| place.whole_room());
    [place.clone()].into_iter().chain(room)
}

/// Of tables that are equally near, the only one; or where it is the caller's turn; or where the caller has a seat.
fn only_meant(caller: &Caller, mut found: Vec<Candidate>) -> Result<TableCode, ClubError> {
    let turn = |one: &Candidate| one.listing.turn.contains(&caller.person);
    let seat = |one: &Candidate| is_seated(caller, &one.listing);
    let chosen = only(&found, |_| true)
        .or_else(|| only(&found, turn))
        .or_else(|| only(&found, seat));
    match chosen {
        Some(code) => Ok(code),
        None => {
            // Nobody is asked about others' tables beside their own.
            if found.iter().any(seat) {
                found.retain(seat);
            }
            Err(ClubError::WhichTable(found))
        }
    }
}

fn only(found: &[Candidate], fits: impl Fn(&Candidate) -> bool) -> Option<TableCode> {
    let mut fitting = found.iter().filter(|one| fits(one));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first.code)
}

pub(super) fn is_seated(caller: &Caller, listing: &Listing) -> bool {
    Summary::of(listing).is_some_and(|summary| summary.seats(caller.person))
}
