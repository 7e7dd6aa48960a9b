//! Why a view is not relied on, and the panics of sled caught.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::view::LAYOUT;

/// Why the view cannot be relied on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// There is none.
    #[error("it is missing")]
    Missing,
    /// The program ended while making it.
    #[error("it was not finished")]
    Unfinished,
    /// It is no damage: another process uses it.
    #[error("another process uses it")]
    InUse,
    /// It belongs to another data folder.
    #[error("it belongs to another data folder")]
    Foreign,
    /// It is no damage: the system does not let the program read or write it now.
    #[error("{why}")]
    Barred {
        /// What kind of error the system gave.
        kind: io::ErrorKind,
        /// In its words.
        why: String,
    },
    /// There is one, with nothing in it.
    #[error("it is empty")]
    Empty,
    /// Sled says it is damaged.
    #[error("sled reports: {0}")]
    Refused(String),
    /// Sled panicked.
    #[error("sled panicked: {0}")]
    Panicked(String),
    /// A record is not as it was written.
    #[error("the record under key {0} is not as it was written")]
    Record(String),
    /// Records are missing, or are older ones.
    #[error("{found} records in place of {expected}, or some of them old")]
    Incomplete {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// It was written by a program with another layout.
    #[error("its layout is {0}, not {LAYOUT}")]
    Layout(u64),
    /// It ends before the journal begins.
    #[error("it ends at command {applied} and the journal begins at {first}")]
    Behind {
        /// The last command in the view.
        applied: u64,
        /// The first in the journal.
        first: u64,
    },
    /// Command and view do not fit together.
    #[error("command {0} does not fit it")]
    Unfit(u64),
    /// Files that had been given up as lost are back.
    #[error("files that were lost are back")]
    Regained,
    /// The program was ended several times while opening it.
    #[error("the program ended {0} times while opening it")]
    EndedOpening(u32),
}

impl From<sled::Error> for Damage {
    fn from(error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) => error.into(),
            error => Self::Refused(error.to_string()),
        }
    }
}

impl From<io::Error> for Damage {
    /// Rights, room and the like say nothing of what is stored.
    fn from(error: io::Error) -> Self {
        let (kind, why) = (error.kind(), error.to_string());
        let barred = matches!(
            kind,
            io::ErrorKind::PermissionDenied
                | io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::ReadOnlyFilesystem
                | io::ErrorKind::IsADirectory
                | io::ErrorKind::FileTooLarge
                | io::ErrorKind::OutOfMemory
        );
        // Too many open files have no kind of their own (EMFILE and ENFILE, on Unix 24 and 23).
        if barred || (cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))) {
            Self::Barred { kind, why }
        } else {
            Self::Refused(why)
        }
    }
}

/// Does something with sled, with its panics turned into a [`Damage`].
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, Damage>) -> Result<T, Damage> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Damage::Panicked(
            text.unwrap_or_else(|| "without a word".to_owned()),
        ))
    })
}
