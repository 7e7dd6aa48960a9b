//! Commits to make and states to compare.

use std::fs::{self, OpenOptions};
use std::path::Path;

use ashtapada::ids::{At, Cause, PersonId, Place, Platform, TableCode};
use ashtapada::store::{
    Account, Append, Commit, Find, Found, Listing, Memory, Opening, Options, Person, Post, Sled,
    Stage, Stages, Store, Stored, open,
};
use serde_json::{Value, json};

/// Options under which segments are small, so that a short test meets many snapshots.
pub(crate) fn small(segment_lines: u64) -> Options {
    Options {
        segment_lines,
        ..Options::default()
    }
}

pub(crate) fn opened(dir: &Path, segment_lines: u64) -> (Sled, Opening) {
    open(dir, small(segment_lines))
        .unwrap_or_else(|error| panic!("the store does not open: {error}"))
}

pub(crate) fn hall() -> Place {
    Place::room(Platform::Console, "hall")
}

pub(crate) fn listing(since: u64, stage: Stage) -> Listing {
    Listing {
        people: vec![PersonId(1), PersonId(2)],
        turn: vec![PersonId(1)],
        places: vec![hall()],
        open: false,
        stage,
        since: At(since),
        expires: None,
        summary: json!({"game": "chaturanga"}),
    }
}

/// The commit that gives table `table` its events from number `version` on; a twentieth event ends the table.
pub(crate) fn step(table: u32, version: u64, events: u64) -> Commit {
    let code = TableCode::numbered(table);
    let stage = if version + events >= 20 {
        Stage::Finished
    } else {
        Stage::Playing
    };
    let mut commit = Commit::new(
        At(1_000 + version),
        Some(Cause::new(
            Platform::Console,
            format_args!("{code}-{version}"),
        )),
    );
    let events = (version..version + events)
        .map(|event| event_of(code, event))
        .collect();
    commit.appends.push(Append {
        code,
        expected: version,
        events,
        listing: listing(1_000 + version, stage),
    });
    commit.posts.push(Post {
        place: hall(),
        body: json!({"code": code, "version": version}),
    });
    commit
        .notes
        .push((format!("last/{code}"), Some(json!(version))));
    commit
        .people
        .push(person(u64::from(table) + 1, &format!("after {version}")));
    commit
}

/// How many events a table has.
pub(crate) async fn version(store: &impl Store, table: u32) -> u64 {
    let stored = store.table(TableCode::numbered(table)).await.unwrap();
    stored.map_or(0, |stored| stored.version)
}

/// What event number `event` of a table says; long enough that a table fills several chunks.
pub(crate) fn event_of(code: TableCode, event: u64) -> Value {
    json!({"v": 1, "of": code, "number": event, "said": "b1c3 a2a3 ".repeat(usize::try_from(event % 40).unwrap_or(0))})
}

pub(crate) fn person(id: u64, name: &str) -> Person {
    let account = Account {
        platform: Platform::Console,
        account: format!("account-{id}"),
    };
    Person {
        id: PersonId(id),
        accounts: vec![account],
        name: name.to_owned(),
        bot: false,
    }
}

/// Everything a store can be asked about these tables and people.
#[derive(Debug, PartialEq)]
pub(crate) struct State {
    tables: Vec<Option<Stored>>,
    found: Vec<Vec<(TableCode, Listing)>>,
    people: Vec<Option<Person>>,
    owners: Vec<Option<Person>>,
    notes: Vec<Option<Value>>,
    outbox: Vec<(ashtapada::store::PostId, Post)>,
}

impl State {
    /// The tables but the first, and the people.
    pub(crate) fn beyond_the_first_table(&self) -> (&[Option<Stored>], &[Option<Person>]) {
        (&self.tables[1..], &self.people)
    }
}

