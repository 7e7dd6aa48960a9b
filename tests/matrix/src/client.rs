//! A person's client: it takes in what comes, for as long as they are there.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use matrix_sdk::Client;
use matrix_sdk::config::SyncSettings;
use matrix_sdk::ruma::api::client::filter::FilterDefinition;
use matrix_sdk::ruma::events::room::encrypted::OriginalSyncRoomEncryptedEvent;
use matrix_sdk::ruma::serde::Raw;
use matrix_sdk::ruma::{OwnedRoomId, RoomId, UInt};
use matrix_sdk::sync::SyncResponse;
use serde_json::Value;

use crate::event::Event;
use ashtapada_process_tests::Bell;

/// What somebody has seen so far.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) events: Mutex<Vec<Event>>,
    pub(crate) typing: Mutex<Vec<String>>,
    pub(crate) bell: Bell,
}

pub(crate) async fn sync(
    client: &Client,
    since: Option<String>,
) -> matrix_sdk::Result<SyncResponse> {
    let mut filter = FilterDefinition::default();
    filter.room.timeline.limit = Some(UInt::from(100_u32));
    let mut settings = SyncSettings::default()
        .filter(filter.into())
        .timeout(Duration::from_secs(20));
    if let Some(since) = since {
        settings = settings.token(since);
    }
    client.sync_once(settings).await
}

/// Takes in what comes, for as long as they are there.
pub(crate) async fn follow(client: Client, seen: Arc<Seen>, mut since: String) {
    let mut sealed: Vec<(OwnedRoomId, Value)> = Vec::new();
    loop {
        let Ok(answer) = sync(&client, Some(since.clone())).await else {
            // The server is being restarted.
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        };
        since = answer.next_batch;
        // Keys may come after what they open.
        for (room, json) in std::mem::take(&mut sealed) {
            match opened(&client, &room, &json).await {
                Some(json) => seen.push(&room, &json, true),
                None => sealed.push((room, json)),
            }
        }
        for (room, update) in answer.rooms.joined {
            for event in update.timeline.events {
                let encrypted = event.encryption_info().is_some();
                let json = event.raw().deserialize_as_unchecked::<Value>();
                let json = json.expect("an event is JSON");
                if json["type"] == "m.room.encrypted" && json["content"]["ciphertext"].is_string() {
                    sealed.push((room.clone(), json));
                } else {
                    seen.push(&room, &json, encrypted);
                }
            }
            for event in update.ephemeral {
                let json = event
                    .deserialize_as_unchecked::<Value>()
                    .unwrap_or(Value::Null);
                if json["type"] == "m.typing" {
                    let users = json["content"]["user_ids"].as_array();
                    let users = users.into_iter().flatten().filter_map(Value::as_str);
                    let typing = seen.typing.lock();
                    typing
                        .unwrap_or_else(PoisonError::into_inner)
                        .extend(users.map(str::to_owned));
                }
            }
        }
        seen.bell.ring();
    }
}

impl Seen {
    fn push(&self, room: &RoomId, json: &Value, encrypted: bool) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if events.iter().any(|event| json["event_id"] == event.id) {
            return;
        }
        let number = events.len() + 1;
        events.push(Event::read(number, room.as_str(), json, encrypted));
    }
}

/// An event whose key was not there before.
async fn opened(client: &Client, room: &RoomId, json: &Value) -> Option<Value> {
    let room = client.get_room(room)?;
    let raw = serde_json::value::to_raw_value(json).ok()?;
    let raw = Raw::<OriginalSyncRoomEncryptedEvent>::from_json(raw);
    let event = room.decrypt_event(&raw, None).await.ok()?;
    let json = event.raw().deserialize_as_unchecked::<Value>().ok()?;
    (json["type"] != "m.room.encrypted").then_some(json)
}
