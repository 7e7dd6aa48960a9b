//! Tables in memory, and who may change which at the moment.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

use crate::ids::{PersonId, TableCode};
use crate::table::Table;

/// Tables folded not long ago, so that a command need not read them again; bounded.
pub(super) struct Shelf {
    room: usize,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    tables: HashMap<TableCode, (u64, Arc<Table>)>,
    uses: u64,
    kept: u64,
}

/// How far the shelf's tables had been changed when a reader began to read one from the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment(u64);

impl Shelf {
    pub(super) fn new(room: usize) -> Self {
        Self {
            room: room.max(1),
            held: Mutex::default(),
        }
    }

    pub(super) fn get(&self, code: TableCode) -> Option<Arc<Table>> {
        self.with(|held| {
            held.uses += 1;
            let uses = held.uses;
            let (used, table) = held.tables.get_mut(&code)?;
            *used = uses;
            Some(table.clone())
        })
    }

    /// To be asked before a table is read from the store.
    pub(super) fn moment(&self) -> Moment {
        self.with(|held| Moment(held.kept))
    }

    /// Puts a table here that was just kept, unless a newer one is here.
    pub(super) fn put(&self, table: Arc<Table>) {
        self.with(|held| {
            held.kept += 1;
            held.put(table, self.room);
        });
    }

    /// Puts a table here that was read from the store, unless something was kept since: it could be older than that,
    /// and the newer one could be gone from the shelf again.
    pub(super) fn put_read(&self, table: Arc<Table>, since: Moment) {
        self.with(|held| {
            if Moment(held.kept) == since {
                held.put(table, self.room);
            }
        });
    }

    pub(super) fn forget(&self, code: TableCode) {
        self.with(|held| {
            held.kept += 1;
            held.tables.remove(&code);
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut Held) -> T) -> T {
        // A panic elsewhere cannot leave the map half changed.
        act(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Held {
    /// When there is no room, the half that was not used for longest goes.
    fn put(&mut self, table: Arc<Table>, room: usize) {
        let code = table.code();
        let held = self.tables.get(&code);
        if held.is_some_and(|(_, held)| held.version() > table.version()) {
            return;
        }
        self.uses += 1;
        self.tables.insert(code, (self.uses, table));
        if self.tables.len() > room {
            let mut uses: Vec<u64> = self.tables.values().map(|(used, _)| *used).collect();
            let middle = uses.len() / 2;
            let (_, oldest_kept, _) = uses.select_nth_unstable(middle);
            let oldest_kept = *oldest_kept;
            self.tables.retain(|_, (used, _)| *used >= oldest_kept);
        }
    }
}

/// What only one command at a time may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lockable {
    /// How many tables a person sits at. Taken before a table.
    SeatsOf(PersonId),
    /// A table.
    Table(TableCode),
    /// The table of people.
    People,
    /// The settings of places.
    Settings,
}

/// Whose turn it is to change something.
#[derive(Default)]
pub(super) struct Locks(Mutex<HashMap<Lockable, Weak<tokio::sync::Mutex<()>>>>);

/// How many locks may lie about before those that nobody holds are cleared away.
const LOCKS_KEPT: usize = 256;

impl Locks {
    pub(super) async fn lock(&self, what: Lockable) -> OwnedMutexGuard<()> {
        self.of(what).lock_owned().await
    }

    fn of(&self, what: Lockable) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&what).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() >= LOCKS_KEPT {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::default();
        locks.insert(what, Arc::downgrade(&lock));
        lock
    }
}
