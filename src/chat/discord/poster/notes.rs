//! What the adapter remembers across restarts, in the store's notes. All of their keys:
//!
//! | key | what |
//! |---|---|
//! | `discord/last/<code>/<channel>` | [`Newest`]: the newest message about a table in a channel or thread |
//! | `discord/mark` | what the nonces of this store begin with |
//! | `discord/lost/<room>` or `discord/lost/<room>/<thread>` | who was told that the place takes no messages ([`crate::chat::outbox::lost`]) |

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::club::Club;
use crate::ids::TableCode;
use crate::store::PostId;

/// The newest message about a table in a channel or thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::chat::discord) struct Newest {
    /// Discord's id of the last one, if it has buttons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::chat::discord) message: Option<u64>,
    /// Discord's id of the last one with a board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::chat::discord) board: Option<u64>,
    /// Discord's id of the last one of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::chat::discord) any: Option<u64>,
    /// How many events the table had then.
    pub(in crate::chat::discord) version: u64,
    /// Its id in the outbox: one that is noted was posted, also where the outbox does not know it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::chat::discord) post: Option<PostId>,
}

impl Newest {
    /// Whether a message of the outbox about the table was posted in the channel: it, or a later one, since they go in order.
    pub(super) fn has_seen(&self, id: PostId) -> bool {
        self.post >= Some(id)
    }
}

/// The newest message about a table in a channel or thread; `None` when there is none.
pub(in crate::chat::discord) async fn newest(
    club: &Club,
    code: TableCode,
    channel: u64,
) -> Option<Newest> {
    read(club, &newest_key(code, channel)).await
}

/// The note of the newest message of a table in a channel.
pub(in crate::chat::discord) fn newest_note(
    code: TableCode,
    channel: u64,
    newest: &Newest,
) -> (String, Option<Value>) {
    (newest_key(code, channel), Some(json!(newest)))
}

fn newest_key(code: TableCode, channel: u64) -> String {
    format!("discord/last/{code}/{channel}")
}

async fn read<N: DeserializeOwned>(club: &Club, key: &str) -> Option<N> {
    let stored = match club.store().note(key).await {
        Ok(stored) => stored?,
        Err(error) => {
            tracing::error!("the note {key} cannot be read: {error}");
            return None;
        }
    };
    serde_json::from_value(stored)
        .inspect_err(|error| tracing::warn!("the note {key} cannot be understood: {error}"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes are read by later programs, so their keys and forms must not change by accident.
    #[test]
    fn the_stored_forms() {
        let newest = Newest {
            message: Some(12),
            board: None,
            any: Some(12),
            version: 7,
            post: Some(PostId::from((3, 1))),
        };
        let seen = [(3, 0), (3, 1), (3, 2), (4, 0)].map(|id| newest.has_seen(PostId::from(id)));
        assert_eq!(seen, [true, true, false, false]);
        assert!(!Newest::default().has_seen(PostId::from((0, 0))));
        let code: TableCode = "K7Q2F".parse().unwrap();
        let (key, value) = newest_note(code, 99, &newest);
        assert_eq!(key, "discord/last/K7Q2F/99");
        let value = value.unwrap();
        assert_eq!(
            value.to_string(),
            r#"{"any":12,"message":12,"post":[3,1],"version":7}"#
        );
        assert_eq!(serde_json::from_value::<Newest>(value).unwrap(), newest);
    }
}
