//! Once, whatever is cut, killed, or told twice.

use ashtapada_matrix_tests::{Event, Fault, Kind, Stage, vector};

use crate::common::{SEND, alone, caught_up, events, setting, stage, two, versions};

#[tokio::test(flavor = "multi_thread")]
async fn r89_nothing_is_answered_twice_after_a_restart() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    two.ada.plays("!move b1c3").await;
    two.ada.asks("!show").await;
    let heard = two.ada.heard(0).len();
    stage.kill();
    stage.start().await;
    stage.stop().await;
    stage.start().await;
    let help = two.ada.asks("!help roll").await;
    let again = two.ada.heard(0);
    assert_eq!(
        again.len(),
        heard + 1,
        "{}",
        again.last().map_or(String::new(), Event::to_string)
    );
    assert_eq!(again.last().map(|event| &event.id), Some(&help.id));
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r89_what_was_said_while_it_was_down_is_done_once() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.kill();
    let known = two.bob.newest();
    two.ada.says("!move b1c3").await;
    stage.start().await;
    two.bob
        .sees_next(known, "the move made while it was down")
        .await;
    stage.kill();
    stage.start().await;
    two.bob.plays("!move b8c6").await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r89_a_position_that_the_server_does_not_know_any_more_loses_nothing_and_repeats_nothing() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    two.ada.plays("!move b1c3").await;
    let told = two.ada.heard(0).len();
    stage.kill();
    let known = two.bob.newest();
    two.bob.says("!move b8c6").await;
    stage.door.fault(
        "GET /sync",
        Fault::Error(400, "M_UNKNOWN_POS", "Unknown position"),
        1,
    );
    stage.start().await;
    two.bob
        .sees_next(known, "the move made while it was down")
        .await;
    assert_eq!(stage.door.faults_left(), 0);
    caught_up(&two.bob).await;
    let versions = versions(&two.ada, &two.code);
    let mut once = versions.clone();
    once.dedup();
    assert_eq!(versions, once, "told twice; {told} messages before");
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

