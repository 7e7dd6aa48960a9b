//! The one thread that writes: it takes all that is queued, writes it to the journal in one go, syncs once, puts it into
//! the view in one batch, and then tells everybody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::admit::admit;
use super::causes::Memorable;
use super::damage::caught;
use super::draft::Draft;
use super::folder::Folder;
use super::history::Point;
use super::journal::Journal;
use super::open::Opened;
use super::order::{Answer, Failure, Group, Held, Order};
use super::record::Deed;
use super::shelf::Shelf;
use super::snapshot::{self, Wanted};
use super::survey::Survey;
use super::view::Meta;
use super::{Commit, Committed, PostId, StoreError};

/// At most so many bytes are written to the journal before the first of them is acknowledged.
const GROUP_BYTES: usize = 1 << 20;
/// At most so many orders are taken together.
const GROUP: usize = 1_024;
/// After this time without work, lines that wait for no one are synced too.
const IDLE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Committer {
    folder: Folder,
    shelf: Arc<Shelf>,
    meta: Meta,
    journal: Journal,
    segment_lines: u64,
    memorable: Memorable,
    orders: Receiver<Order>,
    /// For the thread that takes a snapshot to report back.
    own: Sender<Order>,
    /// Reads the files through after the start, and takes snapshots.
    beside: Option<JoinHandle<()>>,
    snapshot_due: Option<Point>,
    /// Whether a file was found damaged or missing that the next snapshot stands in for.
    mends: bool,
    give_up: Arc<AtomicBool>,
    stopped: Option<StoreError>,
}

impl Committer {
    pub(super) fn new(
        opened: Opened,
        segment_lines: u64,
        memorable: Memorable,
        orders: Receiver<Order>,
        own: Sender<Order>,
    ) -> Self {
        let Opened {
            folder,
            shelf,
            meta,
            journal,
            snapshot_due,
            ..
        } = opened;
        Self {
            folder,
            shelf,
            meta,
            journal,
            segment_lines,
            memorable,
            orders,
            own,
            beside: None,
            snapshot_due,
            mends: false,
            give_up: Arc::new(AtomicBool::new(false)),
            stopped: None,
        }
    }

