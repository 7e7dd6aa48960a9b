//! Which table is meant, and what lists show.

use std::sync::Arc;

use ashtapada::club::{Action, Caller, ClubError, Limits, Sought, Wanted};
use ashtapada::ids::{PersonId, Place, Platform, TableCode};
use ashtapada::store::Memory;
use ashtapada::table::Refusal;

use crate::hall::{Hall, game, hall, join, now, quiet, solo};

async fn meant(hall: &Hall, caller: &Caller, sought: Sought) -> Result<TableCode, ClubError> {
    hall.club
        .look(caller, None, &sought)
        .await
        .map(|table| table.code())
}

fn candidates(error: ClubError) -> Vec<TableCode> {
    match error {
        ClubError::WhichTable(found) => found.iter().map(|one| one.code).collect(),
        other => panic!("not asked which: {other:?}"),
    }
}

#[tokio::test]
async fn the_only_one_here_then_the_callers_turn_then_the_callers_seat_then_the_question() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let says = |person| hall.says(person);
    let none = meant(&hall, &says(ada), Sought::Any).await.unwrap_err();
    assert_eq!(none, ClubError::NoTable);
    let first = hall.duel_with_white(ada, bob).await;
    let only = async |person| meant(&hall, &says(person), Sought::Any).await;
    assert_eq!(
        only(cem).await,
        Ok(first),
        "the only one, though cem has no seat"
    );
    let second = hall.duel_with_white(cem, ada).await;
    assert_eq!(only(ada).await, Ok(first), "ada is on turn there");
    assert_eq!(only(bob).await, Ok(first), "bob has a seat there");
    assert_eq!(only(cem).await, Ok(second));
    let eve = hall.person("eve").await;
    let mut asked = candidates(only(eve).await.unwrap_err());
    asked.sort_unstable();
    let mut both = [first, second];
    both.sort_unstable();
    assert_eq!(asked, both, "never a guess between two");
    hall.plays(cem, second, "a2a3").await;
    assert_eq!(
        candidates(only(ada).await.unwrap_err()).len(),
        2,
        "on turn at both"
    );
    hall.plays(ada, first, "a2a3").await;
    assert_eq!(only(ada).await, Ok(second));
}

#[tokio::test]
async fn a_talk_with_the_bot_alone_looks_at_all_tables_of_the_caller() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let direct = |person| Caller {
        direct: true,
        ..hall.says_in(person, Place::room(Platform::Console, "whisper"))
    };
    assert_eq!(meant(&hall, &direct(ada), Sought::Moves).await, Ok(code));
    let eve = hall.person("eve").await;
    let none = meant(&hall, &direct(eve), Sought::Moves).await;
    assert_eq!(none, Err(ClubError::NoTable));
    let moved = Action::Move {
        text: "a2a3".to_owned(),
    };
    now(hall.club.act(&direct(ada), None, &moved, &quiet).await).unwrap();
    let elsewhere = hall.says_in(bob, Place::room(Platform::Console, "yard"));
    assert_eq!(
        meant(&hall, &elsewhere, Sought::Moves).await,
        Err(ClubError::NoTable)
    );
}

#[tokio::test]
async fn a_table_in_a_thread_is_also_in_its_room_and_found_first_in_its_thread() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let room = Place::room(Platform::Matrix, "!room");
    let thread = |id: &str| Place::thread(Platform::Matrix, "!room", id);
    let mut codes = Vec::new();
    for id in ["$one", "$two"] {
        let caller = hall.says_in(ada, thread(id));
        let opened = now(hall.club.open(&caller, &solo("chaturanga"), &quiet).await).unwrap();
        codes.push(opened.table.code());
    }
    for (id, code) in ["$one", "$two"].into_iter().zip(&codes) {
        let here = hall.says_in(ada, thread(id));
        assert_eq!(meant(&hall, &here, Sought::Moves).await, Ok(*code));
    }
    let in_room = meant(&hall, &hall.says_in(ada, room), Sought::Moves).await;
    assert_eq!(candidates(in_room.unwrap_err()).len(), 2);
    hall.act(ada, codes[1], crate::hall::draw()).await.unwrap();
    // In a thread without an unfinished table of its own, the room's are meant.
    let empty = hall.says_in(ada, thread("$three"));
    assert_eq!(meant(&hall, &empty, Sought::Moves).await, Ok(codes[0]));
}

