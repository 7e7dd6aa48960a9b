//! One task a room: what came in a room is carried out in order, and a slow room holds up no other.

use std::collections::hash_map::{Entry, HashMap};
use std::collections::{HashSet, VecDeque};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use matrix_sdk::Room;
use matrix_sdk::deserialized_responses::TimelineEvent;
use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedRoomId, RoomId};
use tokio::sync::Notify;

use super::Matrix;
use super::timeline::{self, Came};

/// How many events are remembered as heard, so that one that comes again by another way is not heard again; and how many as
/// redacted.
const REMEMBERED: usize = 20_000;

/// What came in a room with one sync.
#[derive(Debug)]
pub(super) struct Batch {
    /// The sync it belongs to; `None` when it was held back before and belongs to none any more.
    pub(super) sync: Option<u64>,
    pub(super) room: Room,
    pub(super) events: Vec<TimelineEvent>,
    /// What is missing before the events, if anything is.
    pub(super) gap: Option<Gap>,
    /// What is not newer than this moment was heard before; 0: nothing was.
    pub(super) heard_until: u64,
}

/// Events that a sync left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gap {
    /// Where they end: the sync's `prev_batch`.
    pub(super) end: String,
    /// Where they begin: the sync before; `None` when that is not known, and clocks must do.
    pub(super) begin: Option<String>,
}

/// The rooms' tasks.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    waiting: Mutex<HashMap<OwnedRoomId, VecDeque<Batch>>>,
    heard: Mutex<Remembered<OwnedEventId>>,
    /// Each with its room: what is said in one room redacts nothing in another.
    redacted: Mutex<Remembered<(OwnedRoomId, OwnedEventId)>>,
    closed: AtomicBool,
    quiet: Notify,
}

/// The newest of something.
#[derive(Debug)]
struct Remembered<T> {
    all: HashSet<T>,
    order: VecDeque<T>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Remembered<T> {
        Remembered {
            all: HashSet::new(),
            order: VecDeque::new(),
        }
    }
}

impl Lanes {
    /// Takes no more, and lets what runs stop after the event it is at.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Resolves when nothing runs any more.
    pub(super) async fn finished(&self) {
        loop {
            let quiet = self.quiet.notified();
            if self.waiting().is_empty() {
                return;
            }
            quiet.await;
        }
    }

    /// Whether an event is heard for the first time, as far back as that is remembered. It is remembered from now on.
    pub(super) fn is_new(&self, event: &EventId) -> bool {
        self.heard().take(event.to_owned())
    }

    /// Whether an event was heard.
    pub(super) fn knows(&self, event: &EventId) -> bool {
        self.heard().all.contains(event)
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<OwnedRoomId, VecDeque<Batch>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what events of a room redact, which may still wait to be carried out. Whether they redact anything.
    pub(super) fn redact(&self, room: &RoomId, events: &[TimelineEvent]) -> bool {
        let redacted = timeline::redacted(events);
        let any = !redacted.is_empty();
        for event in redacted {
            self.taken_back().take((room.to_owned(), event));
        }
        any
    }

    /// Whether an event of a room was redacted.
    pub(super) fn is_redacted(&self, room: &RoomId, event: &EventId) -> bool {
        let event = (room.to_owned(), event.to_owned());
        self.taken_back().all.contains(&event)
    }

    fn heard(&self) -> MutexGuard<'_, Remembered<OwnedEventId>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn taken_back(&self) -> MutexGuard<'_, Remembered<(OwnedRoomId, OwnedEventId)>> {
        self.redacted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch of a room; without one its lane is gone.
    fn next(&self, room: &RoomId) -> Option<Batch> {
        let mut waiting = self.waiting();
        let queue = waiting.get_mut(room);
        let next = queue
            .filter(|_| !self.is_closed())
            .and_then(VecDeque::pop_front);
        if next.is_none() {
            waiting.remove(room);
            self.quiet.notify_waiters();
        }
        next
    }
}

impl<T: Clone + Eq + Hash> Remembered<T> {
    fn take(&mut self, one: T) -> bool {
        if !self.all.insert(one.clone()) {
            return false;
        }
        self.order.push_back(one);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.all.remove(&oldest);
        }
        true
    }
}

/// Hands a batch to its room's task.
pub(super) fn put(matrix: &Arc<Matrix>, batch: Batch) {
    let id = batch.room.room_id().to_owned();
    if matrix.lanes.redact(&id, &batch.events) {
        matrix.undecrypted.redacted(&matrix.lanes);
    }
    match matrix.lanes.waiting().entry(id) {
        Entry::Occupied(mut lane) => lane.get_mut().push_back(batch),
        Entry::Vacant(lane) => {
            let id = lane.key().clone();
            lane.insert(VecDeque::from([batch]));
            tokio::spawn(drain(Arc::clone(matrix), id));
        }
    }
}

async fn drain(matrix: Arc<Matrix>, room: OwnedRoomId) {
    while let Some(batch) = matrix.lanes.next(&room) {
        let sync = batch.sync;
        let hearing = tokio::spawn(timeline::hear(Arc::clone(&matrix), batch));
        // A fault in the program would come again with the same events: they are passed over.
        let came = hearing.await.unwrap_or_else(|_| {
            tracing::error!("matrix: a fault in the program: events of {room} were passed over");
            Came::PASSED
        });
        let (Came::Through { newest, haste }, Some(sync)) = (came, sync) else {
            continue;
        };
        matrix.progress.done(sync, newest);
        if let Err(error) = matrix.progress.note(&matrix.club, haste).await {
            tracing::error!("matrix: what was carried out cannot be noted: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::serde::Raw;
    use matrix_sdk::ruma::{event_id, room_id};
    use serde_json::json;

    #[test]
    fn an_event_is_heard_once_as_far_back_as_is_remembered() {
        let lanes = Lanes::default();
        let event = |number: usize| EventId::parse(format!("$e{number}")).unwrap();
        assert!(lanes.is_new(&event(0)) && !lanes.is_new(&event(0)));
        for number in 1..=REMEMBERED {
            assert!(lanes.is_new(&event(number)));
        }
        assert!(!lanes.knows(&event(0)) && lanes.knows(&event(1)));
        assert_eq!(lanes.heard().order.len(), REMEMBERED);
    }

    #[test]
    fn what_comes_later_redacts_what_still_waits_in_its_room() {
        let redaction = json!({
            "event_id": "$2", "type": "m.room.redaction", "sender": "@bob:a.org", "origin_server_ts": 5,
            "content": {"redacts": "$1"},
        });
        let redaction = Raw::from_json_string(redaction.to_string()).unwrap();
        let (lanes, slip) = (Lanes::default(), event_id!("$1"));
        let (here, there) = (room_id!("!a:a.org"), room_id!("!b:a.org"));
        lanes.redact(here, &[TimelineEvent::from_plaintext(redaction)]);
        assert!(lanes.is_redacted(here, slip) && !lanes.is_redacted(there, slip));
    }
}
