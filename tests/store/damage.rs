//! Whatever happens to any one file of a data folder – alone, or together with the database –, nothing acknowledged is
//! missing after a start, or the start refuses and changes nothing.
//!
//! `ASHTAPADA_DAMAGED_FOLDERS=10000 cargo test --release --test store damage` tries so many folders, and
//! `ASHTAPADA_DAMAGE_SEED` repeats a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ashtapada::store::{Memory, Sled, Store, check, mend, open};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

use crate::support::{State, TABLES, copy, cut, files, opened, small, state, step, version};

/// How many folders are tried when nobody says otherwise.
const FOLDERS: u32 = 250;
/// Rotated often, so that a folder has many files.
pub(crate) const SEGMENT: u64 = 25;

/// A folder as it was left, and what is stored in it.
pub(crate) struct Left {
    pub(crate) path: PathBuf,
    pub(crate) state: State,
    /// Closed, not killed: its database has everything.
    closed: bool,
}

/// The folders to take from: some histories, each with a copy that went its own way and with an older database.
pub(crate) struct Histories {
    pub(crate) home: tempfile::TempDir,
    pub(crate) all: Vec<History>,
}

pub(crate) struct History {
    pub(crate) left: Left,
    fork: PathBuf,
    older_view: PathBuf,
}

/// Plays on; finished tables are left alone, so that they stand in files of finished games only.
async fn play_on(store: &Sled, model: &Memory, commits: u64, random: &mut impl Rng) {
    for _ in 0..commits {
        let table = random.random_range(0..TABLES);
        let version = version(model, table).await;
        if version >= 20 {
            continue;
        }
        let commit = step(table, version, random.random_range(1..4));
        assert_eq!(
            store.commit(commit.clone()).await,
            model.commit(commit).await
        );
        if random.random_bool(0.3) {
            let waiting = model.outbox(None, 1).await.unwrap();
            let ids: Vec<_> = waiting.into_iter().map(|(id, _)| id).collect();
            store.posted(&ids).await.unwrap();
            model.posted(&ids).await.unwrap();
        }
    }
}

async fn history(home: &Path, number: usize, random: &mut StdRng) -> History {
    let named = |what: &str| home.join(format!("{what}-{number}"));
    let (path, fork, older_view) = (named("left"), named("fork"), named("older"));
    let model = Memory::new();
    let (mut store, _) = opened(&path, SEGMENT);
    let rounds = number % 4 + 1;
    for round in 0..rounds {
        play_on(&store, &model, random.random_range(10..40), random).await;
        store.close().await.unwrap();
        drop(store);
        if round == 0 {
            copy(&path, &fork);
            copy(&path.join("sled"), &older_view);
        }
        store = opened(&path, SEGMENT).0;
    }
    play_on(&store, &model, 5, random).await;
    if number.is_multiple_of(2) {
        store.close().await.unwrap();
        drop(store);
    } else {
        // As a kill leaves it: the database is behind, the lines of the journal are there.
        store.sync().await.unwrap();
        let killed = named("killed");
        copy(&path, &killed);
        store.close().await.unwrap();
        drop(store);
        fs::remove_dir_all(&path).unwrap();
        fs::rename(killed, &path).unwrap();
    }
    let other = Memory::new();
    let (store, _) = opened(&fork, SEGMENT);
    for table in 0..TABLES {
        for version in 0..version(&store, table).await {
            other.commit(step(table, version, 1)).await.unwrap();
        }
    }
    for _ in 0..random.random_range(3..60) {
        let table = random.random_range(0..TABLES);
        let mut commit = step(table, version(&other, table).await, 1);
        commit.cause = None;
        store.commit(commit.clone()).await.unwrap();
        other.commit(commit).await.unwrap();
    }
    store.close().await.unwrap();
    let state = state(&model, TABLES).await;
    History {
        left: Left {
            path,
            state,
            closed: number.is_multiple_of(2),
        },
        fork,
        older_view,
    }
}

impl Histories {
    pub(crate) async fn make(random: &mut StdRng) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut all = Vec::new();
        for number in 0..8 {
            all.push(history(home.path(), number, random).await);
        }
        Self { home, all }
    }
}

