//! From decided events to a kept change: what follows by the rules, the drawn numbers, and the commit.

use std::num::NonZeroU32;
use std::sync::Arc;

use serde_json::Value;

use super::past::folded;
use super::settings::home_note;
use super::{Caller, Change, Club, ClubError, Happened, Wording};
use crate::ids::{At, Cause, PersonId, TableCode};
use crate::rules::Roll;
use crate::store::{Append, Commit, StoreError};
use crate::table::{DiceTerms, Due, Entry, Event, FairDice, Revealed, SealError, Secret, Table};

/// What a person's command does to a table, before it is kept.
pub(super) struct Draft {
    pub(super) at: At,
    pub(super) before: Option<Arc<Table>>,
    table: Table,
    changes: Vec<Change>,
}

impl Draft {
    /// A change of a table that is there.
    pub(super) fn on(table: &Arc<Table>, at: At) -> Self {
        Self {
            at,
            before: Some(table.clone()),
            table: Table::clone(table),
            changes: Vec::new(),
        }
    }

    /// A table that is opened by this event.
    pub(super) fn opening(
        code: TableCode,
        at: At,
        by: PersonId,
        event: Event,
    ) -> Result<Self, ClubError> {
        let entry = Entry::new(at, Some(by), event);
        let table = Table::opened_by(&entry).map_err(|why| ClubError::Fold { code, why })?;
        let change = Change {
            entry,
            effects: Vec::new(),
        };
        Ok(Self {
            at,
            before: None,
            table,
            changes: vec![change],
        })
    }

    /// Takes in an event.
    pub(super) fn take(&mut self, by: Option<PersonId>, event: Event) -> Result<(), ClubError> {
        let code = self.table.code();
        let entry = Entry::new(self.at, by, event);
        let effects = self
            .table
            .apply(&entry)
            .map_err(|why| ClubError::Fold { code, why })?;
        self.changes.push(Change { entry, effects });
        Ok(())
    }

    /// The change as it is told and kept.
    pub(super) fn happened(self, caller: Option<PersonId>, stands: Option<Vec<u8>>) -> Happened {
        Happened {
            before: self.before,
            table: Arc::new(self.table),
            changes: self.changes,
            stands,
            elsewhere: Vec::new(),
            caller,
            at: self.at,
        }
    }
}

impl Happened {
    /// What the store appends of it.
    pub(super) fn append(&self, expiry: u64) -> Append {
        Append {
            code: self.table.code(),
            expected: self.before.as_ref().map_or(0, |table| table.version()),
            events: self.changes.iter().map(|one| one.entry.stored()).collect(),
            listing: self.table.listing(expiry),
        }
    }
}

impl Club {
    /// Takes in what the table's state calls for by itself: the start, the end, what becomes of offers.
    pub(super) fn settle(&self, draft: &mut Draft) -> Result<(), ClubError> {
        while let Some(due) = draft.table.due() {
            let table = &draft.table;
            let event = match due {
                Due::Start { draw: None } => Event::Started { order: None },
                Due::Start { draw: Some(_) } => Event::Started {
                    order: Some(self.order(table)?),
                },
                Due::Agree => Event::Agreed,
                Due::Lapse(matter) => Event::OfferWithdrawn { matter },
                Due::Cancel => Event::Cancelled {
                    secret: self.published(table),
                },
                Due::End => Event::Ended {
                    secret: self.published(table),
                },
            };
            draft.take(None, event)?;
        }
        Ok(())
    }

    /// Keeps changes of tables and the messages that tell of them, all or nothing, and puts the tables on the shelf.
    pub(super) async fn keep(
        &self,
        caller: Option<&Caller>,
        at: At,
        happened: &[&Happened],
        wording: Wording<'_>,
    ) -> Result<(), StoreError> {
        let cause = caller.and_then(|caller| caller.cause.clone());
        self.keep_for(cause, caller, at, happened, wording).await
    }

