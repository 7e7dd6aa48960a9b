//! Tables in threads and in the posts of forums, and bare moves there.

use ashtapada_discord_tests::{
    ChannelKind, EVERYTHING, Fault, Message, Permissions, Person, Stage, World,
};

use crate::common::BOT;
use crate::common::{Two, code, events, setting, stage, stage_with};

/// Somebody who runs the server wants threads.
async fn threads_wanted(stage: &Stage) -> Person {
    let ada = stage.person("ada");
    stage.double.with(|world| {
        world.users.get_mut(&ada.id).unwrap().powers = EVERYTHING;
    });
    ada.says("/place threads:yes").await;
    ada
}

/// The thread begun from a message, or the newest post of a forum.
async fn thread_in(stage: &Stage, parent: u64) -> u64 {
    stage
        .double
        .until("a thread", |world| {
            let mut channels = world.channels.values().rev();
            channels
                .find(|channel| channel.parent() == Some(parent))
                .map(|channel| channel.id)
        })
        .await
}

/// Two at a table of its own thread, White to move.
async fn two_in_a_thread(stage: &Stage) -> (Two, u64) {
    let ada = threads_wanted(stage).await;
    let bob = stage.person("bob");
    let opened = ada.plays("/new game:chaturanga seat:white").await;
    let code = code(&opened);
    let thread = thread_in(stage, stage.hall).await;
    let bob = bob.at(thread);
    let mark = bob.mark();
    bob.says(&format!("/join table:{code}")).await;
    let board = bob.sees(mark, "the board in the thread", has_picture).await;
    let two = Two {
        ada: ada.at(thread),
        bob,
        code,
        board,
    };
    (two, thread)
}

