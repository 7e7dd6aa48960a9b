//! Snapshots: everything in the view in one file, so that the journal before it is no longer needed.
//!
//! A snapshot is taken while commands go on. It may have a part of the commands after the number in its name; the
//! journal is followed from that number on, and what the view has already is passed over. Finished games go into
//! files that are not written again, as long as they are whole: each snapshot reads them first, and games that stand in no
//! whole file are written once more.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::finished::{self, filing};
use super::folder::{Folder, set_aside};
use super::head::Head;
use super::history::{FolderId, Point};
use super::kept::{Kept, KeptError, Reader, Writer};
use super::keys;
use super::shelf::Shelf;
use super::survey;
use super::title::Title;
use super::view::View;
use crate::ids::TableCode;

/// How many snapshots are kept.
const GENERATIONS: usize = 2;

/// Gives everything in the view to `each`, but for the tables that are not wanted.
pub(super) fn pour(
    shelf: &Shelf,
    give_up: &AtomicBool,
    mut wanted: impl FnMut(TableCode, &Head) -> bool,
    mut each: impl FnMut(&Kept) -> Result<(), KeptError>,
) -> Result<(), KeptError> {
    tables(shelf, give_up, &mut wanted, &mut each)?;
    for entry in shelf.view().under(keys::PEOPLE) {
        let (key, value) = entry?;
        each(&Kept::Person(super::head::decoded(&key, &value)?))?;
    }
    for entry in shelf.view().under(keys::NOTES) {
        let (key, value) = entry?;
        let name = String::from_utf8_lossy(&key[keys::NOTES.len()..]).into_owned();
        each(&Kept::Note(name, super::head::decoded(&key, &value)?))?;
    }
    for entry in shelf.view().under(keys::CAUSES_BY_NUMBER) {
        let (key, value) = entry?;
        each(&Kept::Handled(super::head::decoded(&key, &value)?))?;
    }
    for entry in shelf.view().under(keys::OUTBOX) {
        let (key, value) = entry?;
        if let Some(id) = keys::post_id(&key) {
            each(&Kept::Post(id, super::head::decoded(&key, &value)?))?;
        }
    }
    Ok(())
}

pub(super) fn tables(
    shelf: &Shelf,
    give_up: &AtomicBool,
    wanted: &mut impl FnMut(TableCode, &Head) -> bool,
    each: &mut impl FnMut(&Kept) -> Result<(), KeptError>,
) -> Result<(), KeptError> {
    for head in shelf.view().under(keys::HEADS) {
        if give_up.load(Ordering::Relaxed) {
            return Err(KeptError::GivenUp);
        }
        let Some(code) = keys::code(&head?.0) else {
            continue;
        };
        if let Some(table) = shelf.read(|view| table(view, code, wanted))? {
            each(&table)?;
        }
    }
    Ok(())
}

fn table(
    view: &View,
    code: TableCode,
    wanted: &mut impl FnMut(TableCode, &Head) -> bool,
) -> Result<Option<Kept>, super::Damage> {
    let Some(head) = view.head(code)?.filter(|head| wanted(code, head)) else {
        return Ok(None);
    };
    let events = view.events(code, &head)?;
    Ok(Some(Kept::Table {
        code,
        listing: head.listing,
        events,
    }))
}

/// A snapshot to be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// The folder it belongs to.
    pub(super) folder: FolderId,
    /// The view has all commands up to this one.
    pub(super) from: Point,
    /// Whether the older files are looked over too, and what is damaged or of no use any more is set aside.
    pub(super) mends: bool,
}

