//! The board a message speaks of, as it was then: pictures are drawn anew, never stored (R31).

use std::sync::Arc;

use crate::club::{Club, ClubError};
use crate::ids::TableCode;
use crate::table::{Entry, Table};

/// A table as it was when it had so many events.
///
/// # Errors
/// When the table is not there or its record cannot be read.
pub async fn table_at(club: &Club, code: TableCode, version: u64) -> Result<Arc<Table>, ClubError> {
    let now = club.load(code).await?;
    if now.version() <= version {
        return Ok(now);
    }
    let stored = club.store().table(code).await?;
    let stored = stored.ok_or(ClubError::NoSuchTable(code))?;
    let wanted = usize::try_from(version).unwrap_or(usize::MAX);
    let mut entries = Vec::new();
    for (number, value) in stored.events.iter().take(wanted).enumerate() {
        let entry = Entry::read(value);
        entries.push(entry.map_err(|why| ClubError::Unreadable { code, number, why })?);
    }
    let table = Table::fold(&entries).map_err(|why| ClubError::Fold { code, why })?;
    Ok(Arc::new(table))
}
