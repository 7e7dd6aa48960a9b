//! The data folder: which file is which, and that only one process uses it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::disk::sync_folder;
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

/// How long another process is given to end: one that was just told to, or one that is being started by this one and
/// still shares its files.
const ENDING: Duration = Duration::from_secs(1);

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

    /// The folder, made if there is none, and the file that keeps other processes out until dropped.
    pub(super) fn claim(root: &Path) -> Result<(Self, File), OpenError> {
        let folder = Self::new(root);
        folder.make().map_err(|error| folder.broken(error))?;
        let lock = folder.lock()?;
        Ok((folder, lock))
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
        Ok(self.segments()?.is_empty() && self.snapshots()?.is_empty() && !self.view().exists())
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn view(&self) -> PathBuf {
        self.root.join("sled")
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

    /// Takes the folder for this process, until the returned file is dropped.
    pub(super) fn lock(&self) -> Result<File, OpenError> {
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.root.join("lock"))
            .map_err(|error| self.broken(error))?;
        let begun = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) if begun.elapsed() < ENDING => {
                    thread::sleep(Duration::from_millis(5))
                }
                Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(self.root.clone())),
                Err(TryLockError::Error(error)) => return Err(self.broken(error)),
            }
        }
    }

    /// Removes what a killed process left half made: unfinished files of ours, and of the view the
    /// `snap.*.generating`, which are never needed and, when torn, make every later open fail.
    pub(super) fn sweep(&self) -> io::Result<()> {
        remove_ending(&self.root, UNDONE)?;
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
