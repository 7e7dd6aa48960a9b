//! For those who run a server or moderate it: settings, and tables of others.

use ashtapada_discord_tests::{ChannelKind, EVERYTHING, Permissions, Person, Stage};

use crate::common::{code, stage, two};

/// Somebody who may do this in servers.
fn with_powers(stage: &Stage, name: &str, powers: Permissions) -> Person {
    let person = stage.person(name);
    stage.double.with(|world| {
        world.users.get_mut(&person.id).unwrap().powers = powers;
    });
    person
}

#[tokio::test(flavor = "multi_thread")]
async fn place_sets_the_default_game_and_where_tables_may_be() {
    let stage = stage().await;
    let ada = with_powers(&stage, "ada", EVERYTHING);
    let yard = stage
        .double
        .with(|world| world.add_channel(stage.guild, ChannelKind::Text, "yard"));
    let told = ada
        .says("/place default-game:chaturaji theme:dark")
        .await
        .text();
    assert!(
        told.contains("Chaturaji") || told.contains("chaturaji"),
        "{told}"
    );
    let opened = ada.plays("/new solo:yes").await;
    assert!(opened.content.contains("Chaturaji"), "{}", opened.content);
    ada.says(&format!("/place channels:<#{yard}>")).await;
    let refused = ada.says("/new game:chaturanga solo:yes").await.text();
    assert!(refused.contains(&format!("<#{yard}>")), "{refused}");
    ada.at(yard).plays("/new game:chaturanga solo:yes").await;
    ada.says("/place channels:all").await;
    ada.plays("/new game:chaturanga solo:yes").await;
    let told = ada.says("/place").await.text();
    assert!(told.contains("dark"), "{told}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_are_for_those_who_run_the_server() {
    let stage = stage().await;
    let ada = stage.person("ada");
    for line in ["/place threads:yes", "/doctor"] {
        let told = ada.says(line).await.text();
        assert!(!told.is_empty() && !told.contains("Set."), "{line}: {told}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moderators_may_close_a_table_and_take_a_seat_back() {
    let stage = stage().await;
    let (ada, bob) = (stage.person("ada"), stage.person("bob"));
    let moderator = with_powers(
        &stage,
        "mo",
        Permissions::VIEW_CHANNEL | Permissions::SEND_MESSAGES | Permissions::MANAGE_MESSAGES,
    );
    let opened = ada.plays("/new game:chaturaji").await;
    let code = code(&opened);
    bob.plays(&format!("/join table:{code}")).await;
    let cy = stage.person("cy");
    let told = cy.says(&format!("/cancel table:{code}")).await.text();
    assert!(!told.is_empty());
    let removed = moderator
        .plays(&format!("/remove player:{} table:{code}", bob.mention()))
        .await;
    assert!(removed.pings.contains(&bob.id), "{}", removed.content);
    moderator.plays(&format!("/cancel table:{code}")).await;
    let told = ada.says(&format!("/show table:{code}")).await.text();
    assert!(told.contains("closed"), "{told}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_offered_and_agreed_by_buttons() {
    let stage = stage().await;
    let two = two(&stage).await;
    let menu = two.ada.asks(&two.board, "Offer").await;
    let mark = two.ada.mark();
    let _ = two.ada.press(menu.reply(), "A draw");
    let offer = two
        .bob
        .sees(mark, "the offer", |post| post.has_button("Agree"))
        .await;
    assert_eq!(offer.pings, [two.bob.id]);
    let declined = offer.button("Decline");
    let mark = two.bob.mark();
    let _ = two.bob.press_id(&offer, &declined);
    two.bob.sees(mark, "the refusal", |_| true).await;
    let mark = two.bob.mark();
    two.ada.says(&format!("/draw table:{}", two.code)).await;
    let offer = two
        .bob
        .sees(mark, "the second offer", |post| post.has_button("Agree"))
        .await;
    let mark = two.bob.mark();
    let _ = two.bob.press(&offer, "Agree");
    let end = two.bob.sees(mark, "the end", |_| true).await;
    assert!(end.has_button("Rematch"), "{:?}", end.buttons());
    let mark = two.bob.mark();
    let _ = two.bob.press(&end, "Rematch");
    let again = two.bob.sees(mark, "the rematch", |_| true).await;
    assert_ne!(code(&again), two.code);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r44_two_clicks_on_join_take_one_seat() {
    let stage = stage().await;
    let (ada, bob) = (stage.person("ada"), stage.person("bob"));
    let opened = ada.plays("/new game:chaturaji").await;
    let mark = bob.mark();
    let clicks = [bob.press(&opened, "Join"), bob.press(&opened, "Join")];
    bob.sees(mark, "the seat", |_| true).await;
    let told = stage
        .double
        .until("an answer to the other click", |world| {
            let heard = clicks.iter().filter_map(|click| world.heard(*click));
            heard
                .map(|heard| heard.text())
                .find(|text| !text.is_empty())
        })
        .await;
    assert!(told.contains("seat") || told.contains("already"), "{told}");
    let shown = ada
        .says(&format!("/show table:{}", code(&opened)))
        .await
        .text();
    assert_eq!(shown.matches("bob").count(), 1, "{shown}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r46_who_cannot_play_is_not_invited() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let bot = stage.double.with(|world| world.bot.id);
    for (who, why) in [(bot, "bot"), (ada.id, "yourself")] {
        let told = ada
            .says(&format!("/new game:chaturanga with:<@{who}>"))
            .await;
        assert!(!told.replies.is_empty(), "{why}");
        assert!(
            told.replies.iter().all(|reply| reply.pings.is_empty()),
            "{}",
            told.text()
        );
    }
    assert_eq!(stage.double.with(|world| world.posts(stage.hall).len()), 0);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_menu_of_offers_from_an_old_board_offers_nothing() {
    let stage = stage().await;
    let two = two(&stage).await;
    let menu = two.ada.asks(&two.board, "Offer").await;
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    two.bob.plays(&format!("/draw table:{}", two.code)).await;
    let click = two.ada.press(menu.reply(), "A draw");
    let edits = menu.reply().edits;
    stage
        .double
        .until("an answer to the old menu", |world| {
            let heard = world.heard(click)?;
            let drawn = world.messages.get(&menu.reply().id);
            let redrawn = drawn.is_none_or(|message| message.edits > edits);
            (!heard.replies.is_empty() || redrawn).then_some(())
        })
        .await;
    let record = crate::common::record(&two.ada, &two.code).await;
    assert_ne!(record["status"], "played", "an old menu agreed to a draw");
    stage.end().await;
}
