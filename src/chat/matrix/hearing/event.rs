//! What of an event is looked at: no more than that is read, so an event that is odd elsewhere is heard all the same.

use matrix_sdk::ruma::events::AnySyncTimelineEvent;
use matrix_sdk::ruma::serde::Raw;
use matrix_sdk::ruma::{EventId, OwnedEventId, UserId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ids::TableCode;

/// A message (client-server API, `m.room.message`).
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    pub(super) msgtype: String,
    #[serde(default)]
    pub(super) body: String,
    #[serde(default)]
    format: String,
    #[serde(default)]
    formatted_body: Option<String>,
    #[serde(default, rename = "m.mentions")]
    mentions: Option<Value>,
    #[serde(default, rename = "m.relates_to")]
    relates_to: Option<Value>,
    #[serde(default, rename = "org.ashtapada.board")]
    board: Option<Value>,
}

/// A reaction (`m.reaction`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reaction {
    /// What was reacted to.
    pub(super) to: OwnedEventId,
    /// The sign, without what only says how it is to look.
    pub(super) sign: String,
}

/// The table that an event of the bot's is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct Board {
    pub(super) table: TableCode,
    /// How many events the table had.
    pub(super) version: u64,
}

/// An event that somebody answers or reacts to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) board: Option<Board>,
    /// The thread it is in.
    pub(super) thread: Option<OwnedEventId>,
}

/// What an event is for the hearing.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Message(Box<Message>),
    Reaction(Reaction),
    /// Nothing to be heard.
    Other,
}

#[derive(Deserialize)]
struct Typed {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct With<C> {
    content: C,
}

/// What an event is related to (`m.relates_to`). Each part is read by itself: an odd one spoils no other.
#[derive(Clone, Copy)]
struct Related<'a>(Option<&'a Value>);

impl<'a> Related<'a> {
    fn part(self, key: &str) -> Option<&'a Value> {
        self.0?.get(key)
    }

    fn is(self, kind: &str) -> bool {
        self.part("rel_type").and_then(Value::as_str) == Some(kind)
    }

    fn event(self) -> Option<OwnedEventId> {
        event_in(self.0?)
    }

    fn falls_back(self) -> bool {
        self.part("is_falling_back") == Some(&Value::Bool(true))
    }

    fn in_reply_to(self) -> Option<OwnedEventId> {
        event_in(self.part("m.in_reply_to")?)
    }
}

fn event_in(value: &Value) -> Option<OwnedEventId> {
    EventId::parse(value.get("event_id")?.as_str()?).ok()
}

impl Kind {
    pub(super) fn of(event: &Raw<AnySyncTimelineEvent>) -> Kind {
        let kind = event.deserialize_as_unchecked::<Typed>();
        match kind.as_ref().map(|typed| typed.kind.as_str()) {
            Ok("m.room.message") => {
                content(event).map_or(Kind::Other, |message| Kind::Message(Box::new(message)))
            }
            Ok("m.reaction") => {
                let content = content::<Value>(event).unwrap_or_default();
                let related = Related(content.get("m.relates_to"));
                reaction(related).map_or(Kind::Other, Kind::Reaction)
            }
            Ok(_) | Err(_) => Kind::Other,
        }
    }
}

fn content<C: DeserializeOwned>(event: &Raw<AnySyncTimelineEvent>) -> Option<C> {
    event
        .deserialize_as_unchecked::<With<C>>()
        .ok()
        .map(|with| with.content)
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

fn reaction(related: Related<'_>) -> Option<Reaction> {
    if !related.is("m.annotation") {
        return None;
    }
    let looks = |c: char| matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}');
    let sign = related.part("key")?.as_str()?.replace(looks, "");
    let to = related.event()?;
    Some(Reaction { to, sign })
}

