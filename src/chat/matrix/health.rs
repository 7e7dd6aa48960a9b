//! What `doctor` tells about the adapter itself.

use std::time::Duration;

/// What is not as it should be, by what has been met since the start.
#[derive(Debug, Default)]
pub(super) struct Health {}

impl Health {
    /// The server made the bot wait that long (M_LIMIT_EXCEEDED).
    pub(super) fn limited(&self, wait: Duration) {
        let _ = wait;
    }
}
