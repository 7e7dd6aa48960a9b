//! `export`, `import` and `check`: everything that is stored, one JSON object a line.
//!
//! The first line says what the file is; then come the people, then the tables with their events. Secrets of running games are
//! in it as they are stored: sealed under the key file, which has to be copied beside it.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::Failure;
use super::house::House;
use super::say;
use crate::config::Config;
use crate::ids::{PersonId, TableCode};
use crate::store::{Append, Commit, Find, Listing, Person, Stages, Store, StoreError};

/// The version of the file's form.
const VERSION: u32 = 1;
/// How many tables are imported by one commit.
const TABLES_AT_ONCE: usize = 100;

/// One line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// The first line.
    AshtapadaExport(u32),
    Person(Person),
    Table(Box<Exported>),
    /// The last line, without which the file is not whole.
    End { people: usize, tables: usize },
}

#[derive(Debug, Serialize, Deserialize)]
struct Exported {
    code: TableCode,
    listing: Listing,
    events: Vec<Value>,
}

/// Writes everything into a new file.
pub(super) fn export(config: &Config, file: &Path) -> Result<(), Failure> {
    let unwritable = |cause| Failure::Unwritable {
        path: file.to_owned(),
        cause,
    };
    let house = House::open(config, None)?;
    let new = OpenOptions::new().write(true).create_new(true).open(file);
    let mut out = BufWriter::new(new.map_err(unwritable)?);
    let mut write = |line: &Line| -> Result<(), Failure> {
        serde_json::to_writer(&mut out, line).map_err(|error| unwritable(error.into()))?;
        out.write_all(b"\n").map_err(unwritable)
    };
    let store = house.club.store().clone();
    let (people, codes) = house.runtime.block_on(everything(&*store))?;
    write(&Line::AshtapadaExport(VERSION))?;
    let end = Line::End {
        people: people.len(),
        tables: codes.len(),
    };
    for person in people {
        write(&Line::Person(person))?;
    }
    for code in codes {
        if let Some(stored) = house.runtime.block_on(store.table(code))? {
            write(&Line::Table(Box::new(Exported {
                code,
                listing: stored.listing,
                events: stored.events,
            })))?;
        }
    }
    write(&end)?;
    let done = out.into_inner().map_err(|error| error.into_error());
    done.and_then(|file| file.sync_all()).map_err(unwritable)?;
    if let Line::End { people, tables } = end {
        say(&format!(
            "{tables} tables and {people} people are in {}. Running games with dice need the file {} too.",
            file.display(),
            house.folder.join("key").display()
        ))?;
    }
    house.close()
}

/// Fills an empty data folder from an exported file.
pub(super) fn import(config: &Config, file: &Path) -> Result<(), Failure> {
    let wrong = |what: String| Failure::Archive {
        path: file.to_owned(),
        what,
    };
    let (people, tables) = read(file)?;
    let house = House::open(config, None)?;
    let store = house.club.store().clone();
    let counted = (people.len(), tables.len());
    house.runtime.block_on(async {
        let (known, codes) = everything(&*store).await?;
        if !known.is_empty() || !codes.is_empty() {
            return Err(wrong(format!(
                "the data folder {} is not empty; import into a new one",
                house.folder.display()
            )));
        }
        keep(&*store, people, tables).await.map_err(|error| wrong(error.to_string()))
    })?;
    say(&format!("{} tables and {} people were imported.", counted.1, counted.0))?;
    house.close()
}

fn read(file: &Path) -> Result<(Vec<Person>, Vec<Exported>), Failure> {
    let unreadable = |cause| Failure::Unreadable {
        path: file.to_owned(),
        cause,
    };
    let wrong = |what: String| Failure::Archive {
        path: file.to_owned(),
        what,
    };
    let input = BufReader::new(std::fs::File::open(file).map_err(unreadable)?);
    let (mut people, mut tables, mut begun, mut end) = (Vec::new(), Vec::new(), false, None);
    for (index, line) in input.lines().enumerate() {
        let number = index + 1;
        let line: Line = serde_json::from_str(&line.map_err(unreadable)?)
            .map_err(|error| wrong(format!("line {number} is not a line of an export: {error}")))?;
        match line {
            Line::AshtapadaExport(version) if version > VERSION => {
                return Err(wrong(format!("it has version {version}, written by a newer program")));
            }
            Line::AshtapadaExport(_) => begun = true,
            Line::Person(person) => people.push(person),
            Line::Table(table) => tables.push(*table),
            Line::End { people, tables } => end = Some((people, tables)),
        }
        if !begun {
            return Err(wrong("it is not an export: its first line does not say so".to_owned()));
        }
    }
    if end != Some((people.len(), tables.len())) {
        return Err(wrong("it is not whole: its last line is missing or counts otherwise".to_owned()));
    }
    Ok((people, tables))
}

async fn keep(store: &dyn Store, people: Vec<Person>, tables: Vec<Exported>) -> Result<(), StoreError> {
    let at = tables.iter().map(|table| table.listing.since).max().unwrap_or_default();
    let mut commit = Commit::new(at, None);
    commit.people = people;
    store.commit(commit).await?;
    let mut tables = tables.into_iter().peekable();
    while tables.peek().is_some() {
        let mut commit = Commit::new(at, None);
        commit.appends = tables
            .by_ref()
            .take(TABLES_AT_ONCE)
            .map(|table| Append {
                code: table.code,
                expected: 0,
                events: table.events,
                listing: table.listing,
            })
            .collect();
        store.commit(commit).await?;
    }
    Ok(())
}

/// Everybody, and the codes of all tables.
async fn everything(store: &dyn Store) -> Result<(Vec<Person>, BTreeSet<TableCode>), StoreError> {
    let next = store.next_person().await?;
    let mut people = Vec::new();
    // An unfinished table has somebody at it; those that all have left are finished.
    let mut finds = vec![Find::Finished];
    for id in (1..next.0).map(PersonId) {
        finds.push(Find::OfPerson {
            person: id,
            stages: Stages::All,
        });
        people.extend(store.person(id).await?);
    }
    let mut codes = BTreeSet::new();
    for find in finds {
        let found = store.tables(find, usize::MAX).await?;
        codes.extend(found.into_iter().map(|(code, _)| code));
    }
    Ok((people, codes))
}

/// Reads everything that is stored and plays every game again; how many tables and people there are.
pub(super) async fn survey(house: &House) -> Result<(usize, usize), Failure> {
    let (people, codes) = everything(&**house.club.store()).await?;
    for code in &codes {
        house.club.load(*code).await?;
    }
    Ok((codes.len(), people.len()))
}