pub(crate) async fn state(store: &impl Store, tables: u32) -> State {
    let mut state = State {
        tables: vec![],
        found: vec![],
        people: vec![],
        owners: vec![],
        notes: vec![],
        outbox: vec![],
    };
    for table in 0..tables {
        let code = TableCode::numbered(table);
        state.tables.push(store.table(code).await.unwrap());
        state
            .notes
            .push(store.note(&format!("last/{code}")).await.unwrap());
        let id = u64::from(table) + 1;
        state.people.push(store.person(PersonId(id)).await.unwrap());
        state.owners.push(
            store
                .person_by_account(Platform::Console, &format!("account-{id}"))
                .await
                .unwrap(),
        );
    }
    for find in finds() {
        state.found.push(store.tables(find, 1_000).await.unwrap());
    }
    state.outbox = store.outbox(None, 10_000).await.unwrap();
    state
}

fn finds() -> Vec<Find> {
    let mut finds = vec![
        Find::Open,
        Find::Finished,
        Find::Expiring { before: At(50) },
    ];
    for stages in [
        Stages::All,
        Stages::Unfinished,
        Stages::Only(Stage::Playing),
        Stages::Only(Stage::Finished),
    ] {
        for person in 1..=3 {
            finds.push(Find::OfPerson {
                person: PersonId(person),
                stages,
            });
        }
        for place in [
            hall(),
            Place::thread(Platform::Console, "hall", "corner"),
            Place::room(Platform::Matrix, "hall"),
        ] {
            finds.push(Find::InPlace { place, stages });
        }
    }
    finds
}

/// Plays `commits` steps at `tables` tables in turn, on both stores.
pub(crate) async fn play(store: &impl Store, model: &Memory, tables: u32, commits: u64) {
    for turn in 0..commits {
        let table = u32::try_from(turn % u64::from(tables)).unwrap();
        let version = version(model, table).await;
        let commit = step(table, version, 1 + turn % 3);
        assert_eq!(
            store.commit(commit.clone()).await,
            model.commit(commit).await
        );
        if turn % 4 == 3 {
            let waiting: Vec<_> = model
                .outbox(None, 2)
                .await
                .unwrap()
                .into_iter()
                .map(|(id, _)| id)
                .collect();
            store.posted(&waiting).await.unwrap();
            model.posted(&waiting).await.unwrap();
        }
    }
}

/// Copies a folder with all that is in it, but not its lock.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else if entry.file_name() != "lock" {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The folder's files whose names begin so, in order.
pub(crate) fn files(dir: &Path, beginning: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(beginning))
        })
        .collect();
    files.sort();
    files
}

pub(crate) const TABLES: u32 = 6;
/// Segments so long that there is one only.
pub(crate) const ONE: u64 = 100_000;

/// A closed store with `commits` commands, and what it should hold.
pub(crate) async fn folder(dir: &Path, segment_lines: u64, commits: u64) -> State {
    let model = Memory::new();
    let (store, opening) = opened(dir, segment_lines);
    assert_eq!(opening.found, Found::Fresh);
    play(&store, &model, TABLES, commits).await;
    store.close().await.unwrap();
    state(&model, TABLES).await
}

/// A closed store with two snapshots at least.
pub(crate) async fn folder_with_snapshots(dir: &Path) -> State {
    let model = Memory::new();
    let (store, _) = opened(dir, 25);
    let mut rounds = 0;
    while files(dir, "snapshot-").len() < 2 {
        rounds += 1;
        assert!(rounds < 400, "no snapshots are taken");
        play(&store, &model, TABLES, 30).await;
    }
    store.close().await.unwrap();
    state(&model, TABLES).await
}

/// Plays on until there are two snapshots and a file of finished games.
pub(crate) async fn play_until_filed(store: &impl Store, model: &Memory, dir: &Path) {
    let mut rounds = 0;
    while files(dir, "snapshot-").len() < 2 || files(dir, "finished-").is_empty() {
        rounds += 1;
        assert!(rounds < 400, "no snapshots are taken");
        play(store, model, 5, 30).await;
    }
}

pub(crate) fn without_view(dir: &Path) {
    fs::remove_dir_all(dir.join("sled")).unwrap();
}

pub(crate) fn cut(path: &Path, length: u64) {
    OpenOptions::new()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(length)
        .unwrap();
}
