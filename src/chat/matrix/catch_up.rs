//! What the SDK has taken in, but was not carried out before the program was killed.
//!
//! The SDK drops a sync whose end it knows already, and with it everything in it. So this one sync is asked for past it, and
//! only its timelines are used.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::deserialized_responses::TimelineEvent;
use matrix_sdk::ruma::api::client::sync::sync_events::v3::{Filter, Request};
use matrix_sdk::ruma::events::AnySyncTimelineEvent;
use matrix_sdk::ruma::serde::Raw;

use super::connection::Waiting;
use super::lanes::{Batch, Gap};
use super::refusal::{self, Refusal};
use super::since::Since;
use super::{Matrix, MatrixError, sync};

/// Where it has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caught {
    /// Everything since then is with the rooms' tasks.
    Up,
    /// The server does not know the token.
    TokenUnknown,
    /// The program stops.
    Stopped,
}

/// Hands out everything since what was noted.
///
/// # Errors
/// When the device is logged out, or the store fails.
pub(super) async fn between(
    matrix: &Arc<Matrix>,
    noted: &Since,
    waiting: &mut Waiting,
) -> Result<Caught, MatrixError> {
    let mut request = Request::new();
    request.since = Some(noted.token.clone());
    request.filter = Some(Filter::FilterDefinition(sync::filter()));
    request.timeout = Some(Duration::ZERO);
    let response = loop {
        let asking = async { matrix.client.send(request.clone()).await };
        let Some(answer) = waiting.unless_stopped(asking).await else {
            return Ok(Caught::Stopped);
        };
        let error = match answer {
            Ok(response) => break response,
            Err(error) => error,
        };
        let asked = match refusal::of_http(&error) {
            Refusal::Token => return Err(MatrixError::Token),
            Refusal::Account => return Err(MatrixError::Account(matrix.me.to_string())),
            Refusal::Again(asked) => asked,
            Refusal::Other(400, _) => return Ok(Caught::TokenUnknown),
            Refusal::Forbidden(_) | Refusal::Other(..) => None,
        };
        if !waiting.wait(&matrix.settings.homeserver, asked).await {
            return Ok(Caught::Stopped);
        }
    };
    waiting.over(&matrix.settings.homeserver);
    let mut batches = Vec::new();
    for (id, joined) in response.rooms.join {
        let Some(room) = matrix.client.get_room(&id) else {
            continue;
        };
        let timeline = joined.timeline;
        if timeline.events.is_empty() && !timeline.limited {
            continue;
        }
        let mut events = Vec::with_capacity(timeline.events.len());
        for event in timeline.events {
            events.push(decrypted(&room, event).await);
        }
        let end = timeline.prev_batch.filter(|_| timeline.limited);
        batches.push(Batch {
            sync: None,
            room,
            events,
            gap: end.map(|end| Gap {
                end,
                begin: Some(noted.token.clone()),
            }),
            heard_until: 0,
        });
    }
    sync::put_all(matrix, response.next_batch, batches).await?;
    Ok(Caught::Up)
}

async fn decrypted(room: &Room, event: Raw<AnySyncTimelineEvent>) -> TimelineEvent {
    let kind = event.get_field::<String>("type").ok().flatten();
    if kind.as_deref() == Some("m.room.encrypted") {
        let decrypted = room.decrypt_event(event.cast_ref_unchecked(), None).await;
        if let Ok(event) = decrypted {
            return event;
        }
    }
    TimelineEvent::from_plaintext(event)
}
