//! Waiting for what must happen, without guessing how long it takes.

use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How long something that must come may take. Much longer than it does, for slow machines.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// Wakes those who wait, whenever something has changed.
#[derive(Debug, Clone)]
pub struct Bell(watch::Sender<u64>);

impl Default for Bell {
    fn default() -> Bell {
        Bell(watch::Sender::new(0))
    }
}

impl Bell {
    /// Something has changed.
    pub fn ring(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    /// Waits so long at most until there is something.
    pub async fn within<T>(
        &self,
        patience: Duration,
        mut look: impl FnMut() -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + patience;
        let mut changes = self.0.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(found) = look() {
                return Some(found);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            // Some of what is waited for comes with the time alone: look again now and then.
            let _ =
                tokio::time::timeout(left.min(Duration::from_millis(250)), changes.changed()).await;
        }
    }
}
