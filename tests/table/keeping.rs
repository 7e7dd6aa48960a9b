//! What a command does is kept whole or not at all.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ashtapada::club::{Action, Club, ClubError, Done, Happened, Limits, OsChance, SystemClock};
use ashtapada::ids::{Cause, PersonId, Platform, TableCode};
use ashtapada::store::{
    Commit, Committed, Find, Listing, Memory, Person, Post, PostId, Store, StoreError, Stored,
};
use ashtapada::table::{Refusal, SealingKey};
use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::hall::{Hall, draw, hall, quiet, solo};

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

/// A store whose next commits fail, and whose next answer can be held back.
struct Faulty {
    inner: Arc<Memory>,
    failing: AtomicUsize,
    held: Mutex<Option<Gate>>,
}

/// Where an answer waits: it says that it is there, and goes on when it is told to.
struct Gate {
    reached: oneshot::Sender<()>,
    open: oneshot::Receiver<()>,
}

impl Faulty {
    fn over(hall: &Hall) -> Arc<Self> {
        Arc::new(Self {
            inner: hall.store.clone(),
            failing: AtomicUsize::new(0),
            held: Mutex::new(None),
        })
    }

    fn club(self: &Arc<Self>, limits: Limits) -> Arc<Club> {
        Arc::new(Club::new(
            self.clone(),
            Arc::new(SystemClock),
            Arc::new(OsChance),
            SealingKey::new([42; 32]),
            None,
            limits,
        ))
    }

    /// Holds the next answer back: it is there when the first can be received, and goes on when the second is sent.
    fn hold(&self) -> (oneshot::Receiver<()>, oneshot::Sender<()>) {
        let (reached, there) = oneshot::channel();
        let (go, open) = oneshot::channel();
        *self.held.lock().unwrap() = Some(Gate { reached, open });
        (there, go)
    }

    async fn answered<T>(&self, answer: T) -> T {
        let gate = self.held.lock().unwrap().take();
        if let Some(gate) = gate {
            gate.reached.send(()).unwrap();
            gate.open.await.unwrap();
        }
        answer
    }
}

#[async_trait]
impl Store for Faulty {
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let failing = self.failing.load(Ordering::SeqCst);
        if failing > 0 {
            self.failing.store(failing - 1, Ordering::SeqCst);
            return Err(StoreError::Stopped("no space left".to_owned()));
        }
        self.answered(self.inner.commit(commit).await).await
    }
    async fn table(&self, code: TableCode) -> Result<Option<Stored>, StoreError> {
        self.answered(self.inner.table(code).await).await
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
    let faulty = Faulty::over(&hall);
    let club = faulty.club(Limits::default());
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

fn pawn(text: &str) -> Action {
    Action::Move {
        text: text.to_owned(),
    }
}

#[tokio::test]
async fn r115_a_reader_that_was_overtaken_puts_no_old_table_before_the_players() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let other = hall.open(ada, solo("chaturanga")).await;
    // With room for all tables, and with room for one: then the newer one is gone when the reader comes.
    for shelf in [1024, 1] {
        let hall = hall.restarted(None);
        let faulty = Faulty::over(&hall);
        let limits = Limits {
            shelf,
            ..Limits::default()
        };
        let club = faulty.club(limits);
        let mut seat = [(ada, "a2a3"), (bob, "a7a6")];
        if shelf == 1 {
            seat = [(ada, "b2b3"), (bob, "b7b6")];
        }
        let (there, go) = faulty.hold();
        let slow = club.clone();
        let reader = tokio::spawn(async move { slow.load(code).await.unwrap().version() });
        there.await.unwrap();
        let mut caller = hall.says(seat[0].0);
        caller.cause = None;
        let played = club
            .act(&caller, Some(code), &pawn(seat[0].1), &quiet)
            .await;
        assert!(matches!(played, Ok(Done::Now(_))), "{played:?}");
        club.load(other).await.unwrap();
        go.send(()).unwrap();
        let old = reader.await.unwrap();
        assert!(club.load(code).await.unwrap().version() > old);
        caller.person = seat[1].0;
        let answered = club
            .act(&caller, Some(code), &pawn(seat[1].1), &quiet)
            .await;
        assert!(
            matches!(answered, Ok(Done::Now(_))),
            "shelf of {shelf}: {answered:?}"
        );
    }
}

