//! What a snapshot, a file of finished games and an export are made of: one JSON line for each thing kept.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::causes::Handled;
use super::damage::Damage;
use super::disk::sync_folder;
use super::draft::Draft;
use super::folder::{Folder, undone};
use super::line;
use super::record::{FORMAT, Unread};
use super::{Listing, Person, Post, PostId};
use crate::ids::TableCode;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Title {
    /// [`FORMAT`] of the program that wrote it.
    pub(super) format: u32,
    /// Everything up to this command is in it.
    pub(super) from: u64,
    /// The names of the files of finished games that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) finished: Vec<String>,
}

/// One thing kept, or the end.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kept {
    /// A table with its events.
    Table {
        code: TableCode,
        listing: Listing,
        events: Vec<Unread>,
    },
    /// A person.
    Person(Person),
    /// A note.
    Note(String, Value),
    /// A cause.
    Handled(Handled),
    /// A message still to be posted.
    Post(PostId, Post),
    /// The last line: how many things stand before it, and the last command of which a part may be among them.
    End { lines: u64, until: u64 },
}

impl Kept {
    /// Puts it into the view.
    pub(super) fn restore(&self, draft: &mut Draft<'_>) -> Result<(), Damage> {
        match self {
            Self::Table {
                code,
                listing,
                events,
            } => draft.put_table(*code, events, listing),
            Self::Person(person) => draft.put_person(person),
            Self::Note(key, value) => draft.put_note(key, Some(value)),
            Self::Handled(handled) => draft.remember(handled),
            Self::Post(id, post) => draft.put_post(*id, post),
            Self::End { .. } => Ok(()),
        }
    }
}

/// Why such a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The system failed to read or write it.
    #[error("{path}: {error}")]
    Io {
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
    /// A line is not as it was written.
    #[error("{path}: line {line} is damaged")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
    },
    /// It has no last line, or not as many lines as that says.
    #[error("{path} is not complete")]
    Incomplete {
        /// Which file.
        path: PathBuf,
    },
    /// The view could not be read or written meanwhile.
    #[error(transparent)]
    View(#[from] Damage),
    /// The store was closed meanwhile.
    #[error("given up because the store was closed")]
    GivenUp,
}

/// Whether lines carry a checksum (the store's own files) or are plain JSON (an export).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Sealed,
    Plain,
}

/// A file being read.
#[derive(Debug)]
pub(super) struct Reader<R> {
    path: PathBuf,
    lines: R,
    form: Form,
    line: u64,
    buffer: Vec<u8>,
}

impl Reader<BufReader<File>> {
    /// Opens one of the store's own files and reads its title.
    pub(super) fn open(path: &Path) -> Result<(Self, Title), KeptError> {
        let io = |error| KeptError::Io {
            path: path.to_owned(),
            error,
        };
        let lines = BufReader::with_capacity(1 << 18, File::open(path).map_err(io)?);
        Self::new(path, lines, Form::Sealed)
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the title of `lines`; `path` is what errors call it.
    pub(super) fn new(path: &Path, lines: R, form: Form) -> Result<(Self, Title), KeptError> {
        let mut reader = Self {
            path: path.to_owned(),
            lines,
            form,
            line: 0,
            buffer: Vec::new(),
        };
        let title: Title = reader.line()?.ok_or_else(|| KeptError::Incomplete {
            path: path.to_owned(),
        })?;
        if title.format == FORMAT {
            Ok((reader, title))
        } else {
            Err(KeptError::Format {
                path: path.to_owned(),
                format: title.format,
            })
        }
    }

    fn line<T: serde::de::DeserializeOwned>(&mut self) -> Result<Option<T>, KeptError> {
        self.buffer.clear();
        let read = self.lines.read_until(b'\n', &mut self.buffer);
        if read.map_err(|error| KeptError::Io {
            path: self.path.clone(),
            error,
        })? == 0
        {
            return Ok(None);
        }
        self.line += 1;
        let value = match self.form {
            Form::Sealed => line::read(&self.buffer),
            Form::Plain => serde_json::from_slice(&self.buffer).ok(),
        };
        value.map(Some).ok_or_else(|| KeptError::Damaged {
            path: self.path.clone(),
            line: self.line,
        })
    }

    /// The next thing; `None` at the end of the file, which only [`Kept::End`] makes complete.
    pub(super) fn next(&mut self) -> Result<Option<Kept>, KeptError> {
        self.line()
    }

    /// Gives every thing to `each`; the number of the last command of which a part may be among them.
    pub(super) fn all(
        mut self,
        mut each: impl FnMut(Kept) -> Result<(), KeptError>,
    ) -> Result<u64, KeptError> {
        let mut count = 0;
        loop {
            match self.next()? {
                Some(Kept::End { lines, until }) if lines == count => return Ok(until),
                Some(Kept::End { .. }) | None => {
                    return Err(KeptError::Incomplete { path: self.path });
                }
                Some(kept) => {
                    count += 1;
                    each(kept)?;
                }
            }
        }
    }
}

/// A file being written, under another name until it is finished.
#[derive(Debug)]
pub(super) struct Writer {
    path: PathBuf,
    out: BufWriter<File>,
    lines: u64,
    buffer: Vec<u8>,
}

impl Writer {
    pub(super) fn begin(path: PathBuf, title: &Title) -> Result<Self, KeptError> {
        let file = File::create(undone(&path)).map_err(|error| KeptError::Io {
            path: path.clone(),
            error,
        })?;
        let mut writer = Self {
            path,
            out: BufWriter::with_capacity(1 << 18, file),
            lines: 0,
            buffer: Vec::new(),
        };
        writer.line(title)?;
        Ok(writer)
    }

    fn io(&self, error: io::Error) -> KeptError {
        KeptError::Io {
            path: self.path.clone(),
            error,
        }
    }

    fn line<T: Serialize>(&mut self, value: &T) -> Result<(), KeptError> {
        self.buffer.clear();
        let written = line::write(&mut self.buffer, value).map_err(io::Error::from);
        written
            .and_then(|()| self.out.write_all(&self.buffer))
            .map_err(|error| self.io(error))
    }

    pub(super) fn keep(&mut self, kept: &Kept) -> Result<(), KeptError> {
        self.lines += 1;
        self.line(kept)
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Ends the file, has it on the disk, reads it back, and only then gives it its name.
    pub(super) fn finish(mut self, folder: &Folder, until: u64) -> Result<(), KeptError> {
        self.line(&Kept::End {
            lines: self.lines,
            until,
        })?;
        self.out.flush().map_err(|error| self.io(error))?;
        self.out
            .get_ref()
            .sync_all()
            .map_err(|error| self.io(error))?;
        let temporary = undone(&self.path);
        Reader::open(&temporary)?.0.all(|_| Ok(()))?;
        std::fs::rename(&temporary, &self.path).map_err(|error| self.io(error))?;
        sync_folder(folder.root()).map_err(|error| self.io(error))
    }

    /// Drops an unfinished file.
    pub(super) fn drop_unfinished(self) {
        // What cannot be removed now is removed at the next start.
        drop(std::fs::remove_file(undone(&self.path)));
    }
}
