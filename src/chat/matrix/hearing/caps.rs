//! How much is done for whom, and who is a bot: what is remembered of those who speak.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use matrix_sdk::ruma::{OwnedRoomId, OwnedUserId, RoomId, UserId};
use tokio::time::Instant;

/// R94: within this time somebody is answered so often, and has so much done, at most.
const WINDOW: Duration = Duration::from_secs(10);
const MOST_ANSWERS: usize = 20;
const MOST_DONE: usize = 200;
/// The pause between two hints in a room, and between two notices that somebody says too much.
const BETWEEN: Duration = Duration::from_secs(60);
/// After this long without a late command those of a room are counted anew.
const LATE: Duration = Duration::from_secs(3600);
/// How many people and rooms are remembered; then all are begun anew.
const REMEMBERED: usize = 10_000;

/// What a command came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// It did something, and the place was told. It counts by when it was sent: what was said while the bot was away was not said
    /// too fast.
    Done {
        /// In milliseconds since 1970.
        sent: u64,
    },
    /// It was answered. Two bots that answer each other do nothing else.
    Answered,
}

/// Whether somebody is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cap {
    Free,
    /// They said too much; `tell` for the first time in a minute.
    Reached {
        tell: bool,
    },
}

/// What is remembered of those who speak.
#[derive(Default)]
pub(super) struct Caps {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    spent: HashMap<OwnedUserId, Spent>,
    told: HashMap<OwnedUserId, Instant>,
    hints: HashMap<OwnedRoomId, Instant>,
    bots: HashSet<OwnedUserId>,
    /// How many late commands, and when the last of them came.
    late: HashMap<OwnedRoomId, (usize, Instant)>,
}

/// What somebody caused lately.
#[derive(Default)]
struct Spent {
    /// When what was done was sent.
    done: VecDeque<u64>,
    answered: VecDeque<Instant>,
}

impl Spent {
    /// Whether it is as much as may be, for something that was sent at this moment.
    fn is_all(&mut self, sent: u64, now: Instant) -> bool {
        let window = u64::try_from(WINDOW.as_millis()).unwrap_or(u64::MAX);
        while self
            .done
            .front()
            .is_some_and(|at| at.saturating_add(window) <= sent)
        {
            self.done.pop_front();
        }
        while self.answered.front().is_some_and(|at| now - *at >= WINDOW) {
            self.answered.pop_front();
        }
        self.done.len() >= MOST_DONE || self.answered.len() >= MOST_ANSWERS
    }
}

impl Known {
    fn is_free(&mut self, sender: &UserId, sent: u64, now: Instant) -> bool {
        let spent = self.spent.get_mut(sender);
        spent.is_none_or(|spent| !spent.is_all(sent, now))
    }
}

impl Caps {
    /// Whether somebody is heard who sent something at this moment, in milliseconds since 1970. Nobody is told.
    pub(super) fn is_free(&self, sender: &UserId, sent: u64) -> bool {
        self.known().is_free(sender, sent, Instant::now())
    }

    /// The same, with whether to tell them, who are taken to be told then.
    pub(super) fn of(&self, sender: &UserId, sent: u64) -> Cap {
        let now = Instant::now();
        let mut known = self.known();
        if known.is_free(sender, sent, now) {
            return Cap::Free;
        }
        let tell = is_due(&mut known.told, sender.to_owned(), now);
        Cap::Reached { tell }
    }

    /// A command of somebody's was taken.
    pub(super) fn count(&self, sender: &UserId, cost: Cost) {
        let mut known = self.known();
        if known.spent.len() >= REMEMBERED {
            known.spent.clear();
        }
        let spent = known.spent.entry(sender.to_owned()).or_default();
        match cost {
            Cost::Done { sent } => spent.done.push_back(sent),
            Cost::Answered => spent.answered.push_back(Instant::now()),
        }
    }

