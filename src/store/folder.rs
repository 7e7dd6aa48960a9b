//! The data folder: which file is which.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::claim::Claim;
use super::disk::sync_folder;
use super::mark::FoundMark;
use super::opening::OpenError;

/// The data folder of one installation.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
}

/// A numbered file of the folder. For a segment the number of its first record; for a snapshot the number of the last
/// record before it was begun; files of finished games are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) path: PathBuf,
}

const SEGMENT: &str = "journal-";
/// The highest number a command can have; there is room above it to count on.
pub(super) const LAST: u64 = u64::MAX / 2;
const SNAPSHOT: &str = "snapshot-";
const FINISHED: &str = "finished-";
const LINES: &str = ".jsonl";
const UNDONE: &str = ".tmp";

impl Folder {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The folder, made if there is none, and taken for this process until the claim is dropped.
    pub(super) fn claim(root: &Path) -> Result<(Self, Claim), OpenError> {
        let folder = Self::new(root);
        folder.make().map_err(|error| folder.broken(error))?;
        let claim = Claim::take(&folder)?;
        Ok((folder, claim))
    }

    /// What the system said of a file in it, as the reason why the folder is not opened.
    pub(super) fn broken_at(&self, path: &Path, error: io::Error) -> OpenError {
        OpenError::Folder {
            folder: path.to_owned(),
            error,
        }
    }

    /// What the system said of the folder, as the reason why it is not opened.
    pub(super) fn broken(&self, error: io::Error) -> OpenError {
        OpenError::Folder {
            folder: self.root.clone(),
            error,
        }
    }

    /// Whether nothing was ever stored in it.
    pub(super) fn is_fresh(&self) -> io::Result<bool> {
        let files = [self.segments()?, self.snapshots()?, self.finished_files()?];
        if self.view().exists() || !files.iter().all(Vec::is_empty) {
            return Ok(false);
        }
        // The mark is there a moment before the first segment.
        Ok(match FoundMark::read(self)? {
            FoundMark::Missing => true,
            FoundMark::Damaged => false,
            FoundMark::Whole(mark) => mark.n == 0,
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn view(&self) -> PathBuf {
        self.root.join("sled")
    }

    /// Where a view is made before it takes its place.
    pub(super) fn new_view(&self) -> PathBuf {
        self.root.join("sled.new")
    }

    /// What the view's folder says of itself.
    pub(super) fn view_note(&self) -> PathBuf {
        self.view().join("folder")
    }

    /// How far the journal was acknowledged.
    pub(super) fn mark(&self) -> PathBuf {
        self.root.join("journal.mark")
    }

    /// What was lost and given up.
    pub(super) fn losses(&self) -> PathBuf {
        self.root.join("losses.jsonl")
    }

    /// Where a damaged view is moved, for whoever wants to look at it.
    pub(super) fn bad_view(&self) -> PathBuf {
        self.root.join("sled.bad")
    }

    /// A copy of the view, looked at by a check and removed again.
    pub(super) fn copied_view(&self) -> PathBuf {
        self.root.join("sled.check")
    }

    /// Counts the starts that ended while the view was being opened.
    pub(super) fn opening(&self) -> PathBuf {
        self.root.join("sled.opening")
    }

    pub(super) fn segment(&self, first: u64) -> PathBuf {
        self.numbered(SEGMENT, first)
    }

    pub(super) fn snapshot(&self, from: u64) -> PathBuf {
        self.numbered(SNAPSHOT, from)
    }

    pub(super) fn finished(&self, number: u64) -> PathBuf {
        self.numbered(FINISHED, number)
    }

    fn numbered(&self, kind: &str, number: u64) -> PathBuf {
        self.root.join(format!("{kind}{number:012}{LINES}"))
    }

    /// The journal's segments, the oldest first.
    pub(super) fn segments(&self) -> io::Result<Vec<Numbered>> {
        self.all(SEGMENT)
    }

    /// The snapshots, the oldest first.
    pub(super) fn snapshots(&self) -> io::Result<Vec<Numbered>> {
        self.all(SNAPSHOT)
    }

    /// The files of finished games, the oldest first.
    pub(super) fn finished_files(&self) -> io::Result<Vec<Numbered>> {
        self.all(FINISHED)
    }

    /// Makes the folder if there is none, durably.
    fn make(&self) -> io::Result<()> {
        if self.root.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(&self.root)?;
        match self
            .root
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            Some(parent) => sync_folder(parent),
            None => sync_folder(Path::new(".")),
        }
    }

    fn all(&self, kind: &str) -> io::Result<Vec<Numbered>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            let name = entry.file_name();
            let middle = name
                .to_str()
                .and_then(|name| name.strip_prefix(kind)?.strip_suffix(LINES));
            let number = middle.and_then(|middle| middle.parse().ok());
            let least = u64::from(kind == SEGMENT);
            if let Some(number) = number.filter(|number| (least..=LAST).contains(number)) {
                found.push(Numbered {
                    number,
                    path: entry.path(),
                });
            }
        }
        found.sort();
        Ok(found)
    }

    /// Removes what a killed process left half made of ours.
    pub(super) fn sweep(&self) -> io::Result<()> {
        for left in [self.copied_view(), self.new_view()] {
            if left.is_dir() {
                fs::remove_dir_all(left)?;
            }
        }
        remove_ending(&self.root, UNDONE)
    }

    /// Removes what a killed process left half made in the view: the `snap.*.generating`, which are never needed and,
    /// when torn, make every later open fail.
    pub(super) fn sweep_view(&self) -> io::Result<()> {
        if self.view().is_dir() {
            remove_ending(&self.view(), ".generating")?;
        }
        Ok(())
    }

    /// Moves the view aside, in place of one moved aside before. `None` when there was none.
    pub(super) fn set_view_aside(&self) -> io::Result<Option<PathBuf>> {
        let (view, aside) = (self.view(), self.bad_view());
        if !view.exists() {
            return Ok(None);
        }
        if aside.exists() {
            fs::remove_dir_all(&aside)?;
        }
        fs::rename(&view, &aside)?;
        Ok(Some(aside))
    }
}

/// The number in the name of a file of finished games.
pub(super) fn finished_number(name: &str) -> Option<u64> {
    name.strip_prefix(FINISHED)?
        .strip_suffix(LINES)?
        .parse()
        .ok()
}

/// Gives a file a name under which nobody takes it for one of the store's, and returns that: whatever is cut or not
/// relied on any more is kept.
pub(super) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let aside = beside(path, "bad");
    fs::rename(path, &aside)?;
    Ok(aside)
}

/// A name beside a file that nobody has yet: its own, what was done, and when.
pub(super) fn beside(path: &Path, done: &str) -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let second = now.map_or(0, |now| now.as_secs());
    let named = |further: u64| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{done}-{}", second + further));
        PathBuf::from(name)
    };
    (0..)
        .map(named)
        .find(|path| !path.exists())
        .unwrap_or_else(|| named(0))
}

/// Where a file is made before it takes its name.
pub(super) fn undone(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNDONE);
    PathBuf::from(name)
}

fn remove_ending(dir: &Path, ending: &str) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.to_str().is_some_and(|name| name.ends_with(ending)) && path.is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
