//! The time from outside: the system's in the program, a driven one in tests.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::ids::At;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// This moment.
    fn now(&self) -> At;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> At {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        At(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}
