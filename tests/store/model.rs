//! The real store does what the plain one does, whatever it is asked and however often it is opened anew.

use std::fs;

use ashtapada::ids::{At, Cause, PersonId, Place, Platform, TableCode};
use ashtapada::store::{Account, Append, Commit, Memory, Person, Post, Stage, Store};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{event_of, files, listing, opened, play, state};

#[derive(Debug, Clone)]
enum Act {
    Append {
        table: u32,
        off: i64,
        events: u64,
        people: Vec<u64>,
        place: usize,
        stage: usize,
        open: bool,
        expires: Option<u64>,
    },
    People {
        changes: Vec<(u64, Vec<u64>)>,
    },
    Cause {
        cause: u8,
    },
    Note {
        key: u8,
        value: Option<u8>,
    },
    Post,
    Posted {
        count: usize,
    },
    Reopen {
        without_view: bool,
    },
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (
            0..4_u32,
            prop_oneof![6 => Just(0_i64), 1 => -1..2_i64],
            0..4_u64,
            prop::collection::vec(1..4_u64, 0..3),
            0..3_usize,
            0..3_usize,
            any::<bool>(),
            prop::option::of(0..100_u64),
        )
            .prop_map(|(table, off, events, people, place, stage, open, expires)| Act::Append { table, off, events, people, place, stage, open, expires }),
        2 => prop::collection::vec((1..5_u64, prop::collection::vec(1..5_u64, 0..3)), 1..3).prop_map(|changes| Act::People { changes }),
        1 => (0..4_u8).prop_map(|cause| Act::Cause { cause }),
        1 => (0..3_u8, prop::option::of(any::<u8>())).prop_map(|(key, value)| Act::Note { key, value }),
        1 => Just(Act::Post),
        1 => (0..3_usize).prop_map(|count| Act::Posted { count }),
        1 => any::<bool>().prop_map(|without_view| Act::Reopen { without_view }),
    ]
}

async fn commit_of(act: &Act, now: u64, model: &Memory) -> Option<Commit> {
    let mut commit = Commit::new(At(now), None);
    match act {
        Act::Append {
            table,
            off,
            events,
            people,
            place,
            stage,
            open,
            expires,
        } => {
            let code = TableCode::numbered(*table);
            let version = model
                .table(code)
                .await
                .unwrap()
                .map_or(0, |table| table.version);
            let expected = version.saturating_add_signed(*off);
            let mut listing = listing(now / 3, Stage::ALL[*stage]);
            listing.people = people.iter().copied().map(PersonId).collect();
            let room = Place::room(Platform::Console, "hall");
            listing.places = match place {
                0 => vec![],
                1 => vec![room],
                _ => vec![
                    Place::thread(Platform::Console, "hall", "corner"),
                    Place::room(Platform::Matrix, "hall"),
                ],
            };
            (listing.open, listing.expires) = (*open, expires.map(At));
            let events = (expected..expected + events)
                .map(|event| event_of(code, event))
                .collect();
            commit.appends.push(Append {
                code,
                expected,
                events,
                listing,
            });
        }
        Act::People { changes } => {
            for (id, accounts) in changes {
                let accounts = accounts.iter().map(|account| Account {
                    platform: Platform::Console,
                    account: format!("account-{account}"),
                });
                commit.people.push(Person {
                    id: PersonId(*id),
                    accounts: accounts.collect(),
                    name: format!("at {now}"),
                    bot: id % 2 == 0,
                });
            }
        }
        Act::Cause { cause } => commit.cause = Some(Cause::new(Platform::Discord, cause)),
        Act::Note { key, value } => {
            commit.notes.push((
                format!("last/{}", TableCode::numbered(u32::from(*key))),
                value.map(|value| json!(value)),
            ));
        }
        Act::Post => commit.posts.push(Post {
            place: Place::room(Platform::Console, "hall"),
            body: json!(now),
        }),
        Act::Posted { .. } | Act::Reopen { .. } => return None,
    }
    Some(commit)
}

