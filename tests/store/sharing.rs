//! Several who want the store at once: readers, writers, processes.

use std::sync::Arc;
use std::time::Duration;

use ashtapada::ids::{At, Cause, PersonId, Platform, TableCode};
use ashtapada::store::{Commit, OpenError, Store, StoreError, open};

use crate::support::{listing, opened, person, small, step};

#[tokio::test]
async fn r05_a_second_opening_is_refused_and_names_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 100);
    let error = open(dir.path(), small(100)).unwrap_err();
    assert!(matches!(error, OpenError::InUse(_)));
    let text = error.to_string();
    assert!(
        text.contains(&dir.path().display().to_string())
            && text.contains("in use by another process"),
        "{text}"
    );
    drop(store);
    opened(dir.path(), 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_writers_at_once_do_not_deadlock() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 200);
    let store = Arc::new(store);
    let writers: Vec<_> = (0..32)
        .map(|table| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for version in 0..25 {
                    store.commit(step(table, version, 1)).await.unwrap();
                    store
                        .table(TableCode::numbered((table + 1) % 32))
                        .await
                        .unwrap();
                }
            })
        })
        .collect();
    let all = async {
        for writer in writers {
            writer.await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(120), all)
        .await
        .expect("the writers hang");
    for table in 0..32 {
        assert_eq!(
            store
                .table(TableCode::numbered(table))
                .await
                .unwrap()
                .unwrap()
                .version,
            25
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn r05_of_many_who_act_on_one_turn_exactly_one_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 200);
    let store = Arc::new(store);
    for turn in 0..10 {
        let rivals: Vec<_> = (0..8)
            .map(|rival| {
                let store = Arc::clone(&store);
                let mut commit = step(0, turn, 1);
                commit.cause = Some(Cause::new(
                    Platform::Discord,
                    format_args!("{turn}-{rival}"),
                ));
                tokio::spawn(async move { store.commit(commit).await })
            })
            .collect();
        let mut heard = 0;
        for rival in rivals {
            match rival.await.unwrap() {
                Ok(_) => heard += 1,
                Err(error) => assert!(
                    matches!(error, StoreError::Stale { found, .. } if found == turn + 1),
                    "{error}"
                ),
            }
        }
        assert_eq!(heard, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn r07_of_many_with_one_cause_exactly_one_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 200);
    let store = Arc::new(store);
    let rivals: Vec<_> = (0..8)
        .map(|table| {
            let store = Arc::clone(&store);
            let mut commit = step(table, 0, 1);
            commit.cause = Some(Cause::new(Platform::Discord, 7));
            tokio::spawn(async move { store.commit(commit).await })
        })
        .collect();
    let mut heard = Vec::new();
    for rival in rivals {
        match rival.await.unwrap() {
            Ok(committed) => heard.push(committed.number),
            Err(error) => assert!(matches!(error, StoreError::Handled { .. }), "{error}"),
        }
    }
    assert_eq!(heard.len(), 1);
    drop(Arc::into_inner(store));
    let again = opened(dir.path(), 200).0;
    assert_eq!(
        again.handled(&Cause::new(Platform::Discord, 7)).await,
        Ok(Some(heard[0])),
        "also after a restart"
    );
}

#[tokio::test]
async fn an_account_belongs_to_one_person() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 200);
    let people = |people: Vec<_>| Commit {
        people,
        ..Commit::new(At(1), None)
    };
    store.commit(people(vec![person(1, "Ada")])).await.unwrap();
    let mut other = person(2, "Bob");
    other.accounts = person(1, "Ada").accounts;
    let refused = store.commit(people(vec![other.clone()])).await.unwrap_err();
    assert!(
        matches!(
            refused,
            StoreError::AccountTaken {
                person: PersonId(1),
                ..
            }
        ),
        "{refused}"
    );
    // Handed over in one commit.
    let mut ada = person(1, "Ada");
    ada.accounts.clear();
    store.commit(people(vec![other, ada])).await.unwrap();
    let owner = store
        .person_by_account(Platform::Console, "account-1")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(owner.id, PersonId(2));
}

#[tokio::test]
async fn a_closed_store_takes_nothing_more() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 200);
    store.commit(step(0, 0, 1)).await.unwrap();
    store.close().await.unwrap();
    store.close().await.unwrap();
    assert_eq!(store.commit(step(0, 1, 1)).await, Err(StoreError::Closed));
    assert_eq!(store.posted(&[]).await, Err(StoreError::Closed));
    assert_eq!(store.sync().await, Err(StoreError::Closed));
    assert_eq!(
        store.listing(TableCode::numbered(0)).await,
        Ok(Some(listing(1_000, ashtapada::store::Stage::Playing)))
    );
}

#[tokio::test]
async fn r67_a_message_is_kept_with_its_move_until_it_is_posted_and_posted_once() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 200);
    let committed = store.commit(step(0, 0, 1)).await.unwrap();
    // The program ends between the move and its message.
    drop(store);
    let (store, _) = opened(dir.path(), 200);
    let waiting = store.outbox(None, 10).await.unwrap();
    assert_eq!(
        waiting.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        committed.posts
    );
    assert_eq!(waiting[0].1, step(0, 0, 1).posts[0]);
    assert_eq!(store.outbox(Some(waiting[0].0), 10).await.unwrap(), []);
    store.posted(&committed.posts).await.unwrap();
    drop(store);
    // Also when the view is made anew.
    std::fs::remove_dir_all(dir.path().join("sled")).unwrap();
    assert_eq!(
        opened(dir.path(), 200).0.outbox(None, 10).await.unwrap(),
        []
    );
}

#[tokio::test]
async fn without_its_lock_a_folder_in_use_is_in_use_and_who_has_it_stops() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 100);
    store.commit(step(0, 0, 1)).await.unwrap();
    std::fs::remove_file(dir.path().join("lock")).unwrap();
    let error = open(dir.path(), small(100)).unwrap_err();
    assert!(matches!(error, OpenError::InUse(_)), "{error}");
    // By now there is a lock again, and it is another one.
    let stopped = store.commit(step(0, 1, 1)).await.unwrap_err();
    let told = stopped.to_string();
    assert!(
        matches!(stopped, StoreError::Stopped(_)) && told.contains("was removed or exchanged"),
        "{told}"
    );
    drop(store);
    let (store, _) = opened(dir.path(), 100);
    let table = store.table(TableCode::numbered(0)).await.unwrap();
    assert_eq!(
        table.unwrap().version,
        1,
        "what was acknowledged, and nothing else"
    );
}

#[tokio::test]
async fn a_database_in_use_is_in_use_also_when_no_lock_of_ours_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = opened(dir.path(), 100);
    store.commit(step(0, 0, 1)).await.unwrap();
    // Copies take the places of everything that is locked but the database.
    std::fs::remove_file(dir.path().join("lock")).unwrap();
    for segment in crate::support::files(dir.path(), "journal-0") {
        let content = std::fs::read(&segment).unwrap();
        std::fs::remove_file(&segment).unwrap();
        std::fs::write(&segment, content).unwrap();
    }
    let error = open(dir.path(), small(100)).unwrap_err();
    assert!(matches!(error, OpenError::InUse(_)), "{error}");
    assert!(!dir.path().join("sled.bad").exists());
    drop(store);
}
