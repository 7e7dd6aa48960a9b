//! What has been handled, remembered so that it is done once, and forgotten in time.

use serde::{Deserialize, Serialize};

use super::damage::Damage;
use super::draft::Draft;
use super::head::decoded;
use super::keys;
use crate::ids::{At, Cause};

/// How many causes are remembered, and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memorable {
    /// At most so many, the newest.
    pub newest: u64,
    /// None that was committed so many milliseconds before the newest.
    pub millis: u64,
}

impl Default for Memorable {
    /// The newest 100,000 of the last 30 days.
    fn default() -> Self {
        Self {
            newest: 100_000,
            millis: 30 * 24 * 60 * 60 * 1_000,
        }
    }
}

/// What is remembered of a cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Handled {
    pub(super) cause: Cause,
    pub(super) n: u64,
    pub(super) at: At,
}

impl Draft<'_> {
    pub(super) fn handled(&self, cause: &Cause) -> Result<Option<Handled>, Damage> {
        self.read(&keys::cause(&cause.0))
    }

    pub(super) fn remember(&mut self, handled: &Handled) -> Result<(), Damage> {
        match self.handled(&handled.cause)? {
            Some(known) => self.remove(keys::cause_number(known.n)),
            None => self.meta_mut().causes += 1,
        }
        self.put_json(keys::cause_number(handled.n), handled)?;
        self.put_json(keys::cause(&handled.cause.0), handled)
    }

    /// Forgets causes beyond what is to be remembered, the oldest first.
    pub(super) fn forget(&mut self, memorable: &Memorable, now: At) -> Result<(), Damage> {
        let view = self.view();
        for entry in view.under(keys::CAUSES_BY_NUMBER) {
            let (key, value) = entry?;
            if self.changes(&key) {
                continue;
            }
            let oldest: Handled = decoded(&key, &value)?;
            if self.meta().causes <= memorable.newest
                && now.millis_since(oldest.at) <= memorable.millis
            {
                break;
            }
            self.remove(key);
            self.remove(keys::cause(&oldest.cause.0));
            self.meta_mut().causes = self.meta().causes.saturating_sub(1);
        }
        Ok(())
    }
}
