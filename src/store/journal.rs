//! Writing the journal: whole groups of lines, on the disk before anybody is told.

use std::io;
use std::sync::Arc;

use super::disk::{Disk, Tape, sync_folder};
use super::folder::Folder;
use super::line;
use super::record::{Deed, FORMAT, Heading, Record};
use super::segment::Walked;

/// The journal's newest segment, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    folder: Folder,
    disk: Arc<dyn Disk>,
    tape: Box<dyn Tape>,
    /// Lines in this segment, without its heading.
    lines: u64,
    /// Bytes in this segment, those of the group not counted.
    length: u64,
    /// The number of the last line written.
    last: u64,
    /// The number of the last line known to be on the disk.
    synced: u64,
    group: Vec<u8>,
    grouped: u64,
}

impl Journal {
    /// Begins a segment whose first record will follow `last`. Durable when this returns.
    pub(super) fn begin(folder: &Folder, disk: &Arc<dyn Disk>, last: u64) -> io::Result<Self> {
        let path = folder.segment(last + 1);
        let mut tape = disk.append_to(&path)?;
        tape.cut(0)?;
        let mut heading = Vec::new();
        line::write(
            &mut heading,
            &Heading {
                format: FORMAT,
                first: last + 1,
            },
        )?;
        tape.append(&heading)?;
        tape.sync()?;
        sync_folder(folder.root())?;
        let length = heading.len() as u64;
        let (folder, disk) = (folder.clone(), Arc::clone(disk));
        Ok(Self {
            folder,
            disk,
            tape,
            lines: 0,
            length,
            last,
            synced: last,
            group: Vec::new(),
            grouped: 0,
        })
    }

    /// Goes on with the segment that begins with record `first`, after cutting what is torn.
    pub(super) fn resume(
        folder: &Folder,
        disk: &Arc<dyn Disk>,
        first: u64,
        walked: &Walked,
    ) -> io::Result<Self> {
        if walked.length == 0 {
            return Self::begin(folder, disk, first - 1);
        }
        let mut tape = disk.append_to(&folder.segment(first))?;
        if walked.torn.is_some() {
            tape.cut(walked.length)?;
        }
        // A process killed before its sync may have left lines that are only in the system's memory.
        tape.sync()?;
        let Walked {
            last,
            lines,
            length,
            ..
        } = *walked;
        let (folder, disk) = (folder.clone(), Arc::clone(disk));
        Ok(Self {
            folder,
            disk,
            tape,
            lines,
            length,
            last,
            synced: last,
            group: Vec::new(),
            grouped: 0,
        })
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// The number of the last line, those of the group counted.
    pub(super) fn last(&self) -> u64 {
        self.last + self.grouped
    }

    /// Whether lines were written that are not known to be on the disk.
    pub(super) fn unsynced(&self) -> bool {
        self.synced < self.last
    }

    /// How many bytes the group has.
    pub(super) fn group_bytes(&self) -> usize {
        self.group.len()
    }

    /// Adds a record to the group that is written next.
    pub(super) fn add(&mut self, deed: Deed) -> io::Result<Record> {
        let record = Record {
            n: self.last() + 1,
            s: self.synced,
            deed,
        };
        line::write(&mut self.group, &record)?;
        self.grouped += 1;
        Ok(record)
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
        self.lines += self.grouped;
        self.last += self.grouped;
        if sync {
            self.synced = self.last;
        }
        self.group.clear();
        self.grouped = 0;
        Ok(())
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
        self.synced = self.last;
        *self = Self::begin(&self.folder, &self.disk, self.last)?;
        Ok(())
    }
}