async fn follow(acts: Vec<Act>) {
    let dir = tempfile::tempdir().unwrap();
    let model = Memory::new();
    let mut store = opened(dir.path(), 5).0;
    for (now, act) in (0..).zip(&acts) {
        if let Some(commit) = commit_of(act, now, &model).await {
            assert_eq!(
                store.commit(commit.clone()).await,
                model.commit(commit).await,
                "{act:?}"
            );
        }
        match act {
            Act::Posted { count } => {
                let ids: Vec<_> = model
                    .outbox(None, *count)
                    .await
                    .unwrap()
                    .into_iter()
                    .map(|(id, _)| id)
                    .collect();
                store.posted(&ids).await.unwrap();
                model.posted(&ids).await.unwrap();
            }
            Act::Reopen { without_view } => {
                store.close().await.unwrap();
                drop(store);
                if *without_view {
                    fs::remove_dir_all(dir.path().join("sled")).unwrap();
                }
                store = opened(dir.path(), 5).0;
            }
            _ => {}
        }
    }
    assert_eq!(state(&store, 5).await, state(&model, 5).await);
    for cause in 0..4 {
        let cause = Cause::new(Platform::Discord, cause);
        assert_eq!(store.handled(&cause).await, model.handled(&cause).await);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_does_what_the_plain_model_does(acts in prop::collection::vec(act(), 1..60)) {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(follow(acts));
    }
}

#[tokio::test]
async fn a_long_run_is_the_same_after_each_kind_of_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let model = Memory::new();
    let (mut store, _) = opened(dir.path(), 20);
    for round in 0..6 {
        play(&store, &model, 7, 60).await;
        store.close().await.unwrap();
        drop(store);
        if round % 2 == 1 {
            fs::remove_dir_all(dir.path().join("sled")).unwrap();
        }
        store = opened(dir.path(), 20).0;
        assert_eq!(
            state(&store, 7).await,
            state(&model, 7).await,
            "round {round}"
        );
    }
}

#[tokio::test]
async fn people_are_numbered_on_from_the_highest_ever_stored() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 20);
    assert_eq!(store.next_person().await, Ok(PersonId(1)));
    assert_eq!(store.next_person().await, Ok(PersonId(2)));
    let mut commit = Commit::new(At(1), None);
    commit.people.push(crate::support::person(2, "Ada"));
    store.commit(commit).await.unwrap();
    drop(store);
    assert_eq!(
        opened(dir.path(), 20).0.next_person().await,
        Ok(PersonId(3))
    );
}

#[tokio::test]
async fn causes_beyond_the_memorable_are_forgotten_and_newer_ones_kept() {
    let dir = tempfile::tempdir().unwrap();
    let memorable = ashtapada::store::Memorable {
        newest: 5,
        millis: 1_000,
    };
    let options = ashtapada::store::Options {
        memorable,
        ..crate::support::small(1_000)
    };
    let (store, _) = ashtapada::store::open(dir.path(), options).unwrap();
    for now in 0..20 {
        store
            .commit(Commit::new(
                At(now),
                Some(Cause::new(Platform::Console, now)),
            ))
            .await
            .unwrap();
    }
    let known = async |now: u64| store.handled(&Cause::new(Platform::Console, now)).await;
    assert_eq!(known(14).await, Ok(None));
    assert_eq!(known(15).await, Ok(Some(16)));
    store
        .commit(Commit::new(
            At(2_000),
            Some(Cause::new(Platform::Console, 2_000)),
        ))
        .await
        .unwrap();
    assert_eq!(known(19).await, Ok(None));
    assert_eq!(known(2_000).await, Ok(Some(21)));
}

#[tokio::test]
async fn old_segments_and_snapshots_are_removed_and_finished_games_are_written_once() {
    let dir = tempfile::tempdir().unwrap();
    let model = Memory::new();
    let (store, _) = opened(dir.path(), 30);
    let mut rounds = 0;
    while files(dir.path(), "finished-").len() < 4 {
        rounds += 1;
        assert!(rounds < 400, "no snapshots are taken");
        play(&store, &model, 5, 40).await;
    }
    drop(store);
    assert!(files(dir.path(), "snapshot-").len() <= 2);
    let text: String = files(dir.path(), "finished-")
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let games: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with(r#"{"table""#))
        .collect();
    let mut once = games.clone();
    once.sort_unstable();
    once.dedup();
    assert!(!games.is_empty());
    assert_eq!(
        games.len(),
        once.len(),
        "a game that had not changed was written again"
    );
    assert!(
        files(dir.path(), "journal-").len() < 12,
        "segments are not removed"
    );
}