    /// Whether a hint is due in a room, which is taken to be given then.
    pub(super) fn hints(&self, room: &RoomId) -> bool {
        is_due(&mut self.known().hints, room.to_owned(), Instant::now())
    }

    /// Remembers that somebody is a bot (R94).
    pub(super) fn bot(&self, sender: &UserId) -> bool {
        self.known().bots.insert(sender.to_owned())
    }

    /// Whether somebody is known to be a bot.
    pub(super) fn is_bot(&self, sender: &UserId) -> bool {
        self.known().bots.contains(sender)
    }

    /// The number of the next late command in a room, from 1; it begins anew when there was none for an hour.
    pub(super) fn late(&self, room: &RoomId) -> usize {
        let now = Instant::now();
        let mut known = self.known();
        known.late.retain(|_, (_, last)| now - *last < LATE);
        let (number, last) = known.late.entry(room.to_owned()).or_insert((0, now));
        (*number, *last) = (*number + 1, now);
        *number
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing panics while it is locked; if it did, what is in it would still be whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_due<K: std::hash::Hash + Eq>(last: &mut HashMap<K, Instant>, of: K, now: Instant) -> bool {
    last.retain(|_, last| now - *last < BETWEEN);
    match last.contains_key(&of) {
        true => false,
        false => last.insert(of, now).is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::{room_id, user_id};

    #[tokio::test(start_paused = true)]
    async fn r94_who_is_answered_too_often_is_told_once_a_minute_and_heard_again_later() {
        let (caps, ada, bob) = (
            Caps::default(),
            user_id!("@ada:a.org"),
            user_id!("@bob:a.org"),
        );
        for sent in 0..20 {
            assert_eq!(caps.of(ada, sent), Cap::Free);
            caps.count(ada, Cost::Answered);
        }
        assert_eq!(caps.of(ada, 20), Cap::Reached { tell: true });
        assert_eq!(caps.of(ada, 20_000), Cap::Reached { tell: false });
        assert_eq!(caps.of(bob, 20), Cap::Free);
        tokio::time::advance(WINDOW).await;
        assert_eq!(caps.of(ada, 21), Cap::Free);
    }

    #[test]
    fn what_was_said_while_the_bot_was_away_was_not_said_too_fast() {
        let (caps, ada) = (Caps::default(), user_id!("@ada:a.org"));
        for number in 0..2_000 {
            let sent = number * 100;
            assert_eq!(caps.of(ada, sent), Cap::Free);
            caps.count(ada, Cost::Done { sent });
        }
        for _ in 0..MOST_DONE {
            caps.count(ada, Cost::Done { sent: 1_000_000 });
        }
        assert_eq!(caps.of(ada, 1_000_000), Cap::Reached { tell: true });
        assert_eq!(caps.of(ada, 1_010_000), Cap::Free);
    }

    #[tokio::test(start_paused = true)]
    async fn a_hint_is_given_once_a_minute_and_room() {
        let caps = Caps::default();
        let (here, there) = (room_id!("!a:a.org"), room_id!("!b:a.org"));
        assert!(caps.hints(here) && !caps.hints(here) && caps.hints(there));
        tokio::time::advance(BETWEEN).await;
        assert!(caps.hints(here));
    }

    #[tokio::test(start_paused = true)]
    async fn late_commands_are_counted_by_room_until_there_is_none_for_an_hour() {
        let caps = Caps::default();
        let (here, there) = (room_id!("!a:a.org"), room_id!("!b:a.org"));
        assert_eq!([here, here, there].map(|room| caps.late(room)), [1, 2, 1]);
        tokio::time::advance(LATE / 2).await;
        assert_eq!(caps.late(here), 3);
        tokio::time::advance(LATE / 2).await;
        assert_eq!([here, there].map(|room| caps.late(room)), [4, 1]);
        tokio::time::advance(LATE).await;
        assert_eq!(caps.late(here), 1);
    }
}
