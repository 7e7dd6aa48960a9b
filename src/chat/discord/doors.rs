//! What is taken and what is not: doors that are open until the program stops, and who is inside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedRwLockReadGuard, RwLock};

/// Open until they are closed.
#[derive(Clone, Default)]
pub(super) struct Doors {
    closed: Arc<AtomicBool>,
    hall: Arc<RwLock<()>>,
}

/// Somebody who is inside while this lives.
pub(super) struct Inside {
    _guard: OwnedRwLockReadGuard<()>,
}

impl Doors {
    /// Lets somebody in, unless the doors are closed.
    pub(super) fn enter(&self) -> Option<Inside> {
        if self.closed.load(Ordering::SeqCst) {
            return None;
        }
        let guard = Arc::clone(&self.hall).try_read_owned().ok()?;
        Some(Inside { _guard: guard })
    }

    /// Lets nobody in from now on, and waits so long at most for those inside; says whether all have left.
    pub(super) async fn close(&self, at_most: Duration) -> bool {
        self.closed.store(true, Ordering::SeqCst);
        tokio::time::timeout(at_most, self.hall.write())
            .await
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn closed_doors_let_nobody_in_and_wait_for_those_inside() {
        let doors = Doors::default();
        let first = doors.enter();
        assert!(first.is_some() && doors.enter().is_some());
        assert!(!doors.close(Duration::ZERO).await);
        assert!(doors.enter().is_none());
        drop(first);
        assert!(doors.close(Duration::from_secs(60)).await);
        assert!(doors.enter().is_none());
    }
}
