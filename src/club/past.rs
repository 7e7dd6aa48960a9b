//! Tables as they are stored, and as they were.

use std::sync::Arc;

use serde_json::Value;

use super::{Club, ClubError};
use crate::ids::TableCode;
use crate::table::{Entry, Table};

impl Club {
    /// A table as it was when it had so many events: boards are drawn anew, never stored (R31).
    ///
    /// # Errors
    /// When there is none, or its record cannot be read.
    pub async fn load_at(&self, code: TableCode, version: u64) -> Result<Arc<Table>, ClubError> {
        let now = self.load(code).await?;
        if now.version() <= version {
            return Ok(now);
        }
        let most = usize::try_from(version).unwrap_or(usize::MAX);
        let entries = self.entries(code, most).await?;
        Ok(Arc::new(folded(code, &entries)?))
    }

    /// The first entries of a table's record, at most so many.
    pub(super) async fn entries(
        &self,
        code: TableCode,
        most: usize,
    ) -> Result<Vec<Entry>, ClubError> {
        let stored = self.store.table(code).await?;
        let stored = stored.ok_or(ClubError::NoSuchTable(code))?;
        read(code, stored.events.iter().take(most))
    }
}

/// Whether stored events are a game that can be played through.
///
/// # Errors
/// Why not.
pub fn playable(code: TableCode, events: &[Value]) -> Result<(), ClubError> {
    folded(code, &read(code, events)?).map(|_| ())
}

fn read<'v>(
    code: TableCode,
    events: impl IntoIterator<Item = &'v Value>,
) -> Result<Vec<Entry>, ClubError> {
    let read = |(number, value)| {
        Entry::read(value).map_err(|why| ClubError::Unreadable { code, number, why })
    };
    events.into_iter().enumerate().map(read).collect()
}

/// What entries make of a table.
pub(super) fn folded<'a>(
    code: TableCode,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Table, ClubError> {
    Table::fold(entries).map_err(|why| ClubError::Fold { code, why })
}
