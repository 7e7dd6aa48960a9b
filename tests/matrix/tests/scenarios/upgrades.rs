//! Rooms that change: upgrades, and encryption that is switched on.

use ashtapada_matrix_tests::{Event, Kind, Person};
use serde_json::json;

use crate::common::{events, room, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn r100_it_follows_the_upgrade_of_a_room_with_its_tables() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    two.ada
        .sets("m.room.join_rules", "", json!({"join_rule": "public"}))
        .await;
    let (ada, bob) = upgraded(&two.ada, &two.bob).await;
    ada.sees_member(0, &stage.bot_id, "join").await;
    after_the_upgrade(&ada, &bob, &two.code).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r100_it_follows_an_upgrade_that_happened_while_it_was_down() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.kill();
    let (ada, bob) = upgraded(&two.ada, &two.bob).await;
    // As clients do after an upgrade of a private room.
    ada.invites(&stage.bot_id).await;
    stage.start().await;
    ada.sees_member(0, &stage.bot_id, "join").await;
    after_the_upgrade(&ada, &bob, &two.code).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r100_it_does_not_follow_into_a_room_that_does_not_say_the_same() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let other = two.ada.opens(Kind::Plain, None, &[]).await;
    other
        .sets("m.room.join_rules", "", json!({"join_rule": "public"}))
        .await;
    let content = json!({"body": "this way", "replacement_room": other.room()});
    two.ada.sets("m.room.tombstone", "", content).await;
    let came = other.sees_member(0, &stage.bot_id, "join").await;
    other.sees_member(came.number, &stage.bot_id, "leave").await;
    stage.bot().until_logged("is not followed").await;
    two.ada.plays("!move b1c3").await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    // Nor after a start.
    stage.kill();
    stage.start().await;
    two.bob.plays("!move b8c6").await;
    let tried = stage.door.calls("POST /join/*").len();
    assert_eq!(tried, 1, "it tried again");
    stage.end().await;
}

/// The same people in the room that replaces theirs.
async fn upgraded(ada: &Person, bob: &Person) -> (Person, Person) {
    let path = format!("/_matrix/client/v3/rooms/{}/upgrade", ada.room());
    let version = ada.state("m.room.create").await["room_version"].clone();
    let to = if version == "11" { "10" } else { "11" };
    let made = ada
        .asks_server("POST", &path, Some(json!({"new_version": to})))
        .await;
    let room = made["replacement_room"].as_str().unwrap();
    let ada = ada.at(room);
    ada.sees_member(0, ada.id(), "join").await;
    if ada.state("m.room.join_rules").await["join_rule"] != "public" {
        ada.invites(bob.id()).await;
    }
    let bob = bob.joins(room).await;
    (ada, bob)
}

/// The table is in the new room: who is to move was told there once, and the game goes on.
async fn after_the_upgrade(ada: &Person, bob: &Person, code: &str) {
    ada.sees(0, "the table in the new room", |event| {
        event.board().is_some_and(|(of, _)| of == code)
    })
    .await;
    ada.plays("!move b1c3").await;
    bob.plays("!move b8c6").await;
    let pings = ada.heard(0);
    let before = pings
        .iter()
        .take_while(|event| !event.body().contains("c3"));
    let pings = before
        .filter(|event| event.mentions().contains(&ada.id()))
        .count();
    assert_eq!(pings, 1, "pinged {pings} times after the upgrade");
    assert_eq!(events(ada, code).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn r104_encryption_is_switched_on_and_the_next_move_is_answered_encrypted() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let told = two.ada.plays("!move b1c3").await;
    assert!(!told.encrypted);
    let algorithm = json!({"algorithm": "m.megolm.v1.aes-sha2"});
    let set = two.ada.sets("m.room.encryption", "", algorithm).await;
    for person in [&two.ada, &two.bob] {
        person.sees_own(&set).await;
    }
    let told = two.bob.plays("!move b8c6").await;
    assert!(told.encrypted, "{told}");
    stage.kill();
    stage.start().await;
    let told = two.ada.plays("!move c3b1").await;
    assert!(told.encrypted, "{told}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_command_in_an_encrypted_room_is_answered_encrypted() {
    let stage = stage().await;
    let [ada, _] = room(&stage, Kind::Encrypted).await;
    let path = format!(
        "/_matrix/client/v3/rooms/{}/send/m.room.message/plain",
        ada.room()
    );
    let content = json!({"msgtype": "m.text", "body": "!help roll"});
    let sent = ada.asks_server("PUT", &path, Some(content)).await;
    let sent = ada.sees_own(sent["event_id"].as_str().unwrap()).await;
    assert!(!sent.encrypted);
    let told = ada.sees(sent.number, "an answer", Event::is_words).await;
    assert!(told.encrypted, "{told}");
    stage.end().await;
}
