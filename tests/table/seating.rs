//! Who sits where before the game.

use std::collections::BTreeMap;

use ashtapada::club::{Action, Clock, ClubError, Wanted};
use ashtapada::ids::{Place, Platform};
use ashtapada::rules::Seat;
use ashtapada::store::{Append, Commit, Store};
use ashtapada::table::{Ending, Event, Phase, Refusal};

use crate::hall::{Hall, game, join, now, quiet, solo};

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
    // Running another place is of no use here.
    let yard = Place::room(Platform::Console, "yard");
    let mut elsewhere = hall.says_in(cem, yard);
    elsewhere.runs_place = true;
    let cancel = Action::Cancel { offer: None };
    let done = hall.club.act(&elsewhere, Some(code), &cancel, &quiet).await;
    assert_eq!(done.unwrap_err(), ClubError::Refused(not_host));
    let mut who_runs_the_place = hall.says(cem);
    who_runs_the_place.runs_place = true;
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

#[tokio::test]
async fn one_table_that_cannot_be_read_does_not_keep_the_others_from_expiring() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let damaged = hall.open(ada, game("chaturanga")).await;
    hall.clock.forward(1);
    let lonely = hall.open(ada, game("chaturanga")).await;
    let joined = hall.open(ada, game("chaturaji")).await;
    hall.join(bob, joined).await.unwrap();
    let stored = hall.store.table(damaged).await.unwrap().unwrap();
    let mut commit = Commit::new(hall.clock.now(), None);
    commit.appends.push(Append {
        code: damaged,
        expected: stored.version,
        events: vec![serde_json::json!({"v": 1, "at": 0, "event": "nonsense"})],
        listing: stored.listing,
    });
    hall.store.commit(commit).await.unwrap();
    let hall = hall.restarted(None);
    hall.clock.forward(8 * 24 * 60 * 60 * 1000);
    let closed = hall.club.tick(&quiet).await.unwrap();
    let closed: BTreeMap<_, _> = closed
        .iter()
        .map(|one| (one.table.code(), one.table.was_joined()))
        .collect();
    // Of one of them it can be said that nobody joined.
    assert_eq!(closed, BTreeMap::from([(lonely, false), (joined, true)]));
    assert!(hall.club.tick(&quiet).await.unwrap().is_empty());
}
