//! Commands that come a second time: the same one delivered again (R07), and the same moves sent again by somebody who
//! was not told that they are played (R02).

use super::past::folded;
use super::{Caller, Club, ClubError, Done, Sought};
use crate::ids::{Cause, TableCode};
use crate::store::{Commit, StoreError};
use crate::table::{Entry, Event, Table};

/// Of how many refused commands it is remembered that they were refused, at most; after that only that they were
/// handled.
const REFUSED_KEPT: u32 = 1024;

impl Club {
    /// A refused command is over with too: what was "not your turn" once must not be carried out when the platform
    /// delivers the same message again later (R07).
    pub(super) async fn remembered(
        &self,
        caller: &Caller,
        done: Result<Done, ClubError>,
    ) -> Result<Done, ClubError> {
        let (Err(why), Some(cause)) = (&done, &caller.cause) else {
            return done;
        };
        if let ClubError::Store(_) = why {
            return done;
        }
        let mut refused = Commit::new(self.clock.now(), Some(cause.clone()));
        let note = (refused_note(cause), Some(serde_json::json!(cause)));
        refused.notes.push(note);
        match self.store.commit(refused).await {
            Ok(_) | Err(StoreError::Handled { .. }) => done,
            Err(other) => Err(other.into()),
        }
    }

    pub(super) async fn handled(&self, caller: &Caller) -> Result<Option<u64>, ClubError> {
        match &caller.cause {
            Some(cause) => Ok(self.store.handled(cause).await?),
            None => Ok(None),
        }
    }

    /// Whether what was handled before was refused then.
    pub(super) async fn was_refused(&self, caller: &Caller) -> Result<bool, ClubError> {
        let Some(cause) = &caller.cause else {
            return Ok(false);
        };
        let note = self.store.note(&refused_note(cause)).await?;
        Ok(note.is_some_and(|refused| refused == cause.0))
    }

    pub(super) async fn done_before(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        number: u64,
    ) -> Done {
        let table = self.look(caller, named, &Sought::Any).await.ok();
        Done::Before { number, table }
    }

    /// The moves that the caller played last at a table, if this text says the same moves: then they need not be sent
    /// again (R02). `None` where it says others, or they have played none.
    ///
    /// # Errors
    /// When the table is not there or its record cannot be read.
    pub async fn played_already(
        &self,
        caller: &Caller,
        table: &Table,
        text: &str,
    ) -> Result<Option<Vec<String>>, ClubError> {
        let code = table.code();
        let entries = self.entries(code, usize::MAX).await?;
        let own = |entry: &Entry| match &entry.event {
            Event::Moved { moves } if entry.by == Some(caller.person) => Some(moves.clone()),
            _ => None,
        };
        let last = entries.iter().rposition(|entry| own(entry).is_some());
        let Some((at, played)) = last.and_then(|at| Some((at, own(entries.get(at)?)?))) else {
            return Ok(None);
        };
        let before = folded(code, entries.iter().take(at))?;
        let again = before.moves(caller.person, text);
        let same = again.is_ok_and(|events| {
            let mut moved = events.iter();
            moved.any(|event| matches!(event, Event::Moved { moves } if *moves == played))
        });
        Ok(same.then_some(played))
    }
}

/// Where it is noted that a cause was refused. There are so many notes and no more, whatever comes.
fn refused_note(cause: &Cause) -> String {
    let place = crc32fast::hash(cause.0.as_bytes()) % REFUSED_KEPT;
    format!("refused/{place}")
}
