//! Where a table is played, and how it moves.

use ashtapada::club::{Action, Caller, ClubError, Wanted};
use ashtapada::command::words;
use ashtapada::ids::{Place, Platform, TableCode};
use ashtapada::store::Store;
use ashtapada::table::Refusal;

use crate::hall::{Hall, game, hall as room, join, now, quiet, solo};

fn channel(id: &str) -> Place {
    Place::room(Platform::Discord, id)
}

/// Somebody in a channel of a server.
fn on_server(caller: Caller, server: &str) -> Caller {
    Caller {
        server: Some(server.to_owned()),
        ..caller
    }
}

async fn moves_here(
    hall: &Hall,
    caller: &Caller,
    code: Option<TableCode>,
) -> Result<(), ClubError> {
    let done = hall.club.act(caller, code, &Action::Here, &words::posts);
    now(done.await).map(|_| ())
}

#[tokio::test]
async fn r25_a_table_whose_channel_is_gone_is_moved_and_tells_of_it_only_where_it_is_now() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let gone = channel("1");
    let opener = on_server(hall.says_in(ada, gone.clone()), "s");
    let code = now(hall.club.open(&opener, &game("chaturanga"), &quiet).await)
        .unwrap()
        .table
        .code();
    let joiner = on_server(hall.says_in(bob, gone.clone()), "s");
    now(hall.club.act(&joiner, Some(code), &join(), &quiet).await).unwrap();

    let here = on_server(hall.says_in(bob, channel("2")), "s");
    // The only one of bob's tables that is elsewhere need not be named.
    moves_here(&hall, &here, None).await.unwrap();
    let table = hall.table(code).await;
    assert_eq!(table.places(), [channel("2")]);
    let posts = hall.store.outbox(None, 10).await.unwrap();
    let posts: Vec<_> = posts.into_iter().map(|(_, post)| post).collect();
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0].place, channel("2"));
    let said = posts[0].body["text"].to_string();
    assert!(said.contains("The table is played here now."), "{said}");
    assert!(posts[0].body["picture"].is_object());
    assert_eq!(posts[0].body["version"], table.version());
    // It is read again as it was left, and listed in its new place alone.
    assert_eq!(
        hall.restarted(None).table(code).await.places(),
        table.places()
    );
    assert_eq!(hall.club.tables_in(&gone).await.unwrap().len(), 0);
    assert_eq!(hall.club.tables_in(&channel("2")).await.unwrap().len(), 1);
    // A second time it stays where it is, and the board is shown again: its message may have been deleted.
    let again = on_server(hall.says_in(bob, channel("2")), "s");
    moves_here(&hall, &again, Some(code)).await.unwrap();
    assert_eq!(hall.table(code).await.places(), [channel("2")]);
    assert_eq!(hall.store.outbox(None, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn only_who_belongs_to_a_table_or_moderates_its_server_moves_it() {
    let hall = Hall::new();
    let [ada, cem] = hall.people(["ada", "cem"]).await;
    let opener = on_server(hall.says_in(ada, channel("1")), "s");
    let opened = hall.club.open(&opener, &game("chaturaji"), &quiet).await;
    let code = now(opened).unwrap().table.code();
    let stranger = on_server(hall.says_in(cem, channel("2")), "s");
    let refused = moves_here(&hall, &stranger, Some(code)).await;
    assert_eq!(refused, Err(ClubError::Refused(Refusal::NotSeated)));
    // Who moderates another server has no say in it.
    let mut moderator = on_server(hall.says_in(cem, channel("9")), "t");
    moderator.moderates = true;
    let refused = moves_here(&hall, &moderator, Some(code)).await;
    assert_eq!(refused, Err(ClubError::Refused(Refusal::NotSeated)));
    let mut moderator = on_server(hall.says_in(cem, channel("2")), "s");
    moderator.moderates = true;
    moves_here(&hall, &moderator, Some(code)).await.unwrap();
    assert_eq!(hall.table(code).await.places(), [channel("2")]);
}

#[tokio::test]
async fn a_table_with_others_is_not_taken_into_a_private_talk_and_a_finished_one_not_anywhere() {
    let hall = Hall::new();
    let (code, ada, _) = hall.duel().await;
    let mut private = hall.says_in(ada, channel("dm"));
    private.direct = true;
    let refused = moves_here(&hall, &private, Some(code)).await;
    assert_eq!(refused, Err(ClubError::NotInPrivate));
    let alone = hall.open(ada, solo("chaturanga")).await;
    let mut private = hall.says_in(ada, channel("dm"));
    private.direct = true;
    moves_here(&hall, &private, Some(alone)).await.unwrap();
    assert_eq!(hall.table(alone).await.places(), [channel("dm")]);

    let cancel = Action::Cancel { offer: None };
    hall.act(ada, alone, cancel).await.unwrap();
    let late = hall.says_in(ada, channel("2"));
    let refused = moves_here(&hall, &late, Some(alone)).await;
    assert_eq!(refused, Err(ClubError::Refused(Refusal::Finished)));
}

#[tokio::test]
async fn of_a_table_in_several_places_the_one_that_the_caller_plays_in_moves() {
    let hall = Hall::new();
    let [ada, bob, cem] = hall.people(["ada", "bob", "cem"]).await;
    let open = Wanted {
        open: true,
        ..game("chaturaji")
    };
    let code = hall.open(ada, open).await;
    for person in [bob, cem] {
        let caller = hall.says_in(person, channel("1"));
        now(hall.club.act(&caller, Some(code), &join(), &quiet).await).unwrap();
    }
    assert_eq!(hall.table(code).await.places(), [room(), channel("1")]);
    let caller = hall.says_in(cem, channel("2"));
    moves_here(&hall, &caller, Some(code)).await.unwrap();
    assert_eq!(hall.table(code).await.places(), [room(), channel("2")]);
    // To a place that it is played in already: there is one less then.
    let caller = hall.says_in(bob, room());
    moves_here(&hall, &caller, Some(code)).await.unwrap();
    assert_eq!(hall.table(code).await.places(), [room()]);
}

#[tokio::test]
async fn a_table_settles_in_a_thread_once_and_nobody_is_told() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let opener = on_server(hall.says_in(ada, channel("1")), "s");
    let opened = hall.club.open(&opener, &solo("chaturanga"), &quiet).await;
    let code = now(opened).unwrap().table.code();
    let thread = Place::thread(Platform::Discord, "1", "11");
    let position = hall.table(code).await.position_version();
    for _ in 0..2 {
        let from = channel("1");
        let settled = hall.club.settle_in(code, &from, &thread, None).await;
        settled.unwrap();
    }
    let table = hall.table(code).await;
    assert_eq!(table.places(), std::slice::from_ref(&thread));
    assert_eq!(table.position_version(), position);
    assert!(hall.store.outbox(None, 10).await.unwrap().is_empty());
    // In the thread it is the only one, and in the channel around it too.
    for place in [thread, channel("1")] {
        let found = hall.club.tables_in(&place).await.unwrap();
        assert_eq!(found.len(), 1, "{place}");
    }
    let moved = hall.plays(ada, code, "a2a3").await;
    assert_eq!(words::posts(&moved)[0].place, table.places()[0]);
}

#[tokio::test]
async fn whoever_waits_for_messages_hears_of_each_commit_that_has_some() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let mut waiting = hall.club.waiting();
    assert!(!waiting.has_changed().unwrap());
    hall.plays(ada, code, "a2a3").await;
    assert!(!waiting.has_changed().unwrap(), "nothing was to be posted");
    let caller = hall.says(bob);
    let text = "a7a6".to_owned();
    let answer = Action::Move { text };
    let moved = hall
        .club
        .act(&caller, Some(code), &answer, &words::posts)
        .await;
    now(moved).unwrap();
    assert!(waiting.has_changed().unwrap());
    waiting.mark_unchanged();
    assert_eq!(hall.store.outbox(None, 10).await.unwrap().len(), 1);
}
