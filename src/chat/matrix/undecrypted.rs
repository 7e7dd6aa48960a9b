//! Events that cannot be decrypted: their keys may come late. Those whose keys do not come are told of, once a day in a room.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use matrix_sdk::ruma::events::room::message::RoomMessageEventContent;
use matrix_sdk::ruma::{OwnedRoomId, RoomId};
use matrix_sdk::{Room, RoomState};
use tokio::time::Instant;

use super::hearing::Heard;
use super::lanes::{self, Batch, Lanes};
use super::words::house as words;
use super::{Matrix, notes, powers};
use crate::club::{Clock, SystemClock};

/// For how long keys are waited for after an event was sent, in milliseconds.
const PATIENCE: u64 = 10 * 60 * 1000;

/// For how long they are waited for at least, when the event itself came late.
const LEAST: Duration = Duration::from_secs(3);

/// How often what is kept is tried again at most.
const BETWEEN: Duration = Duration::from_secs(1);

/// A day, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1000;

/// How many events of a room are kept at most.
const MOST: usize = 200;

/// What could not be decrypted yet.
#[derive(Default)]
pub(super) struct Undecrypted {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    events: Vec<(Instant, Heard)>,
    tried: Option<Instant>,
    /// The rooms of which it was told that something was dropped.
    told: HashSet<OwnedRoomId>,
}

impl Kept {
    /// Drops the oldest event of a room that has as many as may be.
    fn make_way(&mut self, heard: &Heard) {
        let room = heard.room.room_id();
        let is_here = |at: &usize| self.events[*at].1.room.room_id() == room;
        let here: Vec<usize> = (0..self.events.len()).filter(is_here).collect();
        let Some(oldest) = here.first().filter(|_| here.len() >= MOST) else {
            return;
        };
        self.events.remove(*oldest);
        if self.told.insert(room.to_owned()) {
            tracing::warn!(
                "matrix: more than {MOST} events of {room} wait for their keys; the oldest are dropped"
            );
        }
    }
}

impl Undecrypted {
    /// Keeps an event until its key comes.
    pub(super) fn keep(&self, heard: Heard) {
        let mut kept = self.kept();
        kept.make_way(&heard);
        tracing::debug!("matrix: {} cannot be decrypted yet", heard.id);
        kept.events.push((Instant::now(), heard));
    }

    /// Forgets those of a room that the bot is in no more.
    pub(super) fn forget(&self, room: &RoomId) {
        let of_another = |heard: &Heard| heard.room.room_id() != room;
        let mut kept = self.kept();
        kept.events.retain(|(_, heard)| of_another(heard));
        kept.told.remove(room);
    }

    /// Forgets those that were redacted.
    pub(super) fn redacted(&self, lanes: &Lanes) {
        let stands = |heard: &Heard| !lanes.is_redacted(heard.room.room_id(), &heard.id);
        self.kept().events.retain(|(_, heard)| stands(heard));
    }

    /// Whether anything waits for its key.
    pub(super) fn is_empty(&self) -> bool {
        self.kept().events.is_empty()
    }

    /// Those to be tried now.
    fn due(&self) -> Vec<(Instant, Heard)> {
        let mut kept = self.kept();
        let now = Instant::now();
        let too_soon = kept.tried.is_some_and(|tried| now - tried < BETWEEN);
        if too_soon || kept.events.is_empty() {
            return Vec::new();
        }
        kept.tried = Some(now);
        std::mem::take(&mut kept.events)
    }

    fn back(&self, mut events: Vec<(Instant, Heard)>) {
        let mut kept = self.kept();
        events.append(&mut kept.events);
        kept.events = events;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tries again what could not be decrypted; what now can goes to its room's task. What waited too long is told of.
pub(super) async fn again(matrix: &Arc<Matrix>) {
    let mut still = Vec::new();
    let mut given_up: Vec<OwnedRoomId> = Vec::new();
    for (since, heard) in matrix.undecrypted.due() {
        let raw = heard.event.cast_ref_unchecked();
        match heard.room.decrypt_event(raw, None).await {
            Ok(event) if !event.kind.is_utd() => {
                tracing::debug!("matrix: the key to {} has come", heard.id);
                let batch = Batch {
                    sync: None,
                    room: heard.room,
                    events: vec![event],
                    gap: None,
                    heard_until: 0,
                };
                lanes::put(matrix, batch);
            }
            _ if since.elapsed() < LEAST || age(&heard) < PATIENCE => still.push((since, heard)),
            _ => {
                let room = heard.room.room_id().to_owned();
                matrix.health.unreadable(&room);
                if !given_up.contains(&room) {
                    given_up.push(room);
                }
            }
        }
    }
    matrix.undecrypted.back(still);
    if !given_up.is_empty() {
        tokio::spawn(tell_all(Arc::clone(matrix), given_up));
    }
}

/// Beside the sync loop, which waits for nobody.
async fn tell_all(matrix: Arc<Matrix>, rooms: Vec<OwnedRoomId>) {
    for room in rooms {
        if let Some(room) = matrix.client.get_room(&room) {
            tell(&matrix, &room).await;
        }
    }
}

/// How long ago an event was sent, in milliseconds.
fn age(heard: &Heard) -> u64 {
    let sent: u64 = heard.sent.get().into();
    SystemClock.now().0.saturating_sub(sent)
}

/// Tells a room that something could not be read, once a day.
async fn tell(matrix: &Matrix, room: &Room) {
    let id = room.room_id();
    let key = format!("matrix/unreadable/{id}");
    let now = SystemClock.now().0;
    match notes::read::<u64>(&matrix.club, &key).await {
        Ok(told) if told.is_some_and(|told| now < told.saturating_add(DAY)) => return,
        Ok(_) => {}
        Err(error) => return tracing::error!("matrix: {error}"),
    }
    let may = powers::power(room, &matrix.me).await.may_send();
    if room.state() != RoomState::Joined || !may {
        return;
    }
    tracing::warn!("matrix: a message in {id} could not be decrypted: its key did not come");
    // Before it is said: rather not at all than again and again.
    if let Err(error) = notes::write(&matrix.club, &key, &now).await {
        return tracing::error!("matrix: {error}");
    }
    let content = RoomMessageEventContent::notice_plain(words::CANNOT_DECRYPT);
    if let Err(error) = room.send(content).await {
        tracing::warn!("matrix: {id}: {error}");
    }
}
