//! What time brings about: tables that nobody joins are closed.

use super::settle::Draft;
use super::shelf::Lockable;
use super::{Club, ClubError, Happened, Wording};
use crate::ids::{At, TableCode};
use crate::store::{Find, StoreError};
use crate::table::{Event, Phase};

/// How many tables are closed at one call.
const AT_ONCE: usize = 256;

impl Club {
    /// Closes the tables whose time to be joined is over, and tells which.
    ///
    /// # Errors
    /// When the store fails; the tables closed until then stay closed. A table that cannot be read is logged and left
    /// alone, for the others' sake.
    pub async fn tick(&self, wording: Wording<'_>) -> Result<Vec<Happened>, ClubError> {
        let now = self.clock.now();
        let due = self
            .store
            .tables(Find::Expiring { before: now }, AT_ONCE)
            .await?;
        let mut closed = Vec::new();
        for (code, _) in due {
            match self.expire(code, now, wording).await {
                Ok(one) => closed.extend(one),
                Err(why) if is_of_one_table(&why) => {
                    tracing::error!("table {code} cannot be closed: {why}");
                }
                Err(why) => return Err(why),
            }
        }
        Ok(closed)
    }

    async fn expire(
        &self,
        code: TableCode,
        now: At,
        wording: Wording<'_>,
    ) -> Result<Option<Happened>, ClubError> {
        let _table = self.locks.lock(Lockable::Table(code)).await;
        let table = self.load(code).await?;
        let listing = table.listing(self.limits.expiry);
        let over = listing.expires.is_some_and(|expires| expires < now);
        if !over || !matches!(table.phase(), Phase::Gathering) {
            return Ok(None);
        }
        let mut draft = Draft::on(&table, now);
        draft.take(None, Event::Expired)?;
        let happened = draft.happened(None, None);
        match self.keep(None, now, &[&happened], wording).await {
            Ok(()) => Ok(Some(happened)),
            // Somebody joined just now: the next call looks again.
            Err(StoreError::Stale { .. }) => {
                self.shelf.forget(code);
                Ok(None)
            }
            Err(other) => Err(other.into()),
        }
    }
}

/// Whether one table alone is bad, and the others can be gone on with.
fn is_of_one_table(why: &ClubError) -> bool {
    matches!(
        why,
        ClubError::Unreadable { .. }
            | ClubError::Fold { .. }
            | ClubError::NoSuchTable(_)
            | ClubError::Store(StoreError::Damaged(_))
    )
}