    /// Works until told to close.
    pub(super) fn run(mut self) {
        self.look_over();
        let mut closing = None;
        while closing.is_none() {
            self.begin_snapshot();
            let first = match self.orders.recv_timeout(IDLE) {
                Ok(order) => order,
                Err(RecvTimeoutError::Timeout) => {
                    self.sync_idle();
                    self.rotate();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            closing = self.group(first);
            self.rotate();
        }
        self.close(closing.flatten());
    }

    /// Takes the first order and all that wait behind it; the answer to give once closed, when told to close.
    fn group(&mut self, first: Order) -> Option<Option<Answer<()>>> {
        let shelf = Arc::clone(&self.shelf);
        let mut draft = Draft::new(shelf.view(), self.meta);
        let mut group = Group::default();
        let mut next = Some(first);
        let mut closing = None;
        while let Some(order) = next.take() {
            match order {
                Order::Commit(commit, answer) => {
                    let taken = self.take(&mut draft, &mut group, *commit);
                    // A refusal may rest on a command of this group; that one asks for the sync then.
                    group.needs_sync |= taken.is_ok();
                    group.held.push(Held::Commit(answer, taken));
                }
                Order::Posted(ids, answer) => {
                    if self.stopped.is_none() {
                        let added = self.add(&mut draft, Deed::Posted(ids));
                        group.failure = group.failure.or(added.err());
                    }
                    group.held.push(Held::Done(answer));
                }
                Order::Sync(answer) => {
                    group.needs_sync = true;
                    group.held.push(Held::Done(answer));
                }
                Order::Mend => self.mends = true,
                Order::Close(answer) => closing = Some(answer),
            }
            let full = group.held.len() >= GROUP || self.journal.group_bytes() >= GROUP_BYTES;
            if closing.is_none() && group.failure.is_none() && !full {
                next = self.orders.try_recv().ok();
            }
        }
        self.settle(draft, group);
        closing
    }

    /// Decides on a commit and, when it is admitted, adds it to draft and journal.
    fn take(
        &mut self,
        draft: &mut Draft<'_>,
        group: &mut Group,
        commit: Commit,
    ) -> Result<Committed, StoreError> {
        if self.stopped.is_some() || group.failure.is_some() {
            return Err(StoreError::Closed);
        }
        match caught(|| admit(draft, &commit)) {
            Ok(Ok(())) => {}
            Ok(Err(refusal)) => return Err(refusal),
            Err(damage) => {
                group.failure = Some(Failure::View(damage));
                return Err(StoreError::Closed);
            }
        }
        group.now = group.now.max(commit.at);
        let posts = commit.posts.len();
        match self.add(draft, Deed::Commit(Box::new(commit))) {
            Ok(number) => {
                let posts = (0..)
                    .take(posts)
                    .map(|index| PostId { number, index })
                    .collect();
                Ok(Committed { number, posts })
            }
            Err(failure) => {
                group.failure = Some(failure);
                Err(StoreError::Closed)
            }
        }
    }

    fn add(&mut self, draft: &mut Draft<'_>, deed: Deed) -> Result<u64, Failure> {
        let (record, chain) = self.journal.add(deed).map_err(Failure::Journal)?;
        caught(|| draft.follow(&record, Some(chain))).map_err(Failure::View)?;
        Ok(record.n)
    }

    /// Journal, then view, then answers.
    fn settle(&mut self, draft: Draft<'_>, mut group: Group) {
        if self.stopped.is_none() {
            let done = group
                .failure
                .take()
                .map_or(Ok(()), Err)
                .and_then(|()| self.keep(draft, &group));
            if let Err(failure) = done {
                self.stop(&failure);
            }
        }
        for held in group.held {
            match &self.stopped {
                None => held.give(),
                Some(error) => held.refuse(error.clone()),
            }
        }
    }

    fn keep(&mut self, mut draft: Draft<'_>, group: &Group) -> Result<(), Failure> {
        self.is_ours()?;
        if self.journal.group_bytes() > 0 || (group.needs_sync && self.journal.unsynced()) {
            self.journal
                .write(group.needs_sync)
                .map_err(Failure::Journal)?;
        }
        if group.needs_sync {
            self.shelf.set_durable(self.journal.last());
        }
        if draft.meta().applied != self.meta.applied {
            caught(|| draft.forget(&self.memorable, group.now)).map_err(Failure::View)?;
            self.meta = self.shelf.apply(draft).map_err(Failure::View)?;
        }
        Ok(())
    }

    /// Somebody who removes or exchanges the locked files lets another program in: then nothing more is written.
    fn is_ours(&self) -> Result<(), Failure> {
        self.journal
            .lost()
            .map_or(Ok(()), |path| Err(Failure::Lock(path)))
    }

    fn sync_idle(&mut self) {
        if self.stopped.is_some() {
            return;
        }
        let done = self.is_ours().and_then(|()| {
            if self.journal.unsynced() {
                self.journal.write(true).map_err(Failure::Journal)?;
                self.shelf.set_durable(self.journal.last());
            }
            Ok(())
        });
        if let Err(failure) = done {
            self.stop(&failure);
        }
    }

    fn stop(&mut self, failure: &Failure) {
        let told = failure.told();
        tracing::error!("{told}");
        self.stopped = Some(told);
    }

    /// Begins the next segment when this one is full, or when a snapshot has to stand in for files: first the segment,
    /// then the snapshot.
    fn rotate(&mut self) {
        let due = self.mends && self.snapshot_due.is_none() && !self.is_busy();
        if self.stopped.is_some() || (self.journal.lines() < self.segment_lines && !due) {
            return;
        }
        if self.journal.lines() > 0
            && let Err(error) = self.journal.rotate()
        {
            return self.stop(&Failure::Journal(error));
        }
        self.shelf.set_durable(self.journal.last());
        self.snapshot_due = Some(self.journal.point());
    }

    fn is_busy(&self) -> bool {
        let running = |beside: &JoinHandle<()>| !beside.is_finished();
        self.beside.as_ref().is_some_and(running)
    }

    /// Reads the files through that nobody writes to any more, beside other work.
    fn look_over(&mut self) {
        let (folder, own) = (self.folder.clone(), self.own.clone());
        let give_up = Arc::clone(&self.give_up);
        self.spawn("store-survey", move || {
            match Survey::of(&folder, None, &give_up) {
                Ok(survey) if survey.is_damaged() => {
                    for part in survey.parts.iter().filter(|part| part.is_damaged()) {
                        tracing::warn!("{part}");
                    }
                    // The committer may have closed meanwhile; the next start finds the same.
                    drop(own.send(Order::Mend));
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the data folder could not be read through"),
            }
        });
    }

    /// Takes the snapshot that is due, in a thread of its own, unless something else is still being done there.
    fn begin_snapshot(&mut self) {
        if self.is_busy() || self.stopped.is_some() {
            return;
        }
        let Some(from) = self.snapshot_due.take() else {
            return;
        };
        let (shelf, folder) = (Arc::clone(&self.shelf), self.folder.clone());
        let give_up = Arc::clone(&self.give_up);
        let wanted = Wanted {
            folder: self.meta.folder,
            from,
            mends: std::mem::take(&mut self.mends),
        };
        self.spawn("store-snapshot", move || {
            let taken = caught(|| Ok(snapshot::take(&shelf, &folder, wanted, &give_up)));
            let no = "no snapshot was taken; the journal is kept until one is";
            match taken {
                Ok(Ok(aside)) => {
                    for path in aside {
                        tracing::warn!("damaged or of no use, and set aside: {}", path.display());
                    }
                }
                Ok(Err(error)) => tracing::warn!(%error, "{no}"),
                Err(damage) => tracing::warn!(%damage, "{no}"),
            }
        });
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) {
        match thread::Builder::new().name(name.to_owned()).spawn(work) {
            Ok(running) => self.beside = Some(running),
            Err(error) => tracing::warn!(%error, "{name} could not be begun"),
        }
    }

    fn close(mut self, answer: Option<Answer<()>>) {
        self.give_up.store(true, Ordering::Relaxed);
        if let Some(running) = self.beside.take() {
            // A panic in there was caught and told.
            drop(running.join());
        }
        self.sync_idle();
        if self.stopped.is_none()
            && let Err(damage) = self.shelf.view().flush()
        {
            tracing::warn!(%damage, "the database was not flushed; the next start catches up from the journal");
        }
        if let Some(answer) = answer {
            drop(answer.send(self.stopped.clone().map_or(Ok(()), Err)));
        }
    }
}
