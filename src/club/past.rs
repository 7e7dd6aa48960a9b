//! Tables as they are stored, and as they were.

use std::sync::Arc;

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
        let read = |(number, value)| {
            Entry::read(value).map_err(|why| ClubError::Unreadable { code, number, why })
        };
        let values = stored.events.iter().take(most);
        values.enumerate().map(read).collect()
    }
}

/// What entries make of a table.
pub(super) fn folded<'a>(
    code: TableCode,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Table, ClubError> {
    Table::fold(entries).map_err(|why| ClubError::Fold { code, why })
}
