//! Changes to the view, made in memory first: a refused or failed command leaves no trace (R116).

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::damage::Damage;
use super::head::{Head, decoded};
use super::view::{Meta, View, sealed, weight};
use super::{Account, Person, keys};
use crate::ids::{PersonId, TableCode};

/// A view and changes to it that nobody sees yet. A value of `None` is a removal.
#[derive(Debug)]
pub(super) struct Draft<'v> {
    view: &'v View,
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    meta: Meta,
    bytes: usize,
    incomplete: bool,
}

impl<'v> Draft<'v> {
    pub(super) fn new(view: &'v View, meta: Meta) -> Self {
        Self {
            view,
            changes: BTreeMap::new(),
            meta,
            bytes: 0,
            incomplete: false,
        }
    }

    /// Says that tables had to be left out, so that events for one that is not there are no contradiction.
    pub(super) fn set_incomplete(&mut self) {
        self.incomplete = true;
    }

    pub(super) fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// How many bytes the changes take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// What the view will say of itself, as far as the changes are decided.
    pub(super) fn meta(&self) -> &Meta {
        &self.meta
    }

    pub(super) fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    /// The view without the changes.
    pub(super) fn view(&self) -> &'v View {
        self.view
    }

    pub(super) fn changes(&self, key: &[u8]) -> bool {
        self.changes.contains_key(key)
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

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Damage> {
        match self.changes.get(key) {
            Some(changed) => Ok(changed.clone()),
            None => self.view.get(key),
        }
    }

    pub(super) fn read<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, Damage> {
        self.get(key)?.map(|value| decoded(key, &value)).transpose()
    }

    pub(super) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.bytes += key.len() + value.len();
        self.changes.insert(key, Some(value));
    }

    pub(super) fn put_json<T: Serialize>(&mut self, key: Vec<u8>, value: &T) -> Result<(), Damage> {
        let value =
            serde_json::to_vec(value).map_err(|error| Damage::Refused(error.to_string()))?;
        self.put(key, value);
        Ok(())
    }

    pub(super) fn remove(&mut self, key: Vec<u8>) {
        self.bytes += key.len();
        self.changes.insert(key, None);
    }

    pub(super) fn head(&self, code: TableCode) -> Result<Option<Head>, Damage> {
        self.read(&keys::head(code))
    }

    pub(super) fn person(&self, id: PersonId) -> Result<Option<Person>, Damage> {
        self.read(&keys::person(id))
    }

    pub(super) fn owner(&self, account: &Account) -> Result<Option<PersonId>, Damage> {
        self.read(&keys::account(account))
    }
}