#[tokio::test]
async fn joining_means_a_table_that_can_be_joined() {
    let hall = Hall::new();
    let (_, ada, bob) = hall.duel().await;
    let waiting = hall.open(ada, game("chaturanga")).await;
    let done = hall.club.act(&hall.says(bob), None, &join(), &quiet).await;
    assert_eq!(now(done).unwrap().table.code(), waiting);
}

#[tokio::test]
async fn the_last_finished_game_can_still_be_looked_at() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("chaturanga")).await;
    hall.act(ada, code, crate::hall::draw()).await.unwrap();
    assert_eq!(meant(&hall, &hall.says(ada), Sought::Any).await, Ok(code));
    let next = now(hall.club.rematch(&hall.says(ada), None, &quiet).await).unwrap();
    assert_eq!(next.table.opened().rematch_of, Some(code));
}

#[tokio::test]
async fn a_table_elsewhere_is_no_business_of_a_strangers() {
    let hall = Hall::new();
    let (code, _, _) = hall.duel().await;
    let eve = hall.person("eve").await;
    let yard = hall.says_in(eve, Place::room(Platform::Console, "yard"));
    let looked = hall.club.look(&yard, Some(code), &Sought::Any).await;
    assert_eq!(looked.unwrap_err(), ClubError::Elsewhere(code));
    assert!(
        hall.club
            .look(&hall.says(eve), Some(code), &Sought::Any)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn next_is_the_table_that_has_waited_longest() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let first = hall.duel_with_white(ada, bob).await;
    hall.clock.forward(1000);
    let second = hall.duel_with_white(ada, bob).await;
    hall.clock.forward(1000);
    let next = async |person| {
        let next = hall.club.next(&hall.says(person)).await.unwrap();
        next.map(|table| table.code())
    };
    assert_eq!(next(ada).await, Some(first));
    hall.plays(ada, first, "a2a3").await;
    assert_eq!(next(ada).await, Some(second));
    assert_eq!(next(bob).await, Some(first));
    assert_eq!(hall.club.tables_of(ada).await.unwrap().len(), 2);
}

#[tokio::test]
async fn r113_only_the_seat_to_move_moves_and_a_new_game_stands_beside_the_old() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let eve = hall.person("eve").await;
    let moved = Action::Move {
        text: "a2a3".to_owned(),
    };
    assert_eq!(
        hall.refused(eve, code, moved.clone()).await,
        Refusal::NotSeated
    );
    let refused = hall.refused(bob, code, moved.clone()).await;
    assert!(matches!(refused, Refusal::NotYourTurn { person: Some(who), .. } if who == ada));
    hall.act(ada, code, moved).await.unwrap();
    let before = hall.entries(code).await;
    hall.open(ada, game("chaturanga")).await;
    hall.duel().await;
    assert_eq!(hall.entries(code).await, before);
    assert_eq!(hall.club.tables_in(&self::hall()).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_cancelled_table_is_no_finished_game() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let played = hall.open(ada, solo("chaturanga")).await;
    hall.act(ada, played, crate::hall::draw()).await.unwrap();
    let closed = hall.open(ada, game("chaturanga")).await;
    let cancel = Action::Cancel { offer: None };
    hall.act(ada, closed, cancel).await.unwrap();
    let says = hall.says(ada);
    assert_eq!(meant(&hall, &says, Sought::Any).await, Ok(played));
    assert_eq!(meant(&hall, &says, Sought::Finished).await, Ok(played));
}

#[tokio::test]
async fn records_notation_is_itself_whatever_else_it_could_mean() {
    // A pawn on g7 and a Kangaroo (letter G) on f7 could both go to h6.
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let position = serde_json::json!({
        "board": "9,bK/10/10/5,bG,bP,3/7,wP,2/10/10/10/10/wK,9",
        "mover": "black",
    });
    let wanted = Wanted {
        position: Some(serde_json::from_value(position).unwrap()),
        ..solo("maha-chatukanga")
    };
    let code = hall.open(ada, wanted).await;
    let played = hall.plays(ada, code, "g7h6").await.table;
    let moves: Vec<_> = played
        .game()
        .unwrap()
        .last_moves()
        .map(|(_, text)| text.to_owned())
        .collect();
    assert_eq!(moves, ["g7h6"]);
    let left = played.play().unwrap().state().board;
    assert!(left.contains("5,bG,4/7,bP,2"), "{left}");
}

/// Above any number of tables that could be called enough to look at.
const MANY: usize = 150;

async fn crowded(hall: &Hall) -> [PersonId; 2] {
    let people = hall.people(["ada", "bob"]).await;
    for number in 0..MANY {
        let other = hall.person(&format!("other {number}")).await;
        hall.open(other, game("chaturaji")).await;
        hall.clock.forward(1);
    }
    people
}

#[tokio::test]
async fn in_a_crowded_place_it_is_no_guess_either() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let own = hall.duel_with_white(ada, bob).await;
    let second = hall.open(ada, game("chaturaji")).await;
    crowded(&hall).await;
    let says = hall.says(ada);
    assert_eq!(meant(&hall, &says, Sought::Moves).await, Ok(own));
    let eve = hall.says(hall.person("eve").await);
    let all = candidates(meant(&hall, &eve, Sought::Any).await.unwrap_err());
    assert_eq!(all.len(), MANY + 2);
    let leave = now(hall.club.act(&says, None, &Action::Leave, &quiet).await);
    assert_eq!(
        leave.unwrap().table.code(),
        second,
        "the one ada has a seat at"
    );
    assert_eq!(
        hall.club.tables_in(&self::hall()).await.unwrap().len(),
        MANY + 1
    );
}

