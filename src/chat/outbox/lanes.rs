//! What waits to be posted, by place: in order within each, so that a slow place holds up no other.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::command::message::Message;
use crate::ids::{Place, TableCode};
use crate::store::PostId;

/// How often at most a place of an unknown server is tried because something changed in some server.
const SELDOM: Duration = Duration::from_secs(60);

/// A message of the outbox.
#[derive(Debug, Clone)]
pub(in crate::chat) struct Waiting {
    pub(in crate::chat) id: PostId,
    pub(in crate::chat) message: Arc<Message>,
    /// It was in the outbox when the program started, so an earlier run may have posted it.
    pub(in crate::chat) before: bool,
}

/// One place's messages.
#[derive(Debug, Default)]
struct Lane {
    posts: BTreeMap<PostId, Waiting>,
    /// A task is posting them.
    running: bool,
    /// Nothing is posted while earlier messages are being moved here.
    held: bool,
    /// It waits until the bot may post there, since then.
    blocked: Option<Instant>,
    /// There is a reason to try again. One that came while the last try was being refused is kept.
    reason: Arc<Notify>,
}

/// All places with something waiting.
#[derive(Debug, Default)]
pub(in crate::chat) struct Lanes(Mutex<HashMap<Place, Lane>>);

impl Lanes {
    fn all(&self) -> MutexGuard<'_, HashMap<Place, Lane>> {
        // Nothing panics while it is locked; if it did, the lanes would still be whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a message into a place's lane. True when a task has to be started for it.
    pub(in crate::chat) fn add(&self, place: &Place, waiting: Waiting) -> bool {
        let mut lanes = self.all();
        let lane = lanes.entry(place.clone()).or_default();
        lane.posts.insert(waiting.id, waiting);
        lane.starts()
    }

    /// The first message of a place. `None` when its task is to end.
    pub(in crate::chat) fn first(&self, place: &Place) -> Option<Waiting> {
        let mut lanes = self.all();
        let lane = lanes.get_mut(place)?;
        let first = lane.posts.values().next().filter(|_| !lane.held).cloned();
        if first.is_none() {
            lane.running = false;
            if !lane.held {
                lanes.remove(place);
            }
        }
        first
    }

    /// Whether a message still waits in a place.
    pub(in crate::chat) fn has(&self, place: &Place, id: PostId) -> bool {
        let lanes = self.all();
        lanes
            .get(place)
            .is_some_and(|lane| lane.posts.contains_key(&id))
    }

    /// Takes a message out.
    pub(in crate::chat) fn done(&self, place: &Place, id: PostId) {
        if let Some(lane) = self.all().get_mut(place) {
            lane.posts.remove(&id);
        }
    }

    /// All that waits in a place.
    pub(in crate::chat) fn waiting(&self, place: &Place) -> Vec<Waiting> {
        let lanes = self.all();
        let posts = lanes.get(place).map(|lane| lane.posts.values().cloned());
        posts.into_iter().flatten().collect()
    }

    /// Takes everything out of the places that are meant: what was in which.
    pub(in crate::chat) fn clear(
        &self,
        meant: impl Fn(&Place) -> bool,
    ) -> Vec<(Place, Vec<Waiting>)> {
        let mut cleared = Vec::new();
        for (place, lane) in self.all().iter_mut().filter(|(place, _)| meant(place)) {
            let posts = std::mem::take(&mut lane.posts);
            // Its task finds nothing more to do.
            lane.reason.notify_one();
            cleared.push((place.clone(), posts.into_values().collect()));
        }
        cleared
    }

    /// A place waits for a reason to be tried again, which is what is given back.
    pub(in crate::chat) fn block(&self, place: &Place, since: Instant) -> Arc<Notify> {
        let mut lanes = self.all();
        let lane = lanes.entry(place.clone()).or_default();
        lane.blocked = Some(since);
        Arc::clone(&lane.reason)
    }

    /// A place is tried again.
    pub(in crate::chat) fn unblock(&self, place: &Place) {
        if let Some(lane) = self.all().get_mut(place) {
            lane.blocked = None;
        }
    }

    /// There is a reason to try blocked places again: those that are meant; those of which it is not known (`None`) seldom.
    pub(in crate::chat) fn reason(&self, meant: impl Fn(&Place) -> Option<bool>, now: Instant) {
        for (place, lane) in self.all().iter() {
            let long = || {
                let waited = |since| now.saturating_duration_since(since) >= SELDOM;
                lane.blocked.is_some_and(waited)
            };
            if meant(place).unwrap_or_else(long) {
                lane.reason.notify_one();
            }
        }
    }

    /// Posts nothing in a place until it is released.
    pub(in crate::chat) fn hold(&self, place: &Place) {
        self.all().entry(place.clone()).or_default().held = true;
    }

    /// Moves what waits about a table from one place to another, where it keeps its order.
    pub(in crate::chat) fn move_about(
        &self,
        code: TableCode,
        from: &Place,
        to: &Place,
        but: PostId,
    ) {
        let mut lanes = self.all();
        let Some(lane) = lanes.get_mut(from) else {
            return;
        };
        let about = |id: &PostId, one: &mut Waiting| *id != but && one.message.table == Some(code);
        let moved: Vec<_> = lane.posts.extract_if(.., about).collect();
        let lane = lanes.entry(to.clone()).or_default();
        lane.posts.extend(moved);
    }

    /// Posts in a place again. True when a task has to be started for it.
    pub(in crate::chat) fn release(&self, place: &Place) -> bool {
        let mut lanes = self.all();
        let Some(lane) = lanes.get_mut(place) else {
            return false;
        };
        lane.held = false;
        if lane.posts.is_empty() && !lane.running {
            lanes.remove(place);
            return false;
        }
        lane.starts()
    }
}

impl Lane {
    fn starts(&mut self) -> bool {
        let starts = !self.running && !self.held && !self.posts.is_empty();
        self.running |= starts;
        starts
    }
}

#[cfg(test)]
mod tests;
