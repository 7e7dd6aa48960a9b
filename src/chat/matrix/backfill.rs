//! What a limited timeline leaves out, read back so that nothing is overlooked.

use matrix_sdk::deserialized_responses::TimelineEvent;
use matrix_sdk::room::MessagesOptions;
use matrix_sdk::ruma::UserId;
use matrix_sdk::{Error, Room};
use std::fmt::Display;
use std::time::{Duration, UNIX_EPOCH};
use tokio::time::{Instant, timeout};

use super::lanes::Gap;
use super::pause::Pauses;
use super::refusal::{self, Refusal};
use super::{Matrix, timeline};
use crate::club::{Clock, SystemClock};

/// How many events are read back at most.
const MOST: usize = 2_000;

/// How many events are asked for at once.
const PAGE: u32 = 100;

/// The longest pause between tries.
const LONGEST: Duration = Duration::from_secs(30);

/// For how long one gap is tried again.
const PATIENCE: Duration = Duration::from_secs(300);

/// The events of the gap, the oldest first: back to where the sync before ended, to an event that was heard, to the bot's own
/// coming, or to the moment `oldest` (0: whatever the events' clocks say). What cannot be read is told of and passed over.
/// `None` when the program stops meanwhile, or the device is logged out.
pub(super) async fn earlier(
    matrix: &Matrix,
    room: &Room,
    gap: &Gap,
    oldest: u64,
) -> Option<Vec<TimelineEvent>> {
    let mut back = Back::new(&matrix.me, oldest);
    let mut from = gap.end.clone();
    let mut pauses = Pauses::up_to(LONGEST);
    let begun = Instant::now();
    loop {
        if matrix.lanes.is_closed() {
            return None;
        }
        let mut options = MessagesOptions::backward().from(from.as_str());
        options.limit = PAGE.into();
        options.to.clone_from(&gap.begin);
        // The SDK itself waits as long as the server asks.
        let page = match timeout(PATIENCE, room.messages(options)).await {
            Ok(Ok(page)) => page,
            Err(late) => {
                overlooked(matrix, room, &back, &late);
                break;
            }
            Ok(Err(error)) => {
                let first = pauses.is_first();
                let left = PATIENCE.saturating_sub(begun.elapsed());
                match after(&error, &mut pauses, left) {
                    After::Stop => return None,
                    After::Pause(pause) => {
                        if first {
                            tracing::warn!(
                                "matrix: what was left out of {} cannot be read yet: {error}",
                                room.room_id()
                            );
                        }
                        tokio::time::sleep(pause).await;
                        continue;
                    }
                    After::Overlook => {
                        overlooked(matrix, room, &back, &error);
                        break;
                    }
                }
            }
        };
        pauses.over();
        let more = back.take(page.chunk, |id| matrix.lanes.knows(id));
        match page.end {
            Some(end) if more && end != from => from = end,
            _ => break,
        }
    }
    if back.events.len() >= MOST {
        tracing::warn!(
            "matrix: more than {MOST} events of {} were missed; only the newest are heard",
            room.room_id()
        );
    }
    Some(back.in_order())
}

/// What is done after a page could not be read.
#[derive(Debug, PartialEq, Eq)]
enum After {
    Pause(Duration),
    /// The device is logged out, or the account closed.
    Stop,
    Overlook,
}

/// `left` is for how long it may still be tried.
fn after(error: &Error, pauses: &mut Pauses, left: Duration) -> After {
    let asked = match refusal::of(error) {
        Refusal::Again(asked) => asked,
        Refusal::Token | Refusal::Account => return After::Stop,
        // Not the server's word.
        Refusal::Other(0, _) => None,
        Refusal::Forbidden(_) | Refusal::Other(..) => return After::Overlook,
    };
    match pauses.next(asked) {
        pause if pause <= left => After::Pause(pause),
        _ => After::Overlook,
    }
}

/// Says between which moments messages may not have been heard.
fn overlooked(matrix: &Matrix, room: &Room, back: &Back<'_>, why: &dyn Display) {
    let now = SystemClock.now().0;
    let written = |at: u64| {
        let moment = UNIX_EPOCH + Duration::from_millis(at.min(now));
        humantime::format_rfc3339_seconds(moment)
    };
    let since = matrix.progress.at();
    let until = back.events.last().and_then(|event| event.timestamp);
    let until = until.map_or(now, |at| at.get().into());
    tracing::error!(
        "matrix: what was said in {} between {} and {} may be overlooked: {why}",
        room.room_id(),
        written(since),
        written(until)
    );
}

