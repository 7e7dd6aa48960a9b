//! `export`, `import` and `check`: what is stored, as a whole.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter};
use std::path::Path;

use super::arguments::CheckArguments;
use super::failure::Failure;
use super::house::House;
use super::say;
use crate::club::{self, KEY_FILE};
use crate::config::Config;
use crate::ids::{PersonId, TableCode};
use crate::store::{self, Find, Stages, Store, StoreError, TransferError};

/// Writes everything into a new file.
pub(super) fn export(config: &Config, path: &Path) -> Result<(), Failure> {
    let folder = config.data_folder().ok_or(Failure::NoDataFolder)?;
    let unwritable = |cause| Failure::Unwritable {
        path: path.to_owned(),
        cause,
    };
    let new = OpenOptions::new().write(true).create_new(true).open(path);
    let mut out = BufWriter::new(new.map_err(unwritable)?);
    let options = store::Options::default();
    let written = store::export(&folder, &options, &mut out).map_err(|error| failed(path, error));
    let (lines, _) = match written {
        Ok(written) => written,
        Err(failure) => {
            // What is half written is of no use to anybody.
            let _ = std::fs::remove_file(path);
            return Err(failure);
        }
    };
    let file = out
        .into_inner()
        .map_err(|error| unwritable(error.into_error()))?;
    file.sync_all().map_err(unwritable)?;
    say(&format!(
        "{lines} lines are in {}. Running games with dice need the file {} too.",
        path.display(),
        folder.join(KEY_FILE).display()
    ))
}

/// Fills an empty data folder from an exported file.
pub(super) fn import(config: &Config, path: &Path) -> Result<(), Failure> {
    let folder = config.data_folder().ok_or(Failure::NoDataFolder)?;
    let file = File::open(path).map_err(|cause| Failure::Unreadable {
        path: path.to_owned(),
        cause,
    })?;
    let playable = |code, events: &[_]| club::playable(code, events).map_err(|why| why.to_string());
    let imported = store::import(&folder, BufReader::new(file), playable);
    let (lines, opening) = imported.map_err(|error| failed(path, error))?;
    // No key is made here: the start says at which tables the old one is missing.
    say(&format!(
        "{lines} lines were imported; {opening} Running games with dice need the old folder's file {KEY_FILE} as {}.",
        folder.join(KEY_FILE).display()
    ))
}

fn failed(path: &Path, error: TransferError) -> Failure {
    match error {
        TransferError::Open(error) => error.into(),
        other => Failure::Archive {
            path: path.to_owned(),
            what: other.to_string(),
        },
    }
}

/// Checks the files, and mends them where that is asked for; then plays every stored game again.
pub(super) fn check(config: &Config, given: &CheckArguments) -> Result<(), Failure> {
    say("The configuration is right.")?;
    let folder = config.data_folder().ok_or(Failure::NoDataFolder)?;
    if !folder.is_dir() {
        return say(&format!(
            "There is no data folder {} yet.",
            folder.display()
        ));
    }
    if given.mend {
        mend(&folder, given.accept_loss)?;
    }
    let report = store::check(&folder)?;
    say(&report.to_string())?;
    if !report.is_whole() {
        return Err(Failure::Damaged(folder));
    }
    let house = House::visit(config)?;
    let (tables, people) = house.runtime.block_on(survey(&house))?;
    say(&format!(
        "Every game can be played again: tables {tables}, people {people}."
    ))?;
    house.close()
}

fn mend(folder: &Path, accept_loss: bool) -> Result<(), Failure> {
    let options = store::Options {
        accept_loss,
        ..store::Options::default()
    };
    let (opening, aside) = store::mend(folder, &options)?;
    say(&opening.to_string())?;
    for path in aside {
        say(&format!(
            "damaged or of no use, and set aside: {}",
            path.display()
        ))?;
    }
    Ok(())
}

/// Plays every stored game again; how many tables and people there are.
async fn survey(house: &House) -> Result<(usize, usize), Failure> {
    let (people, codes) = everything(&**house.club.store()).await?;
    for code in &codes {
        house.club.load(*code).await?;
    }
    Ok((codes.len(), people))
}

/// How many people there are, and the codes of all tables.
async fn everything(store: &dyn Store) -> Result<(usize, BTreeSet<TableCode>), StoreError> {
    let next = store.next_person().await?;
    let mut people = 0;
    // An unfinished table has somebody at it; those that all have left are finished.
    let mut finds = vec![Find::Finished];
    for person in (1..next.0).map(PersonId) {
        let stages = Stages::All;
        finds.push(Find::OfPerson { person, stages });
        people += usize::from(store.person(person).await?.is_some());
    }
    let mut codes = BTreeSet::new();
    for find in finds {
        let found = store.tables(find, usize::MAX).await?;
        codes.extend(found.into_iter().map(|(code, _)| code));
    }
    Ok((people, codes))
}
