//! Who sits where before the game.

use ashtapada::club::{Action, ClubError, Limits, Wanted};
use ashtapada::ids::{Place, Platform};
use ashtapada::rules::Seat;
use ashtapada::store::{Memory, Store};
use ashtapada::table::{Ending, Event, Phase, Refusal, SeatWish};

use crate::hall::{Hall, game, hall, join, now, quiet, solo};

#[tokio::test]
async fn a_table_begins_by_itself_when_the_last_seat_is_taken() {
    let hall = Hall::new();
    let (code, people) = hall.four("chaturaji").await;
    let table = hall.table(code).await;
    assert!(matches!(table.phase(), Phase::Playing(_)));
    let seated: Vec<_> = Seat::FOUR.iter().map(|seat| table.sitter(*seat)).collect();
    assert_eq!(
        seated,
        people.map(Some),
        "the first free seat, in order of coming"
    );
    assert_eq!(
        hall.refused(people[0], code, Action::Start).await,
        Refusal::Begun
    );
}

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
async fn one_person_plays_all_seats_of_a_solo_table_and_nobody_else() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let code = hall.open(ada, solo("four-handed")).await;
    let table = hall.table(code).await;
    assert_eq!(table.seats_of(ada).count(), 4);
    assert!(matches!(table.phase(), Phase::Playing(_)));
    assert_eq!(hall.refused(bob, code, join()).await, Refusal::Begun);
    let with_bob = Wanted {
        with: vec![bob],
        ..solo("four-handed")
    };
    let refused = hall.club.open(&hall.says(ada), &with_bob, &quiet).await;
    assert_eq!(
        refused.unwrap_err(),
        ClubError::Refused(Refusal::SoloInvites)
    );
}

#[tokio::test]
async fn a_reserved_seat_is_kept_until_it_is_turned_down_or_taken_back() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let wanted = Wanted {
        with: vec![bob],
        ..game("chaturanga")
    };
    let code = hall.open(ada, wanted.clone()).await;
    assert_eq!(hall.refused(cem, code, join()).await, Refusal::NoFreeSeat);
    let decline = Action::Decline { offer: None };
    assert_eq!(
        hall.refused(cem, code, decline.clone()).await,
        Refusal::NothingOpen
    );
    hall.act(bob, code, decline).await.unwrap();
    hall.act(ada, code, Action::Invite { person: bob })
        .await
        .unwrap();
    assert_eq!(hall.refused(cem, code, join()).await, Refusal::NoFreeSeat);
    hall.act(ada, code, Action::Remove { person: bob })
        .await
        .unwrap();
    hall.join(cem, code).await.unwrap();
    assert!(matches!(hall.table(code).await.phase(), Phase::Playing(_)));
}

#[tokio::test]
async fn only_the_host_invites_removes_starts_and_closes() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let code = hall.open(ada, game("chaturaji")).await;
    hall.join(bob, code).await.unwrap();
    let not_host = Refusal::NotHost { host: ada };
    for action in [
        Action::Invite { person: cem },
        Action::Remove { person: ada },
        Action::Start,
        Action::Cancel { offer: None },
    ] {
        assert_eq!(hall.refused(bob, code, action).await, not_host);
    }
    assert_eq!(
        hall.refused(ada, code, Action::Start).await,
        Refusal::NotBegun {
            free: vec![Seat::North, Seat::East]
        }
    );
    let mut who_runs_the_place = hall.says(cem);
    who_runs_the_place.runs_place = true;
    let cancel = Action::Cancel { offer: None };
    let done = hall
        .club
        .act(&who_runs_the_place, Some(code), &cancel, &quiet)
        .await;
    let ending = now(done).unwrap().table.ending().cloned();
    assert_eq!(ending, Some(Ending::Cancelled { secret: None }));
}

#[tokio::test]
async fn r43_a_seat_can_be_given_back_before_the_start() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let code = hall.open(ada, game("chaturaji")).await;
    hall.join(bob, code).await.unwrap();
    hall.act(bob, code, Action::Leave).await.unwrap();
    hall.join(cem, code).await.unwrap();
    assert_eq!(hall.table(code).await.sitter(Seat::West), Some(cem));
    assert_eq!(
        hall.refused(bob, code, Action::Leave).await,
        Refusal::NotSeated
    );
    hall.join(bob, code).await.unwrap();
    // The host goes: the next one seated is the host.
    hall.act(ada, code, Action::Leave).await.unwrap();
    assert_eq!(hall.table(code).await.host(), cem);
    hall.act(cem, code, Action::Leave).await.unwrap();
    let last = hall.act(bob, code, Action::Leave).await.unwrap();
    assert!(matches!(
        last.table.ending(),
        Some(Ending::Cancelled { .. })
    ));
}

