//! What can be wrong with the journal.

use std::io;
use std::path::PathBuf;

use super::damage::Damage;
use super::record::FORMAT;

/// Why the journal cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system failed to read it.
    #[error("{path}: {error}; see to it that the file can be read, then start again")]
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
    /// Lines that were safe once are damaged or gone, and nothing else holds them.
    #[error(
        "{path}: commands {first} to {last} are damaged or gone and stand nowhere else; put this file back from a back-up"
    )]
    Rotten {
        /// Which file.
        path: PathBuf,
        /// The first damaged command.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// Commands between two files, or before the first, are missing.
    #[error(
        "commands {first} to {last} are missing from the journal; put the file journal-{first:012}.jsonl back from a back-up, or the one before it when that was longer"
    )]
    Gap {
        /// The first missing.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// A whole line stands where another one belongs.
    #[error(
        "{path}: line {line} is whole and does not belong where it stands (command {expected} is expected{}); the file was changed, or is another one under this name: put the right one back from a back-up",
        found.map_or(String::new(), |found| format!(", it is command {found}"))
    )]
    Misfit {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// The command that belongs there.
        expected: u64,
        /// The one that stands there, if it is one.
        found: Option<u64>,
    },
    /// The segment has other commands than the ones that were acknowledged here, or goes on from others.
    #[error(
        "{path} is of another history of this folder: command {n} in it is not the one that journal.mark or the files beside it know; put back this folder's own file, or its own journal.mark"
    )]
    Fork {
        /// Which file.
        path: PathBuf,
        /// Where it was noticed.
        n: u64,
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

/// What stands damaged in the journal but is in the view or a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rot {
    /// The segment.
    pub path: PathBuf,
    /// The first and the last damaged command; `None` when it is the heading.
    pub commands: Option<(u64, u64)>,
}
