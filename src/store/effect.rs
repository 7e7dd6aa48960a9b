//! What a journal record does to the view.

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::Value;

use super::causes::Handled;
use super::damage::Damage;
use super::draft::Draft;
use super::head::{CHUNK, Head};
use super::history::Chain;
use super::record::{Deed, Record};
use super::{Commit, Listing, Person, Post, PostId, keys};
use crate::ids::TableCode;

impl Draft<'_> {
    /// Does what a journal record says (`chain` is the digest up to it), as far as the view does not have it yet: a snapshot is taken while commands
    /// go on, so it may have more than its number says.
    pub(super) fn follow<E: Serialize>(
        &mut self,
        record: &Record<E>,
        chain: Option<Chain>,
    ) -> Result<(), Damage> {
        match &record.deed {
            Deed::Commit(commit) => self.commit(record.n, commit)?,
            Deed::Posted(ids) => {
                for &id in ids {
                    self.remove(keys::post(id));
                }
            }
        }
        (self.meta_mut().applied, self.meta_mut().chain) = (record.n, chain);
        Ok(())
    }

    fn commit<E: Serialize>(&mut self, n: u64, commit: &Commit<E>) -> Result<(), Damage> {
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
                Ordering::Less => {}
                Ordering::Equal => {
                    self.append(append.code, head, &append.events, &append.listing)?
                }
                Ordering::Greater if self.is_incomplete() => {}
                Ordering::Greater => return Err(Damage::Unfit(n)),
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

    fn append<E: Serialize>(
        &mut self,
        code: TableCode,
        head: Option<Head>,
        events: &[E],
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
            self.meta_mut().tables += 1;
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

    fn write_events<E: Serialize>(
        &mut self,
        code: TableCode,
        head: &mut Head,
        events: &[E],
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
    pub(super) fn put_table<E: Serialize>(
        &mut self,
        code: TableCode,
        events: &[E],
        listing: &Listing,
    ) -> Result<(), Damage> {
        let head = self.head(code)?;
        let known = head.as_ref().map_or(0, |head| head.version);
        match events.get(usize::try_from(known).unwrap_or(usize::MAX)..) {
            Some(rest) => self.append(code, head, rest, listing),
            None => Ok(()),
        }
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
        self.meta_mut().last_person = self.meta().last_person.max(person.id.0);
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
}
