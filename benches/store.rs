//! What a command costs the store: reading, committing, starting, at 1,000 and at 100,000 games, beside what the disk
//! alone and sled alone cost in the same run.
//!
//! `cargo bench --no-default-features --bench store`

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ashtapada::ids::{At, Cause, PersonId, Place, Platform, TableCode};
use ashtapada::store::{
    Account, Append, Commit, Find, Listing, Options, Person, Post, Sled, Stage, Stages, Store, open,
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// How much is measured.
struct Sizes {
    games: &'static [u32],
    reads: u32,
    commits: u32,
}

const FULL: Sizes = Sizes {
    games: &[1_000, 100_000],
    reads: 3_000,
    commits: 3_000,
};
const QUICK: Sizes = Sizes {
    games: &[50],
    reads: 20,
    commits: 64,
};

fn main() {
    // `cargo bench` says so; anything else only wants to see that it runs.
    let sizes = if std::env::args().any(|argument| argument == "--bench") {
        FULL
    } else {
        QUICK
    };
    let runtime = Runtime::new().expect("a runtime");
    reference(&sizes);
    for &games in sizes.games {
        measure(&runtime, &sizes, games);
    }
}

fn event(number: u64) -> Value {
    json!({"v": 1, "at": 1_790_000_000_000_u64 + number, "by": number % 4 + 1, "event": {"moved": {"moves": ["b1c3", "a2a3"], "seat": "green"}}})
}

fn listing(game: u32, games: u32, stage: Stage, since: u64) -> Listing {
    let person = |offset: u32| PersonId(u64::from((game * 7 + offset) % (games / 10).max(4)) + 1);
    Listing {
        people: (0..4).map(person).collect(),
        turn: vec![person(0)],
        places: vec![Place::thread(
            Platform::Discord,
            format!("room-{}", game % 500),
            format!("thread-{game}"),
        )],
        open: game.is_multiple_of(50),
        stage,
        since: At(since),
        expires: (stage == Stage::Gathering).then_some(At(since + 604_800_000)),
        summary: json!({"game": "chaturaji", "seats": 4, "moves": 40}),
    }
}

fn append(game: u32, games: u32, version: u64, events: u64, stage: Stage) -> Append {
    let events = (version..version + events).map(event).collect();
    Append {
        code: TableCode::numbered(game),
        expected: version,
        events,
        listing: listing(game, games, stage, version * 1_000 + u64::from(game)),
    }
}

/// A move: an event, the listing, a message, a cause.
fn one_move(game: u32, games: u32, version: u64) -> Commit {
    let mut commit = Commit::new(
        At(version),
        Some(Cause::new(
            Platform::Discord,
            format_args!("{game}-{version}"),
        )),
    );
    commit
        .appends
        .push(append(game, games, version, 1, Stage::Playing));
    commit.posts.push(Post {
        place: Place::room(Platform::Discord, "room-1"),
        body: json!({"to": "everyone", "text": "@ada plays Horse b1 to c3. @bob to move.", "picture": {"table": "K7Q2F", "version": version}}),
    });
    commit
}

/// A tenth of the games is being played, the others are over; 5 KB each.
fn fill(runtime: &Runtime, store: &Arc<Sled>, games: u32) {
    runtime.block_on(async {
        let people = (games / 10).max(4);
        for first in (1..=people).step_by(500) {
            let mut commit = Commit::new(At(0), None);
            commit.people = (first..(first + 500).min(people + 1)).map(person).collect();
            store.commit(commit).await.expect("people");
        }
        let mut running = Vec::new();
        for first in (0..games).step_by(50) {
            let mut commit = Commit::new(At(0), None);
            for game in first..(first + 50).min(games) {
                let stage = if game.is_multiple_of(10) {
                    Stage::Playing
                } else {
                    Stage::Finished
                };
                commit.appends.push(append(game, games, 0, 48, stage));
            }
            let store = Arc::clone(store);
            running.push(tokio::spawn(async move {
                store.commit(commit).await.expect("games")
            }));
            if running.len() == 64 {
                for commit in running.drain(..) {
                    commit.await.expect("a commit");
                }
            }
        }
        for commit in running {
            commit.await.expect("a commit");
        }
    });
}

fn person(id: u32) -> Person {
    let accounts = vec![Account {
        platform: Platform::Discord,
        account: format!("{id:018}"),
    }];
    Person {
        id: PersonId(u64::from(id)),
        accounts,
        name: format!("player {id}"),
        bot: false,
    }
}

fn measure(runtime: &Runtime, sizes: &Sizes, games: u32) {
    println!("\n{games} games");
    let home = tempfile::tempdir().expect("a folder");
    let dir = home.path();
    let started = Instant::now();
    let (store, _) = open(dir, Options::default()).expect("a new store");
    let store = Arc::new(store);
    fill(runtime, &store, games);
    say("filled", started.elapsed());
    close(runtime, store);
    println!(
        "  journal {} MB, sled {} MB",
        megabytes(dir, "journal-"),
        megabytes(dir, "sled")
    );
    let store = start(dir, "start, everything checked");
    reads(runtime, &store, sizes, games);
    commits(runtime, &store, sizes, games);
    close(runtime, store);
    let store = start(dir, "start after these commits");
    close(runtime, store);
    fs::remove_dir_all(dir.join("sled")).expect("the view removed");
    let store = start(dir, "start without a view: rebuilt");
    close(runtime, store);
    println!("  memory {} MB at most", memory());
}

fn start(dir: &Path, told: &str) -> Arc<Sled> {
    let started = Instant::now();
    let (store, _) = open(dir, Options::default()).expect("the store opens");
    say(told, started.elapsed());
    Arc::new(store)
}

fn close(runtime: &Runtime, store: Arc<Sled>) {
    runtime.block_on(store.close()).expect("closed");
}

fn reads(runtime: &Runtime, store: &Arc<Sled>, sizes: &Sizes, games: u32) {
    let people = u64::from((games / 10).max(4));
    let tables = |told: &str, find: &dyn Fn(u32) -> Find| {
        time(told, sizes.reads, |turn| {
            black_box(
                runtime
                    .block_on(store.tables(find(turn * 31), 50))
                    .expect("tables"),
            );
        });
    };
    tables("my unfinished tables", &|turn| Find::OfPerson {
        person: PersonId(u64::from(turn) % people + 1),
        stages: Stages::Unfinished,
    });
    tables("all my tables", &|turn| Find::OfPerson {
        person: PersonId(u64::from(turn) % people + 1),
        stages: Stages::All,
    });
    tables("unfinished tables in a thread", &|turn| {
        let game = turn * 10 % games;
        let place = Place::thread(
            Platform::Discord,
            format!("room-{}", game % 500),
            format!("thread-{game}"),
        );
        Find::InPlace {
            place,
            stages: Stages::Unfinished,
        }
    });
    tables("unfinished tables in a room (≤ 50)", &|turn| {
        let place = Place::room(Platform::Discord, format!("room-{}", turn * 10 % 500));
        Find::InPlace {
            place,
            stages: Stages::Unfinished,
        }
    });
    tables("open tables", &|_| Find::Open);
    tables("tables to expire", &|_| Find::Expiring { before: At(1) });
    tables("finished tables, newest 50", &|_| Find::Finished);
    time("a table with its 48 events", sizes.reads, |turn| {
        black_box(
            runtime
                .block_on(store.table(TableCode::numbered(turn * 31 % games)))
                .expect("a table"),
        );
    });
    time("a person by account", sizes.reads, |turn| {
        let account = format!("{:018}", u64::from(turn) % people + 1);
        black_box(
            runtime
                .block_on(store.person_by_account(Platform::Discord, &account))
                .expect("a person"),
        );
    });
}

/// Durable moves from one writer and from 32 at once, at tables being played.
fn commits(runtime: &Runtime, store: &Arc<Sled>, sizes: &Sizes, games: u32) {
    let playing = move |writer: u32| writer * 10 % games;
    let mut version = 48;
    time("a durable move, 1 writer", sizes.commits, |_| {
        runtime
            .block_on(store.commit(one_move(playing(0), games, version)))
            .expect("a move");
        version += 1;
    });
    let writers = 32.min(games / 10 - 1);
    let each = sizes.commits * 10 / 32;
    let started = Instant::now();
    let times = runtime.block_on(async {
        let tasks: Vec<_> = (1..=writers)
            .map(|writer| {
                let store = Arc::clone(store);
                tokio::spawn(async move {
                    let mut times = Vec::new();
                    for version in 48..48 + u64::from(each) {
                        let started = Instant::now();
                        store
                            .commit(one_move(playing(writer), games, version))
                            .await
                            .expect("a move");
                        times.push(started.elapsed());
                    }
                    times
                })
            })
            .collect();
        let mut times = Vec::new();
        for task in tasks {
            times.extend(task.await.expect("a writer"));
        }
        times
    });
    let rate = times.len() as f64 / started.elapsed().as_secs_f64();
    println!(
        "  {:<36}{}, {rate:.0}/s",
        format!("a durable move, {writers} writers"),
        spread(times)
    );
}

/// What the same bytes cost without a store.
fn reference(sizes: &Sizes) {
    println!("reference: the disk, and sled, alone");
    let home = tempfile::tempdir().expect("a folder");
    let line = serde_json::to_vec(&one_move(0, 1_000, 48)).expect("a line");
    println!("  a move is a line of {} bytes", line.len());
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(home.path().join("lines"))
        .expect("a file");
    time("append + fdatasync", sizes.commits, |_| {
        file.write_all(&line)
            .and_then(|()| file.sync_data())
            .expect("written");
    });
    let db = sled::open(home.path().join("sled")).expect("sled");
    time("sled insert + flush", sizes.commits, |turn| {
        db.insert(turn.to_be_bytes(), line.as_slice())
            .expect("inserted");
        db.flush().expect("flushed");
    });
}

fn time(told: &str, turns: u32, mut work: impl FnMut(u32)) {
    let times = (0..turns).map(|turn| {
        let started = Instant::now();
        work(turn);
        started.elapsed()
    });
    println!("  {told:<36}{}", spread(times.collect()));
}

fn say(told: &str, took: Duration) {
    println!("  {told:<36}{:.2} s", took.as_secs_f64());
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at =
        |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1_000.0;
    format!("p50 {:.3} ms, p99 {:.3} ms", at(0.5), at(0.99))
}

fn megabytes(dir: &Path, beginning: &str) -> u64 {
    let entries = fs::read_dir(dir).expect("a folder").flatten();
    let sizes = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(beginning))
        .map(|entry| {
            let kind = entry.metadata().expect("metadata");
            if kind.is_dir() {
                megabytes(&entry.path(), "") << 20
            } else {
                kind.len()
            }
        });
    sizes.sum::<u64>() >> 20
}

/// The most memory this process ever had, in megabytes, where the system says so.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok())
        .unwrap_or(0)
        / 1_024
}