/// The store's own files in a folder, without the database and the lock.
fn own_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for beginning in ["journal", "snapshot-", "finished-"] {
        found.extend(files(dir, beginning));
    }
    // Not what a kill left half made.
    found.retain(|path| path.extension().is_none_or(|extension| extension != "tmp"));
    found
}

/// Everything in a folder but the lock and what is inside the database.
fn bytes(dir: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .filter(|path| !path.ends_with("lock"))
        .map(|path| {
            let content = path.is_file().then(|| fs::read(&path).unwrap());
            (path, content)
        })
        .collect()
}

/// Does something to one file of the folder; what, in words.
pub(crate) fn damage(
    dir: &Path,
    history: &History,
    other: &History,
    random: &mut StdRng,
) -> String {
    let own = own_files(dir);
    let victim = own.choose(random).unwrap();
    let name = victim.file_name().unwrap().to_string_lossy().into_owned();
    let length = fs::metadata(victim).unwrap().len();
    let kind = name.split(['-', '.']).next().unwrap().to_owned();
    let alike: Vec<PathBuf> = files(dir, &format!("{kind}-"));
    let renumbered = |number: u64| dir.join(format!("{kind}-{number:012}.jsonl"));
    match random.random_range(0..13) {
        0 => {
            fs::remove_file(victim).unwrap();
            format!("{name} removed")
        }
        1 => {
            let length = random.random_range(0..=length);
            cut(victim, length);
            format!("{name} cut to {length}")
        }
        2 | 3 => {
            let mut content = fs::read(victim).unwrap();
            let at = random.random_range(0..content.len());
            content[at] ^= 1 << random.random_range(0..8);
            fs::write(victim, content).unwrap();
            format!("{name} with a bit turned at {at}")
        }
        4 => {
            let second = alike.choose(random).unwrap();
            let (one, two) = (fs::read(victim).unwrap(), fs::read(second).unwrap());
            fs::write(victim, two).unwrap();
            fs::write(second, one).unwrap();
            format!("{name} exchanged with {}", second.display())
        }
        5 => {
            let second = alike.choose(random).unwrap();
            fs::copy(victim, second).unwrap();
            format!("{} written over with {name}", second.display())
        }
        6 => {
            let to = renumbered(random.random_range(1..200));
            fs::copy(victim, &to).unwrap();
            format!("{name} copied to {}", to.display())
        }
        7 => {
            let to = renumbered(random.random_range(1..200));
            fs::rename(victim, &to).unwrap();
            format!("{name} renamed to {}", to.display())
        }
        8 | 9 => {
            let from = if random.random_bool(0.5) {
                &history.fork
            } else {
                &other.left.path
            };
            let theirs: Vec<PathBuf> = own_files(from)
                .into_iter()
                .filter(|path| {
                    let theirs = path.file_name().unwrap().to_string_lossy();
                    theirs.starts_with(&kind) && theirs.contains("mark") == name.contains("mark")
                })
                .collect();
            let theirs = theirs.choose(random).cloned();
            let Some(theirs) = theirs else {
                return "nothing".to_owned();
            };
            let keeps_name = random.random_bool(0.5);
            let to = match keeps_name {
                true => dir.join(theirs.file_name().unwrap()),
                false => victim.clone(),
            };
            fs::copy(&theirs, &to).unwrap();
            format!("{} taken as {}", theirs.display(), to.display())
        }
        10 => {
            let text = fs::read_to_string(victim).unwrap();
            fs::write(victim, text.replace('\n', "\r\n")).unwrap();
            format!("{name} with other ends of lines")
        }
        11 => {
            let text = fs::read_to_string(victim).unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let gone = random.random_range(0..lines.len());
            let left = lines.iter().enumerate().filter(|(at, _)| *at != gone);
            fs::write(victim, left.map(|(_, line)| *line).collect::<String>()).unwrap();
            format!("{name} without line {gone}")
        }
        _ => {
            let text = fs::read_to_string(victim).unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let twice = random.random_range(0..lines.len());
            let left = lines
                .iter()
                .enumerate()
                .flat_map(|(at, line)| std::iter::repeat_n(*line, if at == twice { 2 } else { 1 }));
            fs::write(victim, left.collect::<String>()).unwrap();
            format!("{name} with line {twice} twice")
        }
    }
}

