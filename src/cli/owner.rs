//! Whose the files of the data folder are, where the system only says that something is not permitted.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How deep is looked: the folder, its files, and what is in folders of its own.
const DEEP: usize = 2;

/// A file that belongs to somebody else than who runs the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Strange {
    pub(super) path: PathBuf,
    pub(super) owner: u32,
}

/// What of a data folder is not the user's: the folder, or the first file in it. Where there is no such folder, the one in
/// which it would have to be made.
pub(super) fn not_the_users(folder: &Path) -> Option<Strange> {
    let user = rustix::process::geteuid().as_raw();
    let there = folder.ancestors().find(|path| path.exists())?;
    let deep = if there == folder { DEEP } else { 0 };
    first(there, user, deep)
}

fn first(path: &Path, user: u32, deep: usize) -> Option<Strange> {
    let about = fs::symlink_metadata(path).ok()?;
    if about.uid() != user {
        return Some(Strange {
            path: path.to_owned(),
            owner: about.uid(),
        });
    }
    if deep == 0 || !about.is_dir() {
        return None;
    }
    let entries = fs::read_dir(path).ok()?;
    let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    inside.iter().find_map(|path| first(path, user, deep - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_not_the_users_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        assert_eq!(not_the_users(&data), None);
        fs::create_dir(&data).unwrap();
        fs::write(data.join("lock"), "").unwrap();
        let owner = fs::metadata(&data).unwrap().uid();
        assert_eq!(not_the_users(&data), None);
        let strange = first(&data, owner + 1, DEEP).unwrap();
        assert_eq!(strange, Strange { path: data, owner });
    }
}
