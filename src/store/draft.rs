//! Changes to the view, made in memory first: a refused or failed command leaves no trace (R116).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::head::{CHUNK, Head, decoded};
use super::record::{Deed, Record};
use super::view::{Damage, Meta, View, sealed, weight};
use super::{Commit, Listing, Person, Post, PostId, keys};
use crate::ids::{At, Cause, PersonId, TableCode};

/// How many causes are remembered, and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memorable {
    /// At most so many, the newest.
    pub newest: u64,
    /// None that was committed so many milliseconds before the newest.
    pub millis: u64,
}

impl Default for Memorable {
    /// The newest 100,000 of the last 30 days.
    fn default() -> Self {
        Self {
            newest: 100_000,
            millis: 30 * 24 * 60 * 60 * 1_000,
        }
    }
}

/// What is remembered of a cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub(super) struct Handled {
    pub(super) cause: Cause,
    pub(super) n: u64,
    pub(super) at: At,
}

/// A view and changes to it that nobody sees yet. A value of `None` is a removal.
#[derive(Debug)]
pub(super) struct Draft<'v> {
    view: &'v View,
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    meta: Meta,
    bytes: usize,
}

impl<'v> Draft<'v> {
    pub(super) fn new(view: &'v View, meta: Meta) -> Self {
        Self {
            view,
            changes: BTreeMap::new(),
            meta,
            bytes: 0,
        }
    }

    /// How many bytes the changes take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Makes the changes; the view's meta afterwards.
    pub(super) fn apply(self) -> Result<Meta, Damage> {
        let view = self.view;
        let (batch, meta) = self.batch()?;
        view.apply(batch, &meta)?;
        Ok(meta)
    }

    /// The changes as sled takes them, and the meta that fits them.
    pub(super) fn batch(self) -> Result<(sled::Batch, Meta), Damage> {
        let Self {
            view,
            changes,
            mut meta,
            ..
        } = self;
        let mut batch = sled::Batch::default();
        for (key, value) in changes {
            if let Some(old) = view.stored(&key)? {
                meta.digest = meta.digest.wrapping_sub(weight(&old));
                meta.records = meta.records.saturating_sub(1);
            }
            match value {
                Some(value) => {
                    let stored = sealed(&key, &value);
                    meta.digest = meta.digest.wrapping_add(weight(&stored));
                    meta.records += 1;
                    batch.insert(key, stored);
                }
                None => batch.remove(key),
            }
        }
        Ok((batch, meta))
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Damage> {
        match self.changes.get(key) {
            Some(changed) => Ok(changed.clone()),
            None => self.view.get(key),
        }
    }

    fn read<T: serde::de::DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, Damage> {
        self.get(key)?.map(|value| decoded(key, &value)).transpose()
    }

    fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.bytes += key.len() + value.len();
        self.changes.insert(key, Some(value));
    }

    fn put_json<T: Serialize>(&mut self, key: Vec<u8>, value: &T) -> Result<(), Damage> {
        let value =
            serde_json::to_vec(value).map_err(|error| Damage::Refused(error.to_string()))?;
        self.put(key, value);
        Ok(())
    }

    fn remove(&mut self, key: Vec<u8>) {
        self.bytes += key.len();
        self.changes.insert(key, None);
    }

    pub(super) fn head(&self, code: TableCode) -> Result<Option<Head>, Damage> {
        self.read(&keys::head(code))
    }

    pub(super) fn person(&self, id: PersonId) -> Result<Option<Person>, Damage> {
        self.read(&keys::person(id))
    }

    pub(super) fn owner(&self, account: &super::Account) -> Result<Option<PersonId>, Damage> {
        self.read(&keys::account(account))
    }

    pub(super) fn handled(&self, cause: &Cause) -> Result<Option<Handled>, Damage> {
        self.read(&keys::cause(&cause.0))
    }

    /// Does what a journal record says, as far as the view does not have it yet: a snapshot is taken while commands
    /// go on, so it may have more than its number says.
    pub(super) fn follow(&mut self, record: &Record) -> Result<(), Damage> {
        match &record.deed {
            Deed::Commit(commit) => self.commit(record.n, commit)?,
            Deed::Posted(ids) => {
                for &id in ids {
                    self.remove(keys::post(id));
                }
            }
        }
        self.meta.applied = record.n;
        Ok(())
    }