fn has_picture(post: &Message) -> bool {
    !post.attachments.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_gets_a_thread_of_its_own_where_that_is_wanted() {
    let stage = stage().await;
    let (two, thread) = two_in_a_thread(&stage).await;
    let name = stage
        .double
        .with(|world| world.channels[&thread].name.clone());
    assert!(name.contains(&two.code) && name.contains("ada"), "{name}");
    two.ada.plays("/move moves:b1c3").await;
    // Only the opening message is in the channel.
    stage
        .double
        .with(|world| assert_eq!(world.posts(stage.hall).len(), 1));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_permission_the_table_stays_in_the_channel() {
    let stage = stage().await;
    let ada = threads_wanted(&stage).await;
    let may = EVERYTHING - Permissions::CREATE_PUBLIC_THREADS;
    stage.double.with(|world| world.allow(stage.hall, may));
    ada.plays("/new game:chaturanga solo:yes").await;
    let board = ada.plays("/move moves:b1c3").await;
    assert_eq!(board.channel, stage.hall);
    let told = ada.says("/doctor").await.text();
    assert!(told.contains("Create Public Threads"), "{told}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_forum_a_table_gets_a_post_of_its_own() {
    let stage = stage().await;
    let ada = threads_wanted(&stage).await;
    let (forum, post) = stage.double.with(|world| {
        let forum = world.add_channel(stage.guild, ChannelKind::Forum, "games");
        let kind = ChannelKind::Thread {
            parent: forum,
            archived: false,
            owner: ada.id,
        };
        (forum, world.add_channel(stage.guild, kind, "who plays?"))
    });
    let asked = ada.at(post);
    asked.says("/new game:chaturanga solo:yes").await;
    let fresh = stage
        .double
        .until("a post of the table's own", |world| {
            let mut channels = world.channels.values();
            channels
                .find(|channel| channel.parent() == Some(forum) && channel.id != post)
                .map(|channel| channel.id)
        })
        .await;
    let ada = ada.at(fresh);
    ada.sees(0, "the opening message in the post", |_| true)
        .await;
    let board = ada.plays("/move moves:b1c3").await;
    assert_eq!(board.channel, fresh);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r28_an_archived_thread_is_reopened_by_sending_first() {
    let stage = stage().await;
    let (two, thread) = two_in_a_thread(&stage).await;
    stage.double.with(|world| {
        world.archive(thread, true);
        world.age(two.board.id, 7 * 24 * 60 * 60 * 1000);
    });
    let mark = two.ada.mark();
    let direct = two.ada.in_direct_messages();
    direct
        .says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    two.bob.sees(mark, "the board", has_picture).await;
    stage
        .double
        .until("the former buttons' end", |world| {
            world.messages[&two.board.id]
                .buttons()
                .is_empty()
                .then_some(())
        })
        .await;
    stage
        .double
        .with(|world| assert!(!world.channels[&thread].is_archived()));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r25_a_table_whose_thread_is_gone_is_moved_by_here() {
    let stage = stage().await;
    let (two, thread) = two_in_a_thread(&stage).await;
    stage.double.with(|world| world.delete_channel(thread));
    let ada = two.ada.at(stage.hall);
    ada.plays(&format!("/here table:{}", two.code)).await;
    let board = ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    assert_eq!(board.pings, [two.bob.id]);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bare_moves_are_played_where_the_bot_may_read() {
    let mut stage = Stage::dark(
        BOT,
        setting(&[("ASHTAPADA_DISCORD__MESSAGE_CONTENT", "true")]),
    )
    .await;
    stage.double.with(|world| world.grant_message_content());
    stage.start().await;
    let (two, _) = two_in_a_thread(&stage).await;
    let mark = two.ada.writes("b1c3");
    let board = two.bob.sees(mark, "the board", has_picture).await;
    assert_eq!(board.pings, [two.bob.id]);
    // R07, R113: told twice, said by another, or no move: left alone.
    let before = events(&two.ada, &two.code).await;
    stage.double.with(|world| world.replay("MESSAGE_CREATE"));
    two.ada.writes("e2e3");
    stage.person("cy").at(two.bob.channel()).writes("b8c6");
    two.bob.writes("nice one");
    let mark = two.bob.writes("nc6");
    two.ada.sees(mark, "the board", has_picture).await;
    assert_eq!(events(&two.ada, &two.code).await, before + 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ordinary_messages_are_left_alone_without_the_setting() {
    let stage = stage_with(&[]).await;
    let (two, _) = two_in_a_thread(&stage).await;
    let before = events(&two.ada, &two.code).await;
    two.ada.writes("b1c3");
    // What comes after it has been answered.
    two.ada.says("/show").await;
    stage.double.with(|world| {
        let last = world.last_post(two.ada.channel());
        assert_eq!(last.map(|post| post.id), Some(two.board.id));
    });
    assert_eq!(events(&two.ada, &two.code).await, before);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_whose_answer_is_lost_is_made_once() {
    for fault in [Fault::CutAfter, Fault::CutBefore, Fault::Status(503)] {
        let stage = stage().await;
        let ada = threads_wanted(&stage).await;
        let (forum, post) = stage.double.with(|world| {
            let forum = world.add_channel(stage.guild, ChannelKind::Forum, "games");
            let kind = ChannelKind::Thread {
                parent: forum,
                archived: false,
                owner: ada.id,
            };
            (forum, world.add_channel(stage.guild, kind, "who plays?"))
        });
        stage
            .double
            .fault("POST /channels/*/threads", fault.clone(), 1);
        let asked = ada.at(post);
        asked.says("/new game:chaturanga solo:yes").await;
        let fresh = |world: &World| {
            let mut channels = world.channels.values();
            channels
                .find(|channel| channel.parent() == Some(forum) && channel.id != post)
                .map(|channel| channel.id)
        };
        let fresh = stage.double.until("a post of the table's own", fresh).await;
        let ada = ada.at(fresh);
        ada.sees(0, "the opening message in the post", |_| true)
            .await;
        ada.plays("/move moves:b1c3").await;
        stage.double.with(|world| {
            let mut posts = world.channels.values();
            let posts = posts
                .by_ref()
                .filter(|channel| channel.parent() == Some(forum));
            assert_eq!(posts.count(), 2, "{fault:?}");
            assert_eq!(world.posts(post).len(), 0, "{fault:?}");
        });
        stage.end().await;
    }
}
