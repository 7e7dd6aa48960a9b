//! What stops the bot, what only delays it, and what it never says.

use ashtapada_matrix_tests::{Fault, Kind, Login, Stage};

use crate::common::{BOT, caught_up, events, refused, room, setting, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_ends_the_program_with_a_sentence() {
    let mut stage = Stage::dark(
        BOT,
        setting(&[("ASHTAPADA_MATRIX__PASSWORD", "not this one")]),
    )
    .await;
    let log = refused(&mut stage).await;
    assert!(
        log.contains("password") && log.contains(&stage.bot_id),
        "{log}"
    );
    assert!(!log.contains("not this one"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_token_ends_the_program_with_a_sentence() {
    let mut stage = Stage::dark(
        BOT,
        setting(&[("ASHTAPADA_MATRIX__ACCESS_TOKEN", "syt_no_such_token")]),
    )
    .await;
    stage.setting.login = Login::Other;
    let log = refused(&mut stage).await;
    assert!(log.contains("token"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_ends_the_program_with_a_sentence() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    stage.revoke().await;
    let status = stage.bot().until_ended().await;
    let log = stage.bot().log.text();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(log.contains("--new-device"), "{log}");
    stage.setting.arguments = vec!["--new-device".to_owned()];
    stage.start().await;
    two.ada.plays("!move b1c3").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_the_limit_at_the_login_it_waits() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    stage.door.fault("POST /login", Fault::Limited(600), 2);
    stage.start().await;
    assert_eq!(stage.door.faults_left(), 0);
    let [ada, _] = room(&stage, Kind::Plain).await;
    caught_up(&ada).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn asked_to_stop_it_finishes_what_runs() {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let known = two.bob.newest();
    stage.door.fault(crate::common::SEND, Fault::Hold, 1);
    two.ada.says("!move b1c3").await;
    stage.door.until_held().await;
    stage.bot().ask_to_stop();
    stage.door.release();
    let status = stage.bot().until_ended().await;
    assert!(status.success(), "{}", stage.bot().log.text());
    stage.start().await;
    two.bob.sees_next(known, "the move").await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_the_log_however_much_is_logged() {
    let mut stage = Stage::dark(BOT, setting(&[("ASHTAPADA_LOG", "trace")])).await;
    stage.start().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.door.fault(crate::common::SEND, Fault::Status(500), 1);
    two.ada.says("a word that nobody else may read").await;
    two.ada.plays("!move b1c3").await;
    // The client library says this much, and what it says beyond is left out.
    assert!(stage.bot().log.has("Logging in"));
    assert!(
        !stage.bot().log.has("a word that nobody"),
        "it logs what people say"
    );
    // The check of every scenario's end looks at all of it.
    stage.end().await;
}
