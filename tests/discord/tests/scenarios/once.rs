//! Once, whatever is cut, killed or told twice.

use ashtapada_discord_tests::{Fault, Stage, World};

use crate::common::{code, events, stage, two};

const SEND: &str = "POST /channels/*/messages";

#[tokio::test(flavor = "multi_thread")]
async fn r07_an_interaction_told_twice_acts_once() {
    let stage = stage().await;
    let two = two(&stage).await;
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    let before = events(&two.ada, &two.code).await;
    let calls = |stage: &Stage| {
        stage
            .double
            .with(|world| world.count("POST /interactions/*/*/callback"))
    };
    let mark = two.ada.mark();
    let id = two
        .bob
        .send(&format!("/move moves:b8c6 table:{}", two.code));
    let answered = calls(&stage);
    stage.double.with(|world| {
        world.tell_again(false);
        world.tell_again(false);
    });
    two.bob.answer(id, "the move").await;
    two.ada.sees(mark, "the board", |_| true).await;
    assert_eq!(events(&two.ada, &two.code).await, before + 1);
    // One answer to the move and one to the record.
    assert!(calls(&stage) <= answered + 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r07_an_interaction_told_again_after_a_restart_acts_once() {
    let mut stage = stage().await;
    let two = two(&stage).await;
    let posts = |stage: &Stage| stage.double.with(|world| world.posts(stage.hall).len());
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    let shown = posts(&stage);
    stage.stop().await;
    stage.start().await;
    stage.double.with(|world| world.tell_again(true));
    // What comes after it has been handled after it.
    stage
        .double
        .until("the answer to what was told again", |world| {
            let (id, ..) = world.last_told.clone()?;
            let heard = world.heard(id)?;
            (heard.interaction.first_kind.is_some()
                && !heard.replies.iter().any(|reply| reply.thinking))
            .then_some(())
        })
        .await;
    let record = crate::common::record(&two.ada, &two.code).await;
    assert_eq!(record["events"].as_array().unwrap().len(), 1);
    assert_eq!(posts(&stage), shown);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r08_what_was_said_while_the_bot_was_away_is_not_made_up() {
    let mut stage = stage().await;
    let two = two(&stage).await;
    stage.stop().await;
    let lost = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    let click = two.ada.press(&two.board, "Move…");
    stage
        .double
        .with(|world| world.say(two.ada.id, stage.hall, "b1c3"));
    stage.start().await;
    // The board's buttons still work.
    let step = two.ada.asks(&two.board, "Move…").await;
    assert!(!step.reply().selects().is_empty(), "{}", step.text());
    stage.double.with(|world| {
        for gone in [lost, click] {
            assert_eq!(world.interactions[&gone].first_kind, None);
        }
    });
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

/// The bot is killed while it posts a move: before Discord has it, or after. Then it starts again.
async fn killed_while_posting(fault: Fault, forgotten: bool) {
    let mut stage = stage().await;
    let two = two(&stage).await;
    stage.double.fault(SEND, fault, 1);
    let _ = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    stage.double.until_held().await;
    stage.kill();
    stage
        .double
        .with(|world| world.nonces_forgotten = forgotten);
    stage.start().await;
    two.bob
        .sees(two.board.id, "the board", |post| {
            post.pings.contains(&two.bob.id)
        })
        .await;
    // What waited is there; what comes after it comes after it.
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    let posts = stage.double.with(|world| world.posts(stage.hall).len());
    assert_eq!(posts, 4, "opening, board, two moves");
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r67_killed_before_posting_it_is_posted_after_the_start() {
    killed_while_posting(Fault::HoldForEver, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r67_killed_while_posting_it_is_posted_once_by_its_nonce() {
    killed_while_posting(Fault::HoldAnswer, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r67_killed_while_posting_it_is_found_when_the_nonce_is_forgotten() {
    killed_while_posting(Fault::HoldAnswer, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_survives_kills_at_any_moment() {
    let mut stage = stage().await;
    let ada = stage.person("ada");
    let opened = ada.plays("/new game:chaturanga solo:yes").await;
    let code = code(&opened);
    let moves = ["b1c3", "b8c6", "g1f3", "g8f6", "a2a3", "a7a6"];
    for (at, one) in moves.iter().enumerate() {
        let mark = ada.mark();
        let id = ada.send(&format!("/move moves:{one} table:{code}"));
        // At once, when it was acknowledged, when it was shown.
        match at % 3 {
            0 => {}
            1 => {
                let first = |world: &World| world.interactions[&id].first_kind;
                stage.double.until("the acknowledgement", first).await;
            }
            _ => {
                ada.sees(mark, "the board", |_| true).await;
            }
        }
        stage.kill();
        stage.start().await;
        if events(&ada, &code).await == at {
            ada.plays(&format!("/move moves:{one} table:{code}")).await;
        } else {
            ada.sees(mark, "the board, late", |_| true).await;
        }
    }
    assert_eq!(events(&ada, &code).await, moves.len());
    let posts = stage.double.with(|world| world.posts(stage.hall).len());
    assert_eq!(posts, 1 + moves.len());
    stage.end().await;
}