/// The bot is killed while it posts a move: before the server has it, or after. Then it starts again.
async fn killed_while_posting(fault: Fault, kind: Kind) {
    let mut stage = stage().await;
    let two = two(&stage, kind).await;
    let before = two.bob.heard(0).len();
    stage.door.fault(SEND, fault, 1);
    two.ada.says("!move b1c3").await;
    stage.door.until_held().await;
    stage.kill();
    let known = two
        .begun
        .board()
        .map(|(code, version)| (code.to_owned(), version));
    stage.start().await;
    two.bob
        .sees_next(known.into_iter().collect(), "the board")
        .await;
    // What waited is there; what comes after it comes after it.
    two.bob.plays("!move b8c6").await;
    let posts = two.bob.heard(0).len() - before;
    assert_eq!(posts, 4, "two boards, each with its words");
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r67_killed_before_posting_it_is_posted_after_the_start() {
    killed_while_posting(Fault::HoldForEver, Kind::Plain).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r67_r101_killed_after_posting_it_is_not_posted_twice() {
    killed_while_posting(Fault::HoldAnswer, Kind::Plain).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r67_r101_killed_after_posting_in_an_encrypted_room_it_is_not_posted_twice() {
    killed_while_posting(Fault::HoldAnswer, Kind::Encrypted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_and_again_every_move_is_there_once() {
    let mut stage = stage().await;
    let (ada, code) = alone(&stage, Kind::Plain).await;
    let moves = ["b1c3", "b8c6", "c3b1", "c6b8", "b1a3", "b8a6"];
    for one in moves {
        let known = ada.newest();
        ada.says(&format!("!move {one}")).await;
        stage.kill();
        stage.start().await;
        ada.sees_next(known, "the board, late").await;
    }
    let versions = versions(&ada, &code);
    let mut once = versions.clone();
    once.dedup();
    assert_eq!(versions, once, "told twice");
    assert_eq!(events(&ada, &code).await, moves.len());
    stage.end().await;
}

/// Three hundred events while the bot is down, of which thirty are moves that follow each other.
#[tokio::test(flavor = "multi_thread")]
async fn a_limited_timeline_is_read_back_and_every_command_acts_once_and_in_order() {
    let mut stage = stage().await;
    let ada = stage.person("ada").await;
    let [ada] = stage.room(Kind::Plain, [&ada]).await;
    let code = ada
        .plays("!new chaturanga array:manasollasa solo:yes")
        .await
        .code();
    let game = vector::game("chaturanga-array_manasollasa-ending_al-adli-gaja_alfil-06.json");
    let game = game["events"].as_array().unwrap();
    stage.stop().await;
    // Some machine in between does not know the way at first.
    stage
        .door
        .fault("GET /rooms/*/messages", Fault::Status(404), 2);
    for event in game.iter().take(30) {
        for number in 0..9 {
            ada.says(&format!("that was {number}")).await;
        }
        let one = event["do"]["move"].as_str().unwrap();
        ada.says(&format!("!move {one}")).await;
    }
    let known = ada.newest();
    let begun: u64 = known.iter().map(|(_, version)| *version).sum();
    stage.start().await;
    for moves in [10, 20, 30] {
        ada.sees(0, &format!("move {moves}"), |event| {
            let board = event.board().filter(|_| event.is_words());
            board.is_some_and(|(_, version)| version >= begun + moves)
        })
        .await;
    }
    assert_eq!(events(&ada, &code).await, 30);
    assert_eq!(stage.door.faults_left(), 0);
    let versions = versions(&ada, &code);
    assert!(versions.is_sorted(), "{versions:?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_does_not_give_back_is_passed_over_and_told() {
    let mut stage = stage().await;
    let (ada, code) = alone(&stage, Kind::Plain).await;
    stage.stop().await;
    let refused = Fault::Error(403, "M_FORBIDDEN", "You are not in this room.");
    stage.door.fault("GET /rooms/*/messages", refused, 1);
    ada.says("!move b1a3").await;
    for number in 0..120 {
        ada.says(&format!("that was {number}")).await;
    }
    stage.start().await;
    stage.bot().until_logged("may be overlooked").await;
    ada.plays("!move b1c3").await;
    assert_eq!(events(&ada, &code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_whose_clock_is_behind_says_is_heard_and_read_back() {
    let any_age = [("ASHTAPADA_MATRIX__AWAY_MINUTES", "0")];
    let mut stage = crate::common::stage_with(&any_age).await;
    let (ada, code) = alone(&stage, Kind::Plain).await;
    // From now on everything is three hours older: older than the bot's coming.
    stage.door.shift(180);
    ada.plays("!move b1c3").await;
    stage.stop().await;
    let known = ada.newest();
    ada.says("!move b8c6").await;
    for number in 0..120 {
        ada.says(&format!("that was {number}")).await;
    }
    stage.start().await;
    ada.sees_next(known, "the move that was left out").await;
    assert_eq!(events(&ada, &code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_that_were_taken_back_before_they_were_carried_out_are_not() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.stop().await;
    let slip = two.ada.says("!move b1a3").await;
    two.ada.redacts(&slip).await;
    stage.start().await;
    two.ada.plays("!move b1c3").await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_waits_behind_another_can_still_be_taken_back() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let [elsewhere] = stage.room(Kind::Plain, [&two.ada]).await;
    stage.door.fault(SEND, Fault::Hold, 1);
    two.ada.says("!help roll").await;
    stage.door.until_held().await;
    let slip = two.ada.says("!move b1a3").await;
    // What is answered elsewhere came to the bot after it.
    caught_up(&elsewhere).await;
    two.ada.redacts(&slip).await;
    caught_up(&elsewhere).await;
    stage.door.release();
    two.ada.plays("!move b1c3").await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn late_commands_are_asked_about_and_carried_out_once_when_confirmed() {
    let mut stage = Stage::dark(
        crate::common::BOT,
        setting(&[("ASHTAPADA_MATRIX__AWAY_MINUTES", "0")]),
    )
    .await;
    // For the bot, all of this is three hours ago.
    stage.door.shift(180);
    stage.start().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.stop().await;
    stage.setting.environment = setting(&[("ASHTAPADA_MATRIX__AWAY_MINUTES", "30")]).environment;
    let mark = two.ada.mark();
    let late = two.ada.says("!move b1c3").await;
    two.ada.says("!board").await;
    stage.start().await;
    let asked = two
        .ada
        .sees(mark, "a question about the late move", |event| {
            event.is_words() && event.answers() == Some(&late)
        })
        .await;
    assert!(
        asked.body().contains("!move b1c3") && asked.body().contains('👍'),
        "{asked}"
    );
    stage.door.shift(0);
    // Not by somebody else.
    two.bob.reacts(&asked.id, "👍").await;
    caught_up(&two.bob).await;
    assert_eq!(
        two.ada.newest(),
        [(two.code.clone(), two.begun.board().unwrap().1)]
    );
    let known = two.ada.newest();
    two.ada.reacts(&asked.id, "👍").await;
    two.bob.sees_next(known, "the late move").await;
    // Nor twice.
    two.ada.reacts(&asked.id, "✅").await;
    caught_up(&two.ada).await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    // What only looks is not answered when it is late.
    let answers = two
        .ada
        .heard(mark)
        .into_iter()
        .filter(|event| event.is_picture());
    assert_eq!(answers.count(), 1, "the board of the move alone");
    stage.end().await;
}
