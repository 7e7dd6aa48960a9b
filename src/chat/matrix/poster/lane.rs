//! The task of one place: its messages one after the other, and what follows from each.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::{EventId, OwnedEventId, RoomId};
use serde_json::json;
use tokio::sync::watch;

use super::desk::Desk;
use super::lost;
use super::newest::{self, Newest};
use crate::chat::matrix::pause::Pauses;
use crate::chat::matrix::sending::{self, Fault, Relation};
use crate::chat::matrix::words::posting::Loss;
use crate::chat::matrix::writing::{self, Part};
use crate::chat::outbox::desk::settle_in;
use crate::chat::outbox::{self, Waiting};
use crate::ids::Place;

/// The longest pause between tries, unless the server asks for a longer one.
const LONGEST: Duration = Duration::from_secs(60);

/// How often an upload is tried again that the server answers with an error, before the message goes as text: some two minutes.
const UPLOADS: u32 = 6;

/// What the transaction id of a message that is sent as plain text ends with.
const PLAIN: &str = "plain";

/// Posts what waits in a place, until nothing does or the program stops.
pub(super) async fn run(desk: Arc<Desk>, place: Place, stop: watch::Receiver<bool>) {
    while !*stop.borrow()
        && let Some(waiting) = desk.outbox.lanes.first(&place)
    {
        let errand = Errand {
            desk: &desk,
            place: &place,
            waiting: &waiting,
        };
        if errand.run().await == Going::Stopped {
            return;
        }
    }
}

/// Whether the next message is to be taken.
#[derive(Debug, PartialEq, Eq)]
enum Going {
    On,
    Stopped,
}

/// One message for one place.
struct Errand<'a> {
    desk: &'a Arc<Desk>,
    place: &'a Place,
    waiting: &'a Waiting,
}

/// What became of an event.
enum Sent {
    There(OwnedEventId),
    /// The server does not take it.
    Refused(String),
    /// The bot is not in the room.
    Gone,
    /// It is wanted there no more: the table has moved.
    Unwanted,
    Stopped,
}