    fn commit(&mut self, n: u64, commit: &Commit) -> Result<(), Damage> {
        if let Some(cause) = &commit.cause {
            self.remember(&Handled {
                cause: cause.clone(),
                n,
                at: commit.at,
            })?;
        }
        for append in &commit.appends {
            let head = self.head(append.code)?;
            let version = head.as_ref().map_or(0, |head| head.version);
            match append.expected.cmp(&version) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => {
                    self.append(append.code, head, &append.events, &append.listing)?
                }
                std::cmp::Ordering::Greater => return Err(Damage::Unfit(n)),
            }
        }
        for person in &commit.people {
            self.put_person(person)?;
        }
        for (key, value) in &commit.notes {
            self.put_note(key, value.as_ref())?;
        }
        for (index, post) in (0..).zip(&commit.posts) {
            self.put_post(PostId { number: n, index }, post)?;
        }
        Ok(())
    }

    fn append(
        &mut self,
        code: TableCode,
        head: Option<Head>,
        events: &[Value],
        listing: &Listing,
    ) -> Result<(), Damage> {
        let known = head.is_some();
        let new = || Head {
            version: 0,
            chunks: 0,
            listing: listing.clone(),
        };
        let old_index = head
            .as_ref()
            .map(|head| keys::index(code, &head.listing))
            .unwrap_or_default();
        let mut head = head.unwrap_or_else(new);
        if !known {
            self.meta.tables += 1;
        }
        self.write_events(code, &mut head, events)?;
        head.listing = listing.clone();
        let index = keys::index(code, listing);
        for gone in old_index.difference(&index) {
            self.remove(gone.clone());
        }
        for new in index.difference(&old_index) {
            self.put(new.clone(), Vec::new());
        }
        self.put_json(keys::head(code), &head)
    }

    fn write_events(
        &mut self,
        code: TableCode,
        head: &mut Head,
        events: &[Value],
    ) -> Result<(), Damage> {
        if events.is_empty() {
            return Ok(());
        }
        let mut chunk = match head.chunks.checked_sub(1) {
            Some(last) => self
                .get(&keys::chunk(code, last))?
                .ok_or_else(|| Damage::Record(code.to_string()))?,
            None => Vec::new(),
        };
        for event in events {
            if head.chunks == 0 || chunk.len() >= CHUNK {
                if head.chunks > 0 {
                    self.put(
                        keys::chunk(code, head.chunks - 1),
                        std::mem::take(&mut chunk),
                    );
                }
                head.chunks += 1;
            }
            serde_json::to_writer(&mut chunk, event)
                .map_err(|error| Damage::Refused(error.to_string()))?;
            chunk.push(b'\n');
            head.version += 1;
        }
        self.put(keys::chunk(code, head.chunks - 1), chunk);
        Ok(())
    }

    /// Puts a whole table in place of what the view has of it, unless that is more.
    pub(super) fn put_table(
        &mut self,
        code: TableCode,
        events: &[Value],
        listing: &Listing,
    ) -> Result<(), Damage> {
        let head = self.head(code)?;
        let known = head.as_ref().map_or(0, |head| head.version);
        match events.get(usize::try_from(known).unwrap_or(usize::MAX)..) {
            Some(rest) => self.append(code, head, rest, listing),
            None => Ok(()),
        }
    }

    /// Remembers that a finished table stands in a file of finished games, with a head of this sum.
    pub(super) fn file(&mut self, code: TableCode, head_sum: u32) {
        self.put(keys::filed(code), head_sum.to_le_bytes().to_vec());
    }

    /// The sum of a table's head, by which a later change of the table is noticed.
    pub(super) fn head_sum(&self, code: TableCode) -> Result<Option<u32>, Damage> {
        Ok(self
            .get(&keys::head(code))?
            .map(|head| crc32fast::hash(&head)))
    }

    /// Puts a person in place of what was known of them. An account's entry is removed only where it leads to them.
    pub(super) fn put_person(&mut self, person: &Person) -> Result<(), Damage> {
        let known = self.person(person.id)?;
        for account in known.iter().flat_map(|known| &known.accounts) {
            if !person.accounts.contains(account) && self.owner(account)? == Some(person.id) {
                self.remove(keys::account(account));
            }
        }
        for account in &person.accounts {
            self.put_json(keys::account(account), &person.id)?;
        }
        self.meta.last_person = self.meta.last_person.max(person.id.0);
        self.put_json(keys::person(person.id), person)
    }

    pub(super) fn put_note(&mut self, key: &str, value: Option<&Value>) -> Result<(), Damage> {
        match value {
            Some(value) => self.put_json(keys::note(key), value),
            None => {
                self.remove(keys::note(key));
                Ok(())
            }
        }
    }

    pub(super) fn put_post(&mut self, id: PostId, post: &Post) -> Result<(), Damage> {
        self.put_json(keys::post(id), post)
    }

    pub(super) fn remember(&mut self, handled: &Handled) -> Result<(), Damage> {
        match self.handled(&handled.cause)? {
            Some(known) => self.remove(keys::cause_number(known.n)),
            None => self.meta.causes += 1,
        }
        self.put_json(keys::cause_number(handled.n), handled)?;
        self.put_json(keys::cause(&handled.cause.0), handled)
    }

    /// Forgets causes beyond what is to be remembered, the oldest first.
    pub(super) fn forget(&mut self, memorable: &Memorable, now: At) -> Result<(), Damage> {
        let view = self.view;
        for entry in view.under(keys::CAUSES_BY_NUMBER) {
            let (key, value) = entry?;
            if self.changes.contains_key(&key) {
                continue;
            }
            let oldest: Handled = decoded(&key, &value)?;
            if self.meta.causes <= memorable.newest
                && now.millis_since(oldest.at) <= memorable.millis
            {
                break;
            }
            self.remove(key);
            self.remove(keys::cause(&oldest.cause.0));
            self.meta.causes = self.meta.causes.saturating_sub(1);
        }
        Ok(())
    }
}
