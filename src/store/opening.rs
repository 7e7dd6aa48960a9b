//! What was found when the store was opened, said so that whoever runs the program understands it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::damage::Damage;
use super::rebuild::RebuildError;
use super::segment::{JournalError, Rot, Torn};

/// What was found when the store was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The data folder.
    pub folder: PathBuf,
    /// The state of what is stored.
    pub found: Found,
    /// The number of the last command.
    pub number: u64,
    /// How many tables there are.
    pub tables: u64,
    /// How many journal lines the view had to catch up with.
    pub followed: u64,
    /// A torn tail that was cut from the journal.
    pub torn: Option<Torn>,
    /// Journal lines that went bad; all of them stand in the view too, and a new snapshot was taken.
    pub rot: Vec<Rot>,
    /// What was tried in vain or had to be left out, in words.
    pub warnings: Vec<String>,
}

/// The state in which the store was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing was stored yet.
    Fresh,
    /// As it was left.
    Resumed,
    /// The view was damaged or missing and was made anew.
    Rebuilt {
        /// What was wrong with it.
        damage: Damage,
        /// The snapshot it was made from; without one, from the journal alone.
        snapshot: Option<PathBuf>,
        /// Where the old view was moved.
        aside: Option<PathBuf>,
    },
    /// The view is whole and has commands that the journal lost; it was kept, and a snapshot was taken of it.
    Ahead {
        /// The journal's last command.
        journal: u64,
    },
}

impl Opening {
    /// Whether something had to be repaired, or was noticed that whoever runs the program should know.
    #[must_use]
    pub fn is_remarkable(&self) -> bool {
        let repaired = match self.found {
            Found::Fresh | Found::Resumed => false,
            Found::Rebuilt { .. } | Found::Ahead { .. } => true,
        };
        repaired || self.torn.is_some() || !self.rot.is_empty() || !self.warnings.is_empty()
    }
}

impl fmt::Display for Opening {
    /// One line, and one more for each thing repaired or noticed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        match &self.found {
            Found::Fresh => write!(f, "new data folder {folder}")?,
            Found::Resumed => write!(
                f,
                "data folder {folder}: tables {}, commands {}",
                self.tables, self.number
            )?,
            Found::Rebuilt {
                damage,
                snapshot,
                aside,
            } => {
                write!(f, "data folder {folder}: the database ")?;
                match damage {
                    Damage::Missing => f.write_str("was missing and was made from ")?,
                    _ => write!(f, "could not be used ({damage}) and was rebuilt from ")?,
                }
                match snapshot {
                    Some(snapshot) => write!(f, "{} and the journal", snapshot.display())?,
                    None => f.write_str("the journal")?,
                }
                write!(f, ": tables {}, commands {}", self.tables, self.number)?;
                if let Some(aside) = aside {
                    write!(f, "; the old one was moved to {}", aside.display())?;
                }
            }
            Found::Ahead { journal } => write!(
                f,
                "data folder {folder}: the journal ends at command {journal}, the database is whole and has {}; it was kept and a snapshot taken",
                self.number
            )?,
        }
        if let Some(Torn { path, bytes, .. }) = &self.torn {
            write!(
                f,
                "\n{bytes} bytes of an unfinished write were cut from {}",
                path.display()
            )?;
        }
        for Rot { path, first, last } in &self.rot {
            write!(
                f,
                "\n{}: commands {first} to {last} are damaged in the journal; the database has them, and a snapshot was taken",
                path.display()
            )?;
        }
        self.warnings
            .iter()
            .try_for_each(|warning| write!(f, "\n{warning}"))
    }
}

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has the folder.
    #[error(
        "the data folder {0} is in use by another process; stop it first, or choose another folder"
    )]
    InUse(PathBuf),
    /// The folder could not be read or written.
    #[error("the data folder {folder}: {error}")]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The journal cannot be read; nothing was changed.
    #[error("the journal cannot be used: {0}")]
    Journal(#[from] JournalError),
    /// The view is damaged, and neither snapshots nor journal are whole enough to make it anew.
    #[error("the database could not be used ({damage}) and could not be rebuilt: {}", tried.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Lost {
        /// What was wrong with the view.
        damage: Damage,
        /// Why each way to rebuild it failed.
        tried: Vec<RebuildError>,
    },
    /// Damage was bridged, but the snapshot that has to hold it could not be written.
    #[error("a snapshot could not be written: {0}")]
    Snapshot(#[from] super::kept::KeptError),
    /// The view failed after it was found whole.
    #[error("the database failed: {0}")]
    View(#[from] Damage),
}