#[tokio::test]
async fn r116_what_was_kept_is_seen_though_nobody_waits_for_the_answer_any_more() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let faulty = Faulty::over(&hall);
    let club = faulty.club(Limits::default());
    let before = club.load(code).await.unwrap().version();
    let (there, go) = faulty.hold();
    let (asked, caller) = (club.clone(), hall.says(ada));
    let asks = tokio::spawn(async move {
        asked
            .act(&caller, Some(code), &pawn("a2a3"), &quiet)
            .await
            .is_ok()
    });
    there.await.unwrap();
    asks.abort();
    assert!(asks.await.unwrap_err().is_cancelled());
    go.send(()).unwrap();
    // The rest of the task needs a few turns of the runtime and no clock.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let table = club.load(code).await.unwrap();
    assert!(table.version() > before);
    assert_eq!(table.on_turn_now(), Some(bob));
}

#[tokio::test]
async fn r07_a_refused_command_is_not_carried_out_when_its_message_comes_again() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let early = hall.says(bob);
    let refused = hall
        .club
        .act(&early, Some(code), &pawn("a7a6"), &quiet)
        .await;
    assert!(matches!(
        refused,
        Err(ClubError::Refused(Refusal::NotYourTurn { .. }))
    ));
    // As long as it would not be done anyway, the reason is given again.
    let again = hall
        .club
        .act(&early, Some(code), &pawn("a7a6"), &quiet)
        .await;
    assert_eq!(again.unwrap_err(), refused.unwrap_err());
    hall.plays(ada, code, "a2a3").await;
    // Bob's turn has come, and his old message too, also after a restart.
    for club in [hall.club.clone(), hall.restarted(None).club] {
        let again = club.act(&early, Some(code), &pawn("a7a6"), &quiet).await;
        assert!(matches!(again, Ok(Done::RefusedBefore)), "{again:?}");
    }
    assert_eq!(hall.table(code).await.on_turn_now(), Some(bob));

    // A rematch asked for too early, and a table that could not be opened.
    let early = hall.says(ada);
    assert!(hall.club.rematch(&early, Some(code), &quiet).await.is_err());
    let nothing = hall.says(ada);
    let wanted = crate::hall::game("draughts");
    assert!(hall.club.open(&nothing, &wanted, &quiet).await.is_err());
    hall.act(ada, code, draw()).await.unwrap();
    hall.act(bob, code, draw()).await.unwrap();
    let again = hall.club.rematch(&early, Some(code), &quiet).await;
    assert!(matches!(again, Ok(Done::RefusedBefore)), "{again:?}");
    let again = hall.club.open(&nothing, &solo("chaturanga"), &quiet).await;
    assert!(matches!(again, Ok(Done::RefusedBefore)), "{again:?}");
}

#[tokio::test]
async fn r07_a_command_that_changed_nothing_does_nothing_when_its_message_comes_again() {
    let hall = Hall::new();
    let (code, ada, _) = hall.duel().await;
    hall.act(ada, code, draw()).await.unwrap();
    let twice = hall.says(ada);
    let offered = hall.club.act(&twice, Some(code), &draw(), &quiet).await;
    assert!(matches!(offered, Ok(Done::Now(now)) if !now.changed()));
    // The move takes the offer back; the old message must not make it again.
    hall.plays(ada, code, "a2a3").await;
    let again = hall.club.act(&twice, Some(code), &draw(), &quiet).await;
    assert!(matches!(again, Ok(Done::Before { .. })), "{again:?}");
    let table = hall.table(code).await;
    assert!(table.game().unwrap().offers.is_empty());
}
