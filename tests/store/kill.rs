//! Killed at any moment, under load and while opening, with the database damaged between: it starts every time, and
//! nothing acknowledged is missing.
//!
//! The killed process is this test program itself, started with one test and a folder in its environment.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ashtapada::ids::{Cause, Platform, TableCode};
use ashtapada::store::{Sled, Store};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::{event_of, files, opened, step};

const FOLDER: &str = "ASHTAPADA_STORE_FOLDER";
const LOAD: &str = "kill::the_load_runs_through_when_it_is_not_killed";
const WRITERS: u32 = 6;
/// Rotated often, so that kills meet snapshots being taken.
const SEGMENT: u64 = 60;

/// Commits at each table in turn, `rounds` times, and says each acknowledgement before the next is asked for.
async fn load(store: Arc<Sled>, rounds: u64, say: fn(&str)) {
    let writers: Vec<_> = (0..WRITERS)
        .map(|table| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let code = TableCode::numbered(table);
                let stored = store.table(code).await.unwrap();
                let mut version = stored.map_or(0, |stored| stored.version);
                for round in 0..rounds {
                    let events = 1 + round % 3;
                    let committed = store.commit(step(table, version, events)).await.unwrap();
                    say(&format!("kept {table} {version} {events}\n"));
                    version += events;
                    if round % 4 == 0 {
                        store.posted(&committed.posts).await.unwrap();
                        say(&format!(
                            "posted {} {}\n",
                            committed.number,
                            committed.posts.len()
                        ));
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
}

/// One write each, so that a kill leaves whole lines or a last part without an end.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes())
        .and_then(|()| out.flush())
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_load_runs_through_when_it_is_not_killed() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        say("\nbegun\n");
        let (store, opening) = opened(Path::new(&folder), SEGMENT);
        say(&format!("open {}\n", opening.number));
        load(Arc::new(store), u64::MAX, say).await;
    }
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(opened(dir.path(), SEGMENT).0);
    load(Arc::clone(&store), 9, |_| ()).await;
    for table in 0..WRITERS {
        assert_eq!(
            store
                .table(TableCode::numbered(table))
                .await
                .unwrap()
                .unwrap()
                .version,
            18
        );
    }
}

/// What killed processes were heard to acknowledge.
#[derive(Debug, Default)]
struct Heard {
    /// The number of events of each table.
    versions: BTreeMap<u32, u64>,
    /// The versions that began an acknowledged commit.
    causes: Vec<(u32, u64)>,
    /// The commands whose messages were posted.
    posted: Vec<u64>,
    opened: usize,
}

impl Heard {
    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["kept", table, version, events] => {
                let (table, version, events): (u32, u64, u64) = (
                    table.parse().unwrap(),
                    version.parse().unwrap(),
                    events.parse().unwrap(),
                );
                self.versions.insert(table, version + events);
                self.causes.push((table, version));
            }
            ["posted", number, _] => self.posted.push(number.parse().unwrap()),
            ["open", _] => self.opened += 1,
            _ => {}
        }
    }

    /// Everything heard stands in the store.
    async fn check(&self, dir: &Path, told: &str) {
        let (store, opening) = opened(dir, SEGMENT);
        for (&table, &version) in &self.versions {
            let code = TableCode::numbered(table);
            let stored = store
                .table(code)
                .await
                .unwrap()
                .unwrap_or_else(|| panic!("{told}: {code} is gone; {opening}"));
            assert!(
                stored.version >= version,
                "{told}: {code} has {} of {version} events; {opening}",
                stored.version
            );
            for (number, event) in (0..).zip(&stored.events) {
                assert_eq!(event, &event_of(code, number), "{told}: {code}; {opening}");
            }
        }
        for (table, version) in &self.causes {
            let cause = Cause::new(
                Platform::Console,
                format_args!("{}-{version}", TableCode::numbered(*table)),
            );
            assert!(
                store.handled(&cause).await.unwrap().is_some(),
                "{told}: {cause} is forgotten; {opening}"
            );
        }
        let waiting = store.outbox(None, usize::MAX).await.unwrap();
        for number in &self.posted {
            assert!(
                !waiting.iter().any(|(id, _)| id.number == *number),
                "{told}: {number} would be posted twice; {opening}"
            );
        }
        store.close().await.unwrap();
    }
}

