//! Looking a data folder over without changing it: `ashtapada check`.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::damage::Damage;
use super::folder::{Folder, Numbered};
use super::kept::{KeptError, Reader};
use super::opening::OpenError;
use super::segment::walk;
use super::snapshot::name;
use super::view::View;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The data folder.
    pub folder: PathBuf,
    /// Its parts, in the order they were looked at.
    pub parts: Vec<Part>,
}

/// One part of a data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its file's name.
    pub name: String,
    /// How it was found.
    pub state: State,
}

/// How a part was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// As it was written; what is in it.
    Whole(String),
    /// In need of what the next start does by itself.
    Mendable(String),
    /// Damaged; what is in it may stand elsewhere.
    Damaged(String),
}

impl Report {
    /// Whether no part is damaged; what the next start mends by itself does not count.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.parts.iter().all(|part| match part.state {
            State::Whole(_) | State::Mendable(_) => true,
            State::Damaged(_) => false,
        })
    }
}

impl fmt::Display for Report {
    /// A line for each part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data folder {}", self.folder.display())?;
        self.parts
            .iter()
            .try_for_each(|Part { name, state }| match state {
                State::Whole(what) => write!(f, "\n  whole    {name}: {what}"),
                State::Mendable(what) => write!(f, "\n  mendable {name}: {what}"),
                State::Damaged(what) => write!(f, "\n  DAMAGED  {name}: {what}"),
            })
    }
}

/// Reads all of a data folder and says what is whole. The database is looked at in a copy beside it, removed
/// afterwards, since opening it writes to it.
///
/// # Errors
/// [`OpenError::InUse`] while a program runs on it, [`OpenError::Folder`] when it cannot be read.
pub fn check(dir: &Path) -> Result<Report, OpenError> {
    let folder = Folder::new(dir);
    let broken = |error| folder.broken(error);
    let _lock = folder.lock()?;
    let segments = folder.segments().map_err(broken)?;
    let mut parts = Vec::new();
    let last = journal(&segments, &mut parts);
    for file in folder
        .snapshots()
        .map_err(broken)?
        .iter()
        .chain(&folder.finished_files().map_err(broken)?)
    {
        parts.push(kept(&folder, &file.path));
    }
    parts.push(view(&folder, last).map_err(broken)?);
    Ok(Report {
        folder: dir.to_owned(),
        parts,
    })
}

/// Reads every segment; the number of the last whole command.
fn journal(segments: &[Numbered], parts: &mut Vec<Part>) -> u64 {
    let mut last = segments.first().map_or(0, |first| first.number - 1);
    for (at, segment) in segments.iter().enumerate() {
        let newest = at + 1 == segments.len();
        let gap = (segment.number > last + 1).then(|| {
            format!(
                "commands {} to {} are missing before it",
                last + 1,
                segment.number - 1
            )
        });
        let walked = walk(
            std::slice::from_ref(segment),
            segment.number - 1,
            |_| Ok(()),
        );
        let state = match (&walked, gap) {
            (_, Some(gap)) => State::Damaged(gap),
            (Err(error), None) => State::Damaged(error.to_string()),
            (Ok(walked), None) if walked.torn.is_none() => State::Whole(match walked.last {
                last if last < segment.number => "no commands yet".to_owned(),
                last => format!("commands {} to {last}", segment.number),
            }),
            (Ok(_), None) if newest => State::Mendable("an unfinished write at its end".to_owned()),
            (Ok(walked), None) => {
                State::Damaged(format!("unreadable after command {}", walked.last))
            }
        };
        last = walked.map_or(segment.number - 1, |walked| walked.last);
        parts.push(Part {
            name: name(&segment.path),
            state,
        });
    }
    if segments.is_empty() {
        parts.push(Part {
            name: "journal".to_owned(),
            state: State::Damaged("there is none".to_owned()),
        });
    }
    last
}

fn kept(folder: &Folder, path: &Path) -> Part {
    let read = || -> Result<String, KeptError> {
        let (reader, title) = Reader::open(path)?;
        let gone = title
            .finished
            .iter()
            .find(|name| !folder.root().join(name).exists());
        if let Some(gone) = gone {
            return Err(KeptError::Incomplete {
                path: folder.root().join(gone),
            });
        }
        let mut things = 0_u64;
        reader.all(|_| {
            things += 1;
            Ok(())
        })?;
        Ok(format!("{things} things, up to command {}", title.from))
    };
    let state = read().map_or_else(|error| State::Damaged(error.to_string()), State::Whole);
    Part {
        name: name(path),
        state,
    }
}

fn view(folder: &Folder, last: u64) -> io::Result<Part> {
    let name = name(&folder.view());
    if !folder.view().is_dir() {
        return Ok(Part {
            name,
            state: State::Mendable("there is none; the next start makes it".to_owned()),
        });
    }
    let copy = folder.copied_view();
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    copy_files(&folder.view(), &copy)?;
    let checked = View::open(&copy).and_then(|view| view.check());
    fs::remove_dir_all(&copy)?;
    let state = match checked {
        Ok(meta) if meta.applied > last => State::Damaged(format!(
            "whole, up to command {}, which the journal does not have",
            meta.applied
        )),
        Ok(meta) => State::Whole(format!(
            "tables {}, up to command {}",
            meta.tables, meta.applied
        )),
        Err(Damage::Unfinished) => {
            State::Mendable("not finished; the next start makes it".to_owned())
        }
        Err(damage) => State::Damaged(format!("{damage}; the next start makes it anew")),
    };
    Ok(Part { name, state })
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else if !entry.file_name().to_string_lossy().ends_with(".generating") {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
