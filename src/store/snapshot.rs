//! Snapshots: everything in the view in one file, so that the journal before it is no longer needed.
//!
//! A snapshot is taken while commands go on. It may have a part of the commands after the number in its name; the
//! journal is followed from that number on, and what the view has already is passed over. Finished games go into
//! files that are not written again.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::folder::Folder;
use super::kept::{Kept, KeptError, Title, Writer};
use super::record::FORMAT;
use super::shelf::Shelf;
use super::view::View;
use super::{Stage, keys};
use crate::ids::TableCode;

/// How many snapshots are kept.
const GENERATIONS: usize = 2;

/// A finished table and the sum of its head as it was written to a file of finished games.
pub(super) type Filed = (TableCode, u32);

/// Gives everything in the view to `each`, tables with the sum of their heads. Finished tables that stand in a file
/// are left out with `unfiled_only`.
pub(super) fn pour(
    shelf: &Shelf,
    unfiled_only: bool,
    give_up: &AtomicBool,
    mut each: impl FnMut(&Kept, Option<u32>) -> Result<(), KeptError>,
) -> Result<(), KeptError> {
    for head in shelf.view().under(keys::HEADS) {
        if give_up.load(Ordering::Relaxed) {
            return Err(KeptError::GivenUp);
        }
        let Some(code) = keys::code(&head?.0) else {
            continue;
        };
        if let Some((table, sum)) = shelf.read(|view| table(view, code, unfiled_only))? {
            each(&table, Some(sum))?;
        }
    }
    for entry in shelf.view().under(keys::PEOPLE) {
        let (key, value) = entry?;
        each(&Kept::Person(super::head::decoded(&key, &value)?), None)?;
    }
    for entry in shelf.view().under(keys::NOTES) {
        let (key, value) = entry?;
        let name = String::from_utf8_lossy(&key[keys::NOTES.len()..]).into_owned();
        each(&Kept::Note(name, super::head::decoded(&key, &value)?), None)?;
    }
    for entry in shelf.view().under(keys::CAUSES_BY_NUMBER) {
        let (key, value) = entry?;
        each(&Kept::Handled(super::head::decoded(&key, &value)?), None)?;
    }
    for entry in shelf.view().under(keys::OUTBOX) {
        let (key, value) = entry?;
        if let Some(id) = keys::post_id(&key) {
            each(&Kept::Post(id, super::head::decoded(&key, &value)?), None)?;
        }
    }
    Ok(())
}

fn table(
    view: &View,
    code: TableCode,
    unfiled_only: bool,
) -> Result<Option<(Kept, u32)>, super::Damage> {
    let key = keys::head(code);
    let Some(bytes) = view.get(&key)? else {
        return Ok(None);
    };
    let sum = crc32fast::hash(&bytes);
    if unfiled_only
        && view
            .get(&keys::filed(code))?
            .is_some_and(|filed| filed == sum.to_le_bytes())
    {
        return Ok(None);
    }
    let stored = view.with_events(code, super::head::decoded(&key, &bytes)?)?;
    Ok(Some((
        Kept::Table {
            code,
            listing: stored.listing,
            events: stored.events,
        },
        sum,
    )))
}

/// Takes the snapshot of a view that has all commands up to `from`, and removes what is no longer needed then. The
/// finished tables that were written to a file of finished games.
pub(super) fn take(
    shelf: &Shelf,
    folder: &Folder,
    from: u64,
    give_up: &AtomicBool,
) -> Result<Vec<Filed>, KeptError> {
    let unreadable = |error| KeptError::Io {
        path: folder.root().to_owned(),
        error,
    };
    // A file of finished games is never written again, so each gets a number of its own. The title of the snapshot names
    // all of them, also the one written beside it.
    let older = folder.finished_files().map_err(unreadable)?;
    let finished_path = folder.finished(older.last().map_or(1, |newest| newest.number + 1));
    let mut belonging: Vec<String> = older.iter().map(|file| name(&file.path)).collect();
    belonging.push(name(&finished_path));
    let finished_title = Title {
        format: FORMAT,
        from,
        finished: Vec::new(),
    };
    let mut finished = Writer::begin(finished_path, &finished_title)?;
    let mut snapshot = Writer::begin(
        folder.snapshot(from),
        &Title {
            format: FORMAT,
            from,
            finished: belonging,
        },
    )?;
    let mut filed = Vec::new();
    let poured = pour(shelf, true, give_up, |kept, sum| match (kept, sum) {
        (Kept::Table { code, listing, .. }, Some(sum)) if listing.stage == Stage::Finished => {
            filed.push((*code, sum));
            finished.keep(kept)
        }
        _ => snapshot.keep(kept),
    });
    if let Err(error) = poured {
        finished.drop_unfinished();
        snapshot.drop_unfinished();
        return Err(error);
    }
    let until = shelf.durable();
    finished.finish(folder, until)?;
    snapshot.finish(folder, until)?;
    prune(folder).map_err(unreadable)?;
    Ok(filed)
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
    use super::*;
    use crate::ids::{At, Cause, PersonId, Place, Platform};
    use crate::store::causes::Handled;
    use crate::store::{Listing, Person, Post, PostId};
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
            format: FORMAT,
            from: 7,
            finished: vec!["finished-000000000001.jsonl".into()],
        };
        let kept = [
            Kept::Table {
                code: TableCode::numbered(0),
                listing,
                events: vec![json!({"v": 1})],
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
        insta::assert_json_snapshot!("snapshot_lines", (title, kept));
    }
}
