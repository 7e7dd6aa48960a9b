//! What came in a room, in order: what is not to be heard is left out here (R91), the rest goes to [`super::hearing`].

use std::sync::Arc;

use matrix_sdk::Room;
use matrix_sdk::deserialized_responses::TimelineEvent;
use matrix_sdk::ruma::events::AnySyncTimelineEvent;
use matrix_sdk::ruma::serde::Raw;
use matrix_sdk::ruma::{MilliSecondsSinceUnixEpoch, OwnedEventId, OwnedUserId, UserId};
use serde::Deserialize;

use super::hearing::{self, Heard};
use super::lanes::Batch;
use super::since::Haste;
use super::{Matrix, backfill, rooms, upgrade};
use crate::store::StoreError;

/// Whether a batch was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    /// All of it.
    Through {
        /// The moment of the newest event, in the servers' milliseconds since 1970.
        newest: u64,
        /// Whether something was asked for, which would be done again if it came again.
        haste: Haste,
    },
    /// The program stops, or the store does; the batch comes again at the next start.
    NotThrough,
}

impl Came {
    /// What would come to the same every time was passed over.
    pub(super) const PASSED: Came = Came::Through {
        newest: 0,
        haste: Haste::Now,
    };
}

/// What of an event is looked at before anything else.
#[derive(Debug, Clone, Deserialize)]
struct Outside {
    event_id: OwnedEventId,
    sender: OwnedUserId,
    origin_server_ts: MilliSecondsSinceUnixEpoch,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    state_key: Option<String>,
}

/// One event with what is looked at first.
struct Event {
    outside: Outside,
    /// The event, decrypted where it could be.
    raw: Raw<AnySyncTimelineEvent>,
    /// Whether it could not be decrypted.
    sealed: bool,
}

impl Event {
    fn of(event: &TimelineEvent) -> Option<Event> {
        Some(Event {
            outside: event.raw().deserialize_as_unchecked::<Outside>().ok()?,
            raw: event.raw().clone(),
            sealed: event.kind.is_utd(),
        })
    }

    fn at(&self) -> u64 {
        self.outside.origin_server_ts.get().into()
    }
}

/// Carries out what came in a room.
pub(super) async fn hear(matrix: Arc<Matrix>, batch: Batch) -> Came {
    let room = batch.room.clone();
    match heard(&matrix, batch).await {
        Ok(came) => came,
        Err(error) => {
            tracing::error!("matrix: events of {}: {error}", room.room_id());
            match error {
                StoreError::Stopped(_) | StoreError::Closed => Came::NotThrough,
                // A damaged note would hold up everything for ever.
                StoreError::Damaged(_)
                | StoreError::Stale { .. }
                | StoreError::Handled { .. }
                | StoreError::AccountTaken { .. } => Came::PASSED,
            }
        }
    }
}

async fn heard(matrix: &Arc<Matrix>, batch: Batch) -> Result<Came, StoreError> {
    let room = &batch.room;
    let come = own_join_in(&batch.events, &matrix.me);
    let come = come.and_then(|at| Event::of(&batch.events[at]));
    if !rooms::arrived(matrix, room, come.map(|event| event.at())).await? {
        return Ok(Came::Through {
            newest: 0,
            haste: Haste::Leisure,
        });
    }
    let joined = rooms::own_join(matrix, room).await?;
    let heard_until = batch.heard_until;
    let mut events = batch.events;
    let oldest = joined.unwrap_or_default().max(heard_until);
    // Clocks decide only where it is not known at which place in the room the sync before ended.
    let placed = batch.gap.as_ref().is_none_or(|gap| gap.begin.is_some());
    if let Some(gap) = &batch.gap
        && own_join_in(&events, &matrix.me).is_none()
        && (placed || !reaches_back(&events, oldest))
    {
        let oldest = if placed { 0 } else { oldest };
        let Some(mut earlier) = backfill::earlier(matrix, room, gap, oldest).await else {
            return Ok(Came::NotThrough);
        };
        matrix.lanes.redact(room.room_id(), &earlier);
        earlier.append(&mut events);
        events = earlier;
    }
    // R91: what was said before the bot came is not for it, whatever its clock says.
    let own_join = own_join_in(&events, &matrix.me);
    events.drain(..own_join.unwrap_or_default());
    let joined = joined.filter(|_| !placed && own_join.is_none());
    let events: Vec<Event> = events.iter().filter_map(Event::of).collect();
    let mut who_is_there = batch.gap.is_some();
    let (mut newest, mut haste) = (0, Haste::Leisure);
    for event in events {
        if matrix.lanes.is_closed() {
            return Ok(Came::NotThrough);
        }
        newest = newest.max(event.at());
        if batch.sync.is_some() && !matrix.lanes.is_new(&event.outside.event_id) {
            continue;
        }
        if event.outside.state_key.is_some() {
            who_is_there |= event.outside.kind == "m.room.member";
            state(matrix, room, &event);
            continue;
        }
        let too_old = joined.is_some_and(|joined| event.at() < joined) || event.at() <= heard_until;
        let own = event.outside.sender == matrix.me;
        let redacted = matrix
            .lanes
            .is_redacted(room.room_id(), &event.outside.event_id);
        if too_old || own || redacted {
            continue;
        }
        let Event {
            outside,
            raw,
            sealed,
            ..
        } = event;
        let heard = Heard {
            room: room.clone(),
            event: raw,
            sent: outside.origin_server_ts,
            id: outside.event_id,
            sender: outside.sender,
        };
        match sealed {
            true => matrix.undecrypted.keep(heard),
            false => {
                if hearing::hear(matrix, heard).await {
                    haste = Haste::Now;
                }
            }
        }
    }
    upgrade::look(matrix, room).await;
    if who_is_there {
        rooms::look_alone(matrix, room).await;
    }
    Ok(Came::Through { newest, haste })
}

