//! The task of one place: its messages one after the other, and what follows from each.

use std::sync::Arc;

use serenity::model::id::ChannelId;
use tokio::sync::watch;

use super::course::Outcome;
use super::delivery::{Carrier, Parcel, carry};
use super::notes::{self, Newest};
use super::{Desk, lost};
use crate::chat::discord::sending::{self, Fault, Lack};
use crate::chat::discord::threads;
use crate::chat::discord::words::Loss;
use crate::chat::outbox::{self, Waiting};
use crate::ids::{Place, TableCode};
use crate::table::Phase;

/// Posts what waits in a place, until nothing does or the program stops.
pub(super) async fn run(desk: Arc<Desk>, place: Place, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow()
        && let Some(waiting) = desk.outbox.lanes.first(&place)
    {
        let Some(channel) = sending::channel_of(&place) else {
            tracing::error!("discord: {place} is no channel; a message for it is dropped");
            desk.outbox.settled(&place, waiting.id).await;
            continue;
        };
        let errand = Errand {
            desk: &desk,
            place: &place,
            channel,
            waiting: &waiting,
        };
        if errand.run(&mut stop).await == Going::Stopped {
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
    channel: ChannelId,
    waiting: &'a Waiting,
}

/// A message that Discord has.
struct Posted {
    message: u64,
    buttons: bool,
}

impl Errand<'_> {
    async fn run(&self, stop: &mut watch::Receiver<bool>) -> Going {
        let club = &self.desk.discord.club;
        let message = &self.waiting.message;
        let newest = match message.table {
            Some(code) => notes::newest(club, code, self.channel.get()).await,
            None => None,
        };
        // Noted as posted, but still in the outbox: the power failed between.
        if let Some(newest) = &newest
            && newest.has_seen(self.waiting.id)
        {
            if newest.post == Some(self.waiting.id)
                && let Some(message) = newest.any
            {
                threads::open_from(self.desk, self.place, self.waiting, message).await;
            }
            return self.done().await;
        }
        if newest.is_none() && threads::open_forum_post(self.desk, self.place, self.waiting).await {
            return self.done().await;
        }
        let after = newest.as_ref().and_then(|newest| newest.any);
        let parcel = Parcel::new(self.desk, self.place, self.channel, self.waiting, after);
        let mut course = parcel.course();
        let mut refusals = 0;
        loop {
            match carry(&mut course, &parcel, stop).await {
                None if parcel.wanted() => return Going::Stopped,
                None => return Going::On,
                Some(Outcome::Posted { message }) => {
                    let buttons = parcel.has_buttons();
                    return self.posted(Posted { message, buttons }, newest).await;
                }
                Some(Outcome::Dropped(why)) => {
                    tracing::warn!("discord: a message in {} is dropped: {why}", self.place);
                    return self.done().await;
                }
                Some(Outcome::Gone) => return self.gone().await,
                Some(Outcome::Blocked(lack)) => {
                    if self.blocked(lack, refusals).await == Going::Stopped {
                        return Going::Stopped;
                    }
                    refusals += 1;
                    course.resume();
                }
            }
        }
    }

    async fn done(&self) -> Going {
        match self.desk.outbox.settled(self.place, self.waiting.id).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    /// Discord has the message: that is noted, the table gets its thread, and the buttons of the message before go.
    async fn posted(&self, posted: Posted, before: Option<Newest>) -> Going {
        if let Some(code) = self.waiting.message.table {
            let mut notes = vec![self.note(code, &posted, before.as_ref())];
            let outer = self.outer_buttons(code).await;
            if let Some((room, message, mut newest)) = outer {
                newest.message = None;
                notes.push(notes::newest_note(code, room.get(), &newest));
                self.strip_later(room, message);
            }
            if !self.desk.outbox.note(notes).await {
                return Going::Stopped;
            }
            if before.is_none() {
                threads::open_from(self.desk, self.place, self.waiting, posted.message).await;
            }
        }
        outbox::lost::found(&self.desk.discord.club, self.place).await;
        let going = self.done().await;
        // Sent first, edited after: only sending reopens an archived thread (R28).
        if let Some(message) = before.and_then(|before| before.message)
            && message != posted.message
        {
            self.strip_later(self.channel, message);
        }
        going
    }

    fn note(
        &self,
        code: TableCode,
        posted: &Posted,
        before: Option<&Newest>,
    ) -> (String, Option<serde_json::Value>) {
        let message = &self.waiting.message;
        let board = match &message.picture {
            Some(_) => Some(posted.message),
            None => before.and_then(|before| before.board),
        };
        let newest = Newest {
            message: posted.buttons.then_some(posted.message),
            board,
            any: Some(posted.message),
            version: message.version.unwrap_or_default(),
            post: Some(self.waiting.id),
        };
        notes::newest_note(code, self.channel.get(), &newest)
    }

    /// The message in the channel around the table's thread that still has the buttons to join a game which has begun.
    async fn outer_buttons(&self, code: TableCode) -> Option<(ChannelId, u64, Newest)> {
        self.place.thread.as_ref()?;
        let club = &self.desk.discord.club;
        let room = sending::room_of(self.place)?;
        let newest = notes::newest(club, code, room.get()).await?;
        let message = newest.message?;
        let table = club.load(code).await.ok()?;
        match table.phase() {
            Phase::Gathering => None,
            Phase::Playing(_) | Phase::Over { .. } => Some((room, message, newest)),
        }
    }

    /// Takes the buttons of an earlier message away, beside what is posted next. It happens once (R32), and if it fails, the
    /// buttons say themselves that they are old.
    fn strip_later(&self, channel: ChannelId, message: u64) {
        let http = Arc::clone(&self.desk.discord.http);
        self.desk.outbox.spawn(async move {
            let stripped = sending::patiently(|| sending::strip(&http, channel, message));
            match stripped.await {
                Ok(()) | Err(Fault::NotThere) => {}
                Err(fault) => {
                    tracing::debug!("discord: the buttons of message {message} stay: {fault:?}");
                }
            }
        });
    }

    /// Says that the place takes no messages, and waits until it may.
    async fn blocked(&self, lack: Lack, refusals: u32) -> Going {
        tracing::warn!(
            "discord: {} takes no messages: {lack:?}; they wait",
            self.place
        );
        self.tell(Loss::Blocked {
            lack,
            thread: self.place.thread.is_some(),
        });
        match self.desk.outbox.blocked(self.place, refusals).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    /// The place is no more: what waits for it is dropped, the tables stay and wait for `here` (R25).
    async fn gone(&self) -> Going {
        tracing::warn!("discord: {} is gone; its tables are kept", self.place);
        self.tell(Loss::Gone);
        match self.desk.outbox.drop_all(|own| own == self.place).await {
            true => Going::On,
            false => Going::Stopped,
        }
    }

    fn tell(&self, loss: Loss) {
        let tables = self.desk.outbox.tables_waiting(self.place);
        let (discord, place) = (Arc::clone(&self.desk.discord), self.place.clone());
        self.desk
            .outbox
            .spawn(async move { lost::tell(&discord, &place, loss, &tables).await });
    }
}
