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
use super::opening::{OpenError, Stranger};

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

impl Says {
    /// Where in the history the file begins.
    fn point(&self) -> Option<Point> {
        let n = self
            .first
            .map(|first| first.saturating_sub(1))
            .or(self.from)?;
        Some(Point {
            n,
            chain: self.chain,
        })
    }
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
        // What the files say of the digest at the same command.
        let mut chains: BTreeMap<u64, Vec<(PathBuf, Chain)>> = BTreeMap::new();
        if let Some(mark) = mark.mark() {
            chains
                .entry(mark.n)
                .or_default()
                .push((folder.mark(), mark.chain));
        }
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
        let id = one(&ids, Stranger::Folder)?;
        // A snapshot is taken when the segment after it has begun, so one beyond all of ours is of another history.
        let newest = segments.last().map_or(0, |newest| newest.number - 1);
        let reached = mark.mark().map(|mark| mark.n.max(newest));
        let beyond = |file: &&Numbered| reached.is_some_and(|reached| file.number > reached);
        let beyond: Vec<PathBuf> = snapshots
            .iter()
            .filter(beyond)
            .map(|file| file.path.clone())
            .collect();
        if !beyond.is_empty() {
            return Err(OpenError::Foreign {
                paths: beyond,
                kind: Stranger::Fork,
                tied: false,
            });
        }
        for points in chains.values() {
            one(points, Stranger::Fork)?;
        }
        Ok(Self {
            folder: id,
            mark,
            note,
            segments,
            snapshots,
            begun,
        })
    }
}

/// What most files say of one thing; those that say another are strangers, all of them where as many say one as another.
fn one<T: Ord + Copy>(said: &[(PathBuf, T)], kind: Stranger) -> Result<Option<T>, OpenError> {
    let mut votes: BTreeMap<T, usize> = BTreeMap::new();
    for (_, said) in said {
        *votes.entry(*said).or_default() += 1;
    }
    let Some((&most, &highest)) = votes.iter().max_by_key(|(_, votes)| **votes) else {
        return Ok(None);
    };
    if votes.len() == 1 {
        return Ok(Some(most));
    }
    let tied = votes.values().filter(|&&votes| votes == highest).count() > 1;
    let strangers = said.iter().filter(|(_, said)| tied || *said != most);
    Err(OpenError::Foreign {
        paths: strangers.map(|(path, _)| path.clone()).collect(),
        kind,
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

/// Where the segments begin, as far as their first lines can be read.
pub(super) fn beginnings(segments: &[Numbered]) -> Vec<Point> {
    let read = segments
        .iter()
        .filter_map(|segment| says(&segment.path).ok());
    read.filter_map(|says| says.point()).collect()
}
