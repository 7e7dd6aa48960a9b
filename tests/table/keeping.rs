//! What a command does is kept whole or not at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ashtapada::club::{Action, Chance, Club, ClubError, Happened, Limits, OsChance, SystemClock};
use ashtapada::ids::{Cause, PersonId, Platform, TableCode};
use ashtapada::store::{
    Commit, Committed, Find, Listing, Memory, Person, Post, PostId, Store, StoreError, Stored,
};
use ashtapada::table::SealingKey;
use async_trait::async_trait;
use serde_json::Value;

use crate::hall::{Hall, draw, hall, solo};

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
