//! What the tasks of all places share: putting messages where they are posted, and what happens to places.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::lanes::{Lanes, Waiting};
use super::{News, PAUSE, Whose, lane, locked, lost, notes, stopped};
use crate::chat::discord::Discord;
use crate::chat::discord::sending::{self, Kind};
use crate::chat::discord::words::Loss;
use crate::club::ClubError;
use crate::command::message::Message;
use crate::ids::{Place, Platform, TableCode};
use crate::store::{Find, Post, PostId, Stages, StoreError};

/// How many messages are laid out at a time.
const LAID_OUT: usize = 64;
/// How many tables of a lost place are told of.
const TOLD_OF: usize = 100;

/// What the tasks of all places share.
pub(in crate::chat::discord) struct Desk {
    pub(super) discord: Arc<Discord>,
    pub(super) lanes: Lanes,
    pub(super) permits: Semaphore,
    /// What the nonces of this store begin with.
    pub(super) mark: String,
    tasks: Mutex<JoinSet<()>>,
    stop: watch::Receiver<bool>,
}

impl Desk {
    pub(super) async fn new(discord: Arc<Discord>, stop: watch::Receiver<bool>) -> Desk {
        Desk {
            mark: notes::mark(&discord.club).await,
            discord,
            lanes: Lanes::default(),
            permits: Semaphore::new(LAID_OUT),
            tasks: Mutex::new(JoinSet::new()),
            stop,
        }
    }

    /// Waits until every place has stopped.
    pub(super) async fn finish(&self) {
        loop {
            let tasks = std::mem::take(&mut *locked(&self.tasks));
            if tasks.is_empty() {
                return;
            }
            // What ends may have started something to finish.
            tasks.join_all().await;
        }
    }

    /// Puts a message where it is posted.
    pub(super) async fn put(self: &Arc<Self>, post: Post, id: PostId, before: bool) {
        match serde_json::from_value::<Message>(post.body) {
            Ok(message) => {
                let place = self.place_now(&message, post.place, id).await;
                let waiting = Waiting {
                    id,
                    message: Arc::new(message),
                    before,
                };
                if self.lanes.add(&place, waiting) {
                    self.start(place);
                }
            }
            Err(error) => {
                tracing::error!("discord: a message of the outbox cannot be read: {error}");
                self.forget(&[id]).await;
            }
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
        let Ok(table) = self.discord.club.load(code).await else {
            return place;
        };
        let places = table.places();
        let mut threads = places.iter().filter(|own| own.is_within(&place));
        match threads.next() {
            Some(thread) if !places.contains(&place) => thread.clone(),
            _ => place,
        }
    }

    fn start(self: &Arc<Self>, place: Place) {
        self.spawn(Arc::clone(self).tended(place));
    }

    /// Posts in a place. A task that breaks off is begun anew; a message at which it breaks off again and again is given up, so
    /// that those behind it are posted.
    async fn tended(self: Arc<Self>, place: Place) {
        let mut stop = self.stop.clone();
        let mut stumbles = Stumbles::default();
        loop {
            let lane = lane::run(Arc::clone(&self), place.clone(), self.stop.clone());
            let Err(error) = tokio::spawn(lane).await else {
                return;
            };
            tracing::error!("discord: posting in {place} broke off: {error}");
            let first = self.lanes.waiting(&place).first().map(|one| one.id);
            if let Some(id) = first
                && stumbles.too_often(id)
            {
                tracing::error!("discord: message {id:?} for {place} is given up");
                self.lanes.done(&place, id);
                self.forget(&[id]).await;
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = stopped(&mut stop) => return,
            }
        }
    }

    /// Starts a task that is waited for when the program stops.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = locked(&self.tasks);
        while let Some(ended) = tasks.try_join_next() {
            if let Err(error) = ended {
                tracing::error!("discord: something beside posting broke off: {error}");
            }
        }
        tasks.spawn(task);
    }

    /// Takes messages out of the outbox. False when the store takes no more.
    pub(super) async fn forget(&self, ids: &[PostId]) -> bool {
        let store = self.discord.club.store();
        self.insisted(|| store.posted(ids)).await
    }

    /// Keeps notes. False when the store takes no more.
    pub(in crate::chat::discord) async fn note(&self, notes: Vec<(String, Option<Value>)>) -> bool {
        let club = &self.discord.club;
        self.insisted(|| notes::keep(club, notes.clone())).await
    }

    /// Writes to the store until it has taken it. False when it is closed, or the program stops.
    async fn insisted<Wrote>(&self, mut write: impl FnMut() -> Wrote) -> bool
    where
        Wrote: Future<Output = Result<(), StoreError>>,
    {
        let mut stop = self.stop.clone();
        let mut pause = PAUSE;
        loop {
            match write().await {
                Ok(()) => return true,
                Err(StoreError::Closed) => return false,
                Err(error) => {
                    tracing::error!("discord: what was posted cannot be noted: {error}");
                }
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(12 * PAUSE),
                () = stopped(&mut stop) => return false,
            }
        }
    }

    pub(super) async fn hear(self: &Arc<Self>, news: News) {
        let poster = &self.discord.poster;
        match news {
            News::Look => {}
            News::Reason(whose) => {
                let meant = |place: &Place| poster.meant(&whose, place);
                self.lanes.reason(meant, Instant::now());
            }
            News::Gone(whose) => {
                let cleared = self
                    .lanes
                    .clear(|place| poster.meant(&whose, place) == Some(true));
                for (_, waiting) in &cleared {
                    let ids: Vec<PostId> = waiting.iter().map(|one| one.id).collect();
                    self.forget(&ids).await;
                }
                let desk = Arc::clone(self);
                self.spawn(async move { desk.mourn(&whose).await });
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
            let found = self.tables_in(&place).await.unwrap_or_else(|error| {
                tracing::error!("discord: the tables of {place} cannot be found: {error}");
                Vec::new()
            });
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

    async fn tables_in(&self, place: &Place) -> Result<Vec<(TableCode, Vec<Place>)>, ClubError> {
        let find = Find::InPlace {
            place: place.clone(),
            stages: Stages::Unfinished,
        };
        let found = self.discord.club.store().tables(find, TOLD_OF).await?;
        let places = found
            .into_iter()
            .map(|(code, listing)| (code, listing.places));
        Ok(places.collect())
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
        self.lanes.hold(to);
        match self.discord.club.settle_in(code, from, to, None).await {
            Ok(()) => self.lanes.move_about(code, from, to, but),
            Err(error) => tracing::error!("discord: table {code} cannot go to {to}: {error}"),
        }
        if self.lanes.release(to) {
            self.start(to.clone());
        }
    }

    pub(in crate::chat::discord) fn discord(&self) -> &Discord {
        &self.discord
    }
}

/// How often a place's task broke off at the same message.
#[derive(Default)]
struct Stumbles {
    at: Option<PostId>,
    times: u32,
}

impl Stumbles {
    /// How often is too often.
    const MOST: u32 = 3;

    /// It broke off at this message; true when that has been so too often.
    fn too_often(&mut self, id: PostId) -> bool {
        if self.at != Some(id) {
            self.at = Some(id);
            self.times = 0;
        }
        self.times += 1;
        self.times >= Self::MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_given_up_when_its_place_broke_off_at_it_three_times() {
        let mut stumbles = Stumbles::default();
        let one = PostId::from((1, 0));
        let other = PostId::from((2, 0));
        let told = [one, one, other, one, one, one].map(|id| stumbles.too_often(id));
        assert_eq!(told, [false, false, false, false, false, true]);
    }
}
