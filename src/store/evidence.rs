//! What the files of a data folder say of themselves, read before anything is opened or changed: which folder each
//! belongs to, and whether it is what its name says.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::folder::{Folder, Numbered};
use super::history::{Chain, FolderId, Point};
use super::line;
use super::mark::{FoundMark, ViewNote};
use super::opening::OpenError;

/// How long a first line may be, in bytes.
const HEADING: u64 = 4 << 20;

/// What was found.
#[derive(Debug)]
pub(super) struct Evidence {
    /// The folder's id; none in a folder of the first format.
    pub(super) folder: Option<FolderId>,
    pub(super) mark: FoundMark,
    pub(super) note: Option<ViewNote>,
    pub(super) segments: Vec<Numbered>,
    pub(super) snapshots: Vec<Numbered>,
    /// What the newest segment goes on from.
    pub(super) begun: Option<Point>,
}

/// What the first lines of all files have in common.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Says {
    folder: Option<FolderId>,
    /// Of a segment.
    first: Option<u64>,
    chain: Option<Chain>,
    /// Of a file of finished games.
    number: Option<u64>,
    /// Of a snapshot.
    from: Option<u64>,
}

impl Evidence {
    /// Looks at the first line of every file. What cannot be read there says nothing.
    ///
    /// # Errors
    /// [`OpenError::Foreign`], [`OpenError::Misnamed`], [`OpenError::Folder`].
    pub(super) fn gather(folder: &Folder) -> Result<Self, OpenError> {
        let broken = |error| folder.broken(error);
        let (segments, snapshots) = (folder.segments(), folder.snapshots());
        let (segments, snapshots) = (segments.map_err(broken)?, snapshots.map_err(broken)?);
        let finished = folder.finished_files().map_err(broken)?;
        let mark = FoundMark::read(folder).map_err(broken)?;
        let note = ViewNote::read(folder);
        let mut begun = None;
        let mut ids: Vec<(PathBuf, FolderId)> = Vec::new();
        ids.extend(mark.mark().map(|mark| (folder.mark(), mark.folder)));
        ids.extend(note.map(|note| (folder.view(), note.folder)));
        for (files, number) in [
            (&segments, (|says| says.first) as fn(&Says) -> Option<u64>),
            (&snapshots, |says| says.from),
            (&finished, |says| says.number),
        ] {
            for file in files {
                let says = says(&file.path).map_err(|error| folder.broken_at(&file.path, error))?;
                if let Some(said) = number(&says).filter(|&said| said != file.number) {
                    return Err(OpenError::Misnamed {
                        path: file.path.clone(),
                        said,
                    });
                }
                begun = says
                    .first
                    .map(|first| Point {
                        n: first.saturating_sub(1),
                        chain: says.chain,
                    })
                    .or(begun);
                ids.extend(says.folder.map(|id| (file.path.clone(), id)));
            }
        }
        Ok(Self {
            folder: one(&ids)?,
            mark,
            note,
            segments,
            snapshots,
            begun,
        })
    }
}

/// The id that most files name. A file that names another one is of another folder.
fn one(ids: &[(PathBuf, FolderId)]) -> Result<Option<FolderId>, OpenError> {
    let mut votes: BTreeMap<FolderId, u32> = BTreeMap::new();
    for (_, id) in ids {
        *votes.entry(*id).or_default() += 1;
    }
    let most = votes
        .iter()
        .max_by_key(|(_, votes)| **votes)
        .map(|(id, _)| *id);
    let foreign: Vec<PathBuf> = ids
        .iter()
        .filter(|(_, id)| Some(*id) != most)
        .map(|(path, _)| path.clone())
        .collect();
    if foreign.is_empty() {
        return Ok(most);
    }
    // With as many votes on both sides nobody can say who is the stranger.
    let tied = votes
        .values()
        .filter(|&&votes| votes * 2 == ids.len() as u32)
        .count()
        == 2;
    Err(OpenError::Foreign {
        paths: if tied {
            ids.iter().map(|(path, _)| path.clone()).collect()
        } else {
            foreign
        },
        tied,
    })
}

fn says(path: &Path) -> io::Result<Says> {
    let mut first = Vec::new();
    BufReader::new(File::open(path)?)
        .take(HEADING)
        .read_until(b'\n', &mut first)?;
    let json = line::opened(&first).and_then(|(json, _)| serde_json::from_slice(json).ok());
    Ok(json.unwrap_or_default())
}