fn start(dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([LOAD, "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Starts the load, listens, and kills it this long after it said a word: `begun` or `open`; what was heard.
fn run_and_kill(dir: &Path, word: &str, after: Duration) -> (Vec<String>, String) {
    let mut child = start(dir);
    let out = child.stdout.take().unwrap();
    let mut err = child.stderr.take().unwrap();
    let complaints = thread::spawn(move || std::io::read_to_string(&mut err).unwrap_or_default());
    let mut lines = BufReader::new(out);
    let mut heard = Vec::new();
    let mut line = String::new();
    // Counted from a word of its own: how long the system takes to start a process says nothing.
    while lines.read_line(&mut line).unwrap() > 0 && !line.starts_with(word) {
        line.clear();
    }
    heard.push(line.clone());
    let begun = Instant::now();
    let killer = thread::spawn(move || {
        thread::park_timeout(after.saturating_sub(begun.elapsed()));
        child.kill().unwrap();
        child.wait().unwrap()
    });
    loop {
        line.clear();
        if lines.read_line(&mut line).unwrap() == 0 {
            break;
        }
        if line.ends_with('\n') {
            heard.push(line.clone());
        }
    }
    let status = killer.join().unwrap();
    let complaints = complaints.join().unwrap();
    assert!(status.code().is_none(), "it ended by itself: {complaints}");
    (heard, complaints)
}

/// Turns bits in, cuts or removes the database.
fn damage(dir: &Path, random: &mut StdRng) {
    let db = dir.join("sled/db");
    match random.random_range(0..3) {
        0 => std::fs::remove_dir_all(dir.join("sled")).unwrap_or_default(),
        1 => {
            if let Ok(file) = std::fs::OpenOptions::new().write(true).open(&db) {
                let length = file.metadata().unwrap().len();
                file.set_len(random.random_range(0..=length)).unwrap();
            }
        }
        _ => {
            if let Ok(mut bytes) = std::fs::read(&db)
                && !bytes.is_empty()
            {
                for _ in 0..random.random_range(1..2_000) {
                    let at = random.random_range(0..bytes.len());
                    bytes[at] ^= 1 << random.random_range(0..8);
                }
                std::fs::write(&db, bytes).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn killed_at_random_moments_it_starts_every_time_and_nothing_acknowledged_is_missing() {
    let kills: u32 = std::env::var("ASHTAPADA_STORE_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(72);
    let seed: u64 = rand::random();
    let mut random = StdRng::seed_from_u64(seed);
    let home = tempfile::tempdir().unwrap();
    let mut heard = Heard::default();
    let mut while_opening = 0;
    for kill in 0..kills {
        let told = format!("seed {seed}, kill {kill}");
        // A third dies while opening, the others under load.
        let (word, most) = if kill % 3 == 0 {
            ("begun", 15)
        } else {
            ("open", 100)
        };
        let after = Duration::from_micros(random.random_range(0..most * 1_000));
        let before = heard.opened;
        let (lines, complaints) = run_and_kill(home.path(), word, after);
        lines.iter().for_each(|line| heard.line(line.trim()));
        while_opening += u32::from(heard.opened == before);
        assert!(
            !complaints.contains("does not open"),
            "{told}: {complaints}"
        );
        if kill % 8 == 5 {
            damage(home.path(), &mut random);
        }
        if kill % 4 == 3 {
            heard.check(home.path(), &told).await;
        }
    }
    heard
        .check(home.path(), &format!("seed {seed}, at the end"))
        .await;
    assert!(
        heard.causes.len() > 100,
        "only {} commands were acknowledged",
        heard.causes.len()
    );
    assert!(
        while_opening > 0 && heard.opened > 0,
        "{while_opening} were killed while opening, {} later",
        heard.opened
    );
    assert!(
        !files(home.path(), "snapshot-").is_empty(),
        "no snapshot was taken meanwhile"
    );
}

#[test]
fn r05_a_second_process_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (store, _) = opened(home.path(), SEGMENT);
    let second = start(home.path()).wait_with_output().unwrap();
    assert!(!second.status.success());
    let mut complaint = String::from_utf8_lossy(&second.stderr).into_owned();
    complaint.push_str(&String::from_utf8_lossy(&second.stdout));
    assert!(
        complaint.contains("in use by another process")
            && complaint.contains(&home.path().display().to_string()),
        "{complaint}"
    );
    drop(store);
}
