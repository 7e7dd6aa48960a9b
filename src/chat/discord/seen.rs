//! What has been taken already in this run of the program: the gateway may deliver the same event again (R07). Across
//! restarts the store's causes know.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

/// How many ids are remembered: Discord repeats within seconds.
const REMEMBERED: usize = 10_000;

/// The ids of the interactions and messages taken last.
#[derive(Default)]
pub(super) struct Seen(Mutex<Ids>);

#[derive(Default)]
struct Ids {
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Seen {
    /// Whether this id comes for the first time. It does not again.
    pub(super) fn first(&self, id: u64) -> bool {
        // A panic elsewhere leaves a set that is still right.
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !ids.known.insert(id) {
            return false;
        }
        ids.order.push_back(id);
        if ids.order.len() > REMEMBERED
            && let Some(oldest) = ids.order.pop_front()
        {
            ids.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r07_an_id_is_new_once_and_few_are_remembered() {
        let seen = Seen::default();
        assert!(seen.first(7) && !seen.first(7) && !seen.first(7));
        for id in 100..100 + REMEMBERED as u64 {
            assert!(seen.first(id));
        }
        // Forgotten by now, so that memory does not grow.
        assert!(seen.first(7) && !seen.first(7));
    }
}