/// Does something to the database; what, in words.
pub(crate) fn damage_view(
    dir: &Path,
    history: &History,
    other: &History,
    random: &mut StdRng,
) -> String {
    let view = dir.join("sled");
    let taken = match random.random_range(0..10) {
        0..3 => return "and nothing else".to_owned(),
        3..7 => None,
        7 => Some(history.fork.join("sled")),
        8 => Some(other.left.path.join("sled")),
        _ => Some(history.older_view.clone()),
    };
    fs::remove_dir_all(&view).unwrap();
    match taken {
        None => "and no database".to_owned(),
        Some(from) => {
            copy(&from, &view);
            format!("and the database of {}", from.display())
        }
    }
}

/// Starts on a damaged folder; whether it was refused.
async fn start(dir: &Path, expected: &State, told: &str) -> bool {
    let before = bytes(dir);
    let (store, opening) = match open(dir, small(SEGMENT)) {
        Ok(opened) => opened,
        Err(error) => {
            let after = bytes(dir);
            let changed: Vec<_> = before
                .keys()
                .chain(after.keys())
                .filter(|path| before.get(*path) != after.get(*path))
                .collect();
            assert!(changed.is_empty(), "{told}\n{error}\nchanged: {changed:?}");
            let text = error.to_string();
            let instructs = ["back", "Move", "move", "start"];
            assert!(
                instructs.iter().any(|word| text.contains(word)),
                "{told}\n{text}"
            );
            return true;
        }
    };
    assert!(
        &state(&store, TABLES).await == expected,
        "{told}\n{opening}\nis not what was stored"
    );
    store.close().await.unwrap();
    drop(store);
    mend(dir, &small(SEGMENT)).unwrap_or_else(|error| panic!("{told}\n{opening}\n{error}"));
    let report = check(dir).unwrap_or_else(|error| panic!("{told}\n{opening}\n{error}"));
    assert!(report.is_whole(), "{told}\n{opening}\n{report}");
    // What was mended is enough by itself.
    fs::remove_dir_all(dir.join("sled")).unwrap();
    let (store, again) = opened(dir, SEGMENT);
    assert!(
        &state(&store, TABLES).await == expected,
        "{told}\n{opening}\n{again}\nafter the mend"
    );
    false
}

#[tokio::test]
async fn whatever_happens_to_a_file_nothing_is_missing_or_the_start_refuses_and_changes_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let folders = number("ASHTAPADA_DAMAGED_FOLDERS").unwrap_or(u64::from(FOLDERS));
    let seed: u64 = number("ASHTAPADA_DAMAGE_SEED").unwrap_or_else(rand::random);
    let mut random = StdRng::seed_from_u64(seed);
    let histories = Histories::make(&mut random).await;
    let mut refused = 0;
    for trial in 0..folders {
        // Each trial has a seed of its own, so that one can be repeated by itself.
        let mut random = StdRng::seed_from_u64(seed ^ (trial << 20));
        let history = histories.all.choose(&mut random).unwrap();
        let other = histories.all.choose(&mut random).unwrap();
        let dir = histories.home.path().join("tried");
        copy(&history.left.path, &dir);
        let what = damage(&dir, history, other, &mut random);
        let view = damage_view(&dir, history, other, &mut random);
        let told = format!(
            "seed {seed}, folder {trial}, {}: {what}, {view}",
            history.left.path.display()
        );
        let was_refused = start(&dir, &history.left.state, &told).await;
        // Where nothing strange has come into the folder, the database is a whole copy of all that is stored.
        let is_simple = ["removed", "cut to", "a bit turned", "other ends of lines"];
        let is_simple = is_simple.iter().any(|word| what.contains(word));
        assert!(
            !was_refused || !is_simple || !history.left.closed || view != "and nothing else",
            "{told}\nwas refused although the database is whole"
        );
        refused += u64::from(was_refused);
        fs::remove_dir_all(&dir).unwrap();
    }
    println!("seed {seed}: {folders} damaged folders, {refused} refused");
    assert!(
        refused * 10 > folders && refused * 10 < folders * 9,
        "{refused} of {folders} were refused"
    );
}
