//! That only one process uses a data folder: locks on the file `lock` and on the journal's newest segment.
//!
//! Somebody may remove `lock` while the program runs. Then the segment's lock keeps a second process out, and the first
//! one notices at its next command that the lock is not its own any more.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::folder::Folder;
use super::opening::OpenError;

/// How long another process is given to end: one that was just told to, or one that is being started by this one and
/// still shares its files.
const ENDING: Duration = Duration::from_secs(1);

/// A data folder taken for this process until this is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    lock: Held,
    segment: Mutex<Option<Held>>,
}

/// A locked file, and where it was found.
#[derive(Debug)]
struct Held {
    path: PathBuf,
    file: File,
}

impl Claim {
    /// Takes a folder that is there.
    ///
    /// # Errors
    /// [`OpenError::InUse`], [`OpenError::Folder`].
    pub(super) fn take(folder: &Folder) -> Result<Self, OpenError> {
        let path = folder.root().join("lock");
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| folder.broken_at(&path, error))?;
        let lock = locked(folder, path, file)?;
        let claim = Self {
            lock,
            segment: Mutex::new(None),
        };
        let newest = folder.segments().map_err(|error| folder.broken(error))?;
        if let Some(newest) = newest.last() {
            let file = File::open(&newest.path);
            let file = file.map_err(|error| folder.broken_at(&newest.path, error))?;
            *claim.segment() = Some(locked(folder, newest.path.clone(), file)?);
        }
        Ok(claim)
    }

    /// Goes over to another segment.
    pub(super) fn hold(&self, path: &Path) -> io::Result<()> {
        let mut segment = self.segment();
        if segment
            .as_ref()
            .is_some_and(|held| held.path == path && held.is_there())
        {
            return Ok(());
        }
        let file = File::open(path)?;
        if cfg!(unix) {
            file.try_lock().map_err(io::Error::from)?;
        }
        *segment = Some(Held {
            path: path.to_owned(),
            file,
        });
        Ok(())
    }

    /// The file that is gone, or is another one by now, although this process has it locked.
    pub(super) fn lost(&self) -> Option<PathBuf> {
        let segment = self.segment();
        let held = std::iter::once(&self.lock).chain(segment.as_ref());
        held.into_iter()
            .find(|held| !held.is_there())
            .map(|held| held.path.clone())
    }

    fn segment(&self) -> std::sync::MutexGuard<'_, Option<Held>> {
        self.segment.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Whether the file is still the one that is found under its name.
    #[cfg(unix)]
    fn is_there(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let found = std::fs::metadata(&self.path);
        let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        match (found, self.file.metadata()) {
            (Ok(found), Ok(held)) => identity(found) == identity(held),
            (Err(error), _) => error.kind() != io::ErrorKind::NotFound,
            (_, Err(_)) => true,
        }
    }

    /// Elsewhere a file that is open keeps its name.
    #[cfg(not(unix))]
    fn is_there(&self) -> bool {
        true
    }
}

/// Locks a file. Where locks keep others from reading and writing (as on Windows), a segment is not locked.
fn locked(folder: &Folder, path: PathBuf, file: File) -> Result<Held, OpenError> {
    let begun = Instant::now();
    loop {
        let tried = if cfg!(unix) || path.ends_with("lock") {
            file.try_lock()
        } else {
            Ok(())
        };
        match tried {
            Ok(()) => return Ok(Held { path, file }),
            Err(TryLockError::WouldBlock) if begun.elapsed() < ENDING => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse(folder.root().to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(folder.broken_at(&path, error)),
        }
    }
}
