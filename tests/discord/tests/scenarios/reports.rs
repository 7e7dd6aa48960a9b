//! The reports of the field about answers, buttons and what people type, each by its id.

use std::time::Duration;

use ashtapada_discord_tests::{Bot, Fault};

use crate::common::{code, events, stage, two};

const CALLBACK: &str = "POST /interactions/*/*/callback";

/// A move whose acknowledgement fails in this way is made and shown, and a second try is told so.
async fn late(fault: Fault, times: usize) {
    let mut stage = stage().await;
    let two = two(&stage).await;
    stage.double.fault(CALLBACK, fault, times);
    let mark = two.ada.mark();
    let _ = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    // Nothing can be said to the caller; the board is posted by channel.
    let board = two.ada.sees(mark, "the board", |_| true).await;
    assert!(board.pings.contains(&two.bob.id), "{}", board.content);
    stage.bot().until_logged("ack late by").await;
    stage.double.heal();
    let before = events(&two.ada, &two.code).await;
    let again = two
        .ada
        .says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert!(again.text().contains("Black"), "{}", again.text());
    assert_eq!(events(&two.ada, &two.code).await, before);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r01_r02_an_acknowledgement_that_was_refused_as_late_loses_nothing() {
    late(Fault::Error(404, 10062), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r01_r02_an_acknowledgement_that_does_not_arrive_loses_nothing() {
    late(Fault::Delay(Duration::from_secs(5)), 5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r01_the_first_response_does_not_wait_for_what_is_behind_it() {
    let stage = stage().await;
    let two = two(&stage).await;
    // Posting takes longer than a first response may.
    stage.double.fault(
        "POST /channels/*/messages",
        Fault::Delay(Duration::from_secs(4)),
        1,
    );
    let heard = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    let first = stage
        .double
        .until("the first response", |world| {
            world.interactions[&heard].first_after
        })
        .await;
    assert!(first < Duration::from_secs(1), "{first:?}");
    two.ada.sees(two.board.id, "the board", |_| true).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r04_a_deferred_command_is_answered_in_its_place() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let heard = ada.says("/rules game:chaturaji").await;
    assert_eq!(heard.interaction.first_kind, Some(5));
    assert_eq!(heard.reply().only, Some(ada.id));
    assert!(heard.text().contains("Chaturaji"), "{}", heard.text());
    stage.double.with(|world| {
        assert_eq!(world.count(CALLBACK), 1);
        assert_eq!(world.count("PATCH /webhooks/*/*/messages/@original"), 1);
    });
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r05_a_second_process_on_the_same_data_refuses_to_start() {
    let stage = stage().await;
    let environment = [
        (
            "ASHTAPADA_DATA_DIR".to_owned(),
            stage.data().to_string_lossy().into_owned(),
        ),
        ("DISCORD_TOKEN".to_owned(), "MTA0.another.one".to_owned()),
        ("DISCORD_API_BASE".to_owned(), stage.double.url()),
    ];
    let mut second = Bot::start(stage.program(), &["run".to_owned()], &environment);
    let status = second.until_ended().await;
    assert!(!status.success());
    let log = second.log.lines().join("\n");
    assert!(
        log.contains("another") || log.contains("in use") || log.contains("lock"),
        "{log}"
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r13_a_button_of_an_old_position_shows_the_present_one() {
    let stage = stage().await;
    let two = two(&stage).await;
    let (old, hand) = (two.board.clone(), two.board.button("Move…"));
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    let newest = two
        .bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    let heard = two.ada.press_id(&old, &hand);
    let heard = two.ada.reply(heard, "an old button").await;
    let text = heard.text();
    assert!(
        text.contains("This board is from move") && text.contains("the game is at move"),
        "{text}"
    );
    assert!(
        text.contains(&newest.id.to_string()),
        "no link to {}: {text}",
        newest.id
    );
    let boards = heard
        .replies
        .iter()
        .filter(|reply| !reply.attachments.is_empty());
    assert_eq!(boards.count(), 1);
    // And of a game that is over.
    two.ada.says(&format!("/resign table:{}", two.code)).await;
    two.ada
        .plays(&format!("/resign confirm:yes table:{}", two.code))
        .await;
    let heard = two.ada.press_id(&old, &hand);
    assert!(
        !two.ada
            .reply(heard, "a button of a finished game")
            .await
            .text()
            .is_empty()
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r13_a_button_of_another_version_says_so() {
    let stage = stage().await;
    let two = two(&stage).await;
    for odd in [
        "roll:17:old",
        "a|x|roll",
        "a|5|frobnicate table:K7Q2F",
        "h|1|ZZZZZ|!!",
        "z",
    ] {
        let heard = two.ada.press_id(&two.board, odd);
        let text = two.ada.reply(heard, odd).await.text();
        assert!(!text.is_empty(), "{odd}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r14_the_name_of_a_choice_is_as_good_as_its_value() {
    let stage = stage().await;
    let two = two(&stage).await;
    let offered = two.ada.types("/move moves:b1").await;
    assert!(!offered.is_empty() && offered.len() <= 25, "{offered:?}");
    let name = &offered[0].0;
    let board = two.ada.plays(&format!("/move moves:{name}")).await;
    assert!(board.pings.contains(&two.bob.id), "{}", board.content);
    let tables = two.bob.types("/show table:").await;
    assert!(tables[0].0.starts_with(&two.code), "{tables:?}");
    let heard = two
        .bob
        .says(&format!("/show table:{}", tables[0].0.replace(':', " ")))
        .await;
    assert!(heard.text().contains(&two.code), "{}", heard.text());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r16_free_text_past_the_choices_is_read_as_text() {
    let stage = stage().await;
    let two = two(&stage).await;
    let before = events(&two.ada, &two.code).await;
    for odd in ["Ng9", "h9h9", "x é", "🐘", "`b1c3`@everyone", "b1"] {
        let heard = two.ada.says(&format!("/move moves:{odd}")).await;
        assert!(!heard.text().is_empty(), "{odd}");
        assert!(
            heard.replies.iter().all(|reply| reply.pings.is_empty()),
            "{odd}"
        );
    }
    assert_eq!(events(&two.ada, &two.code).await, before);
    let board = two.ada.plays("/move moves:horse c3").await;
    assert!(board.pings.contains(&two.bob.id));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r17_choices_come_whatever_stands_in_the_other_options() {
    let stage = stage().await;
    let two = two(&stage).await;
    assert!(two.ada.types("/move table:99999 moves:b").await.len() <= 25);
    let offered = two
        .ada
        .types(&format!("/move table:{} moves:", two.code))
        .await;
    assert!(!offered.is_empty());
    let offered = two.ada.types("/moves from:").await;
    assert!(!offered.is_empty() && offered.len() <= 25, "{offered:?}");
    // Nobody's table, nothing to offer, and still an answer.
    let cy = stage.person("cy");
    assert!(
        cy.in_direct_messages()
            .types("/move moves:b")
            .await
            .is_empty()
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r19_a_mention_gets_a_hint_once_a_minute() {
    let stage = stage().await;
    let (ada, bot) = (stage.person("ada"), stage.double.with(|world| world.bot.id));
    let mark = ada.writes(&format!("<@{bot}> roll 1d20+4"));
    let hint = ada.sees(mark, "a hint", |_| true).await;
    assert!(
        hint.content.contains("/new") && hint.pings.is_empty(),
        "{}",
        hint.content
    );
    ada.writes(&format!("<@{bot}> again"));
    ada.writes("nothing for the bot");
    ada.says("/help").await;
    let after = stage
        .double
        .with(|world| world.last_post(stage.hall).map(|post| post.id));
    assert_eq!(after, Some(hint.id));
    // What needs no typing: the board's buttons.
    let opened = ada.plays("/new game:partnership solo:yes").await;
    let mark = ada.mark();
    let _ = ada.press(&opened, "Roll");
    ada.sees(mark, "the roll", |_| true).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r40_slash_commands_work_in_direct_messages() {
    let stage = stage().await;
    let ada = stage.person("ada").in_direct_messages();
    let opened = ada.plays("/new game:chaturanga solo:yes").await;
    let code = code(&opened);
    ada.plays("/move moves:b1c3").await;
    let board = ada.plays(&format!("/move moves:b8c6 table:{code}")).await;
    assert_eq!(board.attachments.len(), 1);
    assert!(!ada.types("/move moves:").await.is_empty());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r128_an_offer_that_was_taken_back_cannot_be_accepted() {
    let stage = stage().await;
    let two = two(&stage).await;
    let offer = two.ada.plays(&format!("/draw table:{}", two.code)).await;
    assert!(offer.pings.contains(&two.bob.id), "{}", offer.content);
    let agree = offer.button("Agree");
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    let heard = two.bob.press_id(&offer, &agree);
    let text = two.bob.reply(heard, "an old offer").await.text();
    assert!(!text.is_empty());
    let record = crate::common::record(&two.bob, &two.code).await;
    assert_ne!(record["status"], "played");
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    stage.end().await;
}
