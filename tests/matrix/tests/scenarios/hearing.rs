//! What is taken for a command, and what is not.

use ashtapada_matrix_tests::{Event, Kind};
use serde_json::json;

use crate::common::{caught_up, events, room, stage, two, two_at};

#[tokio::test(flavor = "multi_thread")]
async fn r97_a_reply_to_a_board_with_and_without_fallback_moves_at_its_table() {
    let stage = stage().await;
    let first = two(&stage, Kind::Plain).await;
    let second = two_at(first.ada.clone(), first.bob.clone()).await;
    // Two tables here, and Ada to move at both: the board that is answered says which.
    first.ada.replies(&first.begun, "!move b1c3").await;
    first
        .ada
        .sees(first.begun.number, "the first table's move", |event| {
            event.is_words()
                && event.board().is_some_and(|(code, version)| {
                    code == first.code && version > first.begun.board().unwrap().1
                })
        })
        .await;
    second
        .ada
        .replies_with_fallback(&second.begun, "!move b1a3")
        .await;
    second
        .ada
        .sees(second.begun.number, "the second table's move", |event| {
            event.is_words()
                && event.board().is_some_and(|(code, version)| {
                    code == second.code && version > second.begun.board().unwrap().1
                })
        })
        .await;
    assert_eq!(events(&first.ada, &first.code).await, 1);
    assert_eq!(events(&first.ada, &second.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r97_a_reply_that_mentions_the_bot_first_is_a_command_of_that_table() {
    let stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    let name = two.begun.sender.clone();
    let content = json!({
        "msgtype": "m.text",
        "body": format!("> <{name}> the board\n\n{name}: move b1c3"),
        "format": "org.matrix.custom.html",
        "formatted_body": format!(
            "<mx-reply><blockquote>the board</blockquote></mx-reply><a href=\"https://matrix.to/#/{name}\">Ashtapada</a>: move b1c3"
        ),
        "m.mentions": {"user_ids": [name]},
        "m.relates_to": {"m.in_reply_to": {"event_id": two.begun.id}},
    });
    let known = two.ada.newest();
    two.ada.sends("m.room.message", content).await;
    two.bob.sees_next(known, "the move").await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r98_what_is_quoted_in_a_reply_is_never_carried_out() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    let said = two
        .bob
        .says("!resign confirm:yes\n\n> !resign\n!pass")
        .await;
    let said = two.ada.sees_own(&said).await;
    two.ada
        .replies_with_fallback(&said, "no, I think not")
        .await;
    let quoted = json!({
        "msgtype": "m.text",
        "body": "> <@bob:palace.test> !resign\n> \n> !resign confirm:yes\n\nwhy so?",
        "m.relates_to": {"m.in_reply_to": {"event_id": said.id}},
    });
    two.ada.sends("m.room.message", quoted).await;
    // Bob's own line began with a command, but has more lines than one command: whatever that is, the game goes on.
    let told = two.ada.plays("!move b1c3").await;
    assert_eq!(told.code(), two.code);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r94_notices_and_other_bots_of_ours_are_not_obeyed() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Plain).await;
    ada.sends(
        "m.room.message",
        json!({"msgtype": "m.notice", "body": "!new chaturanga solo:yes"}),
    )
    .await;
    // Another Ashtapada posts a board here, and then something that looks like a command.
    let board = json!({
        "msgtype": "m.text", "body": "!new chaturanga solo:yes",
        "org.ashtapada.board": {"table": "AAAAA", "version": 3, "by": bob.id()},
    });
    bob.sends("m.room.message", board).await;
    bob.says("!new chaturanga solo:yes").await;
    caught_up(&ada).await;
    let heard = ada.heard(0);
    assert!(
        heard.iter().all(|event| event.board().is_none()),
        "it obeyed a bot"
    );
    assert_eq!(heard.len(), 2, "a greeting and a help");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r94_who_passes_a_board_on_is_no_bot() {
    let stage = stage().await;
    let two = two(&stage, Kind::Plain).await;
    // As clients forward it: the whole content but what it is related to.
    let board = two.ada.sees(0, "a board", Event::is_picture).await;
    two.ada.sends("m.room.message", board.content).await;
    let told = two.ada.plays("!move b1c3").await;
    assert_eq!(told.code(), two.code);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r94_who_says_too_much_is_told_once_and_not_answered() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Plain).await;
    let mark = bob.mark();
    let mut last = String::new();
    for _ in 0..40 {
        last = ada.says("!help roll").await;
    }
    bob.sees_own(&last).await;
    caught_up(&bob).await;
    // Twenty answers in ten seconds, and the notice; a slow machine needs longer for them all.
    let answers = bob.heard(mark);
    for burst in answers.windows(23) {
        let (first, last) = (&burst[0], &burst[burst.len() - 1]);
        let within = last.at - first.at;
        assert!(within >= 9_000, "{} answers in {within} ms", burst.len());
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_never_move() {
    let stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    let said = two.ada.says("what shall I do?").await;
    two.ada.edits(&said, "!move b1a3").await;
    two.ada.plays("!move b1c3").await;
    assert_eq!(events(&two.ada, &two.code).await, 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r112_r83_a_bare_move_in_the_tables_thread_is_played_by_whose_turn_it_is() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Plain).await;
    ada.asks("!place threads:yes").await;
    let opened = ada
        .plays(&format!("!new chaturanga seat:white with:{}", bob.id()))
        .await;
    assert_eq!(opened.thread(), None, "{opened}");
    let code = opened.code();
    let (there, bobs) = (ada.in_thread(&opened.id), bob.in_thread(&opened.id));
    let begun = bobs.plays(&format!("!join {code}")).await;
    assert_eq!(begun.thread(), Some(opened.id.as_str()), "{begun}");
    // Not in the room, not by the other, and no chat.
    ada.says("b1c3").await;
    bobs.says("b8c6").await;
    there.says("good luck").await;
    caught_up(&ada).await;
    assert_eq!(events(&ada, &code).await, 0);
    let told = there.plays("b1c3").await;
    assert_eq!(told.thread(), Some(opened.id.as_str()), "{told}");
    let told = bobs.plays("Nc6").await;
    assert_eq!(told.thread(), Some(opened.id.as_str()), "{told}");
    assert_eq!(events(&ada, &code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r113_what_somebody_else_says_in_the_thread_is_no_move() {
    let stage = stage().await;
    let (ada, bob, cy) = (
        stage.person("ada").await,
        stage.person("bob").await,
        stage.person("cy").await,
    );
    let [ada, bob, cy] = stage.room(Kind::Encrypted, [&ada, &bob, &cy]).await;
    ada.asks("!place threads:yes").await;
    let opened = ada
        .plays(&format!("!new chaturanga seat:white with:{}", bob.id()))
        .await;
    let code = opened.code();
    bob.in_thread(&opened.id)
        .plays(&format!("!join {code}"))
        .await;
    cy.in_thread(&opened.id).says("b1c3").await;
    // A new game does not touch the old one.
    let again = cy.plays("!new chaturanga solo:yes").await;
    assert_ne!(again.code(), code);
    caught_up(&cy).await;
    assert_eq!(events(&ada, &code).await, 0);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bot_is_spoken_to_by_a_pill_by_its_id_and_by_slash() {
    let stage = stage().await;
    let [ada, bob] = room(&stage, Kind::Plain).await;
    let line = "{}: new chaturanga seat:white with:{}";
    let people = [(stage.bot_id.as_str(), "Ashtapada"), (bob.id(), "Bob")];
    ada.says_with_pills(line, &people).await;
    let opened = bob
        .sees(0, "an invitation", |event| {
            event.mentions().contains(&bob.id())
        })
        .await;
    bob.says(&format!("{} join {}", stage.bot_id, opened.code()))
        .await;
    bob.sees(opened.number, "the board", Event::is_picture)
        .await;
    let told = ada.plays("/move b1c3").await;
    assert_eq!(told.code(), opened.code());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_mentions_the_bot_without_a_command_gets_one_hint_in_a_minute() {
    let stage = stage().await;
    let [ada, _] = room(&stage, Kind::Plain).await;
    let mark = ada.mark();
    let people = [(stage.bot_id.as_str(), "Ashtapada")];
    ada.says_with_pills("{} hello", &people).await;
    ada.sees(mark, "a hint", Event::is_words).await;
    ada.says_with_pills("{} are you there", &people).await;
    caught_up(&ada).await;
    assert_eq!(ada.heard(mark).len(), 2, "one hint and the help");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_a_reply_that_notifies_nobody() {
    let stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    let wrong = two.ada.says("!move b1b5").await;
    let told = two
        .ada
        .sees(0, "a refusal", |event| event.answers() == Some(&wrong))
        .await;
    assert_eq!(told.msgtype(), "m.notice");
    assert!(told.mentions().is_empty(), "{told}");
    assert!(told.body().contains("b1"), "{told}");
    stage.end().await;
}