#[tokio::test]
async fn the_callers_own_last_game_is_found_behind_any_number_of_others() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    hall.act(ada, code, crate::hall::draw()).await.unwrap();
    hall.act(bob, code, crate::hall::draw()).await.unwrap();
    let cancel = || Action::Cancel { offer: None };
    let eve = hall.person("eve").await;
    for number in 0..MANY {
        hall.clock.forward(1);
        // Others' games, and tables of ada's own that never began.
        let host = [eve, ada][number % 2];
        let wanted = [solo("chaturanga"), game("chaturanga")][number % 2].clone();
        let code = hall.open(host, wanted).await;
        hall.act(host, code, cancel()).await.unwrap();
    }
    let next = now(hall.club.rematch(&hall.says(ada), None, &quiet).await).unwrap();
    assert_eq!(next.table.opened().rematch_of, Some(code));
    let yard = hall.says_in(bob, Place::room(Platform::Console, "yard"));
    let elsewhere = hall.club.rematch(&yard, None, &quiet).await;
    assert_eq!(elsewhere.unwrap_err(), ClubError::NoTable);
}

#[tokio::test]
async fn only_where_something_can_be_answered_is_it_turned_down_and_only_ones_own_game_resigned() {
    let hall = Hall::new();
    let [ada, bob] = crowded(&hall).await;
    let invited = Wanted {
        with: vec![bob],
        ..game("chaturanga")
    };
    let code = hall.open(ada, invited).await;
    let decline = Action::Decline { offer: None };
    let done = hall.club.act(&hall.says(bob), None, &decline, &quiet).await;
    assert_eq!(now(done).unwrap().table.code(), code);
    let others = hall.people(["cem", "dee"]).await;
    hall.duel_with_white(others[0], others[1]).await;
    let game = hall.duel_with_white(ada, bob).await;
    let resign = Action::Resign {
        seat: None,
        confirm: false,
    };
    let done = hall.club.act(&hall.says(bob), None, &resign, &quiet).await;
    assert_eq!(now(done).unwrap().table.code(), game);
    let eve = hall.person("eve").await;
    let unseated = hall.club.act(&hall.says(eve), None, &resign, &quiet).await;
    assert_eq!(unseated.unwrap_err(), ClubError::NoSeat);
}

#[tokio::test]
async fn invitations_do_not_hide_the_tables_that_count_towards_the_limit() {
    let limits = Limits {
        tables_of_person: 1,
        tables_in_place: 1000,
        ..Limits::default()
    };
    let hall = Hall::with(None, limits, Arc::new(Memory::new()));
    let [ada] = hall.people(["ada"]).await;
    hall.open(ada, solo("chaturanga")).await;
    for number in 0..MANY {
        hall.clock.forward(1);
        let other = hall.person(&format!("other {number}")).await;
        let wanted = Wanted {
            with: vec![ada],
            ..game("chaturanga")
        };
        hall.open(other, wanted).await;
    }
    let refused = hall
        .club
        .open(&hall.says(ada), &solo("chaturanga"), &quiet)
        .await;
    assert_eq!(refused.unwrap_err(), ClubError::TooManyTables { limit: 1 });
}
