//! Starting, stopping, and what stops the bot for good.

use ashtapada_discord_tests::{Fault, Stage};

use crate::common::{BOT, setting, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_cannot_be_reached_is_tried_again_and_no_other() {
    let mut stage = Stage::dark(BOT, setting(&[("DISCORD_API_BASE", "http://127.0.0.1:9")])).await;
    stage.launch();
    stage
        .bot()
        .until_logged("http://127.0.0.1:9 cannot be reached")
        .await;
    let log = stage.bot().log.clone();
    stage
        .double
        .until("a second try", |_| {
            (log.count("cannot be reached") >= 2).then_some(())
        })
        .await;
    assert_eq!(stage.double.proxied(), 0, "it went to the public service");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_comes_back_is_found() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    stage
        .double
        .fault("GET /gateway/bot", Fault::Status(503), 2);
    stage.start().await;
    assert!(stage.bot().log.count("cannot be reached") >= 2);
    // Serenity asks for the gateway once more; when that fails it must not turn to the public one.
    assert_eq!(stage.double.proxied(), 0);
    two(&stage).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateway_of_a_set_address_is_never_the_public_one() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    stage.double.fault("GET /gateway", Fault::Status(500), 1);
    stage.start().await;
    two(&stage).await;
    assert_eq!(stage.double.proxied(), 0);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_ends_the_program_with_a_sentence() {
    let mut stage = Stage::dark(BOT, setting(&[("DISCORD_TOKEN", "MTA0.wrong.secret")])).await;
    stage.launch();
    let status = stage.bot().until_ended().await;
    assert_eq!(status.code(), Some(1));
    let log = stage.bot().log.lines().join("\n");
    assert!(
        log.contains("token") && !log.contains("MTA0.wrong.secret"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_intent_ends_the_program_with_a_sentence() {
    let environment = [("ASHTAPADA_DISCORD__MESSAGE_CONTENT", "true")];
    let mut stage = Stage::dark(BOT, setting(&environment)).await;
    stage.launch();
    let status = stage.bot().until_ended().await;
    assert_eq!(status.code(), Some(1));
    let log = stage.bot().log.lines().join("\n");
    assert!(log.contains("Message Content"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn asked_to_stop_it_finishes_what_runs() {
    let mut stage = stage().await;
    let two = two(&stage).await;
    let id = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    stage
        .double
        .until("the acknowledgement", |world| {
            world.interactions[&id].first_kind
        })
        .await;
    stage.stop().await;
    stage.start().await;
    two.bob.sees(two.board.id, "the board", |_| true).await;
    assert_eq!(crate::common::events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_is_in_the_log_however_much_is_logged() {
    let mut stage = Stage::dark(BOT, setting(&[("ASHTAPADA_LOG", "trace")])).await;
    stage.start().await;
    let two = two(&stage).await;
    stage
        .double
        .fault("POST /channels/*/messages", Fault::Status(500), 1);
    stage
        .double
        .fault("POST /interactions/*/*/callback", Fault::CutBefore, 1);
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert!(stage.bot().log.has("TRACE") && stage.bot().log.has("DEBUG"));
    // The check of every scenario's end looks at all of it.
    stage.end().await;
}
