//! Posting what everybody is told: from the outbox to Discord, in order in each place, until it is there.
//!
//! Nothing is lost: a message leaves the outbox when Discord has it, or its place is no more. What may have arrived is looked
//! for before it is sent again (see [`course`]). [`lanes`] keeps the order, [`lane`] is the task of one place.

mod course;
mod delivery;
mod lane;
mod lanes;
mod lost;
pub(super) mod notes;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use self::lanes::Lanes;
pub(super) use self::lanes::Waiting;
use super::Discord;
use super::sending::{self, Kind};
use super::words::Loss;
use crate::club::ClubError;
use crate::command::message::Message;
use crate::ids::{Place, Platform, TableCode};
use crate::store::{Find, Post, PostId, Stages, StoreError};

/// How many messages are taken from the outbox at once.
const AT_ONCE: usize = 256;
/// How many messages are drawn and sent at a time.
const SENDING: usize = 128;
/// How many tables of a lost place are told of.
const TOLD_OF: usize = 100;
/// Blocked places are tried again this often without any reason.
const HOURLY: Duration = Duration::from_secs(60 * 60);
/// The pause when the store cannot be read.
const PAUSE: Duration = Duration::from_secs(5);

/// What somebody outside tells the poster.
#[derive(Debug)]
enum News {
    /// There may be something to post.
    Look,
    /// There is a reason to try a blocked place again.
    Reason(Whose),
    /// A place is no more.
    Gone(Whose),
}

/// Which places are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Whose {
    /// A channel with its threads, or a thread.
    Channel(u64),
    /// A thread of a channel.
    Thread { parent: u64, thread: u64 },
    /// All of a server.
    Guild(u64),
}

/// The handle by which the poster is told what happens, and what it knows of Discord's places.
pub(super) struct Poster {
    tell: mpsc::UnboundedSender<News>,
    heard: Mutex<Option<mpsc::UnboundedReceiver<News>>>,
    /// To which server a channel belongs, as far as that was seen.
    guilds: Mutex<HashMap<u64, u64>>,
    kinds: Mutex<HashMap<u64, Kind>>,
    /// Channels and threads in which files are not taken.
    without_files: Mutex<HashSet<u64>>,
}

impl Default for Poster {
    fn default() -> Poster {
        let (tell, heard) = mpsc::unbounded_channel();
        Poster {
            tell,
            heard: Mutex::new(Some(heard)),
            guilds: Mutex::default(),
            kinds: Mutex::default(),
            without_files: Mutex::default(),
        }
    }
}

impl Poster {
    /// There may be something to post.
    pub(super) fn wake(&self) {
        self.tell(News::Look);
    }

    /// Something happened in a channel or thread that may let the bot post there again.
    pub(super) fn reason_channel(&self, channel: u64) {
        self.tell(News::Reason(Whose::Channel(channel)));
    }

    /// Something changed in a server that may let the bot post there again.
    pub(super) fn reason_guild(&self, guild: u64) {
        let guilds = locked(&self.guilds);
        let other = |channel: &u64| guilds.get(channel).is_some_and(|own| *own != guild);
        locked(&self.without_files).retain(other);
        drop(guilds);
        self.tell(News::Reason(Whose::Guild(guild)));
    }

    /// A channel was deleted.
    pub(super) fn gone_channel(&self, channel: u64) {
        self.tell(News::Gone(Whose::Channel(channel)));
    }

    /// A thread was deleted.
    pub(super) fn gone_thread(&self, parent: u64, thread: u64) {
        self.tell(News::Gone(Whose::Thread { parent, thread }));
    }

    /// The bot was removed from a server. (An outage is nothing of the kind, R26.)
    pub(super) fn gone_guild(&self, guild: u64) {
        self.tell(News::Gone(Whose::Guild(guild)));
    }

    /// A channel or thread was seen to belong to a server.
    pub(super) fn seen(&self, channel: u64, guild: u64) {
        locked(&self.guilds).insert(channel, guild);
    }

    /// A server is there, with these channels and threads.
    pub(super) fn guild(&self, guild: u64, channels: impl IntoIterator<Item = u64>) {
        let channels = channels.into_iter().map(|channel| (channel, guild));
        locked(&self.guilds).extend(channels);
        self.reason_guild(guild);
    }

    fn tell(&self, news: News) {
        // Nobody hears it any more when the program stops.
        let _ = self.tell.send(news);
    }

    /// Whether a place is meant; `None` when that is not known.
    fn meant(&self, whose: &Whose, place: &Place) -> Option<bool> {
        let (room, own) = (
            number(&place.room),
            place.thread.as_deref().and_then(number),
        );
        match whose {
            Whose::Channel(channel) => Some([room, own].contains(&Some(*channel))),
            Whose::Thread { thread, .. } => Some(own == Some(*thread)),
            Whose::Guild(guild) => {
                let guilds = locked(&self.guilds);
                let known = [own, room].into_iter().flatten();
                let found = known.filter_map(|id| guilds.get(&id)).next();
                found.map(|found| found == guild)
            }
        }
    }

    /// Posts what waits, and what is still to come, until `stop` says so; what is being sent then is finished.
    pub(super) async fn run(&self, discord: Arc<Discord>, mut stop: watch::Receiver<bool>) {
        let Some(mut heard) = locked(&self.heard).take() else {
            return;
        };
        let desk = Arc::new(Desk {
            discord,
            lanes: Lanes::default(),
            permits: Semaphore::new(SENDING),
            tasks: Mutex::new(JoinSet::new()),
            stop: stop.clone(),
        });
        let mut waiting = desk.discord.club.waiting();
        let mut reader = Reader::default();
        let mut hourly = tokio::time::interval(HOURLY);
        loop {
            waiting.mark_unchanged();
            let retry = !reader.read(&desk).await;
            tokio::select! {
                () = stopped(&mut stop) => break,
                // Its sender lives as long as the club.
                Ok(()) = waiting.changed() => {}
                Some(news) = heard.recv() => desk.hear(news).await,
                _ = hourly.tick() => locked(&self.without_files).clear(),
                () = tokio::time::sleep(PAUSE), if retry => {}
            }
        }
        let tasks = std::mem::take(&mut *locked(&desk.tasks));
        tasks.join_all().await;
    }
}

