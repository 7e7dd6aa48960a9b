//! Opening the data folder: whatever state a kill, a power failure or a bad disk left, the program starts, or says why
//! it cannot without losing something.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::causes::Memorable;
use super::damage::Damage;
use super::disk::{Disk, LocalDisk};
use super::draft::Draft;
use super::folder::Folder;
use super::journal::Journal;
use super::opening::{Found, OpenError, Opening};
use super::recover::{Current, catch_up};
use super::segment::Walked;
use super::shelf::Shelf;
use super::snapshot;
use super::view::{Meta, View};

/// What can be set about a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many lines a segment of the journal takes before the next is begun and a snapshot taken.
    pub segment_lines: u64,
    /// How many causes are remembered, and how long.
    pub memorable: Memorable,
    /// Where the journal is written.
    pub disk: Arc<dyn Disk>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            segment_lines: 300_000,
            memorable: Memorable::default(),
            disk: Arc::new(LocalDisk),
        }
    }
}

/// Everything the store's threads need.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) folder: Folder,
    pub(super) shelf: Arc<Shelf>,
    pub(super) meta: Meta,
    pub(super) journal: Journal,
    /// The number from which a snapshot that was not finished has to be taken again.
    pub(super) snapshot_due: Option<u64>,
}

/// The store's parts, what was found, and the file that keeps other processes out until dropped.
pub(super) fn open(dir: &Path, options: &Options) -> Result<(Opened, Opening, File), OpenError> {
    let (folder, lock) = Folder::claim(dir)?;
    let broken = |error| folder.broken(error);
    folder.sweep().map_err(broken)?;
    let (mut current, begun) = if folder.is_fresh().map_err(broken)? {
        let (current, journal) = first_start(&folder, options)?;
        (current, Some(journal))
    } else {
        (catch_up(&folder, options)?, None)
    };
    let ahead = match current.found {
        Found::Ahead { .. } => true,
        Found::Fresh | Found::Resumed | Found::Rebuilt { .. } => false,
    };
    let segments = folder.segments().map_err(broken)?;
    let journal = match (begun, segments.last()) {
        (Some(begun), _) => Ok(begun),
        (None, Some(newest)) if !ahead => {
            Journal::resume(&folder, &options.disk, newest.number, &current.walked)
        }
        (None, _) => Journal::begin(&folder, &options.disk, current.meta.applied),
    };
    let mut journal = journal.map_err(broken)?;
    let shelf = Shelf::new(current.view, current.meta.applied);
    let mut snapshot_due = None;
    if ahead || !current.walked.rot.is_empty() {
        // What only the view has must stand in a file before anything goes on.
        if journal.lines() > 0 {
            journal.rotate().map_err(broken)?;
        }
        let filed = snapshot::take(
            &shelf,
            &folder,
            current.meta.applied,
            &AtomicBool::new(false),
        )?;
        current.meta = file(&shelf, current.meta, &filed)?;
    } else if segments.len() > 1 {
        let begun = segments.last().map_or(0, |newest| newest.number - 1);
        let taken = folder
            .snapshots()
            .map_err(broken)?
            .last()
            .map_or(0, |newest| newest.number);
        snapshot_due = (taken < begun).then_some(begun);
    }
    let opening = Opening {
        folder: dir.to_owned(),
        found: current.found,
        number: journal.last(),
        tables: current.meta.tables,
        followed: current.followed,
        torn: current.walked.torn,
        rot: current.walked.rot,
        warnings: current.warnings,
    };
    Ok((
        Opened {
            folder,
            shelf: Arc::new(shelf),
            meta: current.meta,
            journal,
            snapshot_due,
        },
        opening,
        lock,
    ))
}

/// Remembers which finished tables stand in a file, those that have not changed since.
pub(super) fn file(shelf: &Shelf, meta: Meta, filed: &[snapshot::Filed]) -> Result<Meta, Damage> {
    let mut draft = Draft::new(shelf.view(), meta);
    for &(code, sum) in filed {
        if draft.head_sum(code)? == Some(sum) {
            draft.file(code, sum);
        }
    }
    shelf.apply(draft)
}

/// The journal comes first: a folder with a journal and no view can be gone on with.
fn first_start(folder: &Folder, options: &Options) -> Result<(Current, Journal), OpenError> {
    let broken = |error| folder.broken(error);
    let journal = Journal::begin(folder, &options.disk, 0).map_err(broken)?;
    let view = View::make(&folder.view())?;
    let meta = Draft::new(
        &view,
        Meta {
            whole: true,
            ..Meta::default()
        },
    )
    .apply()?;
    let current = Current {
        view,
        meta,
        walked: Walked::default(),
        found: Found::Fresh,
        followed: 0,
        warnings: Vec::new(),
    };
    Ok((current, journal))
}