/// Whether there is an event from before a moment: what is before it is not asked for.
fn reaches_back(events: &[TimelineEvent], oldest: u64) -> bool {
    let mut moments = events.iter().filter_map(|event| event.timestamp);
    moments.any(|at| u64::from(at.get()) < oldest)
}

/// What a change of a room's state means for the adapter. The SDK has taken it in already.
fn state(matrix: &Matrix, room: &Room, event: &Event) {
    match event.outside.kind.as_str() {
        "m.room.power_levels" => matrix.poster.reason(room.room_id()),
        // R104: from now on the SDK encrypts what is sent there.
        "m.room.encryption" => tracing::info!("matrix: {} is encrypted now", room.room_id()),
        _ => {}
    }
}

/// The events that these redact: they are not obeyed any more.
pub(super) fn redacted(events: &[TimelineEvent]) -> Vec<OwnedEventId> {
    #[derive(Deserialize)]
    struct Redaction {
        #[serde(rename = "type")]
        kind: String,
        #[serde(default)]
        redacts: Option<OwnedEventId>,
        #[serde(default)]
        content: Content,
    }
    /// From room version 11 on it stands here.
    #[derive(Default, Deserialize)]
    struct Content {
        #[serde(default)]
        redacts: Option<OwnedEventId>,
    }
    events
        .iter()
        .filter_map(|event| event.raw().deserialize_as_unchecked::<Redaction>().ok())
        .filter(|redaction| redaction.kind == "m.room.redaction")
        .flat_map(|redaction| {
            redaction
                .redacts
                .into_iter()
                .chain(redaction.content.redacts)
        })
        .collect()
}

/// Where the bot itself comes to the room, the last time: what is before was said without it.
pub(super) fn own_join_in(events: &[TimelineEvent], me: &UserId) -> Option<usize> {
    events.iter().rposition(|event| is_own_join(event, me))
}

/// Whether an event is the bot's own coming, not a change of its name.
pub(super) fn is_own_join(event: &TimelineEvent, me: &UserId) -> bool {
    #[derive(Deserialize)]
    struct Member {
        #[serde(rename = "type")]
        kind: String,
        #[serde(default)]
        state_key: Option<String>,
        content: Membership,
        #[serde(default)]
        unsigned: Unsigned,
    }
    #[derive(Deserialize)]
    struct Membership {
        #[serde(default)]
        membership: String,
    }
    #[derive(Default, Deserialize)]
    struct Unsigned {
        #[serde(default)]
        prev_content: Option<Membership>,
    }
    let Ok(member) = event.raw().deserialize_as_unchecked::<Member>() else {
        return false;
    };
    let before = member.unsigned.prev_content;
    member.kind == "m.room.member"
        && member.state_key.as_deref() == Some(me.as_str())
        && member.content.membership == "join"
        && before.is_none_or(|before| before.membership != "join")
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::user_id;
    use serde_json::{Value, json};

    fn event(id: &str, kind: &str, more: Value) -> TimelineEvent {
        let mut whole = json!({
            "event_id": id, "type": kind, "sender": "@bob:a.org", "origin_server_ts": 5, "content": {},
        });
        for (key, value) in more.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let raw = Raw::from_json_string(whole.to_string()).unwrap();
        TimelineEvent::from_plaintext(raw)
    }

    fn member(id: &str, who: &str, membership: &str, before: Option<&str>) -> TimelineEvent {
        let unsigned = before.map_or(
            json!({}),
            |before| json!({"prev_content": {"membership": before}}),
        );
        let more =
            json!({"state_key": who, "content": {"membership": membership}, "unsigned": unsigned});
        event(id, "m.room.member", more)
    }

    #[test]
    fn r91_what_was_said_before_the_bot_came_is_before_its_own_join() {
        let me = user_id!("@bot:a.org");
        let text = || event("$t", "m.room.message", json!({}));
        let events = [
            text(),
            member("$1", "@bot:a.org", "invite", None),
            member("$2", "@bot:a.org", "join", Some("invite")),
            text(),
            member("$3", "@bot:a.org", "join", Some("join")),
            member("$4", "@bob:a.org", "join", None),
        ];
        assert_eq!(own_join_in(&events, me), Some(2), "a new name is no coming");
        let again = [
            member("$1", "@bot:a.org", "join", None),
            text(),
            member("$2", "@bot:a.org", "leave", Some("join")),
            member("$3", "@bot:a.org", "join", Some("leave")),
        ];
        assert_eq!(own_join_in(&again, me), Some(3), "the last time counts");
        assert_eq!(own_join_in(&[text()], me), None);
    }

    #[test]
    fn what_is_redacted_is_known_in_all_room_versions() {
        let events = [
            event("$1", "m.room.message", json!({})),
            event("$2", "m.room.redaction", json!({"redacts": "$1"})),
            event(
                "$3",
                "m.room.redaction",
                json!({"content": {"redacts": "$9"}}),
            ),
            event("$4", "m.room.message", json!({"redacts": "$4"})),
        ];
        let redacted = redacted(&events);
        let mut ids: Vec<&str> = redacted.iter().map(|id| id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["$1", "$9"]);
    }

    #[test]
    fn an_event_that_is_none_is_passed_over() {
        let raw = Raw::from_json_string(json!({"type": "m.room.message"}).to_string()).unwrap();
        assert!(Event::of(&TimelineEvent::from_plaintext(raw)).is_none());
    }
}