/// Takes a snapshot, and removes what is no longer needed then; what was set aside because it is damaged.
pub(super) fn take(
    shelf: &Shelf,
    folder: &Folder,
    wanted: Wanted,
    give_up: &AtomicBool,
) -> Result<Vec<PathBuf>, KeptError> {
    let unreadable = |error| KeptError::Io {
        path: folder.root().to_owned(),
        error,
    };
    let found = finished::read(folder, give_up)?;
    let (mut filed, mut belonging) = (found.filed, found.whole);
    let title = Title {
        folder: Some(wanted.folder),
        chain: wanted.from.chain,
        ..Title::new(wanted.from.n)
    };
    belonging.extend(finished::write(
        shelf, folder, &title, found.next, &mut filed, give_up,
    )?);
    let path = folder.snapshot(wanted.from.n);
    let mut aside = Vec::new();
    if wanted.mends && path.exists() && Reader::open(&path).is_err() {
        aside.push(set_aside(&path).map_err(unreadable)?);
    }
    let title = Title {
        finished: belonging,
        ..title
    };
    let mut snapshot = Writer::begin(path, &title)?;
    let unfiled =
        |code, head: &Head| filed.get(&code) != Some(&filing(head.version, &head.listing));
    if let Err(error) = pour(shelf, give_up, unfiled, |kept| snapshot.keep(kept)) {
        snapshot.drop_unfinished();
        return Err(error);
    }
    snapshot.finish(folder, shelf.durable())?;
    for path in found.damaged {
        aside.push(set_aside(&path).map_err(unreadable)?);
    }
    if wanted.mends {
        aside.extend(survey::set_useless_aside(folder, wanted.from.n).map_err(unreadable)?);
    }
    prune(folder).map_err(unreadable)?;
    Ok(aside)
}

/// A file's name without its folder.
pub(super) fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Removes snapshots beyond the generations kept, and the segments before the oldest of them.
fn prune(folder: &Folder) -> io::Result<()> {
    let mut snapshots = folder.snapshots()?;
    let keep_from = snapshots.len().saturating_sub(GENERATIONS);
    for old in snapshots.drain(..keep_from) {
        fs::remove_file(old.path)?;
    }
    if snapshots.len() < GENERATIONS {
        return Ok(());
    }
    let oldest = snapshots[0].number;
    let segments = folder.segments()?;
    for (old, next) in segments.iter().zip(segments.iter().skip(1)) {
        if next.number <= oldest + 1 {
            fs::remove_file(&old.path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::history::Chain;
    use super::*;
    use crate::ids::{At, Cause, PersonId, Place, Platform};
    use crate::store::causes::Handled;
    use crate::store::title::{Content, FinishedFile};
    use crate::store::{Listing, Person, Post, PostId, Stage};
    use serde_json::json;

    #[test]
    fn the_stored_form_of_a_snapshot_does_not_slip() {
        let place = Place::room(Platform::Discord, "1");
        let listing = Listing {
            people: vec![PersonId(1)],
            turn: Vec::new(),
            places: vec![place.clone()],
            open: false,
            stage: Stage::Finished,
            since: At(5),
            expires: None,
            summary: json!({}),
        };
        let title = Title {
            folder: Some(FolderId(1)),
            chain: Some(Chain(2)),
            finished: vec![FinishedFile {
                name: "finished-000000000001.jsonl".into(),
                content: Some(Content {
                    games: 24,
                    sum: Chain(3),
                }),
            }],
            ..Title::new(7)
        };
        let kept = [
            Kept::Table {
                code: TableCode::numbered(0),
                listing,
                events: vec![serde_json::from_str(r#"{"v":1}"#).unwrap()],
            },
            Kept::Person(Person {
                id: PersonId(1),
                accounts: Vec::new(),
                name: "Ada".into(),
                bot: true,
            }),
            Kept::Note("place/x".into(), json!(1)),
            Kept::Handled(Handled {
                cause: Cause::new(Platform::Discord, 9),
                n: 7,
                at: At(5),
            }),
            Kept::Post(
                PostId {
                    number: 7,
                    index: 0,
                },
                Post {
                    place,
                    body: json!("hello"),
                },
            ),
            Kept::End { lines: 5, until: 8 },
        ];
        // As text and back: an event is carried as the text it is.
        let lines: serde_json::Value =
            serde_json::from_str(&serde_json::to_string(&(title, kept)).unwrap()).unwrap();
        insta::assert_json_snapshot!("snapshot_lines", lines);
    }
}
