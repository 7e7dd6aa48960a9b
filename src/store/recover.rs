//! Bringing the view up to the journal, or making it anew.

use std::fs;
use std::io;

use super::damage::Damage;
use super::folder::Folder;
use super::open::Options;
use super::opening::{Found, OpenError};
use super::rebuild::{Filling, RebuildError, rebuild};
use super::segment::{JournalError, Walked, walk};
use super::view::{Meta, View};

/// How many starts may end while the view is being opened before it is taken to be the reason.
const PATIENCE: u32 = 3;

/// A view that has all the journal has.
pub(super) struct Current {
    pub(super) view: View,
    pub(super) meta: Meta,
    pub(super) walked: Walked,
    pub(super) found: Found,
    pub(super) followed: u64,
    pub(super) warnings: Vec<String>,
}

/// What a folder with something in it holds, repaired where that is needed.
pub(super) fn catch_up(folder: &Folder, options: &Options) -> Result<Current, OpenError> {
    let damage = match patient(folder) {
        Ok((view, meta)) => match follow(folder, options, view, meta) {
            Ok(current) => return Ok(current),
            Err(JournalError::View(damage)) => damage,
            Err(JournalError::Gap { last, .. }) if last > meta.applied => Damage::Behind {
                applied: meta.applied,
                first: last + 1,
            },
            Err(error) => return Err(error.into()),
        },
        Err(damage) => damage,
    };
    anew(folder, options, damage)
}

/// Opens and checks the view, and counts the starts that end meanwhile: damage may also make sled run out of memory or
/// never come back, which nothing can catch.
fn patient(folder: &Folder) -> Result<(View, Meta), Damage> {
    let mark = folder.opening();
    let ended = fs::read_to_string(&mark)
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0);
    let unmarked = |error: io::Error| Damage::Refused(error.to_string());
    if ended >= PATIENCE {
        fs::remove_file(&mark).map_err(unmarked)?;
        return Err(Damage::EndedOpening(ended));
    }
    fs::write(&mark, format!("{}\n", ended + 1)).map_err(unmarked)?;
    let opened = View::open(&folder.view()).and_then(|view| {
        let meta = view.check()?;
        Ok((view, meta))
    });
    fs::remove_file(&mark).map_err(unmarked)?;
    opened
}

/// Puts into a whole view what the journal has beyond it.
fn follow(
    folder: &Folder,
    options: &Options,
    view: View,
    meta: Meta,
) -> Result<Current, JournalError> {
    let unreadable = |error| JournalError::Unreadable {
        path: folder.root().to_owned(),
        error,
    };
    let segments = folder.segments().map_err(unreadable)?;
    let mut filling = Filling::new(&view, meta, options.memorable);
    let mut followed = 0;
    let walked = walk(&segments, meta.applied, |record| {
        followed += 1;
        filling.follow(&record)
    })?;
    let meta = filling.finish()?;
    let found = if walked.last < meta.applied {
        Found::Ahead {
            journal: walked.last,
        }
    } else {
        Found::Resumed
    };
    Ok(Current {
        view,
        meta,
        walked,
        found,
        followed,
        warnings: Vec::new(),
    })
}

/// Moves the view aside and makes it anew, from the newest snapshot that can be used.
fn anew(folder: &Folder, options: &Options, damage: Damage) -> Result<Current, OpenError> {
    let broken = |error| folder.broken(error);
    let segments = folder.segments().map_err(broken)?;
    let snapshots = folder.snapshots().map_err(broken)?;
    // An unfinished view is no loss; one moved aside earlier is worth more.
    let aside = if damage == Damage::Unfinished {
        None
    } else {
        folder.set_view_aside().map_err(broken)?
    };
    let from_nothing = segments.first().is_some_and(|first| first.number == 1);
    let ways = snapshots
        .iter()
        .rev()
        .map(Some)
        .chain(from_nothing.then_some(None));
    let mut tried = Vec::new();
    if segments.is_empty() {
        tried.push(RebuildError::NoJournal);
    }
    for snapshot in ways {
        match rebuild(folder, snapshot, &segments, options.memorable) {
            Ok(rebuilt) => {
                let tried = tried
                    .iter()
                    .map(|error| format!("not used for it: {error}"));
                let left_out = rebuilt
                    .left_out
                    .iter()
                    .map(|what| format!("left out: {what}"));
                let warnings = tried.chain(left_out).collect();
                let snapshot = snapshot.map(|snapshot| snapshot.path.clone());
                let found = Found::Rebuilt {
                    damage,
                    snapshot,
                    aside,
                };
                let (view, meta, walked) = (rebuilt.view, rebuilt.meta, rebuilt.walked);
                return Ok(Current {
                    view,
                    meta,
                    walked,
                    found,
                    followed: rebuilt.followed,
                    warnings,
                });
            }
            Err(error) => tried.push(error),
        }
    }
    Err(OpenError::Lost { damage, tried })
}
