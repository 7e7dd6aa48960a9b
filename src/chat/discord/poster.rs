//! Posting what everybody is told: from the outbox to Discord, in order in each place, until it is there.
//!
//! Nothing is lost: a message leaves the outbox when Discord has it, or its place is no more. What may have arrived is looked
//! for before it is sent again (see [`course`]). [`crate::chat::outbox`] keeps the order, [`lane`] is the task of one place.

mod course;
mod delivery;
mod desk;
mod lane;
mod lost;
pub(super) mod notes;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, watch};

pub(super) use self::desk::Desk;
use super::Discord;
use super::sending::Kind;
use crate::chat::outbox;
use crate::ids::Place;

/// What somebody outside tells the poster.
#[derive(Debug)]
pub(super) enum News {
    /// There is a reason to try a blocked place again.
    Reason(Whose),
    /// A place is no more.
    Gone(Whose),
}

/// Which places are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whose {
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
    /// Channels in which, and in the threads of which, files are not taken.
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
    /// Something happened in a channel or thread that may let the bot post there again.
    pub(super) fn reason_channel(&self, channel: u64) {
        self.tell(News::Reason(Whose::Channel(channel)));
    }

    /// A channel was changed, perhaps what the bot may do in it and its threads.
    pub(super) fn changed_channel(&self, channel: u64) {
        locked(&self.without_files).remove(&channel);
        self.reason_channel(channel);
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

    /// The server that a channel belongs to, as far as that was seen.
    pub(super) fn server_of(&self, channel: u64) -> Option<u64> {
        locked(&self.guilds).get(&channel).copied()
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

    /// Forgets what was known of places that are no more.
    fn forget(&self, whose: &Whose) {
        let mut guilds = locked(&self.guilds);
        let gone: Vec<u64> = match whose {
            Whose::Channel(channel) => vec![*channel],
            Whose::Thread { thread, .. } => vec![*thread],
            Whose::Guild(guild) => {
                let own = guilds.iter().filter(|(_, of)| *of == guild);
                own.map(|(channel, _)| *channel).collect()
            }
        };
        for channel in gone {
            guilds.remove(&channel);
            locked(&self.kinds).remove(&channel);
            locked(&self.without_files).remove(&channel);
        }
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
    pub(super) async fn run(&self, discord: Arc<Discord>, stop: watch::Receiver<bool>) {
        let Some(mut heard) = locked(&self.heard).take() else {
            return;
        };
        let desk = Arc::new(Desk::new(discord, stop.clone()).await);
        outbox::desk::run(&desk, &mut heard, stop).await;
    }
}

fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

/// Nothing panics while one of these is locked; if it did, what is in it would still be whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Platform;

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
        poster.changed_channel(2);
        assert!(locked(&poster.without_files).is_empty());
    }
}
