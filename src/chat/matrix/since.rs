//! How far the syncs have been carried out: a note that goes on only when everything up to there has been.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as Gate, Notify};
use tokio::time::Instant;

use super::notes;
use crate::club::{Clock, Club, SystemClock};
use crate::store::StoreError;

const KEY: &str = "matrix/since";

/// How long the note may be behind while nothing happens that would have to be carried out.
const LONGEST: Duration = Duration::from_secs(60);

/// A place in the stream of syncs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Since {
    /// The server's token.
    pub(super) token: String,
    /// The newest moment of an event that was carried out, in the servers' milliseconds since 1970; 0: none was.
    #[serde(default)]
    pub(super) at: u64,
}

/// What is open of the syncs, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Watermark {
    open: VecDeque<Open>,
    next: u64,
    /// The newest moment of an event up to what was reached.
    at: u64,
}

#[derive(Debug)]
struct Open {
    number: u64,
    token: String,
    /// How many rooms have not carried out their part yet.
    rooms: usize,
    /// The newest moment of an event of it that was carried out.
    at: u64,
}

impl Watermark {
    /// Takes a sync that ends at `token` and has something for so many rooms. Its number is for [`Self::done`].
    pub(super) fn open(&mut self, token: String, rooms: usize) -> u64 {
        self.next += 1;
        // Finished syncs that follow each other are as one.
        let finished = self.open.pop_back_if(|open| rooms == 0 && open.rooms == 0);
        self.open.push_back(Open {
            number: self.next,
            token,
            rooms,
            at: finished.map_or(0, |open| open.at),
        });
        self.next
    }

    /// How many syncs have something that is not carried out.
    fn unfinished(&self) -> usize {
        self.open.iter().filter(|open| open.rooms > 0).count()
    }

    /// Says that one more room has carried out its part of a sync, whose newest event is of the moment `at`.
    pub(super) fn done(&mut self, number: u64, at: u64) {
        if let Some(open) = self.open.iter_mut().find(|open| open.number == number) {
            open.at = open.at.max(at);
            open.rooms = open.rooms.saturating_sub(1);
        }
    }

    /// The newest place up to which everything has been carried out, where it has gone on since the last time.
    pub(super) fn reached(&mut self) -> Option<Since> {
        let mut reached = None;
        while let Some(open) = self.open.pop_front_if(|open| open.rooms == 0) {
            self.at = self.at.max(open.at);
            reached = Some(open.token);
        }
        reached.map(|token| Since { token, at: self.at })
    }
}

/// The watermark with the note that keeps it.
#[derive(Debug, Default)]
pub(super) struct Progress {
    mark: Mutex<Watermark>,
    /// What was reached and is not noted yet. Held while writing, so that nothing older is written over something newer.
    unnoted: Gate<Reached>,
    /// Fewer syncs are unfinished.
    fewer: Notify,
}

#[derive(Debug, Default)]
struct Reached {
    since: Option<Since>,
    noted: Option<Instant>,
    /// Whether something was carried out that is not noted yet, perhaps behind something that is open.
    urgent: bool,
}

/// How urgent it is to note what was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Haste {
    /// Something was carried out, or asked about.
    Now,
    /// Nothing happened that would be done twice.
    Leisure,
}

impl Progress {
    /// Goes on from what was noted before.
    pub(super) fn go_on(&self, from: &Since) {
        self.with(|mark| mark.at = mark.at.max(not_ahead(from.at)));
    }

    /// The newest moment of an event up to what was reached.
    pub(super) fn at(&self) -> u64 {
        self.with(|mark| mark.at)
    }

    /// As [`Watermark::open`].
    pub(super) fn open(&self, token: String, rooms: usize) -> u64 {
        self.with(|mark| mark.open(token, rooms))
    }

    /// As [`Watermark::done`].
    pub(super) fn done(&self, number: u64, at: u64) {
        self.with(|mark| mark.done(number, not_ahead(at)));
        self.fewer.notify_waiters();
    }

    /// Resolves when no more than so many syncs have something that is not carried out.
    pub(super) async fn at_most(&self, unfinished: usize) {
        loop {
            let fewer = self.fewer.notified();
            if self.with(|mark| mark.unfinished()) <= unfinished {
                return;
            }
            fewer.await;
        }
    }

