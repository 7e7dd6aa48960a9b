//! A store that forgets everything when dropped: for tests, and the plain model the real one is checked against.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use super::{
    Account, Append, Commit, Committed, Find, Listing, Person, Post, PostId, Store, StoreError,
    Stored,
};
use crate::ids::{Cause, PersonId, Platform, TableCode};

/// Everything in memory, found by looking through it. Causes are never forgotten.
#[derive(Debug, Default)]
pub struct Memory {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    number: u64,
    next_person: u64,
    closed: bool,
    tables: BTreeMap<TableCode, Stored>,
    people: BTreeMap<PersonId, Person>,
    notes: BTreeMap<String, Value>,
    causes: HashMap<Cause, u64>,
    outbox: BTreeMap<PostId, Post>,
}

impl Memory {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn owner(&self, account: &Account) -> Option<&Person> {
        self.people
            .values()
            .find(|person| person.accounts.contains(account))
    }

    /// Everything that can refuse a commit, before anything of it is kept.
    fn allows(&self, commit: &Commit) -> Result<(), StoreError> {
        if self.closed {
            return Err(StoreError::Closed);
        }
        if let Some((cause, &number)) = commit
            .cause
            .as_ref()
            .and_then(|cause| self.causes.get_key_value(cause))
        {
            return Err(StoreError::Handled {
                cause: cause.clone(),
                number,
            });
        }
        for (at, append) in commit.appends.iter().enumerate() {
            let earlier = commit.appends[..at]
                .iter()
                .rev()
                .find(|earlier| earlier.code == append.code);
            let stored = || {
                self.tables
                    .get(&append.code)
                    .map_or(0, |table| table.version)
            };
            let found = earlier.map_or_else(stored, Append::version);
            if found != append.expected {
                return Err(StoreError::Stale {
                    code: append.code,
                    expected: append.expected,
                    found,
                });
            }
        }
        for person in &commit.people {
            for account in &person.accounts {
                let owner = commit
                    .people
                    .iter()
                    .find(|other| other.accounts.contains(account))
                    .map(|other| other.id);
                let stays =
                    |owner: &Person| !commit.people.iter().any(|changed| changed.id == owner.id);
                let owner = self
                    .owner(account)
                    .filter(|owner| stays(owner))
                    .map(|owner| owner.id)
                    .or(owner);
                if let Some(owner) = owner.filter(|&owner| owner != person.id) {
                    let Account { platform, account } = account.clone();
                    return Err(StoreError::AccountTaken {
                        platform,
                        account,
                        person: owner,
                    });
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, commit: Commit) -> Committed {
        self.number += 1;
        let number = self.number;
        if let Some(cause) = commit.cause {
            self.causes.insert(cause, number);
        }
        for append in commit.appends {
            let new = Stored {
                listing: append.listing.clone(),
                version: 0,
                events: Vec::new(),
            };
            let table = self.tables.entry(append.code).or_insert(new);
            table.listing = append.listing;
            table.events.extend(append.events);
            table.version = table.events.len() as u64;
        }
        for person in commit.people {
            self.next_person = self.next_person.max(person.id.0);
            self.people.insert(person.id, person);
        }
        for (key, value) in commit.notes {
            match value {
                Some(value) => self.notes.insert(key, value),
                None => self.notes.remove(&key),
            };
        }
        let ids: Vec<PostId> = (0..)
            .zip(&commit.posts)
            .map(|(index, _)| PostId { number, index })
            .collect();
        self.outbox.extend(ids.iter().copied().zip(commit.posts));
        Committed { number, posts: ids }
    }

    fn find(&self, find: &Find, limit: usize) -> Vec<(TableCode, Listing)> {
        let wanted = self
            .tables
            .iter()
            .filter(|(_, table)| find.wants(&table.listing));
        let mut found: Vec<_> = wanted
            .map(|(&code, table)| (code, table.listing.clone()))
            .collect();
        match find {
            Find::Expiring { .. } => found.sort_by_key(|(code, listing)| (listing.expires, *code)),
            Find::OfPerson { .. } | Find::InPlace { .. } | Find::Open | Find::Finished => {
                found.sort_by_key(|(code, listing)| (std::cmp::Reverse(listing.since), *code));
            }
        }
        found.truncate(limit);
        found
    }
}

#[async_trait]
impl Store for Memory {
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let mut kept = self.kept();
        kept.allows(&commit)?;
        Ok(kept.keep(commit))
    }

    async fn table(&self, code: TableCode) -> Result<Option<Stored>, StoreError> {
        Ok(self.kept().tables.get(&code).cloned())
    }

    async fn listing(&self, code: TableCode) -> Result<Option<Listing>, StoreError> {
        Ok(self
            .kept()
            .tables
            .get(&code)
            .map(|table| table.listing.clone()))
    }

    async fn tables(
        &self,
        find: Find,
        limit: usize,
    ) -> Result<Vec<(TableCode, Listing)>, StoreError> {
        Ok(self.kept().find(&find, limit))
    }

    async fn person(&self, id: PersonId) -> Result<Option<Person>, StoreError> {
        Ok(self.kept().people.get(&id).cloned())
    }

    async fn person_by_account(
        &self,
        platform: Platform,
        account: &str,
    ) -> Result<Option<Person>, StoreError> {
        Ok(self
            .kept()
            .owner(&Account {
                platform,
                account: account.to_owned(),
            })
            .cloned())
    }

    async fn next_person(&self) -> Result<PersonId, StoreError> {
        let mut kept = self.kept();
        kept.next_person += 1;
        Ok(PersonId(kept.next_person))
    }

    async fn handled(&self, cause: &Cause) -> Result<Option<u64>, StoreError> {
        Ok(self.kept().causes.get(cause).copied())
    }

    async fn outbox(
        &self,
        after: Option<PostId>,
        limit: usize,
    ) -> Result<Vec<(PostId, Post)>, StoreError> {
        let kept = self.kept();
        let waiting = kept
            .outbox
            .iter()
            .filter(|(id, _)| after.is_none_or(|after| **id > after));
        Ok(waiting
            .take(limit)
            .map(|(id, post)| (*id, post.clone()))
            .collect())
    }

    async fn posted(&self, ids: &[PostId]) -> Result<(), StoreError> {
        let mut kept = self.kept();
        if kept.closed {
            return Err(StoreError::Closed);
        }
        // Each such line has a number in the journal, so numbers here run as they do there.
        kept.number += 1;
        for id in ids {
            kept.outbox.remove(id);
        }
        Ok(())
    }

    async fn note(&self, key: &str) -> Result<Option<Value>, StoreError> {
        Ok(self.kept().notes.get(key).cloned())
    }

    async fn sync(&self) -> Result<(), StoreError> {
        if self.kept().closed {
            Err(StoreError::Closed)
        } else {
            Ok(())
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.kept().closed = true;
        Ok(())
    }
}
