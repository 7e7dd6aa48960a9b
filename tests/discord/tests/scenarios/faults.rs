//! What fails on the way to Discord.

use std::time::{Duration, Instant};

use ashtapada_discord_tests::{Fault, Setting, Stage};

use crate::common::{BOT, code, events, stage, two};

const SEND: &str = "POST /channels/*/messages";
const CALLBACK: &str = "POST /interactions/*/*/callback";

#[tokio::test(flavor = "multi_thread")]
async fn whatever_fails_while_posting_it_is_posted_once_and_in_order() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let opened = ada.plays("/new game:chaturanga solo:yes").await;
    let code = code(&opened);
    let faults = [
        Fault::Status(500),
        Fault::Status(502),
        Fault::RateLimited(0.5),
        Fault::CutBefore,
        Fault::CutAfter,
        Fault::DelayAnswer(Duration::from_millis(700)),
    ];
    let moves = ["b1c3", "b8c6", "g1f3", "g8f6", "a2a3", "a7a6"];
    for (fault, one) in faults.iter().zip(moves) {
        stage.double.fault(SEND, fault.clone(), 1);
        let mark = ada.mark();
        ada.says(&format!("/move moves:{one} table:{code}")).await;
        ada.sees(mark, &format!("the board in spite of {fault:?}"), |_| true)
            .await;
    }
    stage
        .double
        .until("an end of the faults", |world| {
            (world.faults_left() == 0).then_some(())
        })
        .await;
    ada.plays(&format!("/move moves:b2b3 table:{code}")).await;
    stage.double.with(|world| {
        let posts = world.posts(stage.hall);
        assert_eq!(posts.len(), 2 + moves.len());
        let told = posts.iter().map(|post| post.content.as_str());
        let told: Vec<&str> = told.collect();
        for (post, one) in told.iter().skip(1).zip(moves) {
            assert!(post.contains(&one[2..]), "{one} is not in {post}");
        }
    });
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_place_holds_up_no_other() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let yard = stage.double.with(|world| {
        world.add_channel(
            stage.guild,
            ashtapada_discord_tests::ChannelKind::Text,
            "yard",
        )
    });
    let slow = code(&ada.plays("/new game:chaturanga solo:yes").await);
    let path = format!("POST /channels/{}/messages", stage.hall);
    stage.double.fault(&path, Fault::Hold, 1);
    ada.says(&format!("/move moves:b1c3 table:{slow}")).await;
    stage.double.until_held().await;
    let there = ada.at(yard);
    let quick = code(&there.plays("/new game:chaturanga solo:yes").await);
    there
        .plays(&format!("/move moves:b1c3 table:{quick}"))
        .await;
    stage.double.release();
    ada.sees(0, "the board that was held back", |post| {
        post.content.contains("c3")
    })
    .await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_response_that_fails_loses_no_move() {
    let stage = stage().await;
    let two = two(&stage).await;
    let moves = [(&two.ada, "b1c3"), (&two.bob, "b8c6"), (&two.ada, "g1f3")];
    let faults = [Fault::Status(503), Fault::CutBefore, Fault::CutAfter];
    for ((person, one), fault) in moves.into_iter().zip(faults) {
        stage.double.fault(CALLBACK, fault.clone(), 1);
        let mark = person.mark();
        let _ = person.send(&format!("/move moves:{one} table:{}", two.code));
        person
            .sees(mark, &format!("the board in spite of {fault:?}"), |_| true)
            .await;
    }
    assert_eq!(events(&two.ada, &two.code).await, 3);
    // After the cut it could not know that the first one had arrived.
    stage
        .double
        .until("a second first response", |world| {
            world
                .calls
                .iter()
                .any(|call| call.code == 40060)
                .then_some(())
        })
        .await;
    stage.forgive("40060");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_token_loses_no_public_message() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage.double.fault(CALLBACK, Fault::Error(404, 10015), 1);
    let mark = two.ada.mark();
    let _ = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    two.ada.sees(mark, "the board", |_| true).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_edit_of_old_buttons_is_no_trouble() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage
        .double
        .fault("PATCH /channels/*/messages/*", Fault::Error(429, 30046), 1);
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    stage
        .double
        .until("the refused edit", |world| {
            (world.faults_left() == 0).then_some(())
        })
        .await;
    two.ada
        .plays(&format!("/move moves:g1f3 table:{}", two.code))
        .await;
    stage.end().await;
}

/// Way B, as with the public service: TLS, a proxy, serenity's own rate limiter.
#[tokio::test(flavor = "multi_thread")]
async fn over_the_public_address_a_429_is_waited_out() {
    let setting = Setting {
        public: true,
        ..Setting::default()
    };
    let stage = Stage::with(BOT, setting).await;
    assert!(stage.double.proxied() > 0);
    let two = two(&stage).await;
    stage.double.fault(SEND, Fault::RateLimited(2.0), 1);
    let begun = Instant::now();
    let board = two
        .ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert!(begun.elapsed() >= Duration::from_secs(2), "it did not wait");
    assert_eq!(board.pings, [two.bob.id]);
    stage.double.fault(
        "PATCH /webhooks/*/*/messages/@original",
        Fault::RateLimited(1.0),
        1,
    );
    assert!(two.ada.says("/show").await.text().contains(&two.code));
    stage.double.fault(CALLBACK, Fault::RateLimited(1.0), 1);
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    stage
        .double
        .with(|world| assert_eq!(world.posts(stage.hall).len(), 4));
    stage.end().await;
}
