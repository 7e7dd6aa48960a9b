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
use super::history::Chain;
use super::line;
use super::record::{FIRST_FORMAT, FORMAT, Unread, is_readable};
use super::title::{Content, Title};
use super::{Listing, Person, Post, PostId};
use crate::ids::TableCode;

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
    #[error(
        "{path}: {error}; see to it that the file can be read and written, and that there is room"
    )]
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
    #[error("{path}: line {line} is damaged; put the file back from a back-up")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
    },
    /// It has no last line, or not as many lines as that says.
    #[error("{path} is not complete; put the file back from a back-up")]
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

/// Whether lines carry a checksum or are plain JSON (an export of the first format).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
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
    content: Content,
}

impl Reader<BufReader<File>> {
    /// Opens one of the store's own files and reads its title.
    pub(super) fn open(path: &Path) -> Result<(Self, Title), KeptError> {
        let (reader, title) = Self::open_anyhow(path)?;
        Ok((reader, title?))
    }

    /// Opens one of the store's own files, also when its title is damaged.
    pub(super) fn open_anyhow(path: &Path) -> Result<(Self, Result<Title, KeptError>), KeptError> {
        let io = |error| KeptError::Io {
            path: path.to_owned(),
            error,
        };
        let lines = BufReader::with_capacity(1 << 18, File::open(path).map_err(io)?);
        let mut reader = Self::new(path, lines);
        match reader.title() {
            Err(error @ (KeptError::Io { .. } | KeptError::Format { .. })) => Err(error),
            title => Ok((reader, title)),
        }
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads `lines`; `path` is what errors call them.
    fn new(path: &Path, lines: R) -> Self {
        Self {
            path: path.to_owned(),
            lines,
            form: Form::Sealed,
            line: 0,
            buffer: Vec::new(),
            content: Content {
                games: 0,
                sum: Chain::EMPTY,
            },
        }
    }

    /// Reads an export; `path` is what errors call it.
    pub(super) fn export(path: &Path, lines: R) -> Result<(Self, Title), KeptError> {
        let mut reader = Self::new(path, lines);
        let title = match reader.title() {
            Err(KeptError::Damaged { .. }) => {
                let plain: Option<Title> = serde_json::from_slice(&reader.buffer).ok();
                reader.form = Form::Plain;
                match plain.filter(|title| title.format == FIRST_FORMAT) {
                    Some(title) => title,
                    None => return Err(reader.damaged()),
                }
            }
            title => title?,
        };
        Ok((reader, title))
    }

    fn title(&mut self) -> Result<Title, KeptError> {
        let title: Title = self.line()?.ok_or_else(|| KeptError::Incomplete {
            path: self.path.clone(),
        })?;
        if is_readable(title.format) {
            Ok(title)
        } else {
            Err(KeptError::Format {
                path: self.path.clone(),
                format: title.format,
            })
        }
    }

    fn damaged(&self) -> KeptError {
        KeptError::Damaged {
            path: self.path.clone(),
            line: self.line,
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
        let json = match self.form {
            Form::Sealed => line::opened(&self.buffer),
            Form::Plain => Some((self.buffer.as_slice(), 0)),
        };
        let value = json.and_then(|(json, crc)| Some((serde_json::from_slice(json).ok()?, crc)));
        let Some((value, crc)) = value else {
            return Err(self.damaged());
        };
        if self.line > 1 {
            self.content.sum = self.content.sum.next(crc);
        }
        Ok(Some(value))
    }

    /// The next thing; `None` at the end of the file, which only [`Kept::End`] makes complete. After
    /// [`KeptError::Damaged`] the next line can be read.
    pub(super) fn next(&mut self) -> Result<Option<Kept>, KeptError> {
        let sum = self.content.sum;
        let next = self.line()?;
        match &next {
            Some(Kept::End { .. }) => self.content.sum = sum,
            Some(_) => self.content.games += 1,
            None => {}
        }
        Ok(next)
    }

    /// What was read so far, without the end.
    pub(super) fn content(&self) -> Content {
        self.content
    }

    /// Gives every thing to `each`; the number of the last command of which a part may be among them.
    pub(super) fn all(
        &mut self,
        mut each: impl FnMut(Kept, u64) -> Result<(), KeptError>,
    ) -> Result<u64, KeptError> {
        loop {
            match self.next()? {
                Some(Kept::End { lines, until }) if lines == self.content.games => {
                    return Ok(until);
                }
                Some(Kept::End { .. }) | None => {
                    return Err(KeptError::Incomplete {
                        path: self.path.clone(),
                    });
                }
                Some(kept) => each(kept, self.line)?,
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
            .and_then(|_| self.out.write_all(&self.buffer))
            .map_err(|error| self.io(error))
    }

    pub(super) fn keep(&mut self, kept: &Kept) -> Result<(), KeptError> {
        self.lines += 1;
        self.line(kept)
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Ends the file, has it on the disk, reads it back, and only then gives it its name; what is in it.
    pub(super) fn finish(mut self, folder: &Folder, until: u64) -> Result<Content, KeptError> {
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
        let mut written = Reader::open(&temporary)?.0;
        written.all(|_, _| Ok(()))?;
        std::fs::rename(&temporary, &self.path).map_err(|error| self.io(error))?;
        sync_folder(folder.root()).map_err(|error| self.io(error))?;
        Ok(written.content())
    }

    /// Drops an unfinished file.
    pub(super) fn drop_unfinished(self) {
        // What cannot be removed now is removed at the next start.
        drop(std::fs::remove_file(undone(&self.path)));
    }
}
