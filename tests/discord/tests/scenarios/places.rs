//! Places: permissions, channels that go, servers that go.

use ashtapada_discord_tests::{ChannelKind, EVERYTHING, Permissions, Stage};

use crate::common::{Two, code, events, stage, two};

const SEND: &str = "POST /channels/*/messages";

fn without(permissions: Permissions) -> Permissions {
    EVERYTHING - permissions
}

#[tokio::test(flavor = "multi_thread")]
async fn r20_nothing_is_opened_where_the_bot_cannot_post() {
    let stage = stage().await;
    let ada = stage.person("ada");
    stage
        .double
        .with(|world| world.allow(stage.hall, without(Permissions::SEND_MESSAGES)));
    let heard = ada.says("/new game:chaturanga solo:yes").await;
    assert!(heard.text().contains("Send Messages"), "{}", heard.text());
    let listed = ada.says("/games whose:mine").await.text();
    stage.double.with(|world| {
        world.allow(stage.hall, EVERYTHING);
        assert_eq!(world.count(SEND), 0);
    });
    let opened = ada.plays("/new game:chaturanga solo:yes").await;
    assert!(!listed.contains(&code(&opened)));
    let listed = ada.says("/games whose:mine").await.text();
    assert_eq!(listed.matches("haturanga").count(), 1, "{listed}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r41_the_permission_for_threads_is_asked_about_too() {
    let stage = stage().await;
    let thread = stage.double.with(|world| {
        let kind = ChannelKind::Thread {
            parent: stage.hall,
            archived: false,
            owner: world.bot.id,
        };
        let thread = world.add_channel(stage.guild, kind, "side");
        world.allow(thread, without(Permissions::SEND_MESSAGES_IN_THREADS));
        thread
    });
    let ada = stage.person("ada").at(thread);
    let heard = ada.says("/new game:chaturanga solo:yes").await;
    assert!(
        heard.text().contains("Send Messages in Threads"),
        "{}",
        heard.text()
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_names_every_missing_permission() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let lacking = Permissions::ATTACH_FILES | Permissions::READ_MESSAGE_HISTORY;
    stage.double.with(|world| {
        world.allow(stage.hall, without(lacking));
        world.users.get_mut(&ada.id).unwrap().powers = EVERYTHING;
    });
    let told = ada.says("/doctor").await.text();
    assert!(
        told.contains("Attach Files") && told.contains("Read Message History"),
        "{told}"
    );
    stage
        .double
        .with(|world| world.allow(stage.hall, EVERYTHING));
    let told = ada.says("/doctor").await.text();
    assert!(!told.contains("Attach Files"), "{told}");
    stage.end().await;
}

/// Waits until somebody is told something in direct messages.
async fn told_directly(stage: &Stage, two: &Two, words: &[&str]) {
    let mailboxes = [
        two.ada.in_direct_messages().channel(),
        two.bob.in_direct_messages().channel(),
    ];
    stage
        .double
        .until(&format!("a direct message with {words:?}"), |world| {
            let posts = mailboxes.iter().flat_map(|mailbox| world.posts(*mailbox));
            let mut posts = posts.filter(|post| post.author == world.bot.id);
            posts
                .any(|post| words.iter().all(|word| post.content.contains(word)))
                .then_some(())
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r22_a_lost_permission_is_named_and_the_message_waits_for_it() {
    for (lost, name) in [
        (Permissions::SEND_MESSAGES, "Send Messages"),
        (Permissions::VIEW_CHANNEL, "View Channel"),
    ] {
        let stage = stage().await;
        let two = two(&stage).await;
        stage
            .double
            .with(|world| world.allow(stage.hall, without(lost)));
        let before = stage.double.with(|world| world.count(SEND));
        two.ada
            .says(&format!("/move moves:b1c3 table:{}", two.code))
            .await;
        told_directly(&stage, &two, &[name, "/here"]).await;
        let tried = stage.double.with(|world| world.count(SEND)) - before;
        assert!(tried <= 8, "tried {tried} times");
        // Given back, the message comes by itself, once.
        stage
            .double
            .with(|world| world.allow(stage.hall, EVERYTHING));
        let board = two.bob.sees(two.board.id, "the board", |_| true).await;
        assert!(board.pings.contains(&two.bob.id), "{}", board.content);
        two.bob
            .plays(&format!("/move moves:b8c6 table:{}", two.code))
            .await;
        let posts = stage.double.with(|world| world.posts(stage.hall).len());
        assert_eq!(posts, 4, "opening, board and two moves");
        stage.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_attach_files_the_board_comes_as_text() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage
        .double
        .with(|world| world.allow(stage.hall, without(Permissions::ATTACH_FILES)));
    let board = two
        .ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert!(
        board.attachments.is_empty() && board.content.contains("```"),
        "{}",
        board.content
    );
    assert_eq!(board.pings, [two.bob.id]);
    // Remembered: the next one is not tried with a picture first.
    let tried = stage.double.with(|world| world.count(SEND));
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    assert_eq!(stage.double.with(|world| world.count(SEND)), tried + 1);
    stage
        .double
        .with(|world| world.allow(stage.hall, EVERYTHING));
    let board = two
        .ada
        .plays(&format!("/move moves:g1f3 table:{}", two.code))
        .await;
    assert_eq!(board.attachments.len(), 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r25_a_deleted_message_is_no_end() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage
        .double
        .with(|world| world.delete_message(two.board.id));
    let board = two
        .ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    stage.double.with(|world| world.delete_message(board.id));
    let board = two
        .bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    assert!(board.has_button("Move…"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r25_a_table_whose_channel_is_gone_is_moved_by_here() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage.double.with(|world| world.delete_channel(stage.hall));
    // By direct message, since the channel is no more.
    let direct = two.ada.in_direct_messages();
    direct
        .says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    told_directly(&stage, &two, &["/here"]).await;
    let tried = stage.double.with(|world| {
        let gone = format!("POST /channels/{}/messages", stage.hall);
        world.count(&gone)
    });
    assert!(tried <= 5, "404 {tried} times");
    let yard = stage
        .double
        .with(|world| world.add_channel(stage.guild, ChannelKind::Text, "yard"));
    let (ada, bob) = (two.ada.at(yard), two.bob.at(yard));
    let moved = ada.plays(&format!("/here table:{}", two.code)).await;
    assert!(
        moved.content.contains(&two.code) || !moved.attachments.is_empty(),
        "{}",
        moved.content
    );
    let board = bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    assert_eq!(board.pings, [ada.id]);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r26_an_outage_is_no_farewell() {
    let stage = stage().await;
    let two = two(&stage).await;
    let before = events(&two.ada, &two.code).await;
    stage
        .double
        .with(|world| world.lose_guild(stage.guild, true));
    let direct = two.ada.in_direct_messages();
    direct.says(&format!("/show table:{}", two.code)).await;
    stage.double.with(|world| {
        world.guilds.get_mut(&stage.guild).unwrap().unavailable = false;
        world.tell_guild(stage.guild);
    });
    assert_eq!(events(&two.ada, &two.code).await, before);
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r26_thrown_out_and_invited_again_the_game_is_still_there() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage
        .double
        .with(|world| world.lose_guild(stage.guild, false));
    let direct = two.ada.in_direct_messages();
    direct
        .says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    told_directly(&stage, &two, &["/here"]).await;
    stage.double.with(|world| {
        world.guilds.get_mut(&stage.guild).unwrap().has_bot = true;
        world.tell_guild(stage.guild);
    });
    // What could not be posted meanwhile may still come, or not; the game goes on in its place.
    let mark = two.bob.mark();
    two.bob
        .says(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    two.ada
        .sees(mark, "the board", |post| post.pings == [two.ada.id])
        .await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_direct_messages_hold_nobody_up() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage.double.with(|world| {
        for user in world.users.values_mut() {
            user.takes_messages = false;
        }
        world.allow(stage.hall, without(Permissions::SEND_MESSAGES));
    });
    two.ada
        .says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    stage
        .double
        .until("a refused direct message", |world| {
            world
                .calls
                .iter()
                .any(|call| call.code == 50007)
                .then_some(())
        })
        .await;
    stage
        .double
        .with(|world| world.allow(stage.hall, EVERYTHING));
    two.bob.sees(two.board.id, "the board", |_| true).await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_concerned_is_told_of_a_lost_place() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage.double.with(|world| world.delete_channel(stage.hall));
    let told = async |person: &ashtapada_discord_tests::Person| {
        let mailbox = person.in_direct_messages().channel();
        stage
            .double
            .until("a direct message", |world| {
                let posts = world.posts(mailbox);
                let told = posts.iter().any(|post| post.content.contains("/here"));
                told.then_some(())
            })
            .await;
    };
    let (ada, bob) = (two.ada.in_direct_messages(), two.bob.in_direct_messages());
    ada.says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    told(&two.bob).await;
    bob.says(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    told(&two.ada).await;
    stage.end().await;
}
