//! Everything stored as JSON lines, and back: `ashtapada export` and `ashtapada import`.
//!
//! The first line says the format and the number of the last command; each further one holds a table with its events, a
//! person, a note, a cause or a message still to be posted; the last one counts them. The key file of the data folder is
//! no part of it: without that file, secrets of games not yet over cannot be opened.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::folder::{Folder, LAST};
use super::journal::Journal;
use super::kept::{Form, Kept, KeptError, Reader, Title, Writer};
use super::open::{self, Options};
use super::opening::{OpenError, Opening};
use super::record::FORMAT;
use super::snapshot;

/// Why nothing was exported or imported.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The data folder could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The lines could not be read or written.
    #[error(transparent)]
    Lines(#[from] KeptError),
    /// The number of the last command is none.
    #[error("the lines say they go up to command {0}, and none has such a number")]
    Number(u64),
    /// There is something in the folder already.
    #[error("the data folder {0} is not empty; import into a new one")]
    NotEmpty(PathBuf),
}

/// Writes everything stored in a folder as JSON lines; how many, and what was found when the folder was opened.
///
/// # Errors
/// [`TransferError`].
pub fn export(dir: &Path, out: &mut impl Write) -> Result<(u64, Opening), TransferError> {
    if !dir.is_dir() {
        let error = io::Error::from(io::ErrorKind::NotFound);
        return Err(Folder::new(dir).broken(error).into());
    }
    let (opened, opening, _lock) = open::open(dir, &Options::default())?;
    let broken = |error| KeptError::Io {
        path: PathBuf::from("the export"),
        error,
    };
    let from = opening.number;
    write(
        out,
        &Title {
            format: FORMAT,
            from,
            finished: Vec::new(),
        },
    )
    .map_err(broken)?;
    let mut lines = 0;
    snapshot::pour(&opened.shelf, false, &AtomicBool::new(false), |kept, _| {
        lines += 1;
        write(out, kept).map_err(broken)
    })?;
    write(out, &Kept::End { lines, until: from }).map_err(broken)?;
    out.flush().map_err(broken)?;
    Ok((lines, opening))
}

fn write(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Puts what was exported into a new folder; how many lines, and what was found when it was opened then.
///
/// # Errors
/// [`TransferError`]; the folder holds nothing that could be taken for a whole store then.
pub fn import(dir: &Path, lines: impl BufRead) -> Result<(u64, Opening), TransferError> {
    let (folder, lock) = Folder::claim(dir)?;
    let broken = |error| folder.broken(error);
    if !folder.is_fresh().map_err(broken)? {
        return Err(TransferError::NotEmpty(dir.to_owned()));
    }
    let (reader, title) = Reader::new(Path::new("the import"), lines, Form::Plain)?;
    let from = title.from;
    if from > LAST {
        return Err(TransferError::Number(from));
    }
    let mut snapshot = Writer::begin(
        folder.snapshot(from),
        &Title {
            format: FORMAT,
            from,
            finished: Vec::new(),
        },
    )?;
    reader.all(|kept| snapshot.keep(&kept))?;
    let count = snapshot.lines();
    // A snapshot is as good as a database: the first start makes that from it. The journal makes the folder a store.
    snapshot.finish(&folder, from)?;
    let options = Options::default();
    Journal::begin(&folder, &options.disk, from).map_err(broken)?;
    drop(lock);
    let (opened, opening, _lock) = open::open(dir, &options)?;
    opened.shelf.view().flush().map_err(OpenError::View)?;
    Ok((count, opening))
}
