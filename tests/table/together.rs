//! Commands at the same instant, commands that come twice, and stores that fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ashtapada::club::{
    Action, Chance, Club, ClubError, Done, Happened, Limits, OsChance, SystemClock,
};
use ashtapada::ids::{Cause, PersonId, Platform, TableCode};
use ashtapada::store::{
    Commit, Committed, Find, Listing, Memory, Person, Post, PostId, Store, StoreError, Stored,
};
use ashtapada::table::{Phase, Refusal, SealingKey};
use async_trait::async_trait;
use serde_json::Value;

use crate::hall::{Hall, draw, game, hall, quiet, solo};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn r44_fifty_join_at_once_and_four_are_seated() {
    let hall = Arc::new(Hall::new());
    for round in 0..10 {
        let host = hall.person("host").await;
        let code = hall.open(host, game("chaturaji")).await;
        let mut tasks = Vec::new();
        for number in 0..25 {
            let guest = hall.person(&format!("guest {round} {number}")).await;
            for _click in 0..2 {
                let hall = hall.clone();
                tasks.push(tokio::spawn(async move {
                    (guest, hall.join(guest, code).await)
                }));
            }
        }
        let mut changed = 0;
        for task in tasks {
            match task.await.unwrap() {
                (_, Ok(joined)) => changed += usize::from(joined.changed()),
                (_, Err(ClubError::Refused(Refusal::Begun))) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(changed, 3, "three seats were free");
        let table = hall.table(code).await;
        assert_eq!(table.people().count(), 4, "four different people");
        assert!(matches!(table.phase(), Phase::Playing(_)));
        let seated = table.people().nth(2).unwrap();
        let again = hall.join(seated, code).await.unwrap();
        assert!(
            !again.changed(),
            "a second click is a no-op, also after the start"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_commands_at_the_same_instant_do_not_both_act_on_one_turn() {
    let hall = Arc::new(Hall::new());
    for _ in 0..20 {
        let (code, ada, _) = hall.duel().await;
        let mut tasks = Vec::new();
        for text in ["a2a3", "b2b3", "c2c3", "d2d3"] {
            let hall = hall.clone();
            let text = text.to_owned();
            let moved = Action::Move { text };
            tasks.push(tokio::spawn(
                async move { hall.act(ada, code, moved).await },
            ));
        }
        let mut played = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(_) => played += 1,
                Err(ClubError::Refused(Refusal::NotYourTurn { .. })) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(played, 1);
    }
}

/// Two programs on one store hold no common lock: only the version keeps them apart.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_tables_version_keeps_apart_what_no_lock_does() {
    let one = Arc::new(Hall::new());
    let other = Arc::new(one.restarted(None));
    let ada = one.person("ada").await;
    let code = one.open(ada, solo("four-handed")).await;
    let cause = |n: usize| Some(Cause::new(Platform::Console, format!("roll {n}")));
    for n in 0..20 {
        let throw = |hall: Arc<Hall>, half: usize| async move {
            let mut caller = hall.says(ada);
            caller.cause = cause(n * 2 + half);
            hall.club
                .act(&caller, Some(code), &Action::Roll, &quiet)
                .await
        };
        let first = tokio::spawn(throw(one.clone(), 0));
        let second = tokio::spawn(throw(other.clone(), 1));
        let done = [first.await.unwrap(), second.await.unwrap()];
        assert!(done.iter().all(Result::is_ok), "{done:?}");
        let mut caller = one.says(ada);
        caller.cause = Some(Cause::new(Platform::Console, format!("pass {n}")));
        match one
            .club
            .act(&caller, Some(code), &Action::Pass, &quiet)
            .await
        {
            Ok(_) | Err(ClubError::Refused(Refusal::RollFirst)) => {}
            other => panic!("{other:?}"),
        }
    }
    // Whatever the order was, the history is whole: it folds, and every roll is there once.
    let table = one.restarted(None).table(code).await;
    let rolls = table.game().unwrap().rolls as usize;
    let entries = one.entries(code).await;
    let stored = entries
        .iter()
        .filter(|one| matches!(one.event, ashtapada::table::Event::Rolled { .. }));
    assert_eq!(stored.count(), rolls);
    assert!(rolls >= 20);
}

#[tokio::test]
async fn r02_a_cause_that_was_carried_out_tells_what_became_of_it() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let caller = hall.says(ada);
    let moved = Action::Move {
        text: "a2a3".to_owned(),
    };
    let first = hall.club.act(&caller, None, &moved, &quiet).await.unwrap();
    assert!(matches!(first, Done::Now(_)));
    // The same message again, and again after a restart (R07).
    for club in [hall.club.clone(), hall.restarted(None).club] {
        match club.act(&caller, None, &moved, &quiet).await.unwrap() {
            Done::Before { table, .. } => {
                assert_eq!(table.unwrap().on_turn_now(), Some(bob), "already played");
            }
            Done::Now(again) => panic!("done twice: {again:?}"),
        }
    }
    let table = hall.table(code).await;
    assert_eq!(table.game().unwrap().last_moves().count(), 1);

    let caller = hall.says(ada);
    let opened = hall
        .club
        .open(&caller, &solo("chaturaji"), &quiet)
        .await
        .unwrap();
    let again = hall
        .club
        .open(&caller, &solo("chaturaji"), &quiet)
        .await
        .unwrap();
    assert!(matches!(opened, Done::Now(_)) && matches!(again, Done::Before { .. }));
    assert_eq!(hall.club.tables_of(ada).await.unwrap().len(), 2);
}

fn telling(happened: &Happened) -> Vec<Post> {
    let body = serde_json::json!(format!("{} events", happened.changes.len()));
    vec![Post {
        place: hall(),
        body,
    }]
}

#[tokio::test]
async fn r67_the_message_is_kept_with_the_move_that_causes_it() {
    let hall = Hall::new();
    let (code, ada, _) = hall.duel().await;
    let moved = Action::Move {
        text: "a2a3".to_owned(),
    };
    hall.club
        .act(&hall.says(ada), Some(code), &moved, &telling)
        .await
        .unwrap();
    let kept = hall.store.outbox(None, 10).await.unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].1.body, "1 events");
    let refused = hall
        .club
        .act(&hall.says(ada), Some(code), &moved, &telling)
        .await;
    assert!(refused.is_err());
    assert_eq!(hall.store.outbox(None, 10).await.unwrap().len(), 1);
}

/// A store whose next commits fail.
struct Faulty {
    inner: Arc<Memory>,
    failing: AtomicUsize,
}

#[async_trait]
impl Store for Faulty {
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let failing = self.failing.load(Ordering::SeqCst);
        if failing > 0 {
            self.failing.store(failing - 1, Ordering::SeqCst);
            return Err(StoreError::Stopped("no space left".to_owned()));
        }
        self.inner.commit(commit).await
    }
    async fn table(&self, code: TableCode) -> Result<Option<Stored>, StoreError> {
        self.inner.table(code).await
    }
    async fn listing(&self, code: TableCode) -> Result<Option<Listing>, StoreError> {
        self.inner.listing(code).await
    }
    async fn tables(
        &self,
        find: Find,
        limit: usize,
    ) -> Result<Vec<(TableCode, Listing)>, StoreError> {
        self.inner.tables(find, limit).await
    }
    async fn person(&self, id: PersonId) -> Result<Option<Person>, StoreError> {
        self.inner.person(id).await
    }
    async fn person_by_account(
        &self,
        platform: Platform,
        account: &str,
    ) -> Result<Option<Person>, StoreError> {
        self.inner.person_by_account(platform, account).await
    }
    async fn next_person(&self) -> Result<PersonId, StoreError> {
        self.inner.next_person().await
    }
    async fn handled(&self, cause: &Cause) -> Result<Option<u64>, StoreError> {
        self.inner.handled(cause).await
    }
    async fn outbox(
        &self,
        after: Option<PostId>,
        limit: usize,
    ) -> Result<Vec<(PostId, Post)>, StoreError> {
        self.inner.outbox(after, limit).await
    }
    async fn posted(&self, ids: &[PostId]) -> Result<(), StoreError> {
        self.inner.posted(ids).await
    }
    async fn note(&self, key: &str) -> Result<Option<Value>, StoreError> {
        self.inner.note(key).await
    }
    async fn sync(&self) -> Result<(), StoreError> {
        self.inner.sync().await
    }
    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}

