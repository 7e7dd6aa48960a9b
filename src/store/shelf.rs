//! The view as readers see it: whole commands, never a part of one, and without waiting for anybody's disk.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use super::damage::{Damage, caught};
use super::draft::Draft;
use super::view::{Meta, View};

/// A view with one writer and many readers. The writer keeps readers out only while a batch is put into memory; the
/// journal is written and synced before that (R115).
#[derive(Debug)]
pub(super) struct Shelf {
    view: View,
    applying: RwLock<()>,
    /// The number of the last command known to be on the disk.
    durable: AtomicU64,
}

impl Shelf {
    pub(super) fn new(view: View, durable: u64) -> Self {
        Self {
            view,
            applying: RwLock::new(()),
            durable: AtomicU64::new(durable),
        }
    }

    /// Reads with no command being applied meanwhile.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&View) -> Result<T, Damage>,
    ) -> Result<T, Damage> {
        let _quiet = self.applying.read().unwrap_or_else(PoisonError::into_inner);
        caught(|| work(&self.view))
    }

    /// The view for its one writer, and for readers that can do with a part of a command.
    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// Makes a draft visible.
    pub(super) fn apply(&self, draft: Draft<'_>) -> Result<Meta, Damage> {
        let batch = caught(|| draft.batch())?;
        let _alone = self
            .applying
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        self.view.apply(batch.0, &batch.1)?;
        Ok(batch.1)
    }

    pub(super) fn set_durable(&self, number: u64) {
        self.durable.store(number, Ordering::Release);
    }

    pub(super) fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }
}
