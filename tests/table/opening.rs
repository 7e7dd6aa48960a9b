//! Opening tables, their rematches, limits and end unjoined; and the people they know by number only.

use ashtapada::club::{Action, ClubError, Limits, Wanted};
use ashtapada::rules::Seat;
use ashtapada::store::{Memory, Store};
use ashtapada::table::{Ending, Phase, Refusal, SeatWish};

use crate::hall::{Hall, game, hall, join, now, quiet, solo};

#[tokio::test]
async fn seats_of_two_player_games_are_drawn_unless_one_is_named() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let mut white = 0;
    for _ in 0..20 {
        let code = hall.open(ada, game("chaturanga")).await;
        white += usize::from(hall.table(code).await.sitter(Seat::White) == Some(ada));
    }
    assert!((3..=17).contains(&white), "White {white} times of 20");
    let wanted = Wanted {
        seat: SeatWish::Named(Seat::Black),
        ..game("chaturanga")
    };
    let code = hall.open(ada, wanted).await;
    assert_eq!(hall.table(code).await.sitter(Seat::Black), Some(ada));
    let wanted = Wanted {
        seat: SeatWish::Named(Seat::South),
        ..game("chaturanga")
    };
    let refused = hall.club.open(&hall.says(ada), &wanted, &quiet).await;
    let no_seat = Refusal::NoSuchSeat {
        seat: Seat::South,
        seats: Seat::TWO,
    };
    assert_eq!(refused.unwrap_err(), ClubError::Refused(no_seat));
}

#[tokio::test]
async fn a_table_that_nobody_joins_is_closed_after_seven_days() {
    const DAY: u64 = 24 * 60 * 60 * 1000;
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let lonely = hall.open(ada, game("chaturaji")).await;
    let joined = hall.open(ada, game("chaturaji")).await;
    let begun = hall.duel().await.0;
    hall.clock.forward(6 * DAY);
    hall.join(bob, joined).await.unwrap();
    assert!(hall.club.tick(&quiet).await.unwrap().is_empty());
    hall.clock.forward(DAY + 1);
    let closed = hall.club.tick(&quiet).await.unwrap();
    let codes: Vec<_> = closed.iter().map(|one| one.table.code()).collect();
    assert_eq!(codes, [lonely]);
    assert_eq!(hall.table(lonely).await.ending(), Some(&Ending::Expired));
    assert!(matches!(hall.table(joined).await.phase(), Phase::Gathering));
    assert!(matches!(hall.table(begun).await.phase(), Phase::Playing(_)));
    assert_eq!(hall.refused(bob, lonely, join()).await, Refusal::Finished);
    assert!(hall.club.tick(&quiet).await.unwrap().is_empty());
}

#[tokio::test]
async fn there_are_limits_for_a_person_and_for_a_place() {
    let limits = Limits {
        tables_of_person: 2,
        tables_in_place: 3,
        ..Limits::default()
    };
    let hall = Hall::with(None, limits, Memory::new().into());
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    for _ in 0..2 {
        // An invitation is another's doing and counts for nobody.
        let wanted = Wanted {
            with: vec![cem],
            ..game("chaturaji")
        };
        hall.open(ada, wanted).await;
    }
    let open = async |person| {
        hall.club
            .open(&hall.says(person), &game("chaturaji"), &quiet)
            .await
    };
    let too_many = ClubError::TooManyTables { limit: 2 };
    assert_eq!(open(ada).await.unwrap_err(), too_many);
    let third = hall.open(cem, game("chaturaji")).await;
    assert_eq!(hall.join(ada, third).await.unwrap_err(), too_many);
    assert_eq!(
        open(bob).await.unwrap_err(),
        ClubError::PlaceFull { limit: 3 }
    );
    hall.act(cem, third, Action::Cancel { offer: None })
        .await
        .unwrap();
    open(bob).await.unwrap();
}

#[tokio::test]
async fn a_rematch_moves_the_seats_on_by_one_and_is_opened_once() {
    let hall = Hall::new();
    let (code, people) = hall.four("chaturaji").await;
    let rematch = async |person| {
        hall.club
            .rematch(&hall.says(person), Some(code), &quiet)
            .await
    };
    let refused = rematch(people[0]).await.unwrap_err();
    assert_eq!(refused, ClubError::Refused(Refusal::NotFinished));
    for person in people {
        hall.act(person, code, crate::hall::draw()).await.unwrap();
    }
    let eve = hall.person("eve").await;
    let refused = rematch(eve).await.unwrap_err();
    assert_eq!(refused, ClubError::Refused(Refusal::NotSeated));
    let next = now(rematch(people[1]).await).unwrap().table;
    assert_eq!(next.sitter(Seat::North), Some(people[1]));
    assert_eq!(next.opened().rematch_of, Some(code));
    let again = rematch(people[2]).await.unwrap_err();
    assert_eq!(again, ClubError::Refused(Refusal::RematchIs(next.code())));
    // The others' seats are kept for them.
    let south = Action::Join {
        seat: Some(Seat::South),
        word: String::new(),
    };
    let kept = Refusal::SeatReserved {
        seat: Seat::South,
        person: people[3],
    };
    assert_eq!(hall.refused(people[0], next.code(), south).await, kept);
    for person in [people[0], people[2], people[3]] {
        hall.join(person, next.code()).await.unwrap();
    }
    let table = hall.table(next.code()).await;
    let seated: Vec<_> = Seat::FOUR
        .iter()
        .filter_map(|seat| table.sitter(*seat))
        .collect();
    assert_eq!(seated, [people[3], people[0], people[1], people[2]]);
    assert!(matches!(table.phase(), Phase::Playing(_)));
}

