//! What adapters that post have in common: the outbox read once, its messages kept in order by place, each place a task of its
//! own, and taken out of the outbox when the platform has them.

pub(super) mod desk;
mod lanes;
pub(super) mod lost;
mod reader;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub(super) use self::desk::Desk;
pub(super) use self::lanes::{Lanes, Waiting};
use self::reader::{New, Reader};
use super::stopping::stopped;
use crate::club::{Clock, Club, ClubError, SystemClock};
use crate::command::message::Message;
use crate::ids::{Place, Platform, TableCode};
use crate::store::{Commit, Find, PostId, Stages, StoreError};
use crate::table::{Phase, Table};

/// The pause when the store cannot be read or written.
const PAUSE: Duration = Duration::from_secs(5);

/// Blocked places are tried again this often without any reason.
const HOURLY: Duration = Duration::from_secs(60 * 60);

/// How many tables of a lost place are told of.
const TOLD_OF: usize = 100;

/// What waits to be posted on one platform.
pub(super) struct Outbox {
    platform: Platform,
    club: Arc<Club>,
    pub(super) lanes: Lanes,
    tasks: Mutex<JoinSet<()>>,
    stop: watch::Receiver<bool>,
}

impl Outbox {
    pub(super) fn new(platform: Platform, club: Arc<Club>, stop: watch::Receiver<bool>) -> Outbox {
        Outbox {
            platform,
            club,
            lanes: Lanes::default(),
            tasks: Mutex::default(),
            stop,
        }
    }

    /// Six characters of this store's own, by which its messages are told from those of another. A data folder that is begun
    /// anew counts its messages from 1 again, and the platform would take them for those it had before.
    pub(super) async fn mark(&self) -> String {
        let key = format!("{}/mark", self.platform);
        match self.club.store().note(&key).await {
            Ok(Some(Value::String(mark))) => return mark,
            Ok(_) => {}
            Err(error) => tracing::error!("the note {key} cannot be read: {error}"),
        }
        let mark = format!("{:06x}", rand::random::<u32>() >> 8);
        if let Err(error) = keep(&self.club, vec![(key.clone(), Some(json!(mark)))]).await {
            tracing::error!("the note {key} cannot be written: {error}");
        }
        mark
    }

    /// A message of the outbox and its place; one that cannot be read is taken out.
    async fn unpacked(&self, new: New) -> Option<(Place, Waiting)> {
        match serde_json::from_value::<Message>(new.post.body) {
            Ok(message) => {
                let waiting = Waiting {
                    id: new.id,
                    message: Arc::new(message),
                    before: new.before,
                };
                Some((new.post.place, waiting))
            }
            Err(error) => {
                tracing::error!(
                    "{}: a message of the outbox cannot be read: {error}",
                    self.platform
                );
                self.forget(&[new.id]).await;
                None
            }
        }
    }

    /// Posts in a place, by this task. A task that breaks off is begun anew; a message at which it breaks off again and again
    /// is given up, so that those behind it are posted.
    async fn tend<Lane>(&self, place: &Place, lane: impl Fn() -> Lane)
    where
        Lane: Future<Output = ()> + Send + 'static,
    {
        let mut stumbles = Stumbles::default();
        loop {
            let Err(error) = tokio::spawn(lane()).await else {
                return;
            };
            tracing::error!("{}: posting in {place} broke off: {error}", self.platform);
            let first = self.lanes.waiting(place).first().map(|one| one.id);
            if let Some(id) = first
                && stumbles.too_often(id)
            {
                tracing::error!("{}: message {id:?} for {place} is given up", self.platform);
                self.lanes.done(place, id);
                self.forget(&[id]).await;
            }
            if !self.paused(PAUSE).await {
                return;
            }
        }
    }

    /// Lets a pause pass. False when the program stops meanwhile.
    pub(super) async fn paused(&self, pause: Duration) -> bool {
        let mut stop = self.stop.clone();
        tokio::select! {
            () = tokio::time::sleep(pause) => true,
            () = stopped(&mut stop) => false,
        }
    }

