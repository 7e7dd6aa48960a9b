//! How far the journal was acknowledged, noted beside it: so a journal that lost its end, or was exchanged for another, is
//! noticed although each of its lines is right.
//!
//! The mark is written after the journal is on the disk and before anybody is told, without waiting for the disk: a killed
//! process leaves the newest one; a power failure may leave an older one, which says less but nothing wrong.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};

use super::disk::sync_folder;
use super::folder::{Folder, undone};
use super::history::{Chain, FolderId, Point};
use super::line;
use super::record::FORMAT;

/// A number drawn at each start and noted in the mark and in the view's folder: a view that has another one was not there
/// when the program ran last, and is looked at in a copy first.
pub(super) type Token = Chain;

/// What the mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    format: u32,
    pub(super) folder: FolderId,
    /// The last command known to be acknowledged.
    pub(super) n: u64,
    /// The digest up to it.
    pub(super) chain: Chain,
    /// That of the view.
    pub(super) view: Token,
}

impl Mark {
    pub(super) fn new(folder: FolderId, n: u64, chain: Chain) -> Self {
        Self {
            format: FORMAT,
            folder,
            n,
            chain,
            view: Chain(rand::random()),
        }
    }

    pub(super) fn point(&self) -> Point {
        Point {
            n: self.n,
            chain: Some(self.chain),
        }
    }
}

/// The mark as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FoundMark {
    /// None: a folder of the first format, or somebody removed it.
    Missing,
    /// One that cannot be read.
    Damaged,
    Whole(Mark),
}

impl FoundMark {
    pub(super) fn read(folder: &Folder) -> io::Result<Self> {
        match fs::read(folder.mark()) {
            Ok(bytes) => Ok(line::read(&bytes).map_or(Self::Damaged, Self::Whole)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Missing),
            Err(error) => Err(error),
        }
    }

    pub(super) fn mark(&self) -> Option<&Mark> {
        match self {
            Self::Whole(mark) => Some(mark),
            Self::Missing | Self::Damaged => None,
        }
    }
}

/// The mark, open for writing.
#[derive(Debug)]
pub(super) struct Marker {
    file: File,
    mark: Mark,
    line: Vec<u8>,
    failed: bool,
}

impl Marker {
    /// Puts a new mark in place of the one that was there, durably.
    pub(super) fn begin(folder: &Folder, mark: Mark) -> io::Result<Self> {
        let (path, mut line) = (folder.mark(), Vec::new());
        line::write(&mut line, &mark)?;
        let beside = undone(&path);
        let mut file = File::create(&beside)?;
        file.write_all(&line)?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        sync_folder(folder.root())?;
        Ok(Self {
            file,
            mark,
            line,
            failed: false,
        })
    }

    pub(super) fn folder(&self) -> FolderId {
        self.mark.folder
    }

    /// Notes that commands up to `n` are on the disk. When that fails the next start knows less, and nothing else is lost.
    pub(super) fn reached(&mut self, n: u64, chain: Chain) {
        (self.mark.n, self.mark.chain) = (n, chain);
        self.line.clear();
        let written = line::write(&mut self.line, &self.mark)
            .map_err(io::Error::from)
            .and_then(|_| self.file.seek(SeekFrom::Start(0)))
            .and_then(|_| self.file.write_all(&self.line));
        match written {
            Ok(()) => self.failed = false,
            Err(error) if !self.failed => {
                self.failed = true;
                tracing::warn!(%error, "how far the journal goes could not be noted beside it");
            }
            Err(_) => {}
        }
    }
}

/// What the view's folder says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ViewNote {
    pub(super) folder: FolderId,
    pub(super) view: Token,
}

impl ViewNote {
    /// What stands in the view's folder; `None` when nothing does that can be read.
    pub(super) fn read(folder: &Folder) -> Option<Self> {
        line::read(&fs::read(folder.view_note()).ok()?)
    }

    /// Notes in the view's folder that it is the one this mark belongs to. Without this note a view is only looked at more
    /// carefully.
    pub(super) fn write(folder: &Folder, mark: &Mark) -> io::Result<()> {
        let mut line = Vec::new();
        let note = Self {
            folder: mark.folder,
            view: mark.view,
        };
        line::write(&mut line, &note)?;
        let (path, beside) = (folder.view_note(), undone(&folder.view_note()));
        fs::write(&beside, line)?;
        fs::rename(beside, path)
    }
}
