//! What the tasks of all places share, and what happens to places.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use super::{News, Whose, lane, locked, lost, notes};
use crate::chat::discord::Discord;
use crate::chat::discord::sending::{self, Kind};
use crate::chat::discord::words::Loss;
use crate::chat::outbox::{self, Outbox};
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

    pub(in crate::chat::discord) fn discord(&self) -> &Discord {
        &self.discord
    }
}

impl outbox::Desk for Desk {
    type News = News;

    fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    async fn has_posted(&self, code: TableCode, room: &Place, id: PostId) -> bool {
        let Some(channel) = sending::channel_of(room) else {
            return false;
        };
        let newest = notes::newest(&self.discord.club, code, channel.get()).await;
        newest.is_some_and(|newest| newest.has_seen(id))
    }

    async fn post(self: Arc<Self>, place: Place, stop: watch::Receiver<bool>) {
        lane::run(self, place, stop).await;
    }

    async fn hear(self: &Arc<Self>, news: News) {
        let poster = &self.discord.poster;
        match news {
            News::Reason(whose) => {
                let meant = |place: &Place| poster.meant(&whose, place);
                self.outbox.lanes.reason(meant, Instant::now());
            }
            News::Gone(whose) => {
                let meant = |place: &Place| poster.meant(&whose, place) == Some(true);
                self.outbox.drop_all(meant).await;
                let desk = Arc::clone(self);
                self.outbox.spawn(async move { desk.mourn(&whose).await });
            }
        }
    }

    fn hourly(&self) {
        locked(&self.discord.poster.without_files).clear();
    }
}
