//! The few things the journal asks of a disk, so that tests can make them fail or wait.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Opens the journal's files.
pub trait Disk: fmt::Debug + Send + Sync + 'static {
    /// Opens a file for appending, making it when it is not there.
    ///
    /// # Errors
    /// What the system says.
    fn append_to(&self, path: &Path) -> io::Result<Box<dyn Tape>>;
}

/// A file that is only appended to.
pub trait Tape: fmt::Debug + Send + 'static {
    /// Writes all bytes at the end.
    ///
    /// # Errors
    /// What the system says; a part may have been written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Returns when everything appended is on the disk.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to this length in bytes, on the disk.
    ///
    /// # Errors
    /// What the system says.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalDisk;

impl Disk for LocalDisk {
    fn append_to(&self, path: &Path) -> io::Result<Box<dyn Tape>> {
        Ok(Box::new(
            OpenOptions::new().append(true).create(true).open(path)?,
        ))
    }
}

impl Tape for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        self.sync_all()
    }
}

/// Makes a folder's entries (files made, renamed, deleted) durable.
pub(super) fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(dir)?.sync_all()
    } else {
        Ok(())
    }
}
