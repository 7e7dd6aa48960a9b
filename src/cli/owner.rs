//! Whose the files of the data folder are, where the system only says that something is not permitted.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

/// How deep is looked: the folder, its files, and what is in folders of its own.
const DEEP: usize = 2;

/// A file that somebody else than who runs the program keeps for themselves.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Strange {
    pub(super) path: PathBuf,
    pub(super) owner: u32,
}

/// What of a data folder is not the user's: the folder, or the first file in it. Where there is no such folder, the one in
/// which it would have to be made.
pub(super) fn not_the_users(folder: &Path) -> Option<Strange> {
    let there = folder.ancestors().find(|path| path.exists())?;
    let deep = if there == folder { DEEP } else { 0 };
    first(there, deep, &may_use)
}

/// Whether the user may read and write a file, or go into a folder too.
fn may_use(path: &Path, folder: bool) -> bool {
    let wanted = match folder {
        true => Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK,
        false => Access::READ_OK | Access::WRITE_OK,
    };
    accessat(CWD, path, wanted, AtFlags::EACCESS).is_ok()
}

fn first(path: &Path, deep: usize, usable: &dyn Fn(&Path, bool) -> bool) -> Option<Strange> {
    let about = fs::symlink_metadata(path).ok()?;
    if !usable(path, about.is_dir()) {
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
    inside.iter().find_map(|path| first(path, deep - 1, usable))
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
        assert_eq!(not_the_users(&data), None);
        let lock = data.join("lock");
        let owner = fs::metadata(&lock).unwrap().uid();
        let strange = first(&data, DEEP, &|path, _| path != lock);
        assert_eq!(strange, Some(Strange { path: lock, owner }));
    }
}
