//! Writing the journal: whole groups of lines, on the disk before anybody is told.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::claim::Claim;
use super::disk::{Disk, Tape, sync_folder};
use super::folder::{Folder, beside};
use super::history::{Chain, FolderId, Point};
use super::line;
use super::mark::Marker;
use super::record::{Deed, FORMAT, Heading, Record};
use super::segment::{Torn, Walked};

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
mod tests {
    use super::*;
    use crate::ids::At;
    use crate::store::mark::Mark;
    use crate::store::segment::{JournalError, Known, walk};
    use crate::store::{Commit, LocalDisk};
    use std::fs;
    use std::path::Path;

    /// A segment of three synced groups of two lines each; its bytes.
    fn written(dir: &Path) -> Vec<u8> {
        let (folder, claim) = Folder::claim(dir).unwrap();
        let id = FolderId(7);
        let marker = Marker::begin(&folder, Mark::new(id, 0, Chain::seed(id))).unwrap();
        let ground = Ground {
            folder: folder.clone(),
            disk: Arc::new(LocalDisk),
            claim: Arc::new(claim),
            marker,
        };
        let mut journal = Journal::begin(ground, (0, Chain::seed(id))).unwrap();
        for group in 0..3 {
            for line in 0..2 {
                journal
                    .add(Deed::Commit(Box::new(Commit::new(
                        At(group * 2 + line),
                        None,
                    ))))
                    .unwrap();
            }
            journal.write(true).unwrap();
        }
        assert_eq!(
            (journal.last(), journal.lines(), journal.unsynced()),
            (6, 6, false)
        );
        fs::read(folder.segment(1)).unwrap()
    }

    /// Walks a segment with this content; the records after number `after` and what was noticed. Up to number `marked`
    /// the journal was acknowledged.
    fn walked(
        content: &[u8],
        after: u64,
        marked: Option<u64>,
    ) -> Result<(Vec<u64>, Walked), JournalError> {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path());
        fs::write(folder.segment(1), content).unwrap();
        let mut mark = None;
        if let Some(n) = marked {
            let mut chain = Chain::seed(FolderId(7));
            let lines = content.split_inclusive(|byte| *byte == b'\n').skip(1);
            for line in lines.take(usize::try_from(n).unwrap()) {
                chain = chain.next(crc32fast::hash(&line[..line.len().saturating_sub(10)]));
            }
            mark = Some(Mark::new(FolderId(7), n, chain));
        }
        let known = Known {
            after: Point {
                n: after,
                chain: None,
            },
            mark: mark.as_ref(),
            also: None,
            lenient: false,
        };
        let mut numbers = Vec::new();
        let walked = walk(&folder.segments().unwrap(), known, |record, _| {
            numbers.push(record.n);
            Ok(())
        })?;
        Ok((numbers, walked))
    }

    #[test]
    fn cut_at_any_byte_the_whole_lines_before_are_read_and_the_rest_is_torn() {
        let dir = tempfile::tempdir().unwrap();
        let content = written(dir.path());
        for length in 0..=content.len() {
            // A line is whole without its end, too.
            let ended = |at: usize| content[at] == b'\n' || content.get(at + 1) == Some(&b'\n');
            let whole = (0..content.len())
                .filter(|&at| content[at] == b'\n' && at <= length)
                .count() as u64;
            let (numbers, walked) = walked(&content[..length], 0, None).unwrap();
            assert_eq!(
                numbers,
                (1..whole.max(1)).collect::<Vec<_>>(),
                "cut to {length}"
            );
            let end = (0..length).rfind(|&at| ended(at)).map_or(0, |at| at + 1);
            assert_eq!(
                walked.torn.map_or(0, |torn| torn.bytes),
                (length - end) as u64,
                "cut to {length}"
            );
            assert_eq!(walked.unended, end > 0 && content[end - 1] != b'\n');
        }
    }

    #[test]
    fn a_bad_byte_is_a_torn_tail_only_where_nobody_was_told_of_the_line() {
        let dir = tempfile::tempdir().unwrap();
        let content = written(dir.path());
        let starts: Vec<usize> = content
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at + 1)
            .collect();
        for line in 1..=6_u64 {
            let mut bent = content.clone();
            bent[starts[usize::try_from(line).unwrap() - 1] + 20] ^= 1;
            for marked in [None, Some(4), Some(6)] {
                let told = format!("line {line}, acknowledged {marked:?}");
                let read = walked(
                    &bent,
                    0,
                    marked.filter(|&marked| line > marked || marked == 6),
                );
                match read {
                    Ok((numbers, walked)) => {
                        // The last line without a word of its acknowledgement, or the last group where only the one
                        // before it was acknowledged.
                        assert!(marked != Some(6) && line >= 5, "{told}");
                        assert!(line == 6 || marked == Some(4), "{told}");
                        assert_eq!(numbers.last(), Some(&(line - 1)), "{told}");
                        assert!(walked.torn.is_some(), "{told}");
                    }
                    Err(JournalError::Rotten { first, last, .. }) => {
                        assert!(line < 5 || marked == Some(6), "{told}");
                        // Known bad up to the first line that says that the bad one was safe.
                        assert!(first == line && last >= line, "{told}: {first} to {last}");
                    }
                    // A whole line behind a bad one, and nothing says whether it was acknowledged.
                    Err(JournalError::Misfit { found, .. }) => {
                        assert_eq!((line, marked, found), (5, None, Some(6)), "{told}");
                    }
                    Err(error) => panic!("{told}: {error}"),
                }
            }
            // What the view has already does not matter.
            assert!(walked(&bent, 6, Some(6)).is_ok());
        }
    }

    #[test]
    fn whole_lines_that_do_not_fit_are_refused_and_never_taken_for_an_unfinished_write() {
        let dir = tempfile::tempdir().unwrap();
        let content = written(dir.path());
        let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
        let doubled = [lines[0], lines[1], lines[1], lines[2]].concat();
        let twice = [content.as_slice(), content.as_slice()].concat();
        let headless = lines[1..].concat();
        for (told, changed) in [
            ("doubled", doubled),
            ("twice", twice),
            ("headless", headless),
        ] {
            let error = walked(&changed, 0, None).unwrap_err();
            assert!(
                matches!(error, JournalError::Misfit { .. }),
                "{told}: {error}"
            );
        }
        let missing = [lines[0], lines[1], lines[3]].concat();
        let error = walked(&missing, 0, None).unwrap_err();
        assert!(
            matches!(
                error,
                JournalError::Rotten {
                    first: 2,
                    last: 2,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn lines_with_the_ends_of_another_system_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let content = String::from_utf8(written(dir.path())).unwrap();
        let changed = content.replace('\n', "\r\n");
        let (numbers, walked) = walked(changed.as_bytes(), 0, None).unwrap();
        assert_eq!((numbers.len(), walked.torn), (6, None));
        assert_eq!(walked.length, changed.len() as u64);
    }
}
