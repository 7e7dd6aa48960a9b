//! Opening the data folder: whatever state a kill, a power failure or a bad disk left, the program starts, or says why
//! it cannot without losing something, and has changed nothing then.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::causes::Memorable;
use super::claim::Claim;
use super::damage::Damage;
use super::disk::{Disk, LocalDisk};
use super::draft::Draft;
use super::evidence::Evidence;
use super::folder::Folder;
use super::history::{Chain, FolderId, Point};
use super::journal::{Ground, Journal};
use super::loss;
use super::mark::{Mark, Marker, ViewNote};
use super::opening::{Found, OpenError, Opening};
use super::recover::{Current, catch_up, told};
use super::segment::Walked;
use super::shelf::Shelf;
use super::snapshot::{self, Wanted};
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
    /// Go on without what is gone for good, when nothing better can be had.
    pub accept_loss: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            segment_lines: 300_000,
            memorable: Memorable::default(),
            disk: Arc::new(LocalDisk),
            accept_loss: false,
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
    /// From where a snapshot that was not finished has to be taken again.
    pub(super) snapshot_due: Option<Point>,
}

/// The store's parts, and what was found. Other processes are kept out until the journal is dropped.
pub(super) fn open(dir: &Path, options: &Options) -> Result<(Opened, Opening), OpenError> {
    let (folder, claim) = Folder::claim(dir)?;
    let broken = |error| folder.broken(error);
    let fresh = folder.is_fresh().map_err(broken)?;
    let mut begun = None;
    let (mut current, mut journal, mark) = if fresh {
        first_start(&folder, options, claim)?
    } else {
        let evidence = Evidence::gather(&folder)?;
        begun = evidence.begun.filter(|_| evidence.segments.len() > 1);
        let id = evidence.folder.unwrap_or_else(FolderId::draw);
        let current = catch_up(&folder, options, &evidence, id)?;
        let (journal, mark) = go_on(&folder, options, claim, &current.meta, &current.walked)?;
        (current, journal, mark)
    };
    ViewNote::write(&folder, &mark).map_err(broken)?;
    folder.sweep().map_err(broken)?;
    let shelf = Shelf::new(current.view, current.meta.applied);
    let ahead = matches!(current.found, Found::Ahead { .. });
    let regained = matches!(
        current.found,
        Found::Rebuilt {
            damage: Damage::Regained,
            ..
        }
    );
    let gaps = ahead || regained || !current.walked.rot.is_empty() || current.gave_up;
    let first_format = !fresh && current.walked.last.chain.is_none();
    let mut snapshot_due = None;
    if gaps || first_format {
        // What only the view has must stand in a file before anything goes on.
        if journal.lines() > 0 {
            journal.rotate().map_err(broken)?;
        }
        let wanted = Wanted {
            folder: current.meta.folder,
            from: journal.point(),
            mends: true,
        };
        let aside = snapshot::take(&shelf, &folder, wanted, &AtomicBool::new(false))?;
        let told = aside
            .into_iter()
            .map(|path| format!("set aside: {}", path.display()));
        current.warnings.extend(told);
    } else if let Some(begun) = begun {
        let snapshots = folder.snapshots().map_err(broken)?;
        let taken = snapshots.last().map_or(0, |newest| newest.number);
        snapshot_due = (taken < begun.n).then_some(begun);
    }
    loss::write(&folder, &current.losses).map_err(broken)?;
    current.warnings.extend(told(&folder, &current.losses));
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
    ))
}

/// The journal, ready for the next command, and its new mark.
fn go_on(
    folder: &Folder,
    options: &Options,
    claim: Claim,
    meta: &Meta,
    walked: &Walked,
) -> Result<(Journal, Mark), OpenError> {
    let broken = |error| folder.broken(error);
    let chain = meta.chain.unwrap_or_else(|| Chain::seed(meta.folder));
    let mark = Mark::new(meta.folder, meta.applied, chain);
    let ground = Ground {
        folder: folder.clone(),
        disk: Arc::clone(&options.disk),
        claim: Arc::new(claim),
        marker: Marker::begin(folder, mark).map_err(broken)?,
    };
    let segments = folder.segments().map_err(broken)?;
    let journal = match segments.last() {
        Some(newest) if walked.last.n == meta.applied => {
            Journal::resume(ground, newest.number, walked, chain)
        }
        _ => Journal::begin(ground, (meta.applied, chain)),
    };
    Ok((journal.map_err(broken)?, mark))
}

/// The journal comes first: a folder with a journal and no view can be gone on with.
fn first_start(
    folder: &Folder,
    options: &Options,
    claim: Claim,
) -> Result<(Current, Journal, Mark), OpenError> {
    let id = FolderId::draw();
    let meta = Meta {
        whole: true,
        chain: Some(Chain::seed(id)),
        ..Meta::unfinished(id)
    };
    let walked = Walked::default();
    let (journal, mark) = go_on(folder, options, claim, &meta, &walked)?;
    let view = View::make(&folder.view())?;
    let meta = Draft::new(&view, meta).apply()?;
    let current = Current {
        view,
        meta,
        walked,
        found: Found::Fresh,
        followed: 0,
        warnings: Vec::new(),
        losses: Vec::new(),
        gave_up: false,
    };
    Ok((current, journal, mark))
}
