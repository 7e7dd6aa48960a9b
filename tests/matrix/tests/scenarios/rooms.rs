//! Coming into rooms, following them, and leaving them.

use ashtapada_matrix_tests::{Fault, Kind, Person, Stage};
use serde_json::json;

use crate::common::{BOT, caught_up, events, setting, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn r91_what_was_said_before_the_bot_came_is_not_heard() {
    let stage = stage().await;
    let ada = stage.person("ada").await;
    let ada = ada.opens(Kind::Plain, None, &[]).await;
    for _ in 0..30 {
        ada.says("!new chaturanga solo:yes").await;
    }
    ada.invites(&stage.bot_id).await;
    stage.until_come(std::slice::from_ref(&ada)).await;
    caught_up(&ada).await;
    let heard = ada.heard(0);
    assert_eq!(
        heard.len(),
        2,
        "more than the greeting and the help: {}",
        heard[1]
    );
    assert!(
        heard
            .iter()
            .all(|event| event.msgtype() == "m.notice" && event.mentions().is_empty())
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r91_the_very_first_start_hears_nothing_of_the_past_and_comes_when_invited() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    let ada = stage.person("ada").await;
    let member = ada.opens(Kind::Plain, None, &[&stage.bot_id]).await;
    let waiting = ada.opens(Kind::Encrypted, None, &[&stage.bot_id]).await;
    // In one room the account is already, and something has been said there.
    let path = format!("/_matrix/client/v3/rooms/{}/join", member.room());
    stage.as_bot("POST", &path, None).await;
    member.sees_member(0, &stage.bot_id, "join").await;
    member.says("!new chaturanga solo:yes").await;
    waiting.says("!new chaturanga solo:yes").await;
    stage.start().await;
    stage.until_come(std::slice::from_ref(&waiting)).await;
    for ada in [&member, &waiting] {
        caught_up(ada).await;
        assert!(
            ada.newest().is_empty(),
            "it heard the past in {}",
            ada.room()
        );
    }
    stage.end().await;
}

/// How often the bot has greeted here: its words before anything was asked.
fn greetings(person: &Person) -> usize {
    person
        .heard(0)
        .iter()
        .filter(|event| event.is_words())
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn r92_it_greets_once_though_it_is_told_of_its_coming_more_than_once() {
    let mut stage = stage().await;
    let ada = stage.person("ada").await;
    // The answer to its joining never comes: it joins again, and has been told of the first time.
    stage
        .door
        .fault("POST /rooms/*/join", Fault::StatusAfter(502), 1);
    let [ada] = stage.room(Kind::Plain, [&ada]).await;
    assert_eq!(stage.door.faults_left(), 0);
    let state = ada.state("m.room.name").await;
    assert_eq!(state["name"], "Hall");
    stage.kill();
    // Another member event of the bot, in the state and in the timeline.
    let path = format!("/_matrix/client/v3/profile/{}/displayname", stage.bot_id);
    stage
        .as_bot("PUT", &path, Some(json!({"displayname": "Elephant"})))
        .await;
    stage.start().await;
    caught_up(&ada).await;
    assert_eq!(greetings(&ada), 2, "one greeting and one help");
    // Thrown out and invited again it is silent.
    ada.kicks(&stage.bot_id).await;
    let gone = ada.sees_member(0, &stage.bot_id, "leave").await;
    ada.invites(&stage.bot_id).await;
    ada.sees_member(gone.number, &stage.bot_id, "join").await;
    caught_up(&ada).await;
    assert_eq!(greetings(&ada), 3, "greeted again");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r103_an_invitation_that_cannot_be_accepted_yet_is_tried_again() {
    let stage = stage().await;
    let ada = stage.person("ada").await;
    let refused = Fault::Error(403, "M_FORBIDDEN", "You are not invited to this room.");
    stage.door.fault("POST /rooms/*/join", refused, 1);
    stage
        .door
        .fault("POST /rooms/*/join", Fault::Status(502), 1);
    let [ada] = stage.room(Kind::Plain, [&ada]).await;
    assert_eq!(stage.door.faults_left(), 0);
    caught_up(&ada).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r103_an_invitation_that_is_renewed_is_accepted_though_the_one_before_still_waits() {
    let stage = stage().await;
    let ada = stage.person("ada").await;
    let hour = Fault::Limited(3_600_000);
    stage.door.fault("POST /rooms/*/join", hour, 1);
    let ada = ada.opens(Kind::Plain, None, &[&stage.bot_id]).await;
    let refused = |door: &ashtapada_matrix_tests::Door| {
        let calls = door.calls("POST /rooms/*/join");
        calls.iter().any(|call| call.status.is_some()).then_some(())
    };
    stage.door.until("a first try", refused).await;
    ada.kicks(&stage.bot_id).await;
    ada.sees_member(0, &stage.bot_id, "leave").await;
    ada.invites(&stage.bot_id).await;
    stage.until_come(std::slice::from_ref(&ada)).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r103_an_invitation_that_waits_is_looked_at_again_after_a_start() {
    let mut stage = stage().await;
    let ada = stage.person("ada").await;
    let refused = Fault::Error(403, "M_FORBIDDEN", "You are not invited to this room.");
    stage.door.fault("POST /rooms/*/join", refused, 100);
    let ada = ada.opens(Kind::Encrypted, None, &[&stage.bot_id]).await;
    let tried = |door: &ashtapada_matrix_tests::Door| {
        (!door.calls("POST /rooms/*/join").is_empty()).then_some(())
    };
    stage.door.until("a first try", tried).await;
    stage.kill();
    stage.start().await;
    stage.until_come(std::slice::from_ref(&ada)).await;
    caught_up(&ada).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_are_accepted_by_rule() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    let (ada, bob) = (stage.person("ada").await, stage.person("bob").await);
    let allowed = format!("elsewhere.test, {}", ada.id());
    stage.setting = setting(&[("ASHTAPADA_MATRIX__INVITED_BY", &allowed)]);
    stage.start().await;
    let refused = bob.opens(Kind::Plain, None, &[&stage.bot_id]).await;
    refused.sees_member(0, &stage.bot_id, "leave").await;
    let [ada] = stage.room(Kind::Plain, [&ada]).await;
    caught_up(&ada).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_that_are_too_large_are_not_joined() {
    let stage = crate::common::stage_with(&[("ASHTAPADA_MATRIX__LARGEST_ROOM", "2")]).await;
    let ada = stage.person("ada").await;
    let mut guests = Vec::new();
    for name in ["bob", "cy", "di"] {
        guests.push(stage.person(name).await);
    }
    let ids: Vec<&str> = guests.iter().map(Person::id).collect();
    let large = ada.opens(Kind::Plain, None, &ids).await;
    for guest in &guests {
        guest.joins(large.room()).await;
    }
    large.invites(&stage.bot_id).await;
    large.sees_member(0, &stage.bot_id, "leave").await;
    let [small] = stage.room(Kind::Plain, [&ada]).await;
    caught_up(&small).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_a_room_that_says_it_continues_another_leaves_the_other_alone() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let space = json!({
        "invite": [stage.bot_id],
        "creation_content": {
            "type": "m.space", "predecessor": {"room_id": two.ada.room(), "event_id": two.begun.id},
        },
    });
    let path = "/_matrix/client/v3/createRoom";
    let made = two.ada.asks_server("POST", path, Some(space)).await;
    let space = made["room_id"].as_str().unwrap();
    two.ada
        .at(space)
        .sees_member(0, &stage.bot_id, "leave")
        .await;
    let forgotten = |door: &ashtapada_matrix_tests::Door| {
        let calls = door.calls("POST /rooms/*/forget");
        (calls.iter().any(|call| call.status == Some(200))).then_some(())
    };
    stage.door.until("the space forgotten", forgotten).await;
    two.ada.plays("!move b1c3").await;
    let members = stage.members(two.ada.room()).await;
    assert!(members.contains(&stage.bot_id), "{members:?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn direct_messages_find_the_callers_tables() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let [ada] = stage.room(Kind::EncryptedDirect, [&two.ada]).await;
    let shown = ada.asks("!games").await;
    assert!(
        shown.body().contains(&two.code) && shown.encrypted,
        "{shown}"
    );
    let known = two.bob.newest();
    ada.says("!move b1c3").await;
    two.bob
        .sees_next(known, "the move made in direct messages")
        .await;
    assert_eq!(events(&ada, &two.code).await, 1);
    stage.end().await;
}
