//! What the bot's messages are like, and how they get to the server.

use ashtapada_matrix_tests::{Event, Fault, Kind};
use serde_json::Value;

use crate::common::{SEND, alone, caught_up, events, room, stage, two, versions};

#[tokio::test(flavor = "multi_thread")]
async fn r95_whose_turn_it_is_is_notified_and_nobody_else() {
    let stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    assert_eq!(two.begun.msgtype(), "m.text");
    assert_eq!(two.begun.mentions(), [two.ada.id()], "{}", two.begun);
    let told = two.ada.plays("!move b1c3").await;
    assert_eq!(told.msgtype(), "m.text");
    assert_eq!(told.mentions(), [two.bob.id()], "{told}");
    let pill = format!("https://matrix.to/#/{}", two.bob.id());
    assert!(told.html().contains(&pill), "{told}");
    assert_eq!(told.content["format"], "org.matrix.custom.html");
    // Chatter notifies nobody.
    for told in [two.ada.asks("!show").await, two.bob.asks("!help").await] {
        assert_eq!(told.msgtype(), "m.notice", "{told}");
        assert!(told.mentions().is_empty(), "{told}");
    }
    // Nor do the pictures.
    let pictures = two.bob.heard(0).into_iter().filter(Event::is_picture);
    for picture in pictures {
        assert!(picture.mentions().is_empty(), "{picture}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r109_r110_a_board_is_a_picture_in_the_right_form_for_each_room() {
    let stage = stage().await;
    let mut files = Vec::new();
    for kind in [Kind::Plain, Kind::Encrypted] {
        let two = two(&stage, kind).await;
        let board = two.bob.sees(0, "the board", Event::is_picture).await;
        assert_eq!(board.encrypted, kind == Kind::Encrypted);
        let picture = two.bob.downloads_picture(&board).await;
        assert!(
            picture.width >= 400 && picture.height >= picture.width,
            "{} × {}",
            picture.width,
            picture.height
        );
        let caption = board.body();
        assert!(
            caption.contains(&two.code) && !caption.contains('\n'),
            "{caption}"
        );
        files.push(picture.file);
        // The same when it is asked for.
        let mark = two.ada.mark();
        two.ada.says("!board").await;
        let board = two
            .ada
            .sees(mark, "the board again", Event::is_picture)
            .await;
        let _ = two.ada.downloads_picture(&board).await;
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_makes_as_few_events_as_it_can() {
    let mut stage =
        ashtapada_matrix_tests::Stage::dark(crate::common::BOT, crate::common::setting(&[])).await;
    stage.setting.dice = Some("3,4\n2,5\n".to_owned());
    stage.start().await;
    let ada = stage.person("ada").await;
    let [ada] = stage.room(Kind::Plain, [&ada]).await;
    ada.plays("!new chaturanga solo:yes").await;
    caught_up(&ada).await;
    let mark = ada.mark();
    ada.plays("!move b1c3").await;
    caught_up(&ada).await;
    let heard = ada.heard(mark);
    assert_eq!(heard.len(), 3, "a picture, words, and the help");
    assert!(heard[0].is_picture() && heard[1].is_words());
    ada.asks("!resign seat:white").await;
    ada.plays("!resign seat:white confirm:yes").await;
    ada.plays("!new partnership solo:yes").await;
    caught_up(&ada).await;
    let mark = ada.mark();
    ada.plays("!roll").await;
    caught_up(&ada).await;
    let heard = ada.heard(mark);
    assert_eq!(heard.len(), 2, "words about the roll, and the help");
    assert_eq!(heard[0].msgtype(), "m.notice", "{}", heard[0]);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r101_over_the_limit_it_waits_and_loses_repeats_and_mixes_nothing() {
    let stage = stage().await;
    let (ada, code) = alone(&stage, Kind::Plain).await;
    let begun = ada.newest()[0].1;
    stage.limit(2, 2).await;
    let moves = [
        "b1c3", "b8c6", "c3b1", "c6b8", "b1a3", "b8a6", "a3b1", "a6b8",
    ];
    for one in moves {
        ada.says(&format!("!move {one}")).await;
    }
    let all = begun + moves.len() as u64;
    ada.sees(0, "the last move", |event| {
        event.is_words() && event.board().is_some_and(|(_, version)| version >= all)
    })
    .await;
    caught_up(&ada).await;
    let limited = stage.door.calls(SEND);
    let limited = limited
        .iter()
        .filter(|call| call.status == Some(429))
        .count();
    assert!(limited > 0, "the server never made it wait");
    let told = ada.asks("!doctor").await;
    stage.unlimit().await;
    assert!(
        told.body().contains("limit") || told.body().contains("wait"),
        "{told}"
    );
    let versions = versions(&ada, &code);
    let mut once = versions.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(versions, once, "out of order, or twice");
    assert_eq!(events(&ada, &code).await, moves.len());
    stage.end().await;
}

/// The transaction ids of what was sent, in order.
fn transactions(stage: &ashtapada_matrix_tests::Stage) -> Vec<String> {
    let calls = stage.door.calls(SEND).into_iter();
    calls
        .map(|call| call.path.rsplit('/').next().unwrap_or_default().to_owned())
        .collect()
}

/// A move whose first sending ends in this way is there once, sent again with the same transaction id.
async fn sent_again(fault: Fault, kind: Kind) {
    let stage = stage().await;
    let two = two(&stage, kind).await;
    let before = two.bob.heard(0).len();
    let sent = transactions(&stage).len();
    stage.door.fault(SEND, fault, 1);
    two.ada.plays("!move b1c3").await;
    two.bob.plays("!move b8c6").await;
    let again = transactions(&stage);
    assert_eq!(again[sent], again[sent + 1], "another transaction id");
    assert_eq!(
        two.bob.heard(0).len() - before,
        4,
        "two boards, each with its words"
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r101_sent_again_after_a_wait_it_has_the_same_transaction_id() {
    sent_again(Fault::Limited(700), Kind::Encrypted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_fails_loses_and_repeats_nothing() {
    sent_again(Fault::Status(502), Kind::Plain).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r101_what_the_server_had_already_is_not_there_twice() {
    sent_again(Fault::StatusAfter(504), Kind::Plain).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_cannot_be_uploaded_does_not_keep_the_words_back() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let large = Fault::Error(413, "M_TOO_LARGE", "Upload request body is too large");
    stage.door.fault("POST /upload", large, 1);
    let told = two.ada.plays("!move b1c3").await;
    assert!(told.mentions().contains(&two.bob.id()), "{told}");
    // No matter of the room's powers, though the error is called so.
    let forbidden = Fault::Error(403, "M_FORBIDDEN", "no uploads");
    stage.door.fault("POST /upload", forbidden, 1);
    let told = two.bob.plays("!move b8c6").await;
    assert!(told.mentions().contains(&two.ada.id()), "{told}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_fails_is_tried_again_and_made_once() {
    let stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.door.fault("POST /upload", Fault::Status(503), 1);
    stage.door.fault(SEND, Fault::Status(503), 1);
    let before = stage.door.calls("POST /upload").len();
    two.ada.plays("!move b1c3").await;
    let uploads = stage.door.calls("POST /upload").len() - before;
    assert_eq!(uploads, 2, "one that failed and one that did not");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_cannot_break_out_of_the_message() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Plain).await;
    let path = format!("/_matrix/client/v3/profile/{}/displayname", ada.id());
    let name = "<b>Ada</b> & *co* @room";
    let set = serde_json::json!({"displayname": name});
    ada.asks_server("PUT", &path, Some(set)).await;
    ada.finds(0, "the new name", |event| {
        event.content["displayname"] == name
    })
    .await;
    let opened = ada.plays("!new chaturanga").await;
    assert!(!opened.html().contains("<b>Ada"), "{opened}");
    assert_eq!(
        opened.content["m.mentions"]["room"],
        Value::Null,
        "{opened}"
    );
    bob.plays("!join").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_about_a_table_says_which_and_at_which_version() {
    let stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    two.ada.plays("!move b1c3").await;
    let heard = two.bob.heard(0);
    for event in heard.iter().skip(1) {
        let (code, version) = event.board().unwrap();
        assert_eq!(code, two.code);
        assert!(version > 0);
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_picture_takes_its_time_the_bot_types() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    stage.door.fault("POST /upload", Fault::Hold, 1);
    let mark = two.ada.mark();
    two.ada.says("!board").await;
    stage.door.until_held().await;
    two.ada.sees_typing().await;
    stage.door.release();
    two.ada.sees(mark, "the board", Event::is_picture).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_the_server_takes_for_too_large_does_not_keep_the_rest_back() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let large = Fault::Error(413, "M_TOO_LARGE", "event too large");
    stage.door.fault(SEND, large, 1);
    let told = two.ada.plays("!move b1c3").await;
    assert!(told.mentions().contains(&two.bob.id()), "{told}");
    two.bob.plays("!move b8c6").await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}
