//! What is set for a server or room, and who may moderate there.

use ashtapada::club::{Action, Arrangement, Caller, ClubError, PlaceSettings};
use ashtapada::ids::{Place, Platform};
use ashtapada::table::{Ending, Refusal};

use crate::hall::{Hall, game, now, quiet};

fn owner(hall: &Hall, person: ashtapada::ids::PersonId, channel: &str, server: &str) -> Caller {
    Caller {
        server: Some(server.to_owned()),
        runs_place: true,
        ..hall.says_in(person, Place::room(Platform::Discord, channel))
    }
}

#[tokio::test]
async fn what_is_set_holds_for_the_whole_server_and_after_a_restart() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let first = Arrangement {
        default_game: Some(Some("chaturaji")),
        theme: Some(Some("dark".to_owned())),
        ..Arrangement::default()
    };
    let caller = owner(&hall, ada, "1", "s");
    hall.club.arrange(&caller, &first).await.unwrap();
    let second = Arrangement {
        threads: Some(true),
        ..Arrangement::default()
    };
    let other = owner(&hall, ada, "2", "s");
    let set = hall.club.arrange(&other, &second).await.unwrap();
    let expected = PlaceSettings {
        default_game: Some("chaturaji"),
        threads: true,
        channels: Vec::new(),
        theme: Some("dark".to_owned()),
        prefix: None,
    };
    assert_eq!(set, expected);
    let again = hall.restarted(None);
    assert_eq!(again.club.settings(&caller.home()).await, Ok(expected));
    let elsewhere = owner(&hall, ada, "1", "t");
    let nothing = again.club.settings(&elsewhere.home()).await;
    assert_eq!(nothing, Ok(PlaceSettings::default()));
}

#[tokio::test]
async fn a_channel_with_tables_has_the_settings_of_its_server() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let caller = owner(&hall, ada, "1", "s");
    let theme = Arrangement {
        theme: Some(Some("dark".to_owned())),
        ..Arrangement::default()
    };
    hall.club.arrange(&caller, &theme).await.unwrap();
    let before = hall.club.settings_at(&caller.place).await.unwrap();
    assert_eq!(before.theme, None);
    let opened = hall.club.open(&caller, &game("chaturaji"), &quiet).await;
    now(opened).unwrap();
    let thread = Place::thread(Platform::Discord, "1", "11");
    for place in [&caller.place, &thread] {
        let set = hall.restarted(None).club.settings_at(place).await;
        assert_eq!(set.unwrap().theme.as_deref(), Some("dark"));
    }
}

#[tokio::test]
async fn only_who_runs_a_place_sets_it() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let mut moderator = owner(&hall, ada, "1", "s");
    (moderator.runs_place, moderator.moderates) = (false, true);
    let refused = hall.club.arrange(&moderator, &Arrangement::default()).await;
    assert_eq!(refused, Err(ClubError::NotRunning));
}

#[tokio::test]
async fn tables_are_opened_and_moved_only_where_that_is_allowed() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let caller = owner(&hall, ada, "1", "s");
    let channels = Arrangement {
        channels: Some(vec!["2".to_owned()]),
        ..Arrangement::default()
    };
    hall.club.arrange(&caller, &channels).await.unwrap();
    let refused = hall.club.open(&caller, &game("chaturaji"), &quiet).await;
    let elsewhere = ClubError::OtherChannels(vec![Place::room(Platform::Discord, "2")]);
    assert_eq!(refused.unwrap_err(), elsewhere);
    let allowed = owner(&hall, ada, "2", "s");
    let opened = hall.club.open(&allowed, &game("chaturaji"), &quiet).await;
    let code = now(opened).unwrap().table.code();
    let caller = owner(&hall, ada, "1", "s");
    let moved = hall.club.act(&caller, Some(code), &Action::Here, &quiet);
    assert_eq!(moved.await.unwrap_err(), elsewhere);
    // A thread of an allowed channel is allowed.
    let mut threaded = owner(&hall, ada, "2", "s");
    threaded.place = Place::thread(Platform::Discord, "2", "22");
    let opened = hall.club.open(&threaded, &game("chaturaji"), &quiet).await;
    assert!(opened.is_ok());
    let everywhere = Arrangement {
        channels: Some(Vec::new()),
        ..Arrangement::default()
    };
    let caller = owner(&hall, ada, "1", "s");
    hall.club.arrange(&caller, &everywhere).await.unwrap();
    let opened = hall.club.open(&caller, &game("chaturaji"), &quiet).await;
    assert!(opened.is_ok());
}

#[tokio::test]
async fn who_moderates_removes_people_and_closes_tables_that_have_not_begun() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let code = hall.open(ada, game("chaturaji")).await;
    hall.join(bob, code).await.unwrap();
    let moderator = || Caller {
        moderates: true,
        ..hall.says(cem)
    };
    let does = async |action: Action| {
        let caller = moderator();
        now(hall.club.act(&caller, Some(code), &action, &quiet).await)
    };
    let table = does(Action::Remove { person: bob }).await.unwrap().table;
    assert_eq!(table.people().collect::<Vec<_>>(), [ada]);
    let host = does(Action::Remove { person: ada }).await;
    let refusal = Refusal::RemovesHost(ada);
    assert_eq!(host.unwrap_err(), ClubError::Refused(refusal));
    let closed = does(Action::Cancel { offer: None }).await.unwrap();
    let ending = closed.table.ending().cloned();
    assert_eq!(ending, Some(Ending::Cancelled { secret: None }));

    // A game that has begun is its players'.
    let (code, _, _) = hall.duel().await;
    for action in [
        Action::Remove { person: bob },
        Action::Cancel { offer: None },
    ] {
        let caller = moderator();
        let done = hall.club.act(&caller, Some(code), &action, &quiet).await;
        assert!(matches!(done, Err(ClubError::Refused(_))));
    }
    // And so are tables elsewhere.
    let yard = Place::room(Platform::Console, "yard");
    let code = hall.open(ada, game("chaturaji")).await;
    hall.join(bob, code).await.unwrap();
    let elsewhere = Caller {
        moderates: true,
        ..hall.says_in(cem, yard)
    };
    let remove = Action::Remove { person: bob };
    let done = hall.club.act(&elsewhere, Some(code), &remove, &quiet).await;
    let refusal = Refusal::NotHost { host: ada };
    assert_eq!(done.unwrap_err(), ClubError::Refused(refusal));
}
