//! Files of finished games: written once, and read through before each snapshot relies on them.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::evidence;
use super::folder::{self, Folder, Numbered};
use super::head::Head;
use super::history::Point;
use super::kept::{Kept, KeptError, Reader, Writer};
use super::loss;
use super::shelf::Shelf;
use super::snapshot::{name, tables};
use super::title::{Content, FinishedFile, Title};
use super::{Listing, Stage};
use crate::ids::TableCode;

/// The finished tables that stand in whole files, each with its version and the sum of its listing.
pub(super) type Filed = HashMap<TableCode, (u64, u32)>;

pub(super) fn filing(version: u64, listing: &Listing) -> (u64, u32) {
    // A listing always has a JSON form; without one the table is written again.
    let json = serde_json::to_vec(listing).unwrap_or_default();
    (version, crc32fast::hash(&json))
}

/// What the files of finished games are like.
pub(super) struct Found {
    pub(super) filed: Filed,
    pub(super) whole: Vec<FinishedFile>,
    pub(super) damaged: Vec<PathBuf>,
    /// The number of the next one.
    pub(super) next: u64,
}

pub(super) fn read(folder: &Folder, give_up: &AtomicBool) -> Result<Found, KeptError> {
    let unreadable = |error| KeptError::Io {
        path: folder.root().to_owned(),
        error,
    };
    let files = folder.finished_files().map_err(unreadable)?;
    let belongs = Belonging::read(folder).map_err(unreadable)?;
    // No number is used again, also not that of a file that is gone: it may be put back.
    let names = belongs.named.iter().map(|file| file.name.as_str());
    let numbers = names.filter_map(folder::finished_number);
    let highest = numbers.chain(files.iter().map(|file| file.number)).max();
    let mut found = Found {
        filed: Filed::new(),
        whole: Vec::new(),
        damaged: Vec::new(),
        next: highest.map_or(1, |highest| highest + 1),
    };
    for Numbered { path, .. } in files {
        let mut games = Filed::new();
        match content(&path, give_up, |code, version, listing| {
            games.insert(code, filing(version, listing));
        }) {
            Ok((content, title)) if !belongs.has(&name(&path), &title, content) => {
                found.damaged.push(path)
            }
            Ok((content, _)) => {
                found.filed.extend(games);
                found.whole.push(FinishedFile {
                    name: name(&path),
                    content: Some(content),
                });
            }
            Err(KeptError::Damaged { .. } | KeptError::Incomplete { .. }) => {
                found.damaged.push(path);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Which files of finished games are of this history: those that a snapshot names, those that were given up and put back, and
/// those that were begun where a segment of the journal begins.
struct Belonging {
    named: Vec<FinishedFile>,
    begun: Vec<Point>,
}

impl Belonging {
    fn read(folder: &Folder) -> io::Result<Self> {
        let titles = folder.snapshots()?.into_iter();
        let titles = titles.filter_map(|file| Some(Reader::open(&file.path).ok()?.1));
        let named = titles.flat_map(|title| title.finished);
        let lost = loss::read(folder)?
            .into_iter()
            .filter_map(|loss| loss.finished_file());
        Ok(Self {
            named: named.chain(lost).collect(),
            begun: evidence::beginnings(&folder.segments()?),
        })
    }

    fn has(&self, name: &str, title: &Title, content: Content) -> bool {
        let is_named = |file: &FinishedFile| {
            file.name == name && file.content.is_none_or(|listed| listed == content)
        };
        let begins = title.chain.is_some() && self.begun.contains(&title.point());
        begins || self.named.iter().any(is_named)
    }
}

/// What is in a whole file of finished games, and its title.
pub(super) fn content(
    path: &Path,
    give_up: &AtomicBool,
    mut game: impl FnMut(TableCode, u64, &Listing),
) -> Result<(Content, Title), KeptError> {
    let (mut reader, title) = Reader::open(path)?;
    reader.all(|kept, _| {
        if let Kept::Table {
            code,
            listing,
            events,
        } = kept
        {
            game(code, events.len() as u64, &listing);
        }
        match give_up.load(Ordering::Relaxed) {
            true => Err(KeptError::GivenUp),
            false => Ok(()),
        }
    })?;
    Ok((reader.content(), title))
}

/// Writes the finished games that stand in no whole file into a new one, when there are any.
pub(super) fn write(
    shelf: &Shelf,
    folder: &Folder,
    title: &Title,
    number: u64,
    filed: &mut Filed,
    give_up: &AtomicBool,
) -> Result<Option<FinishedFile>, KeptError> {
    let mut unfiled = |code, head: &Head| {
        head.listing.stage == Stage::Finished
            && filed.get(&code) != Some(&filing(head.version, &head.listing))
    };
    let mut new = Filed::new();
    let mut writer = None;
    let path = folder.finished(number);
    let written = tables(shelf, give_up, &mut unfiled, &mut |kept| {
        if writer.is_none() {
            let title = Title {
                number: Some(number),
                ..title.clone()
            };
            writer = Some(Writer::begin(path.clone(), &title)?);
        }
        if let Kept::Table {
            code,
            listing,
            events,
        } = kept
        {
            new.insert(*code, filing(events.len() as u64, listing));
        }
        writer.as_mut().map_or(Ok(()), |writer| writer.keep(kept))
    });
    let Some(writer) = writer else {
        return written.map(|()| None);
    };
    if let Err(error) = written {
        writer.drop_unfinished();
        return Err(error);
    }
    let content = writer.finish(folder, shelf.durable())?;
    filed.extend(new);
    Ok(Some(FinishedFile {
        name: name(&path),
        content: Some(content),
    }))
}
