//! What was found when the store was opened, said so that whoever runs the program understands it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::damage::Damage;
use super::journal_error::{JournalError, Rot, Torn};

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
                "\n{bytes} bytes of an unfinished write were cut from {} (they are kept beside it)",
                path.display()
            )?;
        }
        for Rot { path, commands } in &self.rot {
            write!(f, "\n{}: ", path.display())?;
            match commands {
                Some((first, last)) => write!(f, "commands {first} to {last} are")?,
                None => f.write_str("the first line is")?,
            }
            f.write_str(
                " damaged in the journal; the database has what it said, and a snapshot was taken",
            )?;
        }
        self.warnings
            .iter()
            .try_for_each(|warning| write!(f, "\n{warning}"))
    }
}

/// Where files come from that do not belong in a data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stranger {
    /// From another data folder.
    Folder,
    /// From a copy of this folder that went its own way.
    Fork,
}

impl fmt::Display for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "data folder",
            Self::Fork => "history of this folder (a copy of it that went its own way)",
        })
    }
}

/// What somebody who knows that nothing better can be had starts the program with.
pub const ACCEPT_LOSS: &str = "--accept-loss";

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has the folder.
    #[error(
        "the data folder {0} is in use by another process; stop it first, or choose another folder"
    )]
    InUse(PathBuf),
    /// The folder, or a file in it, could not be read or written.
    #[error(
        "the data folder {folder}: {error}; see to it that it can be read and written by this user, and that there is room"
    )]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Files of another data folder.
    #[error(
        "{} {} to another {kind}{}; nothing was changed. Move {} away and put this folder's own back from a back-up (without its own, `sled` is made anew from the other files)",
        listed(paths),
        if paths.len() == 1 { "belongs" } else { "belong" },
        if *tied { " than the others of them, and nothing tells which are the right ones" } else { "" },
        if *tied { "those that are not this folder's" } else if paths.len() == 1 { "it" } else { "them" },
    )]
    Foreign {
        /// Which.
        paths: Vec<PathBuf>,
        /// What they are of.
        kind: Stranger,
        /// As many files say one thing as another.
        tied: bool,
    },
    /// A file that is another one under this name.
    #[error(
        "{path} is not what its name says: in it stands number {said}; nothing was changed. Move it away and put the right file back from a back-up"
    )]
    Misnamed {
        /// Which.
        path: PathBuf,
        /// The number that its first line says.
        said: u64,
    },
    /// The database is of a copy of this folder that went its own way.
    #[error(
        "{path} is of another history of this folder ({why}); nothing was changed. Put this folder's own files back from a back-up. If it is certain that the database is not this folder's own, move it away (keep it) and start again: it is made anew from the other files, with what they have"
    )]
    ForkedView {
        /// The database.
        path: PathBuf,
        /// How that was noticed.
        why: String,
    },
    /// The journal cannot be read; nothing was changed.
    #[error(
        "{error}. Nothing was changed. If there is no back-up, start with `{ACCEPT_LOSS}` to go on without what is gone"
    )]
    Journal {
        /// What is wrong with it.
        error: JournalError,
    },
    /// Files of the journal do not fit together; nothing was changed, and that is not a loss to accept.
    #[error("{0}. Nothing was changed")]
    Unfit(JournalError),
    /// The view is damaged, and neither snapshots nor journal are whole enough to make it anew.
    #[error(
        "the database cannot be used ({damage}), and not everything that was in it stands elsewhere:{}\nNothing was changed. Put the files back from a back-up and start again; if there is none, start with `{ACCEPT_LOSS}` to go on without what is gone",
        lines(tried)
    )]
    Lost {
        /// What was wrong with the view.
        damage: Damage,
        /// Why each way to rebuild it failed, or what is missing on the best one.
        tried: Vec<String>,
    },
    /// Damage was bridged, but the snapshot that has to hold it could not be written.
    #[error("a snapshot could not be written: {0}")]
    Snapshot(#[from] super::kept::KeptError),
    /// The view failed after it was found whole.
    #[error(
        "the database failed: {0}; start the program again, and it is rebuilt from the journal"
    )]
    View(#[from] Damage),
}

fn listed(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(", ")
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  - {line}")).collect()
}

#[cfg(test)]
mod tests;
