//! Which table is meant: a place's own first, and none at which the command cannot be carried out as long as there is
//! another one.

use ashtapada::club::{Action, Caller, ClubError, Sought, Wanted};
use ashtapada::ids::{PersonId, Place, Platform, TableCode};
use ashtapada::table::{Event, Refusal};

use crate::hall::{Hall, draw, game, join, now, quiet, solo};

/// The table on which an action was carried out.
async fn done(hall: &Hall, caller: &Caller, action: Action) -> TableCode {
    let done = hall.club.act(caller, None, &action, &quiet).await;
    now(done).unwrap().table.code()
}

async fn refused(hall: &Hall, caller: &Caller, action: Action) -> ClubError {
    let done = hall.club.act(caller, None, &action, &quiet).await;
    done.unwrap_err()
}

fn moving(text: &str) -> Action {
    Action::Move {
        text: text.to_owned(),
    }
}

fn resign(confirm: bool) -> Action {
    Action::Resign {
        seat: None,
        confirm,
    }
}

fn sorted(mut codes: Vec<TableCode>) -> Vec<TableCode> {
    codes.sort_unstable();
    codes
}

fn asked_between(error: ClubError) -> Vec<TableCode> {
    match error {
        ClubError::WhichTable(found) => sorted(found.iter().map(|one| one.code).collect()),
        other => panic!("not asked which: {other:?}"),
    }
}

/// A room that holds nobody but the caller and the bot.
fn alone(hall: &Hall, person: PersonId) -> Caller {
    Caller {
        direct: true,
        ..hall.says_in(person, Place::room(Platform::Matrix, "!alone"))
    }
}

#[tokio::test]
async fn in_a_room_alone_with_the_bot_its_own_board_comes_first() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    hall.duel_with_white(ada, bob).await;
    let here = alone(&hall, ada);
    let opened = hall.club.open(&here, &solo("chaturanga"), &quiet).await;
    let own = now(opened).unwrap().table.code();
    for text in ["a2a3", "a7a6"] {
        assert_eq!(done(&hall, &alone(&hall, ada), moving(text)).await, own);
    }
    assert_eq!(done(&hall, &alone(&hall, ada), draw()).await, own);
    // With it finished, the one elsewhere is all there is.
    assert_ne!(done(&hall, &alone(&hall, ada), moving("a2a3")).await, own);
}

#[tokio::test]
async fn what_cannot_be_done_at_the_board_here_can_be_meant_elsewhere_only_alone_with_the_bot() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let here = alone(&hall, ada);
    let opened = hall.club.open(&here, &solo("chaturanga"), &quiet).await;
    let own = now(opened).unwrap().table.code();
    let dice = hall.open(ada, solo("four-handed")).await;
    assert_eq!(done(&hall, &alone(&hall, ada), Action::Roll).await, dice);
    let room = hall.says_in(ada, Place::room(Platform::Matrix, "!alone"));
    let why = refused(&hall, &room, Action::Roll).await;
    assert_eq!(why, Refusal::NoDice.into(), "only {own} is in this room");
}

#[tokio::test]
async fn rolling_moving_and_passing_mean_the_table_that_waits_for_just_that() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let board = hall.open(ada, solo("chaturanga")).await;
    let dice = [
        hall.open(ada, solo("partnership")).await,
        hall.open(ada, solo("partnership")).await,
    ];
    let asked = refused(&hall, &hall.says(ada), Action::Roll).await;
    assert_eq!(asked_between(asked), sorted(dice.to_vec()));
    let rolled = async |code: TableCode| loop {
        let after = hall.act(ada, code, Action::Roll).await.unwrap();
        if !after.table.play().unwrap().legal().is_empty() {
            break;
        }
    };
    rolled(dice[0]).await;
    assert_eq!(done(&hall, &hall.says(ada), Action::Pass).await, dice[0]);
    rolled(dice[1]).await;
    assert_eq!(done(&hall, &hall.says(ada), Action::Roll).await, dice[0]);
    hall.act(ada, board, draw()).await.unwrap();
    let waiting = hall.table(dice[0]).await;
    if waiting.play().unwrap().legal().is_empty() {
        // The roll allowed nothing, and dice[1] is the only one to move at.
        assert_eq!(done(&hall, &hall.says(ada), Action::Pass).await, dice[1]);
    }
}

#[tokio::test]
async fn who_is_on_turn_at_one_table_only_moves_there() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let other = hall.duel_with_white(bob, ada).await;
    let own = hall.duel_with_white(ada, bob).await;
    assert_eq!(done(&hall, &hall.says(ada), moving("a2a3")).await, own);
    // Now ada is on turn at neither: both are hers, so which is asked.
    let asked = refused(&hall, &hall.says(ada), moving("b2b3")).await;
    assert_eq!(asked_between(asked), sorted(vec![own, other]));
}

#[tokio::test]
async fn joining_means_a_table_that_the_caller_has_not_joined() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    hall.open(bob, game("chaturanga")).await;
    let wanted = Wanted {
        with: vec![bob],
        ..game("chaturanga")
    };
    let hers = hall.open(ada, wanted).await;
    assert_eq!(done(&hall, &hall.says(bob), join()).await, hers);
}

#[tokio::test]
async fn a_full_table_is_not_joined_where_another_has_a_free_seat() {
    let hall = Hall::new();
    let [ada, bob, cem, dee] = hall.people(["ada", "bob", "cem", "dee"]).await;
    let kept = Wanted {
        with: vec![cem],
        ..game("chaturanga")
    };
    hall.open(ada, kept).await;
    let free = hall.open(bob, game("chaturanga")).await;
    assert_eq!(done(&hall, &hall.says(dee), join()).await, free);
}