    /// Starts a task that is waited for when the program stops.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while let Some(ended) = tasks.try_join_next() {
            if let Err(error) = ended {
                tracing::error!(
                    "{}: something beside posting broke off: {error}",
                    self.platform
                );
            }
        }
        tasks.spawn(task);
    }

    /// Waits until every place has stopped.
    async fn finish(&self) {
        loop {
            let tasks = std::mem::take(&mut *self.tasks());
            if tasks.is_empty() {
                return;
            }
            // What ends may have started something to finish.
            tasks.join_all().await;
        }
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        // Nothing panics while it is locked; if it did, the tasks would still be whole.
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes messages out of the outbox. False when the store takes no more.
    pub(super) async fn forget(&self, ids: &[PostId]) -> bool {
        let store = self.club.store();
        self.insisted(|| store.posted(ids)).await
    }

    /// A message is done with. False when the store takes no more.
    pub(super) async fn settled(&self, place: &Place, id: PostId) -> bool {
        let kept = self.forget(&[id]).await;
        self.lanes.done(place, id);
        kept
    }

    /// Keeps notes. False when the store takes no more.
    pub(super) async fn note(&self, notes: Vec<(String, Option<Value>)>) -> bool {
        self.insisted(|| keep(&self.club, notes.clone())).await
    }

    /// Writes to the store until it has taken it. False when it is closed, or the program stops.
    async fn insisted<Wrote>(&self, mut write: impl FnMut() -> Wrote) -> bool
    where
        Wrote: Future<Output = Result<(), StoreError>>,
    {
        let mut pause = PAUSE;
        loop {
            match write().await {
                Ok(()) => return true,
                Err(StoreError::Closed) => return false,
                Err(error) => {
                    tracing::error!(
                        "{}: what was posted cannot be noted: {error}",
                        self.platform
                    );
                }
            }
            if !self.paused(pause).await {
                return false;
            }
            pause = (pause * 2).min(12 * PAUSE);
        }
    }

    /// The thread in which a table is played now that was in the room around it before; `None` where it still is there.
    async fn thread_now(&self, code: TableCode, room: &Place) -> Option<Place> {
        let table = self.club.load(code).await.ok()?;
        let places = table.places();
        if places.contains(room) {
            return None;
        }
        places.iter().find(|own| own.is_within(room)).cloned()
    }

    /// The table that this first message in a place opens, if it is to get a thread there.
    pub(super) async fn opening_in(&self, place: &Place, first: &Waiting) -> Option<Arc<Table>> {
        let settings = self.club.settings_at(place).await;
        let settings = settings
            .inspect_err(|error| {
                tracing::error!("{}: the settings of {place}: {error}", self.platform)
            })
            .ok()?;
        let code = first.message.table.filter(|_| settings.threads)?;
        // A table that was moved here by somebody stays where they called it.
        let then = self.club.load_at(code, first.message.version?).await.ok()?;
        if then.since() != then.opened_at() {
            return None;
        }
        let table = self.club.load(code).await.ok()?;
        let over = matches!(table.phase(), Phase::Over { .. });
        (!over && table.places().contains(place)).then_some(table)
    }

    /// Makes a thread the place of a table that was in the room around it, or in another thread. What waits for the old place,
    /// but for the message `but`, goes there before anything that comes later. True when a task has to be started for it.
    async fn settle_in(&self, code: TableCode, from: &Place, to: &Place, but: PostId) -> bool {
        self.lanes.hold(to);
        match self.club.settle_in(code, from, to, None).await {
            Ok(()) => self.lanes.move_about(code, from, to, but),
            Err(error) => {
                tracing::error!("{}: table {code} cannot go to {to}: {error}", self.platform)
            }
        }
        self.lanes.release(to)
    }

    /// The unfinished tables in a place, with all their places.
    pub(super) async fn tables_in(&self, place: &Place) -> Vec<(TableCode, Vec<Place>)> {
        match self.try_tables_in(place).await {
            Ok(tables) => tables,
            Err(error) => {
                tracing::error!(
                    "{}: the tables of {place} cannot be found: {error}",
                    self.platform
                );
                Vec::new()
            }
        }
    }

    async fn try_tables_in(
        &self,
        place: &Place,
    ) -> Result<Vec<(TableCode, Vec<Place>)>, ClubError> {
        let find = Find::InPlace {
            place: place.clone(),
            stages: Stages::Unfinished,
        };
        let found = self.club.store().tables(find, TOLD_OF).await?;
        let places = found
            .into_iter()
            .map(|(code, listing)| (code, listing.places));
        Ok(places.collect())
    }

    /// The tables of which something waits in a place, each once.
    pub(super) fn tables_waiting(&self, place: &Place) -> Vec<TableCode> {
        let waiting = self.lanes.waiting(place);
        let mut tables: Vec<TableCode> =
            waiting.iter().filter_map(|one| one.message.table).collect();
        tables.sort_unstable();
        tables.dedup();
        tables
    }

    /// Drops all that waits in places that are no more. False when the store takes no more.
    pub(super) async fn drop_all(&self, meant: impl Fn(&Place) -> bool) -> bool {
        let dropped = self.lanes.clear(meant);
        let all = dropped.iter().flat_map(|(_, waiting)| waiting);
        let ids: Vec<PostId> = all.map(|one| one.id).collect();
        self.forget(&ids).await
    }

    /// Waits, in a place that takes no messages, until there is a reason to try again, and an hour at most. Reasons may come in
    /// crowds, so after each further refusal it waits a little longer in any case. False when the program stops.
    pub(super) async fn blocked(&self, place: &Place, refusals: u32) -> bool {
        let since = Instant::now();
        let reason = self.lanes.block(place, since);
        let mut stop = self.stop.clone();
        let reasonable = async {
            tokio::time::sleep_until(since + at_least(refusals)).await;
            reason.notified().await;
        };
        tokio::select! {
            () = reasonable => {}
            () = tokio::time::sleep(HOURLY) => {}
            () = stopped(&mut stop) => return false,
        }
        self.lanes.unblock(place);
        self.drop_moved(place).await;
        true
    }

    /// Drops what waits about tables that have moved elsewhere meanwhile, where their present board was shown.
    async fn drop_moved(&self, place: &Place) {
        let mut moved = Vec::new();
        for one in self.lanes.waiting(place) {
            let Some(code) = one.message.table else {
                continue;
            };
            if let Ok(table) = self.club.load(code).await
                && !table.places().contains(place)
            {
                moved.push(one.id);
            }
        }
        if !moved.is_empty() && self.forget(&moved).await {
            for id in moved {
                self.lanes.done(place, id);
            }
        }
    }
}

/// How long a place is left alone after so many refusals in a row, whatever happens there.
fn at_least(refusals: u32) -> Duration {
    match refusals {
        0 => Duration::ZERO,
        more => Duration::from_secs(1 << more.min(5)),
    }
}

/// Keeps notes.
///
/// # Errors
/// When the store takes no more.
pub(super) async fn keep(
    club: &Club,
    notes: Vec<(String, Option<Value>)>,
) -> Result<(), StoreError> {
    let mut commit = Commit::new(SystemClock.now(), None);
    commit.notes = notes;
    club.store().commit(commit).await.map(|_| ())
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