/// Resolves when the program is to stop, or nobody is left who could say so.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

/// Nothing panics while one of these is locked; if it did, what is in it would still be whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the tasks of all places share.
pub(super) struct Desk {
    discord: Arc<Discord>,
    lanes: Lanes,
    permits: Semaphore,
    tasks: Mutex<JoinSet<()>>,
    stop: watch::Receiver<bool>,
}

impl Desk {
    /// Puts a message where it is posted.
    async fn put(self: &Arc<Self>, post: Post, id: PostId, before: bool) {
        match serde_json::from_value::<Message>(post.body) {
            Ok(message) => {
                let place = self.place_now(&message, post.place).await;
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
    async fn place_now(&self, message: &Message, place: Place) -> Place {
        let (Some(code), None) = (message.table, &place.thread) else {
            return place;
        };
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
        self.spawn(lane::run(Arc::clone(self), place, self.stop.clone()));
    }

    /// Starts a task that is waited for when the program stops.
    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = locked(&self.tasks);
        while let Some(ended) = tasks.try_join_next() {
            if let Err(error) = ended {
                tracing::error!("discord: posting in a place broke off: {error}");
            }
        }
        tasks.spawn(task);
    }

    /// Takes messages out of the outbox. False when the store takes no more.
    async fn forget(&self, ids: &[PostId]) -> bool {
        match self.discord.club.store().posted(ids).await {
            Ok(()) => true,
            Err(StoreError::Closed) => false,
            Err(error) => {
                tracing::error!("discord: what was posted cannot be noted: {error}");
                false
            }
        }
    }

    async fn hear(self: &Arc<Self>, news: News) {
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
        let rooms: Vec<u64> = match whose {
            Whose::Channel(channel) => vec![*channel],
            Whose::Thread { parent, .. } => vec![*parent],
            Whose::Guild(guild) => {
                let guilds = locked(&poster.guilds);
                let own = guilds.iter().filter(|(_, of)| *of == guild);
                own.map(|(channel, _)| *channel).collect()
            }
        };
        for room in rooms {
            let found = self.tables_in(room).await.unwrap_or_else(|error| {
                tracing::error!("discord: the tables of channel {room} cannot be found: {error}");
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
    }

    async fn tables_in(&self, room: u64) -> Result<Vec<(TableCode, Vec<Place>)>, ClubError> {
        let find = Find::InPlace {
            place: Place::room(Platform::Discord, room.to_string()),
            stages: Stages::Unfinished,
        };
        let found = self.discord.club.store().tables(find, TOLD_OF).await?;
        let places = found
            .into_iter()
            .map(|(code, listing)| (code, listing.places));
        Ok(places.collect())
    }

    /// What the room of a place is; asked once.
    pub(super) async fn kind_of(&self, place: &Place) -> Option<Kind> {
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
    pub(super) async fn settle_in(
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

    pub(super) fn discord(&self) -> &Discord {
        &self.discord
    }
}

/// Reads the outbox, each message once.
#[derive(Default)]
struct Reader {
    after: Option<PostId>,
    /// Everything that was in the outbox at the start has been read.
    caught_up: bool,
}

impl Reader {
    /// Hands what is new to the places. False when the store could not be read to the end.
    async fn read(&mut self, desk: &Arc<Desk>) -> bool {
        let store = desk.discord.club.store();
        loop {
            let new = match store.outbox(self.after, AT_ONCE).await {
                Ok(new) => new,
                Err(StoreError::Closed) => return true,
                Err(error) => {
                    tracing::error!("discord: the outbox cannot be read: {error}");
                    return false;
                }
            };
            let Some((last, _)) = new.last() else {
                self.caught_up = true;
                return true;
            };
            self.after = Some(*last);
            for (id, post) in new {
                if post.place.platform == Platform::Discord {
                    desk.put(post, id, !self.caught_up).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_places_are_meant() {
        let poster = Poster::default();
        let room = Place::room(Platform::Discord, "1");
        let thread = Place::thread(Platform::Discord, "1", "9");
        let meant = |whose: Whose| [&room, &thread].map(|place| poster.meant(&whose, place));
        assert_eq!(meant(Whose::Channel(1)), [Some(true), Some(true)]);
        assert_eq!(meant(Whose::Channel(9)), [Some(false), Some(true)]);
        let of_the_thread = Whose::Thread {
            parent: 1,
            thread: 9,
        };
        assert_eq!(meant(of_the_thread), [Some(false), Some(true)]);
        assert_eq!(meant(Whose::Guild(7)), [None, None], "not seen yet");
        poster.seen(1, 7);
        assert_eq!(meant(Whose::Guild(7)), [Some(true), Some(true)]);
        assert_eq!(meant(Whose::Guild(8)), [Some(false), Some(false)]);
    }

    #[test]
    fn a_change_in_a_server_lets_files_be_tried_again_there() {
        let poster = Poster::default();
        poster.seen(1, 7);
        poster.seen(2, 8);
        locked(&poster.without_files).extend([1, 2, 3]);
        poster.reason_guild(7);
        let left = locked(&poster.without_files).clone();
        assert_eq!(left, HashSet::from([2]));
    }
}
