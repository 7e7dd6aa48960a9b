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
    /// A table that waits for players, and at which the caller has a seat.
    SeatedGathering,
    /// A game that is played, and in which the caller has a seat.
    SeatedPlaying,
    /// What the caller could turn down something at: a game in which they have a seat, a table they are invited to.
    Answering,
    /// Anything unfinished.
    Unfinished,
    /// Anything unfinished; where there is none, the game that was finished last.
    Any,
    /// The finished table at which the caller had a seat last.
    Finished,
    /// A table of the caller's that is not played in this place; where there is none, one that is.
    Elsewhere,
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
            return self.last_own_finished(caller).await;
        }
        let mut found = match sought {
            Sought::Elsewhere => match self.own_elsewhere(caller).await? {
                none if none.is_empty() => self.near(caller).await?,
                found => found,
            },
            _ => self.near(caller).await?,
        };
        if found.iter().any(|one| sought.fits(caller, &one.listing)) {
            found.retain(|one| sought.fits(caller, &one.listing));
        }
        if found.is_empty() && sought == Sought::Any {
            return self.last_finished(caller).await;
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

    /// The unfinished tables of this place; in a talk with the bot alone, all of the caller's. In a thread without tables
    /// of its own, those of its room. All of them: a guess among the newest would be a guess.
    async fn near(&self, caller: &Caller) -> Result<Vec<Candidate>, ClubError> {
        let stages = Stages::Unfinished;
        if caller.direct {
            let person = caller.person;
            return self.candidates(Find::OfPerson { person, stages }).await;
        }
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

impl Sought {
    /// Whether a table is of the kind that is meant first.
    fn fits(self, caller: &Caller, listing: &Listing) -> bool {
        let gathering = listing.stage == Stage::Gathering;
        let playing = listing.stage == Stage::Playing;
        match self {
            Self::Gathering => gathering,
            Self::Playing => playing,
            Self::SeatedGathering => gathering && is_seated(caller, listing),
            Self::SeatedPlaying => playing && is_seated(caller, listing),
            // Whoever is listed without a seat is invited.
            Self::Answering => {
                listing.people.contains(&caller.person) && playing == is_seated(caller, listing)
            }
            Self::Unfinished | Self::Any | Self::Finished | Self::Elsewhere => true,
        }
    }
}

/// The place itself, and around a thread its room.
fn around(place: &Place) -> impl Iterator<Item = Place> {
    let room = place.thread.is_some().then(|| place.whole_room());
    [place.clone()].into_iter().chain(room)
}

fn only(found: &[Candidate], fits: impl Fn(&Candidate) -> bool) -> Option<TableCode> {
    let mut fitting = found.iter().filter(|one| fits(one));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first.code)
}

fn is_seated(caller: &Caller, listing: &Listing) -> bool {
    Summary::of(listing).is_some_and(|summary| summary.seats(caller.person))
}
