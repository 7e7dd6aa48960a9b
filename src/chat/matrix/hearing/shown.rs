//! The bot's own events that people answer and react to: which table each is about.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use matrix_sdk::Room;
use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedUserId};

use super::event::{Kind, Shown};
use crate::chat::matrix::Matrix;

/// How many events are remembered; then all are asked for anew.
const REMEMBERED: usize = 5_000;

/// What events of the bot's show, as far as somebody spoke of them.
#[derive(Default)]
pub(super) struct Boards {
    known: Mutex<HashMap<OwnedEventId, Shown>>,
}

/// What an event of the bot's own shows; `None` when it is somebody else's, or cannot be had.
pub(super) async fn shown(matrix: &Matrix, room: &Room, event: &EventId) -> Option<Shown> {
    let known = &matrix.hearing.boards.known;
    // Nothing panics while it is locked; if it did, what is in it would still be whole.
    let before = known
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(event)
        .cloned();
    if before.is_some() {
        return before;
    }
    let found = room.event(event, None).await;
    let found = found
        .inspect_err(|error| tracing::debug!("matrix: {event} cannot be had: {error}"))
        .ok()?;
    let sender: OwnedUserId = found.raw().get_field("sender").ok()??;
    let Kind::Message(said) = Kind::of(found.raw()) else {
        return None;
    };
    if sender != matrix.me {
        return None;
    }
    let shown = said.shown();
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(event.to_owned(), shown.clone());
    Some(shown)
}