#[tokio::test]
async fn only_the_callers_own_tables_are_asked_about() {
    let hall = Hall::new();
    let [ada, bob, cem, dee] = hall.people(["ada", "bob", "cem", "dee"]).await;
    let own = [
        hall.duel_with_white(ada, bob).await,
        hall.duel_with_white(ada, bob).await,
    ];
    hall.duel_with_white(cem, dee).await;
    hall.open(cem, game("chaturaji")).await;
    for action in [moving("a2a3"), resign(false), draw()] {
        let asked = refused(&hall, &hall.says(ada), action).await;
        assert_eq!(asked_between(asked), sorted(own.to_vec()));
    }
    let says = hall.says(ada);
    let looked = hall.club.look(&says, None, &Sought::Any).await;
    assert_eq!(asked_between(looked.unwrap_err()), sorted(own.to_vec()));
}

#[tokio::test]
async fn who_has_no_seat_anywhere_is_told_so_and_not_asked() {
    let hall = Hall::new();
    let [ada, bob, eve] = hall.people(["ada", "bob", "eve"]).await;
    hall.duel_with_white(ada, bob).await;
    hall.duel_with_white(ada, bob).await;
    for action in [moving("a2a3"), resign(false), draw(), Action::Pass] {
        let why = refused(&hall, &hall.says(eve), action).await;
        assert!(!matches!(why, ClubError::WhichTable(_)), "{why:?}");
    }
}

#[tokio::test]
async fn right_after_a_game_it_is_over_and_not_missing() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    hall.act(ada, code, draw()).await.unwrap();
    hall.act(bob, code, draw()).await.unwrap();
    let rest = [
        moving("a2a3"),
        resign(false),
        draw(),
        Action::Roll,
        Action::Pass,
        Action::Claim,
    ];
    for action in &rest {
        let why = refused(&hall, &hall.says(ada), action.clone()).await;
        assert_eq!(why, Refusal::Finished.into(), "{action:?}");
    }
    // Also while others go on here.
    let [cem, dee] = hall.people(["cem", "dee"]).await;
    hall.duel_with_white(cem, dee).await;
    for action in rest {
        let why = refused(&hall, &hall.says(ada), action.clone()).await;
        assert_eq!(why, Refusal::Finished.into(), "{action:?}");
    }
}

#[tokio::test]
async fn who_is_sure_is_sure_of_what_was_asked() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    hall.duel_with_white(ada, bob).await;
    let asked = hall.duel_with_white(ada, bob).await;
    hall.act(ada, asked, resign(false)).await.unwrap();
    assert_eq!(done(&hall, &hall.says(ada), resign(true)).await, asked);
    let table = hall.table(asked).await;
    assert!(table.ending().is_some());
}

#[tokio::test]
async fn what_only_the_host_may_do_is_done_at_the_table_of_the_host() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    hall.open(bob, game("chaturaji")).await;
    let own = hall.open(ada, game("chaturaji")).await;
    let invite = Action::Invite { person: cem };
    assert_eq!(done(&hall, &hall.says(ada), invite).await, own);
    let remove = Action::Remove { person: cem };
    assert_eq!(done(&hall, &hall.says(ada), remove).await, own);
    let why = refused(&hall, &hall.says(ada), Action::Start).await;
    assert!(matches!(why, ClubError::Refused(Refusal::NotBegun { .. })));
    let cancel = Action::Cancel { offer: None };
    assert_eq!(done(&hall, &hall.says(ada), cancel).await, own);
    assert_eq!(
        hall.club
            .tables_in(&crate::hall::hall())
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn who_has_resigned_at_one_table_offers_a_draw_at_the_other() {
    let hall = Hall::new();
    let (out, people) = hall.four("chaturaji").await;
    let ada = people[0];
    hall.act(ada, out, resign(false)).await.unwrap();
    hall.act(ada, out, resign(true)).await.unwrap();
    let own = hall.duel_with_white(ada, people[1]).await;
    let other = hall.open(ada, solo("chaturanga")).await;
    hall.act(ada, other, draw()).await.unwrap();
    let done = hall.club.act(&hall.says(ada), None, &draw(), &quiet).await;
    let happened = now(done).unwrap();
    assert_eq!(happened.table.code(), own);
    let event = &happened.changes[0].entry.event;
    assert!(matches!(event, Event::Offered { .. }));
}

#[tokio::test]
async fn what_is_asked_of_a_game_is_not_asked_of_a_table_without_one() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let gathering = hall.open(ada, game("chaturaji")).await;
    let board = hall.open(ada, solo("chaturanga")).await;
    let says = hall.says(ada);
    let looked = async |sought: Sought| {
        let table = hall.club.look(&says, None, &sought).await;
        table.map(|table| table.code())
    };
    assert_eq!(looked(Sought::Begun).await, Ok(board));
    assert_eq!(looked(Sought::Moves).await, Ok(board));
    let dice = hall.open(ada, game("four-handed")).await;
    assert_eq!(looked(Sought::Dice).await, Ok(dice));
    hall.act(ada, board, draw()).await.unwrap();
    let all = asked_between(looked(Sought::Any).await.unwrap_err());
    assert_eq!(all, sorted(vec![gathering, dice]));
}