#[tokio::test]
async fn r43_after_the_start_nobody_leaves_but_by_resigning() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    assert_eq!(hall.refused(bob, code, Action::Leave).await, Refusal::Begun);
    let resign = |confirm| Action::Resign {
        seat: None,
        confirm,
    };
    hall.act(bob, code, resign(false)).await.unwrap();
    let end = hall.act(bob, code, resign(true)).await.unwrap();
    assert_eq!(end.table.sitter(Seat::White), Some(ada));
    assert!(matches!(end.table.ending(), Some(Ending::Played { .. })));
}

#[tokio::test]
async fn r46_each_bad_guest_is_refused_with_a_reason_of_their_own() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let bot = hall
        .club
        .meet(Platform::Console, "robot", "robot", true)
        .await
        .unwrap();
    let nobody = ashtapada::ids::PersonId(4711);
    let open = async |with: Vec<_>| {
        let wanted = Wanted {
            with,
            ..game("chaturanga")
        };
        hall.club
            .open(&hall.says(ada), &wanted, &quiet)
            .await
            .unwrap_err()
    };
    let refused = ClubError::Refused;
    assert_eq!(open(vec![ada]).await, refused(Refusal::InvitesSelf));
    assert_eq!(open(vec![bot]).await, refused(Refusal::InvitesBot(bot)));
    assert_eq!(open(vec![nobody]).await, ClubError::UnknownPerson(nobody));
    assert_eq!(
        open(vec![bob, bob]).await,
        refused(Refusal::HasInvitation(bob))
    );
    let cem = hall.person("cem").await;
    let two_many = refused(Refusal::TooManyInvited { free: 1 });
    assert_eq!(open(vec![bob, cem]).await, two_many);
    assert!(
        hall.club.tables_of(ada).await.unwrap().is_empty(),
        "nothing was opened"
    );

    let code = hall.open(ada, game("chaturaji")).await;
    hall.join(bob, code).await.unwrap();
    let invite = |person| Action::Invite { person };
    assert_eq!(
        hall.refused(ada, code, invite(ada)).await,
        Refusal::InvitesSelf
    );
    assert_eq!(
        hall.refused(ada, code, invite(bot)).await,
        Refusal::InvitesBot(bot)
    );
    assert_eq!(
        hall.refused(ada, code, invite(bob)).await,
        Refusal::HasSeat(bob)
    );
}

#[tokio::test]
async fn a_table_is_joined_from_its_own_room_unless_open_or_invited() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let yard = Place::room(Platform::Console, "yard");
    let code = hall.open(ada, game("chaturaji")).await;
    let from_yard = |person| hall.says_in(person, yard.clone());
    let done = hall
        .club
        .act(&from_yard(bob), Some(code), &join(), &quiet)
        .await;
    assert_eq!(done.unwrap_err(), ClubError::Refused(Refusal::Elsewhere));
    hall.act(ada, code, Action::Invite { person: bob })
        .await
        .unwrap();
    let done = hall
        .club
        .act(&from_yard(bob), Some(code), &join(), &quiet)
        .await;
    assert_eq!(now(done).unwrap().table.places(), [crate::hall::hall()]);

    let wanted = Wanted {
        open: true,
        ..game("chaturaji")
    };
    let open = hall.open(ada, wanted).await;
    assert_eq!(hall.club.open_tables().await.unwrap()[0].code, open);
    let done = hall
        .club
        .act(&from_yard(cem), Some(open), &join(), &quiet)
        .await;
    assert_eq!(
        now(done).unwrap().table.places(),
        [crate::hall::hall(), yard]
    );
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
async fn contributions_are_published_on_joining() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let wanted = Wanted {
        word: "lotus".to_owned(),
        ..game("four-handed")
    };
    let code = hall.open(ada, wanted).await;
    let joined = hall.join(bob, code).await.unwrap();
    let Event::Joined(joined) = &joined.changes[0].entry.event else {
        panic!("{joined:?}");
    };
    let own = ashtapada::table::Contribution::of(bob, &joined.message, "");
    assert_eq!(joined.contribution, own);
    let table = hall.table(code).await;
    let first = table.players().next().unwrap();
    let host = ashtapada::table::Contribution::of(ada, &first.message, "lotus");
    assert_eq!(table.contributions(), [host, own]);
}