    /// As [`Club::keep`], by a cause that may be nobody's.
    pub(super) async fn keep_for(
        &self,
        cause: Option<Cause>,
        caller: Option<&Caller>,
        at: At,
        happened: &[&Happened],
        wording: Wording<'_>,
    ) -> Result<(), StoreError> {
        let mut commit = Commit::new(at, cause);
        if let Some(caller) = caller {
            commit.notes.extend(self.new_home(caller, happened).await?);
        }
        for one in happened {
            if one.changed() {
                commit.appends.push(one.append(self.limits.expiry));
            }
            commit.posts.extend(wording(one));
        }
        // A command that changes nothing is remembered all the same: delivered again later, it might (R07).
        if commit.appends.is_empty() && commit.posts.is_empty() && commit.cause.is_none() {
            return Ok(());
        }
        let tables: Vec<Arc<Table>> = happened.iter().map(|one| one.table.clone()).collect();
        let (store, shelf) = (self.store.clone(), self.shelf.clone());
        let waiting = (!commit.posts.is_empty()).then(|| self.waiting.clone());
        // A task of its own: whoever asked may be gone before the store has answered, and the shelf has to hear of it.
        let kept = tokio::spawn(async move {
            store.commit(commit).await?;
            for table in tables {
                shelf.put(table);
            }
            if let Some(waiting) = waiting {
                waiting.send_modify(|count| *count += 1);
            }
            Ok(())
        });
        kept.await
            .unwrap_or_else(|gone| Err(StoreError::Stopped(gone.to_string())))
    }

    /// That the caller's place belongs to a server, where a table comes to it and that is not known yet: whoever draws
    /// its pictures later knows the place alone.
    async fn new_home(
        &self,
        caller: &Caller,
        happened: &[&Happened],
    ) -> Result<Option<(String, Option<Value>)>, StoreError> {
        let comes = |one: &&Happened| {
            let places = one.before.as_ref().map(|before| before.places());
            places != Some(one.table.places())
        };
        if caller.server.is_none() || !happened.iter().any(comes) {
            return Ok(None);
        }
        let (note, home) = (home_note(&caller.place), Value::String(caller.home()));
        let known = self.store.note(&note).await?;
        Ok((known.as_ref() != Some(&home)).then_some((note, Some(home))))
    }

    /// A table by its code.
    ///
    /// # Errors
    /// When there is none, or its record cannot be read.
    pub async fn load(&self, code: TableCode) -> Result<Arc<Table>, ClubError> {
        if let Some(table) = self.shelf.get(code) {
            return Ok(table);
        }
        let since = self.shelf.moment();
        let entries = self.entries(code, usize::MAX).await?;
        let table = Arc::new(folded(code, &entries)?);
        self.shelf.put_read(table.clone(), since);
        Ok(table)
    }

    /// Roll number `n` of a table.
    pub(super) fn throw(
        &self,
        table: &Table,
        n: NonZeroU32,
        dice: usize,
    ) -> Result<Roll, ClubError> {
        match self.secret(table)? {
            Some(secret) => Ok(fair(table, &secret).roll(n, dice)?),
            None => Ok(self.file()?.roll(n, dice)?),
        }
    }

    fn order(&self, table: &Table) -> Result<u32, ClubError> {
        Ok(u32::from(match self.secret(table)? {
            Some(secret) => fair(table, &secret).order()?,
            None => self.file()?.order()?,
        }))
    }

    fn file(&self) -> Result<&super::DiceFile, ClubError> {
        self.dice_file.as_ref().ok_or(ClubError::NoDiceFile)
    }

    /// The secret of a table's fair dice; none where its dice are not fair, or there are none.
    fn secret(&self, table: &Table) -> Result<Option<Secret>, SealError> {
        match table.dice_terms() {
            Some(DiceTerms::Fair { sealed, .. }) => self.key.open(table.code(), sealed).map(Some),
            Some(DiceTerms::File) | None => Ok(None),
        }
    }

    /// The secret as it is published at the end. A game without its key can still be ended; its dice cannot be checked
    /// then, and whoever verifies its record is told so.
    fn published(&self, table: &Table) -> Option<Revealed> {
        match self.secret(table) {
            Ok(secret) => secret.map(|secret| secret.reveal()),
            Err(why) => {
                tracing::error!(
                    "table {} is closed without its dice's secret: {why}",
                    table.code()
                );
                None
            }
        }
    }
}

fn fair<'a>(table: &Table, secret: &'a Secret) -> FairDice<'a> {
    FairDice::new(secret, table.code(), &table.contributions())
}
