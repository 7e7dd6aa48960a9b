//! The installation's key in the data folder, under which the secrets of running games are sealed.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use zeroize::Zeroizing;

use super::chance::{Chance, NoChance};
use crate::ids::{At, PersonId, TableCode};
use crate::store::{Commit, Find, Stages, Store, StoreError};
use crate::table::{DiceTerms, Entry, Event, SealingKey};

/// The key file's name in the data folder.
pub const KEY_FILE: &str = "key";

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file cannot be read or made.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such file.
    #[error("{} is missing", path.display())]
    Missing {
        /// Which file.
        path: PathBuf,
    },
    /// It does not hold exactly 32 bytes.
    #[error("{} does not hold a key of 32 bytes; put the right one back from a back-up, or remove it to have a new one made (running dice games cannot go on then)", path.display())]
    Length {
        /// Which file.
        path: PathBuf,
    },
    /// Others than its owner may read or write it.
    #[error("{} may be read by others (mode {mode:o}); run `chmod 600` on it", path.display())]
    Mode {
        /// Which file.
        path: PathBuf,
        /// Its mode bits.
        mode: u32,
    },
    /// No randomness for a new one.
    #[error(transparent)]
    Chance(#[from] NoChance),
}

/// Reads the key in `folder`.
///
/// # Errors
/// [`KeyFileError`] with the file's path.
pub fn load_key(folder: &Path) -> Result<SealingKey, KeyFileError> {
    let path = folder.join(KEY_FILE);
    match File::open(&path) {
        Ok(file) => load(path, file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(KeyFileError::Missing { path })
        }
        Err(source) => Err(KeyFileError::Io { path, source }),
    }
}

/// Reads the key in `folder`, or makes one: whole or not at all, on the disk when this returns, readable by its owner only.
///
/// # Errors
/// [`KeyFileError`] with the file's path; nothing is changed then.
pub fn load_or_make(folder: &Path, chance: &dyn Chance) -> Result<SealingKey, KeyFileError> {
    match load_key(folder) {
        Err(KeyFileError::Missing { path }) => make(folder, path, chance),
        read => read,
    }
}

/// A key that is held in memory only, for a program that looks and changes nothing.
///
/// # Errors
/// When there is no randomness.
pub fn passing_key(chance: &dyn Chance) -> Result<SealingKey, NoChance> {
    let mut bytes = Zeroizing::new([0; 32]);
    chance.fill(&mut *bytes)?;
    Ok(SealingKey::new(*bytes))
}

/// The name of a file that is in the data folder since a key was made in place of one that running games need, until
/// none of them needs it any more.
const LOST: &str = "key.lost";

/// The note that holds what the key is known by.
const PROOF: &str = "key/proof";

/// What a key is known by; it cannot be told from this.
fn proof(key: &SealingKey) -> Value {
    Value::from(hex::encode(*key.derived("the key of this data folder")))
}

/// Whether this is the key that the folder was used with last; `None` when that was not noted yet.
///
/// # Errors
/// When the store fails.
pub async fn is_known_key(store: &dyn Store, key: &SealingKey) -> Result<Option<bool>, StoreError> {
    let noted = store.note(PROOF).await?;
    Ok(noted.map(|noted| noted == proof(key)))
}

/// Notes that this is the folder's key from now on.
///
/// # Errors
/// When the store fails.
pub async fn note_key(store: &dyn Store, key: &SealingKey, at: At) -> Result<(), StoreError> {
    let mut commit = Commit::new(at, None);
    commit.notes.push((PROOF.to_owned(), Some(proof(key))));
    store.commit(commit).await.map(|_| ())
}

/// Of these tables, which are closed to the folder's key, those of which that is not known: a key was made in place of
/// one that running games needed, and these are noted.
///
/// # Errors
/// When the note cannot be read.
pub fn not_noted_lost(
    folder: &Path,
    tables: Vec<TableCode>,
) -> Result<Vec<TableCode>, KeyFileError> {
    let path = folder.join(LOST);
    let noted = match fs::read_to_string(&path) {
        Ok(noted) => noted,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(tables),
        Err(source) => return Err(KeyFileError::Io { path, source }),
    };
    let noted: BTreeSet<TableCode> = noted.lines().filter_map(|code| code.parse().ok()).collect();
    Ok(tables
        .into_iter()
        .filter(|code| !noted.contains(code))
        .collect())
}

/// Notes that a key was made in place of one that these running games need: from the next start on the new one is there,
/// and nothing else would tell of it.
///
/// # Errors
/// When the file cannot be written.
pub fn note_lost(folder: &Path, tables: &[TableCode]) -> Result<(), KeyFileError> {
    let path = folder.join(LOST);
    let lines: String = tables.iter().map(|code| format!("{code}\n")).collect();
    fs::write(&path, lines).map_err(|source| KeyFileError::Io { path, source })
}

/// The unfinished tables that still need a key that was lost, after that was noted. The note goes when there are none.
///
/// # Errors
/// When the store fails.
pub async fn tables_of_lost_key(
    folder: &Path,
    store: &dyn Store,
    key: &SealingKey,
) -> Result<Vec<TableCode>, StoreError> {
    let path = folder.join(LOST);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let found = tables_of_other_keys(store, key).await?;
    if found.is_empty()
        && let Err(error) = fs::remove_file(&path)
    {
        tracing::warn!("{} cannot be removed: {error}", path.display());
    }
    Ok(found)
}

