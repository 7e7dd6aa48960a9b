//! Tables that move to another place.

use super::act::TRIES;
use super::settle::Draft;
use super::shelf::Lockable;
use super::{Caller, Club, ClubError, Happened, Wording};
use crate::ids::{Cause, Place, TableCode};
use crate::store::StoreError;
use crate::table::Table;

impl Club {
    /// Makes `to` the place of a table that was played in `from`, as when a thread is opened for it. Nobody is told. Where
    /// the table is not played in `from` any more nothing changes.
    ///
    /// # Errors
    /// When there is no such table, or the store fails.
    pub async fn settle_in(
        &self,
        code: TableCode,
        from: &Place,
        to: &Place,
        cause: Option<Cause>,
    ) -> Result<(), ClubError> {
        let quiet = |_: &Happened| Vec::new();
        self.settle_telling(code, from, to, cause, &quiet).await
    }

    /// The same, and tells of it: as when a room is given up for another one.
    ///
    /// # Errors
    /// As [`Club::settle_in`].
    pub async fn settle_telling(
        &self,
        code: TableCode,
        from: &Place,
        to: &Place,
        cause: Option<Cause>,
        wording: Wording<'_>,
    ) -> Result<(), ClubError> {
        let _table = self.locks.lock(Lockable::Table(code)).await;
        for _ in 0..TRIES {
            let table = self.load(code).await?;
            let Some(event) = table.placed_from(from, to) else {
                return Ok(());
            };
            let at = self.clock.now();
            let mut draft = Draft::on(&table, at);
            draft.take(None, event)?;
            let happened = draft.happened(None, None);
            let happened = [&happened];
            let kept = self.keep_for(cause.clone(), None, at, &happened, wording);
            match kept.await {
                Ok(()) | Err(StoreError::Handled { .. }) => return Ok(()),
                Err(StoreError::Stale { .. }) => self.shelf.forget(code),
                Err(other) => return Err(other.into()),
            }
        }
        Err(ClubError::Busy)
    }

    /// Whether a table may move to the caller's place.
    pub(super) async fn check_move(&self, caller: &Caller, table: &Table) -> Result<(), ClubError> {
        let mut others = table.people().chain(
            table
                .invitations()
                .iter()
                .map(|invitation| invitation.person),
        );
        if caller.direct && others.any(|person| person != caller.person) {
            return Err(ClubError::NotInPrivate);
        }
        if table.is_played_in(&caller.place) {
            return Ok(());
        }
        self.check_channels(caller).await?;
        self.check_place(caller).await
    }
}
