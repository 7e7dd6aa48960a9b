//! How much is done for whom, and who is a bot: what is remembered of those who speak.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use matrix_sdk::ruma::{OwnedRoomId, OwnedUserId, RoomId, UserId};
use tokio::time::Instant;

/// R94: what somebody may cause within this time.
const WINDOW: Duration = Duration::from_secs(10);
/// So many commands that are carried out, or a tenth as many that are answered to them alone.
const MOST: usize = 200;
/// The pause between two hints in a room, and between two notices that somebody says too much.
const BETWEEN: Duration = Duration::from_secs(60);
/// How many people and rooms are remembered; then all are begun anew.
const REMEMBERED: usize = 10_000;

/// What a command counts for in its sender's cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// It did something, and the place was told.
    Done,
    /// It was answered. Two bots that answer each other do nothing else.
    Answered,
}

impl Cost {
    const fn weight(self) -> usize {
        match self {
            Cost::Done => 1,
            Cost::Answered => 10,
        }
    }
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
    spent: HashMap<OwnedUserId, VecDeque<(Instant, usize)>>,
    told: HashMap<OwnedUserId, Instant>,
    hints: HashMap<OwnedRoomId, Instant>,
    bots: HashSet<OwnedUserId>,
    late: HashMap<OwnedRoomId, usize>,
}

impl Caps {
    /// Whether somebody is heard now.
    pub(super) fn of(&self, sender: &UserId) -> Cap {
        let now = Instant::now();
        let mut known = self.known();
        let Some(spent) = known.spent.get_mut(sender) else {
            return Cap::Free;
        };
        while spent.front().is_some_and(|(at, _)| now - *at >= WINDOW) {
            spent.pop_front();
        }
        let sum: usize = spent.iter().map(|(_, weight)| weight).sum();
        if sum < MOST {
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
        spent.push_back((Instant::now(), cost.weight()));
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

    /// The number of the next late command in a room since the start, from 1.
    pub(super) fn late(&self, room: &RoomId) -> usize {
        let mut known = self.known();
        let late = known.late.entry(room.to_owned()).or_default();
        *late += 1;
        *late
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
        for _ in 0..20 {
            assert_eq!(caps.of(ada), Cap::Free);
            caps.count(ada, Cost::Answered);
        }
        assert_eq!(caps.of(ada), Cap::Reached { tell: true });
        assert_eq!(caps.of(ada), Cap::Reached { tell: false });
        assert_eq!(caps.of(bob), Cap::Free);
        tokio::time::advance(WINDOW).await;
        assert_eq!(caps.of(ada), Cap::Free);
        for _ in 0..MOST {
            caps.count(ada, Cost::Done);
        }
        assert_eq!(caps.of(ada), Cap::Reached { tell: false });
        tokio::time::advance(BETWEEN).await;
        for _ in 0..MOST {
            assert_eq!(caps.of(ada), Cap::Free);
            caps.count(ada, Cost::Done);
        }
        assert_eq!(caps.of(ada), Cap::Reached { tell: true });
    }

    #[tokio::test(start_paused = true)]
    async fn a_hint_is_given_once_a_minute_and_room() {
        let caps = Caps::default();
        let (here, there) = (room_id!("!a:a.org"), room_id!("!b:a.org"));
        assert!(caps.hints(here) && !caps.hints(here) && caps.hints(there));
        tokio::time::advance(BETWEEN).await;
        assert!(caps.hints(here));
    }

    #[test]
    fn late_commands_are_counted_by_room() {
        let caps = Caps::default();
        let (here, there) = (room_id!("!a:a.org"), room_id!("!b:a.org"));
        assert_eq!([here, here, there].map(|room| caps.late(room)), [1, 2, 1]);
    }
}