#[tokio::test]
async fn r118_renaming_and_forgetting_touch_no_game() {
    let hall = Hall::new();
    let (code, ada, _) = hall.duel().await;
    let before = hall.entries(code).await;
    hall.club.rename(ada, "Countess").await.unwrap();
    assert_eq!(hall.club.person(ada).await.unwrap().name, "Countess");
    hall.club.forget(ada).await.unwrap();
    let forgotten = hall.club.person(ada).await.unwrap();
    assert!(forgotten.accounts.is_empty() && forgotten.name == "former player");
    assert_eq!(hall.entries(code).await, before);
    assert_ne!(hall.person("ada").await, ada, "numbers are not given again");
    let stored = hall.store.table(code).await.unwrap().unwrap();
    let text = serde_json::to_string(&stored.events).unwrap();
    assert!(
        !text.contains("ada") && !text.contains("Countess"),
        "{text}"
    );
}

#[tokio::test]
async fn bad_games_options_and_positions_open_nothing() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let open = async |wanted: Wanted| hall.club.open(&hall.says(ada), &wanted, &quiet).await;
    let unknown = open(game("draughts")).await.unwrap_err();
    let draughts = Refusal::UnknownGame("draughts".to_owned());
    assert_eq!(unknown, ClubError::Refused(draughts));
    let mut wanted = game("chaturanga");
    wanted
        .options
        .insert("corner".to_owned(), "boat".to_owned());
    let refused = open(wanted).await.unwrap_err();
    assert!(
        matches!(refused, ClubError::Refused(Refusal::Start(_))),
        "{refused:?}"
    );
    let position = serde_json::json!({"board": "8/8/8/8/8/8/8/8", "mover": "white"});
    let wanted = Wanted {
        position: Some(serde_json::from_value(position).unwrap()),
        ..game("chaturanga")
    };
    let refused = open(wanted).await.unwrap_err();
    assert!(
        matches!(refused, ClubError::Refused(Refusal::Start(_))),
        "{refused:?}"
    );
    assert!(hall.club.tables_in(&self::hall()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_rematch_that_came_to_nothing_blocks_no_other() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    hall.act(ada, code, crate::hall::draw()).await.unwrap();
    hall.act(bob, code, crate::hall::draw()).await.unwrap();
    let rematch = async || {
        let done = hall.club.rematch(&hall.says(ada), Some(code), &quiet).await;
        now(done).map(|happened| happened.table.code())
    };
    let first = rematch().await.unwrap();
    let there = ClubError::Refused(Refusal::RematchIs(first));
    assert_eq!(rematch().await.unwrap_err(), there);
    hall.act(ada, first, Action::Cancel { offer: None })
        .await
        .unwrap();
    let second = rematch().await.unwrap();
    assert_ne!(second, first);
    hall.clock.forward(8 * 24 * 60 * 60 * 1000);
    assert_eq!(hall.club.tick(&quiet).await.unwrap().len(), 1);
    let third = rematch().await.unwrap();
    hall.join(bob, third).await.unwrap();
    let there = ClubError::Refused(Refusal::RematchIs(third));
    assert_eq!(rematch().await.unwrap_err(), there);
    let table = hall.restarted(None).table(code).await;
    assert_eq!(table.rematch_code(), Some(third));
}

#[tokio::test]
async fn what_the_dice_draw_is_not_the_hosts_to_choose() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let mut wanted = solo("partnership");
    wanted.options = [("setup", "random"), ("order", "7")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into();
    let refused = hall.club.open(&hall.says(ada), &wanted, &quiet).await;
    let refused = refused.unwrap_err().to_string();
    assert_eq!(
        refused,
        "order cannot be “7”; it can be drawn by the dice only"
    );
    wanted.options.remove("order");
    assert!(
        hall.club
            .open(&hall.says(ada), &wanted, &quiet)
            .await
            .is_ok()
    );
}
