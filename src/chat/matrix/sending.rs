//! Sending one event to a room, encrypted where the room is.

mod fault;

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::{Mutex, MutexGuard, PoisonError};

use matrix_sdk::config::RequestConfig;
use matrix_sdk::ruma::events::room::MediaSource;
use matrix_sdk::ruma::{EventId, OwnedEventId, TransactionId};
use matrix_sdk::{Room, RoomState};
use serde_json::{Value, json};

pub(super) use self::fault::{Ended, Fault};
use super::Matrix;
use super::writing::{Attached, Content, Part};

/// The key beside the content of the bot's events about a table: which, how many events the table had, and whose event it is:
/// clients keep the key when somebody passes a message on (R94, R97).
pub(super) const BOARD: &str = "org.ashtapada.board";

/// How many uploads are remembered that were not sent yet; then all are uploaded anew.
const REMEMBERED: usize = 1000;

/// Files that were uploaded for an event which the room does not have yet, by its transaction id.
#[derive(Default)]
pub(super) struct Uploads(Mutex<HashMap<String, MediaSource>>);

impl Uploads {
    fn known(&self) -> MutexGuard<'_, HashMap<String, MediaSource>> {
        // Nothing panics while it is locked; if it did, what is in it would still be whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, txn: &str, source: &MediaSource) {
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(txn.to_owned(), source.clone());
    }
}

/// Where in a room an event stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Relation<'a> {
    /// The root of the thread, if it is in one.
    pub(super) thread: Option<&'a EventId>,
    /// The event it answers; in a thread without one, the newest event there.
    pub(super) reply_to: Option<&'a EventId>,
    /// The newest event in the thread, for clients that know no threads.
    pub(super) newest: Option<&'a EventId>,
}

/// Sends a part of a message. The same transaction id makes one event, however often it is tried (R101).
///
/// # Errors
/// [`Fault`]; nothing is tried again here.
pub(super) async fn send(
    matrix: &Matrix,
    room: &Room,
    relation: Relation<'_>,
    part: &Part,
    txn: &str,
) -> Result<OwnedEventId, Fault> {
    if room.state() != RoomState::Joined {
        return Err(Fault::Gone);
    }
    let mut content = match &part.content {
        Content::Text(content) => content.clone(),
        Content::Attached(file) => file.content(&uploaded(matrix, room, file, txn).await?),
    };
    if let Some((code, version)) = part.board {
        content[BOARD] = json!({ "table": code, "version": version, "by": matrix.me });
    }
    if let Some(related) = related(relation) {
        content["m.relates_to"] = related;
    }
    let sending = room
        .send_raw("m.room.message", content)
        .with_transaction_id(<&TransactionId>::from(txn))
        .with_request_config(RequestConfig::new().disable_retry());
    let sent = sending.await.map_err(|error| Fault::of(&error, room))?;
    matrix.poster.uploads.known().remove(txn);
    Ok(sent.response.event_id)
}

/// The file on the server: uploaded once, also when the event that shows it has to be sent again.
async fn uploaded(
    matrix: &Matrix,
    room: &Room,
    file: &Attached,
    txn: &str,
) -> Result<MediaSource, Fault> {
    let known = matrix.poster.uploads.known().get(txn).cloned();
    if let Some(source) = known {
        return Ok(source);
    }
    let once = RequestConfig::new().disable_retry();
    let encryption = room.latest_encryption_state().await;
    let encryption = encryption.map_err(|error| Fault::of(&error, room))?;
    let source = if encryption.is_encrypted() {
        let mut bytes = Cursor::new(&file.bytes[..]);
        let uploading = matrix
            .client
            .upload_encrypted_file(&mut bytes)
            .with_request_config(once);
        let sealed = uploading.await.map_err(|error| Fault::of_upload(&error))?;
        MediaSource::Encrypted(Box::new(sealed))
    } else {
        let media = matrix.client.media();
        let uploading = media.upload(&file.mime, file.bytes.to_vec(), Some(once));
        let there = uploading.await.map_err(|error| Fault::of_upload(&error))?;
        MediaSource::Plain(there.content_uri)
    };
    matrix.poster.uploads.remember(txn, &source);
    Ok(source)
}

/// `m.relates_to`: a thread, with what clients without threads show as a reply, or a reply.
fn related(relation: Relation<'_>) -> Option<Value> {
    let in_reply_to = |event: &EventId| json!({ "event_id": event });
    match (relation.thread, relation.reply_to) {
        (Some(root), Some(answered)) => Some(json!({
            "rel_type": "m.thread",
            "event_id": root,
            "is_falling_back": false,
            "m.in_reply_to": in_reply_to(answered),
        })),
        (Some(root), None) => Some(json!({
            "rel_type": "m.thread",
            "event_id": root,
            "is_falling_back": true,
            "m.in_reply_to": in_reply_to(relation.newest.unwrap_or(root)),
        })),
        (None, Some(answered)) => Some(json!({ "m.in_reply_to": in_reply_to(answered) })),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::event_id;

    #[test]
    fn an_event_stands_in_its_thread_or_answers() {
        let (root, newest, asked) = (event_id!("$root"), event_id!("$new"), event_id!("$asked"));
        assert_eq!(related(Relation::default()), None);
        let thread = Relation {
            thread: Some(root),
            ..Relation::default()
        };
        assert_eq!(
            related(thread).unwrap(),
            json!({
                "rel_type": "m.thread", "event_id": "$root", "is_falling_back": true,
                "m.in_reply_to": { "event_id": "$root" },
            })
        );
        let later = Relation {
            newest: Some(newest),
            ..thread
        };
        assert_eq!(related(later).unwrap()["m.in_reply_to"]["event_id"], "$new");
        let answer = Relation {
            reply_to: Some(asked),
            ..later
        };
        let answer = related(answer).unwrap();
        assert_eq!(answer["m.in_reply_to"]["event_id"], "$asked");
        assert_eq!(answer["is_falling_back"], false);
        let alone = Relation {
            reply_to: Some(asked),
            ..Relation::default()
        };
        assert_eq!(
            related(alone).unwrap(),
            json!({ "m.in_reply_to": { "event_id": "$asked" } })
        );
    }
}
