//! Coming into rooms, following them, and leaving them.

use ashtapada_matrix_tests::{Event, Fault, Kind, Person, Setting, Stage};
use serde_json::json;

use crate::common::{BOT, caught_up, events, room, setting, stage, two, two_at};

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
    assert_eq!(
        events(ada, code).await,
        2 + 1,
        "the move of the table and two moves"
    );
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

#[tokio::test(flavor = "multi_thread")]
async fn thrown_out_it_keeps_the_table_which_here_moves() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let [elsewhere, other] = room(&stage, Kind::Plain).await;
    drop((elsewhere, other));
    let [direct] = stage.room(Kind::Direct, [&two.ada]).await;
    two.ada.kicks(&stage.bot_id).await;
    two.ada.sees_member(0, &stage.bot_id, "leave").await;
    // The game goes on where the bot is; what is for the room it was thrown out of is dropped.
    direct.asks(&format!("!move b1c3 table:{}", two.code)).await;
    let moved = direct.plays(&format!("!here table:{}", two.code)).await;
    assert_eq!(moved.code(), two.code);
    assert!(events(&direct, &two.code).await >= 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn banned_from_one_room_it_goes_on_in_the_others() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    two.ada.bans(&stage.bot_id).await;
    two.ada.sees_member(0, &stage.bot_id, "ban").await;
    let [ada, bob] = stage.room(Kind::Encrypted, [&two.ada, &two.bob]).await;
    let again = two_at(ada, bob).await;
    again
        .ada
        .plays(&format!("!move b1c3 table:{}", again.code))
        .await;
    stage.kill();
    stage.start().await;
    again
        .bob
        .plays(&format!("!move b8c6 table:{}", again.code))
        .await;
    assert_eq!(events(&again.ada, &again.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_power_to_speak_what_is_to_be_told_waits_and_nothing_is_lost() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let mut powers = two.ada.state("m.room.power_levels").await;
    powers["events_default"] = json!(50);
    let set = two
        .ada
        .sets("m.room.power_levels", "", powers.clone())
        .await;
    two.ada.sees_own(&set).await;
    let known = two.ada.newest();
    two.ada.says("!move b1c3").await;
    let refused = |door: &ashtapada_matrix_tests::Door| {
        let calls = door.calls(crate::common::SEND);
        calls
            .iter()
            .any(|call| call.status == Some(403))
            .then_some(())
    };
    stage.door.until("a refusal of the server", refused).await;
    // Not even a restart loses it.
    stage.kill();
    stage.start().await;
    powers["events_default"] = json!(0);
    two.ada.sets("m.room.power_levels", "", powers).await;
    two.bob
        .sees_next(known, "the move, after the power came back")
        .await;
    two.bob.plays("!move b8c6").await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_its_own_that_goes_away_and_comes_back_loses_nothing() {
    let setting = Setting {
        own_server: true,
        ..setting(&[])
    };
    let mut stage = Stage::with(BOT, setting).await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.synapse.stop();
    stage.synapse.start().await;
    two.ada.plays("!move b1c3").await;
    // The bot starts while the server is away.
    stage.stop().await;
    stage.synapse.stop();
    stage.launch();
    stage.bot().until_logged("matrix: ").await;
    stage.synapse.start().await;
    let ready = format!("matrix: ready as {}", stage.bot_id);
    stage.bot().until_logged(&ready).await;
    two.bob.plays("!move b8c6").await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}
