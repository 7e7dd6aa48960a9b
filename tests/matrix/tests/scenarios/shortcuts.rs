//! Reactions, and what whoever runs a room sets and asks.

use ashtapada_matrix_tests::{Event, Kind};

use crate::common::{alone, caught_up, events, room, stage};

#[tokio::test(flavor = "multi_thread")]
async fn reactions_on_a_board_roll_pass_and_show_it_again() {
    let mut stage =
        ashtapada_matrix_tests::Stage::dark(crate::common::BOT, crate::common::setting(&[])).await;
    stage.setting.dice = Some("3,4\n2,5\n".to_owned());
    stage.start().await;
    let ada = stage.person("ada").await;
    let [ada] = stage.room(Kind::Encrypted, [&ada]).await;
    let opened = ada.plays("!new partnership solo:yes").await;
    let board = ada.sees(0, "the board", Event::is_picture).await;
    let known = ada.newest();
    ada.reacts(&board.id, "🎲").await;
    let rolled = ada.sees_next(known, "the roll").await;
    assert_eq!(rolled.code(), opened.code());
    // The variation selector makes no difference, and what was rolled can be given up.
    let known = ada.newest();
    ada.reacts(&rolled.id, "⏭\u{fe0f}").await;
    let passed = ada.sees_next(known, "the pass").await;
    let mark = ada.mark();
    ada.reacts(&passed.id, "🔄").await;
    ada.sees(mark, "the board again", Event::is_picture).await;
    // An old board rolls no more.
    let before = events(&ada, &opened.code()).await;
    ada.reacts(&rolled.id, "🎲").await;
    caught_up(&ada).await;
    assert_eq!(events(&ada, &opened.code()).await, before);
    // What is no sign of ours is none.
    ada.reacts(&passed.id, "🐘").await;
    caught_up(&ada).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_runs_the_room_sets_its_prefix_and_others_do_not() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Plain).await;
    let refused = bob.asks("!place prefix:?").await;
    assert!(!refused.body().is_empty());
    ada.asks("!place prefix:?").await;
    let opened = bob.plays("?new chaturanga solo:yes").await;
    assert!(
        opened.body().contains('?') && !opened.body().contains("!move"),
        "{opened}"
    );
    // The old one is nothing any more; the slash always works.
    let mark = bob.mark();
    bob.says("!help roll").await;
    bob.asks("/help roll").await;
    assert_eq!(bob.heard(mark).len(), 1);
    // Elsewhere it is as before.
    let (elsewhere, _) = alone(&stage, Kind::Plain).await;
    caught_up(&elsewhere).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tells_who_runs_the_room_what_is_missing() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Encrypted).await;
    let refused = bob.asks("!doctor").await;
    let told = ada.asks("!doctor").await;
    assert_ne!(refused.body(), told.body());
    assert!(
        !told.body().to_lowercase().contains("power"),
        "nothing is missing: {told}"
    );
    stage.end().await;
}