impl Errand<'_> {
    async fn run(&self) -> Going {
        let newest = match self.waiting.message.table {
            Some(code) => self.desk.newest(code, self.place).await,
            None => None,
        };
        // Noted as posted, but still in the outbox: the power failed between.
        if let Some(newest) = &newest
            && newest.has_seen(self.waiting.id)
        {
            if newest.post == self.waiting.id {
                self.open_thread(&newest.event).await;
            }
            return self.done().await;
        }
        let Some(room) = self.room() else {
            return self.gone().await;
        };
        let parts = {
            let _permit = self.desk.permits.acquire().await;
            writing::lay(&self.desk.matrix, &self.waiting.message).await
        };
        let mut last = newest.as_ref().map(|newest| newest.event.clone());
        for part in &parts {
            // By its kind: a picture that could not be drawn in an earlier try must not shift the others.
            let sent = match self.sent(&room, part, part.kind(), last.as_deref()).await {
                Sent::Refused(why) => {
                    tracing::error!(
                        "matrix: a message in {} was refused ({why}); it is sent as plain text",
                        self.place
                    );
                    let plain = writing::plainly(&self.desk.matrix, &self.waiting.message).await;
                    match self.sent(&room, &plain, PLAIN, last.as_deref()).await {
                        Sent::There(event) => return self.posted(event, newest.is_none()).await,
                        other => other,
                    }
                }
                other => other,
            };
            match sent {
                Sent::There(event) => last = Some(event),
                Sent::Refused(why) => {
                    tracing::error!("matrix: a message in {} is dropped: {why}", self.place);
                    return self.done().await;
                }
                Sent::Gone => return self.gone().await,
                Sent::Unwanted => return Going::On,
                Sent::Stopped => return Going::Stopped,
            }
        }
        match last {
            Some(event) => self.posted(event, newest.is_none()).await,
            None => self.done().await,
        }
    }

    fn room(&self) -> Option<Room> {
        let id = <&RoomId>::try_from(self.place.room.as_str()).ok()?;
        self.desk.matrix.client.get_room(id)
    }

    /// Sends one event until it is there or cannot be.
    async fn sent(&self, room: &Room, part: &Part, suffix: &str, newest: Option<&EventId>) -> Sent {
        let thread = self.place.thread.as_deref();
        let relation = Relation {
            thread: thread.and_then(|thread| <&EventId>::try_from(thread).ok()),
            newest,
            reply_to: None,
        };
        let id = self.waiting.id;
        let txn = format!("{}-{:x}-{:x}-{suffix}", self.desk.mark, id.number, id.index);
        let mut pauses = Pauses::up_to(LONGEST);
        let (mut refusals, mut uploads) = (0, 0);
        loop {
            let fault = match sending::send(&self.desk.matrix, room, relation, part, &txn).await {
                Ok(event) => return Sent::There(event),
                Err(fault) => fault,
            };
            match fault {
                Fault::NotUploaded if uploads == UPLOADS => {
                    return Sent::Refused("it cannot be uploaded".to_owned());
                }
                Fault::NotUploaded => {
                    uploads += 1;
                    if self.paused(&mut pauses, None).await == Going::Stopped {
                        return Sent::Stopped;
                    }
                }
                Fault::Again(asked) => {
                    if self.paused(&mut pauses, asked).await == Going::Stopped {
                        return Sent::Stopped;
                    }
                }
                Fault::Blocked => {
                    if self.blocked(refusals).await == Going::Stopped {
                        return Sent::Stopped;
                    }
                    refusals += 1;
                }
                Fault::Gone => return Sent::Gone,
                Fault::Refused(why) => return Sent::Refused(why),
                Fault::Ended(ended) => {
                    // Whoever was first has said it.
                    let _ = self.desk.ended.set(ended);
                    return Sent::Stopped;
                }
            }
            if !self.desk.outbox.lanes.has(self.place, id) {
                return Sent::Unwanted;
            }
        }
    }

    /// Waits before the next try, at least as long as the server asks.
    async fn paused(&self, pauses: &mut Pauses, asked: Option<Duration>) -> Going {
        let pause = pauses.next(asked);
        if asked.is_some() {
            self.desk.matrix.health.limited(pause);
        }
        tracing::debug!(
            "matrix: {} is tried again in {} ms",
            self.place,
            pause.as_millis()
        );
        match self.desk.outbox.paused(pause).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    async fn done(&self) -> Going {
        match self.desk.outbox.settled(self.place, self.waiting.id).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    /// The room has the message: that is noted, and the table gets its thread.
    async fn posted(&self, event: OwnedEventId, first: bool) -> Going {
        if let Some(code) = self.waiting.message.table {
            let newest = Newest {
                event: event.clone(),
                post: self.waiting.id,
            };
            let note = (newest::key(code, self.place), Some(json!(newest)));
            if !self.desk.outbox.note(vec![note]).await {
                return Going::Stopped;
            }
            if first {
                self.open_thread(&event).await;
            }
        }
        outbox::lost::found(&self.desk.matrix.club, self.place).await;
        self.done().await
    }

    /// Makes the first message about a table the root of its thread, where the room wants that (`place threads:yes`).
    async fn open_thread(&self, root: &EventId) {
        if self.place.thread.is_some() {
            return;
        }
        let opening = self.desk.outbox.opening_in(self.place, self.waiting);
        if let Some(table) = opening.await {
            let (platform, room) = (self.place.platform, self.place.room.clone());
            let to = Place::thread(platform, room, root.as_str());
            settle_in(self.desk, table.code(), self.place, &to, self.waiting.id).await;
        }
    }

    /// Says that the room takes no messages, and waits until it may.
    async fn blocked(&self, refusals: u32) -> Going {
        tracing::warn!(
            "matrix: the bot has no power to send messages in {}; they wait",
            self.place
        );
        self.tell(Loss::Blocked);
        match self.desk.outbox.blocked(self.place, refusals).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    /// The bot is not in the room: what waits for it is dropped, the tables stay and wait for `here`.
    async fn gone(&self) -> Going {
        tracing::warn!(
            "matrix: the bot is not in {}; its tables are kept",
            self.place
        );
        self.tell(Loss::Gone);
        match self.desk.outbox.drop_all(|own| own == self.place).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    fn tell(&self, loss: Loss) {
        let tables = self.desk.outbox.tables_waiting(self.place);
        let (desk, place) = (Arc::clone(self.desk), self.place.clone());
        self.desk
            .outbox
            .spawn(async move { lost::tell(&desk, &place, loss, &tables).await });
    }
}