impl Message {
    fn related(&self) -> Related<'_> {
        Related(self.relates_to.as_ref())
    }

    /// Whether it takes the place of an earlier message.
    pub(super) fn is_edit(&self) -> bool {
        self.related().is("m.replace")
    }

    /// The root of the thread it is in.
    pub(super) fn thread(&self) -> Option<OwnedEventId> {
        let related = self.related();
        related.event().filter(|_| related.is("m.thread"))
    }

    /// The event it answers; in a thread, only if its writer chose that event.
    pub(super) fn answers(&self) -> Option<OwnedEventId> {
        let related = self.related();
        let chosen = !(related.is("m.thread") && related.falls_back());
        related.in_reply_to().filter(|_| chosen)
    }

    /// Whether it names an event it answers at all, so that it may repeat that event (the rich-reply fallback).
    pub(super) fn may_repeat(&self) -> bool {
        self.related().in_reply_to().is_some()
    }

    /// What it says as HTML.
    pub(super) fn html(&self) -> Option<&str> {
        let html = self.formatted_body.as_deref();
        html.filter(|_| self.format == "org.matrix.custom.html")
    }

    /// Whether it says that it mentions this account.
    pub(super) fn mentions(&self, account: &str) -> bool {
        let users = self.mentions.as_ref().and_then(|all| all.get("user_ids"));
        let mut users = users.and_then(Value::as_array).into_iter().flatten();
        users.any(|user| user.as_str() == Some(account))
    }

    /// Whether its sender is one of our bots: it has our key, and the key names them (R94). What somebody passes on names another.
    pub(super) fn is_ours(&self, sender: &UserId) -> bool {
        let by = self.board.as_ref().and_then(|board| board.get("by"));
        by.and_then(Value::as_str) == Some(sender.as_str())
    }

    /// What an event of the bot's own shows.
    pub(super) fn shown(&self) -> Shown {
        Shown {
            board: self.board.as_ref().and_then(read),
            thread: self.thread(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::user_id;
    use serde_json::json;

    fn kind(kind: &str, content: Value) -> Kind {
        let event = json!({
            "type": kind, "event_id": "$1", "sender": "@a:b.org", "origin_server_ts": 1, "content": content,
        });
        Kind::of(&Raw::from_json_string(event.to_string()).unwrap())
    }

    fn message(content: Value) -> Message {
        match kind("m.room.message", content) {
            Kind::Message(message) => *message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_reaction_is_read_with_and_without_a_variation_selector() {
        for key in ["⏭", "⏭\u{fe0f}"] {
            let content =
                json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": "$9", "key": key}});
            let Kind::Reaction(reaction) = kind("m.reaction", content) else {
                panic!("no reaction: {key:?}");
            };
            assert_eq!((reaction.to.as_str(), reaction.sign.as_str()), ("$9", "⏭"));
        }
        let odd = kind(
            "m.reaction",
            json!({"m.relates_to": {"rel_type": "m.annotation", "key": 5}}),
        );
        assert!(matches!(odd, Kind::Other));
    }

    #[test]
    fn r97_what_a_message_answers_is_what_its_writer_chose() {
        let thread = |falls_back: bool| {
            message(json!({"body": "x", "m.relates_to": {
                "rel_type": "m.thread", "event_id": "$root", "is_falling_back": falls_back, "m.in_reply_to": {"event_id": "$9"},
            }}))
        };
        assert_eq!(thread(true).answers(), None);
        assert_eq!(thread(false).answers().unwrap(), "$9");
        assert_eq!(thread(true).thread().unwrap(), "$root");
        let reply =
            message(json!({"body": "x", "m.relates_to": {"m.in_reply_to": {"event_id": "$9"}}}));
        assert_eq!(reply.answers().unwrap(), "$9");
        assert_eq!(reply.thread(), None);
        let edit =
            json!({"body": "x", "m.relates_to": {"rel_type": "m.replace", "event_id": "$9"}});
        assert!(message(edit).is_edit());
    }

    #[test]
    fn what_is_odd_in_a_relation_spoils_nothing_else() {
        let edit = json!({"body": "x", "m.relates_to": {"rel_type": "m.replace", "event_id": "$9", "key": 5}});
        assert!(message(edit).is_edit());
        let thread = message(json!({"body": "x", "m.relates_to": {
            "rel_type": "m.thread", "event_id": "$root", "is_falling_back": null, "m.in_reply_to": {},
        }}));
        assert_eq!(thread.thread().unwrap(), "$root");
        assert_eq!(thread.answers(), None);
    }

    #[test]
    fn r94_our_key_is_known_by_whom_it_names() {
        let ours = message(json!({"body": "x", "org.ashtapada.board": {
            "table": "K7Q2F", "version": 31, "by": "@bot:a.org",
        }}));
        assert!(ours.is_ours(user_id!("@bot:a.org")));
        assert!(
            !ours.is_ours(user_id!("@ada:a.org")),
            "passed on by somebody"
        );
        let shown = ours.shown().board.unwrap();
        assert_eq!(
            (shown.table.to_string().as_str(), shown.version),
            ("K7Q2F", 31)
        );
        let odd = message(
            json!({"body": "x", "org.ashtapada.board": "?", "m.relates_to": 7, "m.mentions": []}),
        );
        assert!(
            !odd.is_ours(user_id!("@a:b.org"))
                && odd.shown().board.is_none()
                && !odd.mentions("@a:b.org")
        );
    }

    #[test]
    fn mentions_are_read_where_the_message_says_them() {
        let one = message(json!({"body": "x", "m.mentions": {"user_ids": ["@a:b.org", 5]}}));
        assert!(one.mentions("@a:b.org") && !one.mentions("@c:b.org"));
    }
}
