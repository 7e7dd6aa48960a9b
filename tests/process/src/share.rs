//! Scenarios beside others, and such as run alone.

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What the scenarios of a process share: one that measures runs alone.
pub struct Quiet(RwLock<()>);

/// A scenario's part of the machine, kept until it is given back.
pub struct Share {
    _beside_others: Option<RwLockReadGuard<'static, ()>>,
    _alone: Option<RwLockWriteGuard<'static, ()>>,
}

impl Quiet {
    /// Nobody is there yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is made once, as a static")]
    pub const fn new() -> Quiet {
        Quiet(RwLock::const_new(()))
    }

    /// Beside others.
    pub async fn beside_others(&'static self) -> Share {
        Share {
            _beside_others: Some(self.0.read().await),
            _alone: None,
        }
    }

    /// While no other scenario runs.
    pub async fn alone(&'static self) -> Share {
        Share {
            _beside_others: None,
            _alone: Some(self.0.write().await),
        }
    }
}