    /// Notes how far everything has been carried out.
    ///
    /// # Errors
    /// When the store takes no more.
    pub(super) async fn note(&self, club: &Club, haste: Haste) -> Result<(), StoreError> {
        let mut reached = self.unnoted.lock().await;
        if let Some(newer) = self.reached() {
            reached.since = Some(newer);
        }
        let due = reached.noted.is_none_or(|noted| noted.elapsed() >= LONGEST);
        reached.urgent |= haste == Haste::Now;
        if !reached.urgent && !due {
            return Ok(());
        }
        let Some(since) = reached.since.take() else {
            return Ok(());
        };
        if let Err(error) = notes::write(club, KEY, &since).await {
            reached.since = Some(since);
            return Err(error);
        }
        reached.noted = Some(Instant::now());
        reached.urgent = false;
        Ok(())
    }

    fn reached(&self) -> Option<Since> {
        self.with(Watermark::reached)
    }

    fn with<T>(&self, look: impl FnOnce(&mut Watermark) -> T) -> T {
        look(&mut self.mark.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What was noted.
///
/// # Errors
/// When the store fails.
pub(super) async fn noted(club: &Club) -> Result<Option<Since>, StoreError> {
    let noted: Option<Since> = notes::read(club, KEY).await?;
    Ok(noted.map(|since| Since {
        at: not_ahead(since.at),
        ..since
    }))
}

/// A moment that is not ahead of the own clock: by an event from the future everything until then would be passed over.
fn not_ahead(at: u64) -> u64 {
    at.min(SystemClock.now().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(mark: &mut Watermark) -> Option<String> {
        mark.reached().map(|since| since.token)
    }

    #[test]
    fn r89_nothing_is_passed_that_has_not_been_carried_out() {
        let mut mark = Watermark::default();
        let first = mark.open("a".to_owned(), 2);
        let second = mark.open("b".to_owned(), 1);
        mark.done(second, 50);
        assert_eq!(token(&mut mark), None, "the first is not done");
        mark.done(first, 10);
        assert_eq!(token(&mut mark), None, "one room of the first is not done");
        mark.done(first, 20);
        let reached = mark.reached();
        let both = Since {
            token: "b".to_owned(),
            at: 50,
        };
        assert_eq!(reached, Some(both));
        assert_eq!(
            (token(&mut mark), mark.open.len()),
            (None, 0),
            "it is told once"
        );
    }

    #[test]
    fn a_sync_with_nothing_in_it_is_done_at_once_but_in_order() {
        let mut mark = Watermark::default();
        mark.open("a".to_owned(), 0);
        assert_eq!(token(&mut mark), Some("a".to_owned()));
        let busy = mark.open("b".to_owned(), 1);
        mark.open("c".to_owned(), 0);
        mark.open("d".to_owned(), 0);
        assert_eq!((token(&mut mark), mark.open.len()), (None, 2));
        assert_eq!(mark.unfinished(), 1, "there is nothing in the others");
        mark.done(busy, 0);
        assert_eq!(token(&mut mark), Some("d".to_owned()));
    }

    #[tokio::test]
    async fn who_waits_for_open_syncs_goes_on_when_enough_are_done() {
        let progress = Progress::default();
        let numbers = ["a", "b"].map(|token| progress.open(token.to_owned(), 1));
        let waited = std::cell::Cell::new(false);
        let waits = async {
            progress.at_most(1).await;
            waited.set(true);
        };
        tokio::join!(waits, async {
            assert!(!waited.get());
            progress.done(numbers[1], 1);
        });
        assert!(waited.get());
    }

    #[test]
    fn the_moment_is_of_what_was_reached() {
        let mut mark = Watermark::default();
        let first = mark.open("a".to_owned(), 1);
        mark.open("b".to_owned(), 1);
        let third = mark.open("c".to_owned(), 1);
        mark.done(third, 90);
        mark.done(first, 10);
        let reached = mark.reached().map(|since| (since.token, since.at));
        assert_eq!(reached, Some(("a".to_owned(), 10)));
    }

    #[test]
    fn an_event_from_the_future_moves_nothing_ahead_of_the_clock() {
        let progress = Progress::default();
        let number = progress.open("a".to_owned(), 1);
        progress.done(number, u64::MAX);
        let reached = progress.reached().unwrap();
        assert!(0 < reached.at && reached.at <= SystemClock.now().0);
        progress.go_on(&Since {
            token: "a".to_owned(),
            at: u64::MAX,
        });
        assert!(progress.at() <= SystemClock.now().0);
    }

    #[test]
    fn the_moment_never_goes_back() {
        let progress = Progress::default();
        progress.go_on(&Since {
            token: "old".to_owned(),
            at: 100,
        });
        let number = progress.open("new".to_owned(), 1);
        progress.done(number, 70);
        let reached = progress.reached();
        assert_eq!(reached.map(|since| since.at), Some(100));
    }
}
