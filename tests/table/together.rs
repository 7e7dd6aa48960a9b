//! Commands at the same instant, commands that come twice, and stores that fail.

use std::sync::Arc;

use ashtapada::club::{Action, ClubError, Done};
use ashtapada::ids::{Cause, Platform};
use ashtapada::table::{Phase, Refusal};

use crate::hall::{Hall, game, quiet, solo};

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
            other => panic!("not done before: {other:?}"),
        }
    }
    let table = hall.table(code).await;
    assert_eq!(table.game().unwrap().last_moves().count(), 1);
    // Somebody who was not told sends the moves again by another message, in other words.
    let played = |text| hall.club.played_already(&caller, &table, text);
    let moves = vec!["a2a3".to_owned()];
    assert_eq!(played("Pawn a3").await, Ok(Some(moves)));
    assert_eq!(played("a2a4").await, Ok(None));
    assert_eq!(played("nonsense").await, Ok(None));
    let others = hall.says(bob);
    let none = hall.club.played_already(&others, &table, "a2a3").await;
    assert_eq!(none, Ok(None));

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
