//! Rooms and servers that go away, and powers that are taken.

use ashtapada_matrix_tests::{Kind, Setting, Stage};
use serde_json::json;

use crate::common::{BOT, events, setting, stage, two, two_at};

#[tokio::test(flavor = "multi_thread")]
async fn thrown_out_it_keeps_the_table_which_here_moves() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let elsewhere = stage.room(Kind::Encrypted, [&two.ada, &two.bob]).await;
    two.ada.kicks(&stage.bot_id).await;
    two.ada.sees_member(0, &stage.bot_id, "leave").await;
    // The game goes on where the bot is; what is for the room it was thrown out of is dropped.
    let [ada, bob] = elsewhere;
    let moved = ada.plays(&format!("!here table:{}", two.code)).await;
    assert_eq!(moved.code(), two.code);
    ada.plays("!move b1c3").await;
    bob.plays("!move b8c6").await;
    assert_eq!(events(&ada, &two.code).await, 2);
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
    what_waits_is_told_after_a_start(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_told_by_a_new_device_too() {
    what_waits_is_told_after_a_start(&["--new-device"]).await;
}

async fn what_waits_is_told_after_a_start(arguments: &[&str]) {
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
    stage.setting.arguments = arguments.iter().map(|one| (*one).to_owned()).collect();
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
