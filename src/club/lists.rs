//! Lists of tables, and the caller's table that has waited longest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Caller, Candidate, Club, ClubError};
use crate::ids::{PersonId, Place, TableCode};
use crate::store::{Find, Stage, Stages};
use crate::table::{Summary, Table};

impl Club {
    /// The unfinished tables of a person, seated or invited, the newest activity first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn tables_of(&self, person: PersonId) -> Result<Vec<Candidate>, ClubError> {
        let stages = Stages::Unfinished;
        self.candidates(Find::OfPerson { person, stages }).await
    }

    /// The unfinished tables of a place, those in its threads included.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn tables_in(&self, place: &Place) -> Result<Vec<Candidate>, ClubError> {
        let place = place.clone();
        let stages = Stages::Unfinished;
        self.candidates(Find::InPlace { place, stages }).await
    }

    /// The tables that may be joined from everywhere.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open_tables(&self) -> Result<Vec<Candidate>, ClubError> {
        self.candidates(Find::Open).await
    }

    /// The oldest other table with the same people and game at which nobody has moved yet.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn twin_of(
        &self,
        table: &Table,
        person: PersonId,
    ) -> Result<Option<TableCode>, ClubError> {
        let invited = table.invitations().iter().map(|one| one.person);
        let people: BTreeSet<PersonId> = table.people().chain(invited).collect();
        let is_twin = |one: &Candidate| {
            let own: BTreeSet<PersonId> = one.listing.people.iter().copied().collect();
            one.code != table.code()
                && own == people
                && Summary::of(&one.listing).is_some_and(|summary| {
                    let solo = summary.begun && people.len() == 1;
                    summary.game == table.info().key
                        && summary.moves == 0
                        && solo == table.opened().solo
                })
        };
        let mut oldest: Option<Arc<Table>> = None;
        for one in self
            .tables_of(person)
            .await?
            .iter()
            .filter(|one| is_twin(one))
        {
            let twin = self.load(one.code).await?;
            if oldest
                .as_ref()
                .is_none_or(|oldest| twin.opened_at() < oldest.opened_at())
            {
                oldest = Some(twin);
            }
        }
        Ok(oldest.map(|twin| twin.code()))
    }

    /// The table that has waited for the caller's move longest, in any place.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn next(&self, caller: &Caller) -> Result<Option<Arc<Table>>, ClubError> {
        let person = caller.person;
        let stages = Stages::Only(Stage::Playing);
        let found = self
            .store
            .tables(Find::OfPerson { person, stages }, usize::MAX);
        let waiting = found
            .await?
            .into_iter()
            .filter(|(_, listing)| listing.turn.contains(&person))
            .min_by_key(|(_, listing)| listing.since);
        match waiting {
            Some((code, _)) => self.load(code).await.map(Some),
            None => Ok(None),
        }
    }
}
