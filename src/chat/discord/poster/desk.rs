//! What the tasks of all places share: putting messages where they are posted, and what happens to places.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use super::{News, Whose, lane, locked, lost, notes};
use crate::chat::discord::Discord;
use crate::chat::discord::sending::{self, Kind};
use crate::chat::discord::words::Loss;
use crate::chat::outbox::{New, Outbox, Reader, Waiting};
use crate::command::message::Message;
use crate::ids::{Place, Platform, TableCode};
use crate::store::PostId;

/// How many messages are laid out at a time.
const LAID_OUT: usize = 64;

/// What the tasks of all places share.
pub(in crate::chat::discord) struct Desk {
    pub(super) discord: Arc<Discord>,
    pub(in crate::chat::discord) outbox: Outbox,
    pub(super) permits: Semaphore,
    /// What the nonces of this store begin with.
    pub(super) mark: String,
}

impl Desk {
    pub(super) async fn new(discord: Arc<Discord>, stop: watch::Receiver<bool>) -> Desk {
        let outbox = Outbox::new(Platform::Discord, Arc::clone(&discord.club), stop);
        Desk {
            mark: outbox.mark().await,
            discord,
            outbox,
            permits: Semaphore::new(LAID_OUT),
        }
    }

    /// Hands what is new in the outbox to the places. False when the store could not be read to the end.
    pub(super) async fn read(self: &Arc<Self>, reader: &mut Reader) -> bool {
        loop {
            match reader.next(&**self.discord.club.store()).await {
                Ok(Some(new)) => {
                    for one in new {
                        self.put(one).await;
                    }
                }
                Ok(None) => return true,
                Err(error) => {
                    tracing::error!("discord: the outbox cannot be read: {error}");
                    return false;
                }
            }
        }
    }

    /// Puts a message where it is posted.
    async fn put(self: &Arc<Self>, new: New) {
        let Some(message) = self.outbox.message(&new).await else {
            return;
        };
        let place = self.place_now(&message, new.post.place, new.id).await;
        let waiting = Waiting {
            id: new.id,
            message: Arc::new(message),
            before: new.before,
        };
        if self.outbox.lanes.add(&place, waiting) {
            self.start(place);
        }
    }

    /// Where a message belongs now: its table may have got a thread in that channel meanwhile.
    async fn place_now(&self, message: &Message, place: Place, id: PostId) -> Place {
        let (Some(code), None) = (message.table, &place.thread) else {
            return place;
        };
        // What was posted before the thread was there is done with in the channel.
        if let Some(channel) = sending::channel_of(&place)
            && let Some(newest) = notes::newest(&self.discord.club, code, channel.get()).await
            && newest.has_seen(id)
        {
            return place;
        }
        let thread = self.outbox.thread_now(code, &place).await;
        thread.unwrap_or(place)
    }

    fn start(self: &Arc<Self>, place: Place) {
        let desk = Arc::clone(self);
        self.outbox.spawn(async move {
            let lane = || lane::run(Arc::clone(&desk), place.clone(), desk.outbox.stop());
            desk.outbox.tend(&place, lane).await;
        });
    }

    pub(super) async fn hear(self: &Arc<Self>, news: News) {
        let poster = &self.discord.poster;
        match news {
            News::Look => {}
            News::Reason(whose) => {
                let meant = |place: &Place| poster.meant(&whose, place);
                self.outbox.lanes.reason(meant, Instant::now());
            }
            News::Gone(whose) => {
                let cleared = self
                    .outbox
                    .lanes
                    .clear(|place| poster.meant(&whose, place) == Some(true));
                for (_, waiting) in &cleared {
                    let ids: Vec<PostId> = waiting.iter().map(|one| one.id).collect();
                    self.outbox.forget(&ids).await;
                }
                let desk = Arc::clone(self);
                self.outbox.spawn(async move { desk.mourn(&whose).await });
            }
        }
    }

    /// Tells the players of the tables in places that are no more.
    async fn mourn(&self, whose: &Whose) {
        let poster = &self.discord.poster;
        let room = |id: &u64| Place::room(Platform::Discord, id.to_string());
        let lost: Vec<Place> = match whose {
            Whose::Channel(channel) => vec![room(channel)],
            Whose::Thread { parent, thread } => vec![Place::thread(
                Platform::Discord,
                parent.to_string(),
                thread.to_string(),
            )],
            Whose::Guild(guild) => {
                let guilds = locked(&poster.guilds);
                let own = guilds.iter().filter(|(_, of)| *of == guild);
                own.map(|(channel, _)| room(channel)).collect()
            }
        };
        for place in lost {
            let found = self.outbox.tables_in(&place).await;
            for (code, places) in found {
                let mut lost = places
                    .iter()
                    .filter(|place| poster.meant(whose, place) == Some(true));
                if let Some(place) = lost.next() {
                    lost::tell(&self.discord, place, Loss::Gone, &[code]).await;
                }
            }
        }
        poster.forget(whose);
    }

    /// What the room of a place is; asked once.
    pub(in crate::chat::discord) async fn kind_of(&self, place: &Place) -> Option<Kind> {
        let room = sending::room_of(place)?;
        let kinds = &self.discord.poster.kinds;
        if let Some(kind) = locked(kinds).get(&room.get()) {
            return Some(*kind);
        }
        let asked = sending::patiently(|| sending::kind(&self.discord.http, room));
        let kind = asked
            .await
            .inspect_err(|fault| tracing::debug!("discord: what channel {room} is: {fault:?}"));
        let kind = kind.ok()?;
        locked(kinds).insert(room.get(), kind);
        Some(kind)
    }

    /// Makes a thread the place of a table that was in the channel around it, or in another thread. What waits for the old
    /// place, but for the message `but`, goes there before anything that comes later.
    pub(in crate::chat::discord) async fn settle_in(
        self: &Arc<Self>,
        code: TableCode,
        from: &Place,
        to: &Place,
        but: PostId,
    ) {
        if self.outbox.settle_in(code, from, to, but).await {
            self.start(to.clone());
        }
    }

    pub(in crate::chat::discord) fn discord(&self) -> &Discord {
        &self.discord
    }
}
