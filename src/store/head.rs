//! How a table stands in the view: a head, and its events in chunks of a few kilobytes.
//!
//! An append writes the head and the last chunk only, however long the game; and no value grows to where sled would
//! put it into a file of its own.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::damage::Damage;
use super::view::View;
use super::{Listing, Stored, keys};
use crate::ids::TableCode;

/// The size in bytes from which a chunk takes no more events.
pub(super) const CHUNK: usize = 2_048;

/// A table without its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) version: u64,
    /// How many chunks the events fill.
    pub(super) chunks: u32,
    pub(super) listing: Listing,
}

/// The value of a record that is stored as JSON.
pub(super) fn decoded<T: DeserializeOwned>(key: &[u8], value: &[u8]) -> Result<T, Damage> {
    serde_json::from_slice(value).map_err(|_| Damage::Record(key.escape_ascii().to_string()))
}

impl View {
    /// The value under a key, stored as JSON.
    pub(super) fn read<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, Damage> {
        self.get(key)?.map(|value| decoded(key, &value)).transpose()
    }

    pub(super) fn head(&self, code: TableCode) -> Result<Option<Head>, Damage> {
        self.read(&keys::head(code))
    }

    /// A table with its events.
    pub(super) fn table(&self, code: TableCode) -> Result<Option<Stored>, Damage> {
        let Some(head) = self.head(code)? else {
            return Ok(None);
        };
        let events = self.events(code, &head)?;
        Ok(Some(Stored {
            listing: head.listing,
            version: head.version,
            events,
        }))
    }

    /// The events that belong to a head read before.
    pub(super) fn events<E: DeserializeOwned>(
        &self,
        code: TableCode,
        head: &Head,
    ) -> Result<Vec<E>, Damage> {
        let mut events = Vec::with_capacity(usize::try_from(head.version).unwrap_or(0).min(10_000));
        for index in 0..head.chunks {
            let key = keys::chunk(code, index);
            let chunk = self.get(&key)?.ok_or_else(|| missing(&key))?;
            for line in chunk
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty())
            {
                events.push(decoded(&key, line)?);
            }
        }
        if events.len() as u64 == head.version {
            Ok(events)
        } else {
            Err(missing(&keys::head(code)))
        }
    }
}

fn missing(key: &[u8]) -> Damage {
    Damage::Record(key.escape_ascii().to_string())
}