/// The unfinished tables whose secrets were sealed under another key than this.
///
/// # Errors
/// When the store fails.
pub async fn tables_of_other_keys(
    store: &dyn Store,
    key: &SealingKey,
) -> Result<Vec<TableCode>, StoreError> {
    let opens = |code, terms: &DiceTerms| match terms {
        DiceTerms::Fair { sealed, .. } => key.open(code, sealed).is_ok(),
        DiceTerms::File => true,
    };
    unfinished_with_dice(store, |code, terms| !opens(code, terms)).await
}

/// The unfinished tables whose fair dice need the key under which their secrets were sealed.
///
/// # Errors
/// When the store fails. A table that cannot be read is left out: its dice are not what it lacks.
pub async fn tables_needing_key(store: &dyn Store) -> Result<Vec<TableCode>, StoreError> {
    unfinished_with_dice(store, |_, terms| matches!(terms, DiceTerms::Fair { .. })).await
}

/// The unfinished tables with dice of some kind.
async fn unfinished_with_dice(
    store: &dyn Store,
    fits: impl Fn(TableCode, &DiceTerms) -> bool,
) -> Result<Vec<TableCode>, StoreError> {
    let stages = Stages::Unfinished;
    let mut codes = BTreeSet::new();
    // An unfinished table has somebody at it.
    for person in (1..store.next_person().await?.0).map(PersonId) {
        let found = store.tables(Find::OfPerson { person, stages }, usize::MAX);
        codes.extend(found.await?.into_iter().map(|(code, _)| code));
    }
    let mut needing = Vec::new();
    for code in codes {
        let stored = store.table(code).await?;
        let first = stored.as_ref().and_then(|stored| stored.events.first());
        if let Some(terms) = first.and_then(dice_terms)
            && fits(code, &terms)
        {
            needing.push(code);
        }
    }
    Ok(needing)
}

fn dice_terms(first: &Value) -> Option<DiceTerms> {
    match Entry::read(first).map(|entry| entry.event) {
        Ok(Event::Opened(opened)) => opened.dice,
        _ => None,
    }
}

fn load(path: PathBuf, file: File) -> Result<SealingKey, KeyFileError> {
    if let Some(mode) = mode_seen_by_others(&path, &file)? {
        return Err(KeyFileError::Mode { path, mode });
    }
    let mut held = Zeroizing::new(Vec::with_capacity(64));
    match file.take(33).read_to_end(&mut held) {
        Ok(_) => {}
        Err(source) => return Err(KeyFileError::Io { path, source }),
    }
    match held.as_slice().try_into() {
        Ok(bytes) => Ok(SealingKey::new(bytes)),
        Err(_) => Err(KeyFileError::Length { path }),
    }
}

fn make(folder: &Path, path: PathBuf, chance: &dyn Chance) -> Result<SealingKey, KeyFileError> {
    let mut bytes = Zeroizing::new([0; 32]);
    chance.fill(&mut *bytes)?;
    // Written beside and renamed, so that no crash leaves half a key.
    let beside = folder.join("key.new");
    let written = write_new(&beside, &bytes)
        .and_then(|()| fs::rename(&beside, &path))
        .and_then(|()| File::open(folder)?.sync_all());
    match written {
        Ok(()) => Ok(SealingKey::new(*bytes)),
        Err(source) => Err(KeyFileError::Io { path, source }),
    }
}

fn write_new(beside: &Path, bytes: &[u8; 32]) -> io::Result<()> {
    match fs::remove_file(beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(beside)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn mode_seen_by_others(path: &Path, file: &File) -> Result<Option<u32>, KeyFileError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file
        .metadata()
        .map_err(|source| KeyFileError::Io {
            path: path.to_owned(),
            source,
        })?
        .permissions()
        .mode()
        & 0o777;
    Ok((mode & 0o077 != 0).then_some(mode))
}

#[cfg(not(unix))]
fn mode_seen_by_others(_: &Path, _: &File) -> Result<Option<u32>, KeyFileError> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::chance::OsChance;
    use super::*;
    use crate::table::Secret;

    #[test]
    fn reading_a_key_that_is_missing_makes_none() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            load_key(folder.path()),
            Err(KeyFileError::Missing { .. })
        ));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let code = "K7Q2F".parse().unwrap();
        let secret = Secret::new([7; 32]);
        let made = load_or_make(folder.path(), &OsChance).unwrap();
        let sealed = made.seal(code, &secret, [1; 24]).unwrap();
        let read = load_or_make(folder.path(), &OsChance).unwrap();
        assert_eq!(read.open(code, &sealed), Ok(secret));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        load_or_make(folder.path(), &OsChance).unwrap();
        let path = folder.path().join(KEY_FILE);
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = load_or_make(folder.path(), &OsChance).unwrap_err();
        assert!(matches!(refused, KeyFileError::Mode { mode: 0o640, .. }));
    }

    #[test]
    fn a_key_of_another_length_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        load_or_make(folder.path(), &OsChance).unwrap();
        let path = folder.path().join(KEY_FILE);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"x").unwrap();
        let refused = load_or_make(folder.path(), &OsChance).unwrap_err();
        assert!(matches!(refused, KeyFileError::Length { .. }));
        assert_eq!(fs::read(&path).unwrap().len(), 33);
    }
}
