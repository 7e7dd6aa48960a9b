//! The events that people answer and react to: which table each of the bot's own is about.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use matrix_sdk::Room;
use matrix_sdk::ruma::{EventId, OwnedEventId, UserId};

use super::caps::Cost;
use super::event::{Kind, Shown};
use crate::chat::matrix::Matrix;

/// How many events are remembered; then all are asked for anew.
const REMEMBERED: usize = 5_000;

/// What events show, as far as somebody spoke of them.
#[derive(Default)]
pub(super) struct Boards {
    /// `None` is somebody else's.
    known: Mutex<HashMap<OwnedEventId, Option<Shown>>>,
}

/// What an event of the bot's own shows; `None` when it is somebody else's, or cannot be had. The server is asked only as often
/// for somebody as they are heard.
pub(super) async fn shown(
    matrix: &Matrix,
    room: &Room,
    event: &EventId,
    asking: &UserId,
    sent: u64,
) -> Option<Shown> {
    let known = &matrix.hearing.boards.known;
    // Nothing panics while it is locked; if it did, what is in it would still be whole.
    let before = known
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(event)
        .cloned();
    if let Some(before) = before {
        return before;
    }
    let caps = &matrix.hearing.caps;
    if !caps.is_free(asking, sent) {
        return None;
    }
    let found = room.event(event, None).await;
    let found = found.inspect_err(|error| {
        tracing::debug!("matrix: {event} cannot be had: {error}");
        caps.count(asking, Cost::Answered);
    });
    let found = found.ok()?;
    let own = found.sender().is_some_and(|sender| sender == matrix.me);
    let shown = match Kind::of(found.raw()) {
        Kind::Message(said) if own => Some(said.shown()),
        Kind::Message(_) | Kind::Reaction(_) | Kind::Other => None,
    };
    if shown.is_none() {
        caps.count(asking, Cost::Answered);
    }
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(event.to_owned(), shown.clone());
    shown
}
