//! What messages look like: pictures, mentions, names, and that none is too long.

use crate::common::{code, record, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn r29_a_board_has_its_picture_once_its_alt_text_and_exactly_one_mention() {
    let stage = stage().await;
    let two = two(&stage).await;
    let board = two
        .ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert_eq!(board.pings, [two.bob.id]);
    assert_eq!(board.attachments.len(), 1);
    let alt = board.alt().unwrap();
    assert!((50..=1024).contains(&alt.chars().count()), "{alt}");
    let name = board.attachments[0]["filename"].as_str().unwrap();
    assert!(
        name.starts_with(&two.code) && name.ends_with(".png"),
        "{name}"
    );
    // The wide layout, with the panel.
    let (width, height) = (
        &board.attachments[0]["width"],
        &board.attachments[0]["height"],
    );
    assert!(width.as_u64() > height.as_u64(), "{width} × {height}");
    stage
        .double
        .until("the end of the former buttons", |world| {
            world.messages[&two.board.id]
                .buttons()
                .is_empty()
                .then_some(())
        })
        .await;
    // As before.
    stage
        .double
        .with(|world| assert_eq!(world.messages[&two.board.id].attachments.len(), 1));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r37_a_name_cannot_break_out_of_the_message() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let bob = stage.person("b```b\n# loud @everyone");
    stage.double.with(|world| {
        let user = world.users.get_mut(&bob.id).unwrap();
        user.nick = Some("b```b\n# loud @everyone <@1>".to_owned());
    });
    let opened = bob.plays("/new game:chaturanga seat:white").await;
    ada.plays(&format!("/join table:{}", code(&opened))).await;
    let board = bob.plays("/move moves:b1c3").await;
    let show = ada.says("/show").await;
    let list = ada.says("/games whose:here").await;
    for text in [&opened.content, &board.content, &show.text(), &list.text()] {
        assert!(
            !text.contains("b```b") && !text.contains("\n# loud"),
            "{text}"
        );
        assert!(
            !text.contains("@everyone") || !text.contains(" @everyone "),
            "{text}"
        );
    }
    // It is kept as it was given.
    assert!(
        record(&ada, &code(&opened))
            .await
            .to_string()
            .contains("```")
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r38_a_name_does_not_turn_italic() {
    let stage = stage().await;
    let (ada, bob) = (stage.person("_a_b_"), stage.person("*x*"));
    let opened = ada.plays("/new game:chaturanga seat:white").await;
    bob.plays(&format!("/join table:{}", code(&opened))).await;
    let board = ada.plays("/move moves:b1c3").await;
    let show = bob.says("/show").await;
    let list = bob.says("/games whose:here").await;
    for text in [&opened.content, &board.content, &show.text(), &list.text()] {
        assert!(!text.contains("_a_b_") && !text.contains("*x*"), "{text}");
    }
    assert!(show.text().contains("a\\_b"), "{}", show.text());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn long_answers_come_in_several_messages() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let heard = ada.says("/help").await;
    assert!(!heard.text().is_empty());
    for game in [
        "chaturanga",
        "chaturaji",
        "four-handed",
        "four-handed-cross",
        "partnership",
        "maha-chatukanga",
    ] {
        let heard = ada.says(&format!("/rules game:{game}")).await;
        assert!(
            heard.replies.iter().all(|reply| reply.only == Some(ada.id)),
            "{game}"
        );
    }
    ada.plays("/new game:maha-chatukanga solo:yes").await;
    for line in [
        "/moves",
        "/show",
        "/dice",
        "/board as:text",
        "/board",
        "/next",
        "/games",
    ] {
        let heard = ada.says(line).await;
        assert!(!heard.replies.is_empty(), "{line}");
    }
    stage.end().await;
}
