//! The first line of a snapshot, a file of finished games and an export.

use serde::{Deserialize, Serialize};

use super::history::{Chain, FolderId, Point};
use super::record::FORMAT;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Title {
    /// [`FORMAT`] of the program that wrote it.
    pub(super) format: u32,
    /// Everything up to this command is in it.
    pub(super) from: u64,
    /// The folder it belongs to; an export belongs to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) folder: Option<FolderId>,
    /// The digest up to command `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chain: Option<Chain>,
    /// Of a file of finished games: the number in its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<u64>,
    /// The files of finished games that belong to a snapshot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) finished: Vec<FinishedFile>,
    /// Nothing was stored in the folder before it: a snapshot that was imported begins a journal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) imported: bool,
}

impl Title {
    /// That of an export, or the common part of all others.
    pub(super) fn new(from: u64) -> Self {
        Self {
            format: FORMAT,
            from,
            folder: None,
            chain: None,
            number: None,
            finished: Vec::new(),
            imported: false,
        }
    }

    pub(super) fn point(&self) -> Point {
        Point {
            n: self.from,
            chain: self.chain,
        }
    }
}

/// A file of finished games as a snapshot names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredFinishedFile")]
pub(super) struct FinishedFile {
    pub(super) name: String,
    /// How many games are in it, and the sum over their lines. Unknown in snapshots of the first format.
    #[serde(flatten)]
    pub(super) content: Option<Content>,
}

/// What is in a file of finished games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) games: u64,
    pub(super) sum: Chain,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StoredFinishedFile {
    First(String),
    Known {
        name: String,
        #[serde(flatten)]
        content: Content,
    },
}

impl From<StoredFinishedFile> for FinishedFile {
    fn from(stored: StoredFinishedFile) -> Self {
        let (name, content) = match stored {
            StoredFinishedFile::First(name) => (name, None),
            StoredFinishedFile::Known { name, content } => (name, Some(content)),
        };
        Self { name, content }
    }
}
