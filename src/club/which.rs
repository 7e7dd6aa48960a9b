//! Which table is meant when a command does not say (COMMANDS.md).

use std::sync::Arc;

use super::{Caller, Club, ClubError};
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

/// What a command is for. Where a table of this kind is there, others are not meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    /// A table that waits for players.
    Gathering,
    /// A game that is played.
    Playing,
    /// Anything unfinished.
    Unfinished,
    /// Anything unfinished; where there is none, the game that was finished last.
    Any,
    /// The finished table at which the caller had a seat last.
    Finished,
}

/// How many candidates are looked at.
const MOST_CANDIDATES: usize = 64;

impl Club {
    /// A table to look at: by its code, or the one that is meant here.
    ///
    /// # Errors
    /// When there is none, several could be meant, or it is no business of the caller's.
    pub async fn look(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        sought: Sought,
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

    /// The table that is meant: the named one; else the only one here; else the only one where it is the caller's turn;
    /// else the only one where the caller has a seat. Never a guess between two.
    pub(super) async fn which(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        sought: Sought,
    ) -> Result<TableCode, ClubError> {
        if let Some(code) = named {
            return Ok(code);
        }
        if sought == Sought::Finished {
            return self.last_finished(caller, true).await;
        }
        let mut found = self.near(caller, Stages::Unfinished).await?;
        let wanted = match sought {
            Sought::Gathering => Stages::Only(Stage::Gathering),
            Sought::Playing => Stages::Only(Stage::Playing),
            Sought::Unfinished | Sought::Any | Sought::Finished => Stages::Unfinished,
        };
        if found.iter().any(|one| wanted.include(one.listing.stage)) {
            found.retain(|one| wanted.include(one.listing.stage));
        }
        if found.is_empty() && sought == Sought::Any {
            return self.last_finished(caller, false).await;
        }
        let all = |_: &Candidate| true;
        let turn = |one: &Candidate| one.listing.turn.contains(&caller.person);
        let seat = |one: &Candidate| is_seated(caller, &one.listing);
        let chosen = only(&found, all)
            .or_else(|| only(&found, turn))
            .or_else(|| only(&found, seat));
        match chosen {
            Some(code) => Ok(code),
            None if found.is_empty() => Err(ClubError::NoTable),
            None => Err(ClubError::WhichTable(found)),
        }
    }

    /// The tables of this place; in a talk with the bot alone, all of the caller's. In a thread without tables of its own,
    /// those of its room.
    async fn near(&self, caller: &Caller, stages: Stages) -> Result<Vec<Candidate>, ClubError> {
        if caller.direct {
            let person = caller.person;
            return self.candidates(Find::OfPerson { person, stages }).await;
        }
        let found = self.in_place(&caller.place, stages).await?;
        if found.is_empty() && caller.place.thread.is_some() {
            return self.in_place(&caller.place.whole_room(), stages).await;
        }
        Ok(found)
    }

    async fn in_place(&self, place: &Place, stages: Stages) -> Result<Vec<Candidate>, ClubError> {
        let place = place.clone();
        self.candidates(Find::InPlace { place, stages }).await
    }

    /// The game finished last; tables that were closed before the start are none.
    async fn last_finished(&self, caller: &Caller, own: bool) -> Result<TableCode, ClubError> {
        let finished = self.near(caller, Stages::Only(Stage::Finished)).await?;
        let meant = |one: &&Candidate| {
            Summary::of(&one.listing)
                .is_some_and(|summary| summary.begun && (!own || summary.seats(caller.person)))
        };
        let found = finished.iter().find(meant);
        found.map(|one| one.code).ok_or(ClubError::NoTable)
    }

    pub(super) async fn candidates(&self, find: Find) -> Result<Vec<Candidate>, ClubError> {
        let found = self.store.tables(find, MOST_CANDIDATES).await?;
        let candidate = |(code, listing)| Candidate { code, listing };
        Ok(found.into_iter().map(candidate).collect())
    }
}

fn only(found: &[Candidate], fits: impl Fn(&Candidate) -> bool) -> Option<TableCode> {
    let mut fitting = found.iter().filter(|one| fits(one));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first.code)
}

fn is_seated(caller: &Caller, listing: &Listing) -> bool {
    Summary::of(listing).is_some_and(|summary| summary.seats(caller.person))
}
