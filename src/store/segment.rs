//! Reading the journal's segments: what is whole, where a torn tail begins, and what went bad.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::damage::Damage;
use super::folder::Numbered;
use super::line;
use super::record::{FORMAT, Heading, Record, Unread, numbers};

/// Why the journal cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system failed to read it.
    #[error("{path}: {error}")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Written by a later program.
    #[error(
        "{path} has format {format}; this program reads {FORMAT}: use the program that wrote it"
    )]
    Format {
        /// Which file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// Lines that were safe once are damaged, and nothing else holds them.
    #[error("{path}: commands {first} to {last} are damaged and stand nowhere else")]
    Rotten {
        /// Which file.
        path: PathBuf,
        /// The first damaged command.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// Commands between two files, or before the first, are missing.
    #[error("commands {first} to {last} are missing from the journal")]
    Gap {
        /// The first missing.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// A command does not fit the view.
    #[error(transparent)]
    View(#[from] Damage),
}

/// A torn tail, written when the power failed or the program was killed; nobody was told that it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// The segment.
    pub path: PathBuf,
    /// Where the whole lines end, in bytes.
    pub whole: u64,
    /// How many bytes follow.
    pub bytes: u64,
}

/// Commands that stand damaged in the journal but are in the view or a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rot {
    /// The segment.
    pub path: PathBuf,
    /// The first damaged command.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

/// How the journal ends, and what was noticed on the way.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The last whole record's number; with none, the one before the first segment's first.
    pub(super) last: u64,
    /// How many lines the newest segment has, without its heading.
    pub(super) lines: u64,
    /// How many whole bytes it has; none when even its heading is torn.
    pub(super) length: u64,
    pub(super) torn: Option<Torn>,
    pub(super) rot: Vec<Rot>,
}

/// Goes through the journal and gives `each` the whole records after number `after`. Segments with earlier ones only
/// are not opened.
pub(super) fn walk(
    segments: &[Numbered],
    after: u64,
    mut each: impl FnMut(Record<Unread>) -> Result<(), Damage>,
) -> Result<Walked, JournalError> {
    let mut walked = Walked::default();
    let Some(first) = segments.first() else {
        return Ok(walked);
    };
    if first.number > after + 1 {
        return Err(JournalError::Gap {
            first: after + 1,
            last: first.number - 1,
        });
    }
    walked.last = first.number - 1;
    for (at, segment) in segments.iter().enumerate() {
        let next = segments.get(at + 1).map(|next| next.number);
        if next.is_some_and(|next| next <= after + 1) {
            walked.last = next.unwrap_or(1) - 1;
            continue;
        }
        if segment.number > walked.last + 1 {
            return Err(JournalError::Gap {
                first: walked.last + 1,
                last: segment.number - 1,
            });
        }
        Reading {
            path: &segment.path,
            after,
            newest: next.is_none(),
            walked: &mut walked,
        }
        .run(segment.number, &mut each)?;
    }
    Ok(walked)
}

struct Reading<'w> {
    path: &'w Path,
    after: u64,
    newest: bool,
    walked: &'w mut Walked,
}

impl Reading<'_> {
    fn unreadable(&self, error: io::Error) -> JournalError {
        JournalError::Unreadable {
            path: self.path.to_owned(),
            error,
        }
    }

    fn run(
        mut self,
        first: u64,
        each: &mut impl FnMut(Record<Unread>) -> Result<(), Damage>,
    ) -> Result<(), JournalError> {
        let file = File::open(self.path).map_err(|error| self.unreadable(error))?;
        let size = file
            .metadata()
            .map_err(|error| self.unreadable(error))?
            .len();
        let mut lines = BufReader::with_capacity(1 << 18, file);
        let mut buffer = Vec::new();
        let (mut offset, mut heading) = (0_u64, false);
        (self.walked.lines, self.walked.length) = (0, 0);
        // Set at the first line that is not whole: from there on, what follows is a torn tail or proves rot.
        let mut bad = false;
        loop {
            buffer.clear();
            let read = lines
                .read_until(b'\n', &mut buffer)
                .map_err(|error| self.unreadable(error))?;
            if read == 0 {
                break;
            }
            offset += read as u64;
            let whole = line::json(&buffer);
            match whole {
                Some(json) if !heading && !bad => {
                    heading = self.heading(json, first)?;
                    bad = !heading;
                }
                Some(json) => bad = self.line(json, bad, each)?,
                None => bad = true,
            }
            if !bad {
                self.walked.length = offset;
            }
        }
        if self.walked.length < size {
            self.tail(size)?;
        }
        Ok(())
    }

    fn heading(&self, json: &[u8], first: u64) -> Result<bool, JournalError> {
        match serde_json::from_slice::<Heading>(json) {
            Ok(heading) if heading.format == FORMAT => Ok(heading.first == first),
            // An earlier format would be read in its own way here.
            Ok(Heading { format, .. }) => Err(JournalError::Format {
                path: self.path.to_owned(),
                format,
            }),
            Err(_) => Ok(false),
        }
    }

    /// A whole line; whether what was read so far is (still) bad.
    fn line(
        &mut self,
        json: &[u8],
        bad: bool,
        each: &mut impl FnMut(Record<Unread>) -> Result<(), Damage>,
    ) -> Result<bool, JournalError> {
        let expected = self.walked.last + 1;
        let Some((n, synced)) = numbers(json) else {
            return Ok(true);
        };
        if n > expected && synced >= expected {
            // The lines before this one were safe when it was written.
            let rot = Rot {
                path: self.path.to_owned(),
                first: expected,
                last: n - 1,
            };
            if rot.last > self.after {
                return Err(JournalError::Rotten {
                    path: rot.path,
                    first: rot.first,
                    last: rot.last,
                });
            }
            self.walked.rot.push(rot);
        } else if bad || n != expected {
            return Ok(true);
        }
        if n > self.after {
            let Ok(record) = serde_json::from_slice(json) else {
                return Ok(true);
            };
            each(record)?;
        }
        self.walked.last = n;
        self.walked.lines += 1;
        Ok(false)
    }

    /// What stands after the last whole line: a torn tail in the newest segment; in an earlier one, which was synced
    /// before the next was begun, lines that went bad.
    fn tail(&mut self, size: u64) -> Result<(), JournalError> {
        if self.newest {
            let whole = self.walked.length;
            self.walked.torn = Some(Torn {
                path: self.path.to_owned(),
                whole,
                bytes: size - whole,
            });
        }
        // Otherwise the next segment's number shows what is missing.
        Ok(())
    }
}