/// What has been read back, the newest first.
struct Back<'a> {
    events: Vec<TimelineEvent>,
    me: &'a UserId,
    oldest: u64,
}

impl Back<'_> {
    fn new(me: &UserId, oldest: u64) -> Back<'_> {
        Back {
            events: Vec::new(),
            me,
            oldest,
        }
    }

    /// Takes a page, the newest first. Whether there may be more to be read.
    fn take(
        &mut self,
        page: Vec<TimelineEvent>,
        heard: impl Fn(&matrix_sdk::ruma::EventId) -> bool,
    ) -> bool {
        if page.is_empty() {
            return false;
        }
        for event in page {
            let known = event.event_id().is_some_and(|id| heard(&id));
            let at = event.timestamp.map(|at| u64::from(at.get()));
            if known || at.is_some_and(|at| at < self.oldest) {
                return false;
            }
            let own_join = timeline::is_own_join(&event, self.me);
            self.events.push(event);
            if own_join || self.events.len() >= MOST {
                return false;
            }
        }
        true
    }

    fn in_order(mut self) -> Vec<TimelineEvent> {
        self.events.reverse();
        self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::serde::Raw;
    use matrix_sdk::ruma::user_id;
    use serde_json::json;

    fn event(number: u64) -> TimelineEvent {
        let event = json!({
            "event_id": format!("${number}"), "type": "m.room.message", "sender": "@bob:a.org",
            "origin_server_ts": number, "content": {},
        });
        TimelineEvent::from_plaintext(Raw::from_json_string(event.to_string()).unwrap())
    }

    fn join(number: u64) -> TimelineEvent {
        let event = json!({
            "event_id": format!("${number}"), "type": "m.room.member", "sender": "@bot:a.org", "state_key": "@bot:a.org",
            "origin_server_ts": number, "content": {"membership": "join"},
        });
        TimelineEvent::from_plaintext(Raw::from_json_string(event.to_string()).unwrap())
    }

    fn ids(back: Back<'_>) -> Vec<String> {
        let events = back.in_order();
        let ids = events.iter().filter_map(TimelineEvent::event_id);
        ids.map(|id| id.to_string()).collect()
    }

    #[test]
    fn pages_come_newest_first_and_are_put_in_order() {
        let mut back = Back::new(user_id!("@bot:a.org"), 0);
        assert!(back.take(vec![event(9), event(8)], |_| false));
        assert!(back.take(vec![event(7)], |_| false));
        assert!(!back.take(Vec::new(), |_| false), "there is no more");
        assert_eq!(ids(back), ["$7", "$8", "$9"]);
    }

    #[test]
    fn what_was_heard_and_what_is_too_old_ends_it() {
        let me = user_id!("@bot:a.org");
        let mut back = Back::new(me, 0);
        assert!(!back.take(vec![event(9), event(8), event(7)], |id| id == "$8"));
        assert_eq!(ids(back), ["$9"]);
        let mut back = Back::new(me, 8);
        assert!(!back.take(vec![event(9), event(8), event(7)], |_| false));
        assert_eq!(ids(back), ["$8", "$9"]);
    }

    #[test]
    fn r91_nothing_is_read_from_before_the_own_join() {
        let mut back = Back::new(user_id!("@bot:a.org"), 0);
        assert!(!back.take(vec![event(9), join(8), event(7)], |_| false));
        assert_eq!(ids(back), ["$8", "$9"]);
    }

    #[test]
    fn what_cannot_be_read_is_tried_for_some_minutes() {
        let mut pauses = Pauses::up_to(LONGEST);
        let fault = Error::UnknownError("no answer".into());
        let second = Duration::from_secs(1);
        assert_eq!(after(&fault, &mut pauses, PATIENCE), After::Pause(second));
        assert_eq!(after(&fault, &mut pauses, second), After::Overlook);
    }

    #[test]
    fn no_more_than_so_many_are_read() {
        let mut back = Back::new(user_id!("@bot:a.org"), 0);
        let page: Vec<TimelineEvent> = (0..MOST as u64 + 5).rev().map(event).collect();
        assert!(!back.take(page, |_| false));
        assert_eq!(back.events.len(), MOST);
    }
}
