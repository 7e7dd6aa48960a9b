//! Everything stored as JSON lines, and back: `ashtapada export` and `ashtapada import`.
//!
//! The first line says the format and the number of the last command; each further one holds a table with its events, a
//! person, a note, a cause or a message still to be posted; the last one counts them. Each line ends with its checksum, as
//! in the store's own files. The key file of the data folder is no part of it: without that file, secrets of games not yet
//! over cannot be opened.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde_json::Value;

use super::folder::{Folder, LAST};
use super::history::{Chain, FolderId};
use super::kept::{Kept, KeptError, Reader, Writer};
use super::line;
use super::open::{self, Options};
use super::opening::{OpenError, Opening};
use super::snapshot;
use super::title::Title;
use crate::ids::TableCode;

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
    #[error(
        "the lines say they go up to command {0}, and none has such a number; make the export again"
    )]
    Number(u64),
    /// A table that cannot be played by the rules.
    #[error(
        "line {line}: table {code} cannot be played through: {why}; make the export again, or take the line out and lower the count of lines in the last one"
    )]
    Unplayable {
        /// Counted from 1.
        line: u64,
        /// Which table.
        code: TableCode,
        /// Why, in words.
        why: String,
    },
    /// There is something in the folder already.
    #[error("the data folder {0} is not empty; import into a new one")]
    NotEmpty(PathBuf),
}

/// Writes everything stored in a folder as JSON lines; how many, and what was found when the folder was opened.
///
/// # Errors
/// [`TransferError`].
pub fn export(
    dir: &Path,
    options: &Options,
    out: &mut impl Write,
) -> Result<(u64, Opening), TransferError> {
    if !dir.is_dir() {
        let error = io::Error::from(io::ErrorKind::NotFound);
        return Err(Folder::new(dir).broken(error).into());
    }
    let (opened, opening) = open::open(dir, options)?;
    let broken = |error| KeptError::Io {
        path: PathBuf::from("the export"),
        error,
    };
    let from = opening.number;
    write(out, &Title::new(from)).map_err(broken)?;
    let mut lines = 0;
    let all = |_, _: &_| true;
    snapshot::pour(&opened.shelf, &AtomicBool::new(false), all, |kept| {
        lines += 1;
        write(out, kept).map_err(broken)
    })?;
    write(out, &Kept::End { lines, until: from }).map_err(broken)?;
    out.flush().map_err(broken)?;
    Ok((lines, opening))
}

fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = Vec::new();
    line::write(&mut line, value)?;
    out.write_all(&line)
}

/// Puts what was exported into a new folder, when every table of it is `playable`, which else says why not; how many
/// lines, and what was found when the folder was opened then.
///
/// # Errors
/// [`TransferError`]; the folder holds nothing that a start would take for a store then.
pub fn import(
    dir: &Path,
    lines: impl BufRead,
    playable: impl Fn(TableCode, &[Value]) -> Result<(), String>,
) -> Result<(u64, Opening), TransferError> {
    let (folder, claim) = Folder::claim(dir)?;
    let broken = |error| folder.broken(error);
    if !folder.is_fresh().map_err(broken)? {
        return Err(TransferError::NotEmpty(dir.to_owned()));
    }
    let (mut reader, title) = Reader::export(Path::new("the import"), lines)?;
    let from = title.from;
    if from >= LAST {
        return Err(TransferError::Number(from));
    }
    let id = FolderId::draw();
    let title = Title {
        folder: Some(id),
        chain: Some(Chain::seed(id)),
        imported: true,
        ..Title::new(from)
    };
    let mut snapshot = Writer::begin(folder.snapshot(from), &title)?;
    let mut unplayable = None;
    let mut codes = HashSet::new();
    let read = reader.all(|kept, line| {
        if let Kept::Table { code, events, .. } = &kept {
            if !codes.insert(*code) {
                let (code, why) = (*code, "it stands there twice".to_owned());
                unplayable = Some(TransferError::Unplayable { line, code, why });
                return Err(KeptError::GivenUp);
            }
            let events: Result<Vec<Value>, _> = events
                .iter()
                .map(|event| serde_json::from_str(event.get()))
                .collect();
            let played = events.map_err(|error| error.to_string());
            if let Err(why) = played.and_then(|events| playable(*code, &events)) {
                let code = *code;
                unplayable = Some(TransferError::Unplayable { line, code, why });
                return Err(KeptError::GivenUp);
            }
        }
        snapshot.keep(&kept)
    });
    if let Err(error) = read {
        snapshot.drop_unfinished();
        return Err(unplayable.unwrap_or_else(|| error.into()));
    }
    let count = snapshot.lines();
    // It has its name only when it is whole, and is as good as a store then: the first start makes the rest.
    snapshot.finish(&folder, from)?;
    drop(claim);
    let (opened, opening) = open::open(dir, &Options::default())?;
    opened.shelf.view().flush().map_err(OpenError::View)?;
    Ok((count, opening))
}
