//! What is gone for good because whoever runs the program said so: told at every start, until it is back or the note of
//! it is removed.

use std::fs;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::disk::sync_folder;
use super::folder::{Folder, undone};
use super::line;
use super::title::{Content, FinishedFile};

/// Something that was stored once and cannot be read any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Loss {
    /// The file of finished games that is needed to have it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    /// What was in it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<Content>,
    /// How many things at least: games or commands.
    pub(super) things: u64,
    /// What, in words.
    pub(super) what: String,
}

impl Loss {
    /// The file of finished games that is needed to have it back.
    pub(super) fn finished_file(&self) -> Option<FinishedFile> {
        Some(FinishedFile {
            name: self.file.clone()?,
            content: self.content,
        })
    }
}

/// What was given up before, and is not settled.
pub(super) fn read(folder: &Folder) -> io::Result<Vec<Loss>> {
    match fs::read(folder.losses()) {
        Ok(bytes) => Ok(bytes
            .split_inclusive(|&byte| byte == b'\n')
            .filter_map(line::read)
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Notes everything that is given up, durably, or that all of it is settled.
pub(super) fn write(folder: &Folder, losses: &[Loss]) -> io::Result<()> {
    let path = folder.losses();
    if losses.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => sync_folder(folder.root()),
        };
    }
    let mut lines = Vec::new();
    for loss in losses {
        line::write(&mut lines, loss)?;
    }
    let beside = undone(&path);
    let mut file = fs::File::create(&beside)?;
    file.write_all(&lines)?;
    file.sync_all()?;
    fs::rename(&beside, &path)?;
    sync_folder(folder.root())
}
