//! Writing the journal: whole groups of lines, on the disk before anybody is told.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::claim::Claim;
use super::disk::{Disk, Tape, sync_folder};
use super::folder::{Folder, beside};
use super::history::{Chain, FolderId, Point};
use super::journal_error::Torn;
use super::line;
use super::mark::Marker;
use super::record::{Deed, FORMAT, Heading, Record};
use super::segment::Walked;

/// The journal's newest segment, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    folder: Folder,
    disk: Arc<dyn Disk>,
    claim: Arc<Claim>,
    marker: Marker,
    tape: Box<dyn Tape>,
    /// Lines in this segment, without its heading.
    lines: u64,
    /// Bytes in this segment, those of the group not counted.
    length: u64,
    /// The number of the last line written, and the digest up to it.
    last: (u64, Chain),
    /// The number of the last line known to be on the disk.
    synced: u64,
    group: Vec<u8>,
    /// How many lines the group has, and the digest up to its last.
    grouped: (u64, Chain),
}

/// What a journal stands on.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) folder: Folder,
    pub(super) disk: Arc<dyn Disk>,
    pub(super) claim: Arc<Claim>,
    pub(super) marker: Marker,
}

impl Journal {
    /// Begins a segment that goes on from `last`. Durable when this returns.
    pub(super) fn begin(ground: Ground, last: (u64, Chain)) -> io::Result<Self> {
        let folder = ground.marker.folder();
        let (tape, length) = begun(&ground.folder, &*ground.disk, &ground.claim, folder, last)?;
        Ok(Self::new(ground, tape, 0, length, last))
    }

    /// Goes on with the segment that begins with record `first`, after cutting what is torn, which is kept beside it.
    pub(super) fn resume(
        ground: Ground,
        first: u64,
        walked: &Walked,
        chain: Chain,
    ) -> io::Result<Self> {
        let path = ground.folder.segment(first);
        if let Some(torn) = &walked.torn {
            keep_beside(&path, torn)?;
        }
        if walked.length == 0 {
            return Self::begin(ground, (first - 1, chain));
        }
        let mut tape = ground.disk.append_to(&path)?;
        let mut length = walked.length;
        if walked.torn.is_some() {
            tape.cut(length)?;
        }
        if walked.unended {
            tape.append(b"\n")?;
            length += 1;
        }
        // A process killed before its sync may have left lines that are only in the system's memory.
        tape.sync()?;
        ground.claim.hold(&path)?;
        let last = (walked.last.n, chain);
        Ok(Self::new(ground, tape, walked.lines, length, last))
    }

    fn new(
        ground: Ground,
        tape: Box<dyn Tape>,
        lines: u64,
        length: u64,
        last: (u64, Chain),
    ) -> Self {
        let Ground {
            folder,
            disk,
            claim,
            mut marker,
        } = ground;
        marker.reached(last.0, last.1);
        Self {
            folder,
            disk,
            claim,
            marker,
            tape,
            lines,
            length,
            last,
            synced: last.0,
            group: Vec::new(),
            grouped: (0, last.1),
        }
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// The number of the last line, those of the group counted.
    pub(super) fn last(&self) -> u64 {
        self.last.0 + self.grouped.0
    }

    /// The last line written, and the digest up to it.
    pub(super) fn point(&self) -> Point {
        Point {
            n: self.last.0,
            chain: Some(self.last.1),
        }
    }

    /// Whether lines were written that are not known to be on the disk.
    pub(super) fn unsynced(&self) -> bool {
        self.synced < self.last.0
    }

    /// How many bytes the group has.
    pub(super) fn group_bytes(&self) -> usize {
        self.group.len()
    }

    /// The file that another process may use by now, since it is not the one that this process locked.
    pub(super) fn lost(&self) -> Option<PathBuf> {
        self.claim.lost()
    }

    /// Adds a record to the group that is written next; it, and the digest up to it.
    pub(super) fn add(&mut self, deed: Deed) -> io::Result<(Record, Chain)> {
        let record = Record {
            n: self.last() + 1,
            s: self.synced,
            deed,
        };
        let crc = line::write(&mut self.group, &record)?;
        let (lines, chain) = self.grouped;
        self.grouped = (lines + 1, chain.next(crc));
        Ok((record, self.grouped.1))
    }

    /// Writes the group, and has it on the disk when `sync` is asked for. On an error the journal is cut back as far
    /// as the disk allows; it must not be written again then.
    pub(super) fn write(&mut self, sync: bool) -> io::Result<()> {
        let written = self
            .tape
            .append(&self.group)
            .and_then(|()| if sync { self.tape.sync() } else { Ok(()) });
        if let Err(error) = written {
            self.give_up();
            return Err(error);
        }
        self.length += self.group.len() as u64;
        self.lines += self.grouped.0;
        self.last = (self.last(), self.grouped.1);
        if sync {
            self.is_synced();
        }
        self.group.clear();
        self.grouped.0 = 0;
        Ok(())
    }

    /// Everything written is on the disk.
    fn is_synced(&mut self) {
        self.synced = self.last.0;
        self.marker.reached(self.last.0, self.last.1);
    }

    /// Takes a group back that was not acknowledged. Should the disk refuse this too, the next start may find the
    /// group whole: its senders were told that the store stopped, not that it was not kept.
    fn give_up(&mut self) {
        if let Err(error) = self.tape.cut(self.length) {
            tracing::error!(%error, "the journal could not be cut back after a failed write");
        }
    }

    /// Begins the next segment. Everything before is on the disk then.
    pub(super) fn rotate(&mut self) -> io::Result<()> {
        self.tape.sync()?;
        self.is_synced();
        let folder = self.marker.folder();
        (self.tape, self.length) =
            begun(&self.folder, &*self.disk, &self.claim, folder, self.last)?;
        self.lines = 0;
        Ok(())
    }
}

/// A new segment with its heading, on the disk; how long it is.
fn begun(
    folder: &Folder,
    disk: &dyn Disk,
    claim: &Claim,
    id: FolderId,
    (n, chain): (u64, Chain),
) -> io::Result<(Box<dyn Tape>, u64)> {
    let path = folder.segment(n + 1);
    let mut tape = disk.append_to(&path)?;
    tape.cut(0)?;
    let heading = Heading {
        format: FORMAT,
        first: n + 1,
        folder: Some(id),
        chain: Some(chain),
    };
    let mut line = Vec::new();
    line::write(&mut line, &heading)?;
    tape.append(&line)?;
    tape.sync()?;
    sync_folder(folder.root())?;
    claim.hold(&path)?;
    Ok((tape, line.len() as u64))
}

/// Copies what is going to be cut from a segment into a file beside it.
fn keep_beside(path: &Path, torn: &Torn) -> io::Result<()> {
    let mut segment = File::open(path)?;
    segment.seek(SeekFrom::Start(torn.whole))?;
    let mut kept = File::create_new(beside(path, "cut"))?;
    io::copy(&mut segment, &mut kept)?;
    kept.sync_all()
}

#[cfg(test)]
mod tests;