#[tokio::test]
async fn r116_a_command_that_cannot_be_kept_has_no_effect_at_all() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    hall.act(ada, code, draw()).await.unwrap();
    let faulty = Arc::new(Faulty {
        inner: hall.store.clone(),
        failing: AtomicUsize::new(0),
    });
    let chance: Arc<dyn Chance> = Arc::new(OsChance);
    let club = Club::new(
        faulty.clone(),
        Arc::new(SystemClock),
        chance,
        SealingKey::new([42; 32]),
        None,
        Limits::default(),
    );
    let before = hall.entries(code).await;
    let moved = Action::Move {
        text: "a2a3 ".to_owned(),
    };
    for _ in 0..3 {
        faulty.failing.store(1, Ordering::SeqCst);
        let caller = hall.says(ada);
        let refused = club.act(&caller, Some(code), &moved, &telling).await;
        assert!(matches!(refused.unwrap_err(), ClubError::Store(_)));
        // Neither move nor the offer it takes back, neither message nor cause, neither on disk nor in memory.
        assert_eq!(hall.entries(code).await, before);
        assert!(hall.store.outbox(None, 10).await.unwrap().is_empty());
        assert_eq!(hall.store.handled(&caller.cause.unwrap()).await, Ok(None));
        let table = club.load(code).await.unwrap();
        assert_eq!(table.on_turn_now(), Some(ada));
        assert_eq!(table.game().unwrap().offers.len(), 1);
    }
    club.act(&hall.says(ada), Some(code), &moved, &telling)
        .await
        .unwrap();
    let table = club.load(code).await.unwrap();
    assert_eq!(table.on_turn_now(), Some(bob));
    assert!(table.game().unwrap().offers.is_empty());
    assert_eq!(hall.entries(code).await.len(), before.len() + 2);
}

#[tokio::test]
async fn r116_of_several_moves_in_one_command_all_are_played_or_none() {
    let hall = Hall::with_dice("1,5\n");
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    hall.act(ada, code, Action::Roll).await.unwrap();
    let before = hall.entries(code).await;
    let text = "b2b3 c2c5".to_owned();
    hall.refused(ada, code, Action::Move { text }).await;
    assert_eq!(hall.entries(code).await, before);
    let played = hall.plays(ada, code, "b2b3 c2c3").await;
    assert_eq!(played.changes.len(), 1, "one event for the whole command");
    assert_eq!(
        hall.table(code).await.game().unwrap().last_moves().count(),
        2
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn codes_are_unique_and_never_readable_as_moves() {
    let hall = Arc::new(Hall::new());
    let mut tasks = Vec::new();
    for number in 0..40 {
        let hall = hall.clone();
        tasks.push(tokio::spawn(async move {
            let person = hall.person(&format!("player {number}")).await;
            let mut codes = Vec::new();
            for _ in 0..5 {
                codes.push(hall.open(person, game("chaturanga")).await);
            }
            codes
        }));
    }
    let mut codes = Vec::new();
    for task in tasks {
        codes.extend(task.await.unwrap());
    }
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!((codes.len(), count), (200, 200));
    assert!(codes.iter().all(|code| !code.reads_like_a_move()));
}
