//! The gateway drops, asks to reconnect, forgets sessions, and sends what cannot be read.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{BOT, setting};
use crate::common::{code, events, stage, two};
use ashtapada_discord_tests::Stage;

/// The bot is connected and has taken up its session again this often.
async fn resumed(stage: &Stage, times: u32) {
    stage
        .double
        .until("a session taken up again", |world| {
            (world.greetings().1 == times && world.is_connected()).then_some(())
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_gateway_is_resumed_and_nothing_is_lost() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage.double.with(|world| world.drop_gateway());
    // While nobody is connected: told when the session is taken up again.
    let moved = two
        .ada
        .send(&format!("/move moves:b1c3 table:{}", two.code));
    two.ada
        .answer(moved, "a move while the line was dead")
        .await;
    resumed(&stage, 1).await;
    stage.double.with(|world| world.ask_to_reconnect());
    resumed(&stage, 2).await;
    stage.double.with(|world| world.invalidate(true));
    resumed(&stage, 3).await;
    stage.double.with(|world| world.close_gateway(1001));
    resumed(&stage, 4).await;
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage
        .double
        .with(|world| assert_eq!(world.greetings().0, 1));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r11_a_second_greeting_starts_nothing_twice() {
    let mut stage = stage().await;
    let two = two(&stage).await;
    let registered = stage
        .double
        .with(|world| world.count("GET /applications/*/commands"));
    stage.double.with(|world| {
        world.forget_sessions();
        world.drop_gateway();
    });
    stage
        .double
        .until("a second greeting", |world| {
            (world.greetings().0 == 2 && world.is_connected()).then_some(())
        })
        .await;
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    stage.double.with(|world| {
        assert_eq!(world.count("GET /applications/*/commands"), registered);
    });
    assert_eq!(stage.bot().log.count("discord: ready as"), 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_session_is_begun_anew() {
    let stage = stage().await;
    let two = two(&stage).await;
    stage.double.with(|world| world.invalidate(false));
    stage
        .double
        .until("a second greeting", |world| {
            (world.greetings().0 == 2 && world.is_connected()).then_some(())
        })
        .await;
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heartbeat_without_an_answer_ends_the_connection() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    stage.double.with(|world| {
        world.set_heartbeat(Duration::from_millis(1500));
        world.acknowledge(false);
    });
    stage.start().await;
    stage
        .double
        .until("a second greeting", |world| {
            let (identified, resumed) = world.greetings();
            (identified + resumed >= 2).then_some(())
        })
        .await;
    stage.double.with(|world| world.acknowledge(true));
    let ada = stage.person("ada");
    stage
        .double
        .until("the bot at the gateway", |world| {
            world.is_connected().then_some(())
        })
        .await;
    let heard = ada.send("/help");
    // Sent while the line was dead, it may be lost with the session: then it is asked again.
    if stage
        .double
        .within(Duration::from_secs(8), |world| {
            world.interactions[&heard].first_kind
        })
        .await
        .is_none()
    {
        ada.says("/help").await;
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r10_a_server_that_cannot_be_read_stops_nothing() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    let (odd, room) = stage.double.with(|world| {
        let odd = world.add_guild("Odd");
        world.guilds.get_mut(&odd).unwrap().odd =
            Some(("icon".to_owned(), json!("https://[not a url")));
        let kind = ashtapada_discord_tests::ChannelKind::Text;
        (odd, world.add_channel(odd, kind, "room"))
    });
    assert_ne!(odd, stage.guild);
    stage.start().await;
    let ada = stage.person("ada");
    let opened = ada.at(room).plays("/new game:chaturanga solo:yes").await;
    ada.at(room)
        .plays(&format!("/move moves:b1c3 table:{}", code(&opened)))
        .await;
    two(&stage).await;
    // What could not be read is not written down, whatever stands in it.
    assert!(
        !stage.bot().log.has("[not a url"),
        "{}",
        stage.bot().log.lines().join("\n")
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_shards_run_in_one_process() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    let rooms = stage.double.with(|world| {
        world.shards = 2;
        (0..4)
            .map(|_| {
                let guild = world.add_guild("One of many");
                world.add_channel(guild, ashtapada_discord_tests::ChannelKind::Text, "room")
            })
            .collect::<Vec<u64>>()
    });
    stage.start().await;
    stage
        .double
        .until("both shards", |world| {
            (world.greetings().0 == 2).then_some(())
        })
        .await;
    let ada = stage.person("ada");
    for room in rooms {
        ada.at(room).plays("/new game:chaturanga solo:yes").await;
    }
    assert_eq!(stage.bot().log.count("discord: ready as"), 1);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_gateway_that_stays_away_holds_up_nothing_else() {
    let stage = stage().await;
    let two = two(&stage).await;
    let path = "POST /channels/*/messages";
    stage
        .double
        .fault(path, ashtapada_discord_tests::Fault::Hold, 1);
    let mark = two.ada.mark();
    two.ada
        .says(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    stage.double.until_held().await;
    stage.double.with(|world| world.shut_gateway());
    // Twice as long as it takes to see that nobody is there.
    let nobody = |world: &ashtapada_discord_tests::World| (!world.is_connected()).then_some(());
    stage
        .double
        .until("the end of the connection", nobody)
        .await;
    let refused = Duration::from_secs(5);
    let begun = Instant::now();
    stage.double.within(refused, |_| None::<()>).await;
    stage.double.release();
    let posted = two
        .bob
        .sees(mark, "the board that was held back", |_| true)
        .await;
    assert!(begun.elapsed() < refused * 2, "all stood still");
    // The former board loses its buttons, which is a request of its own.
    stage
        .double
        .until("the former buttons' end", |world| {
            world.messages[&two.board.id]
                .buttons()
                .is_empty()
                .then_some(())
        })
        .await;
    assert!(begun.elapsed() < refused * 2, "all stood still");
    stage.double.with(|world| world.open_gateway());
    let connected = stage.double.within(Duration::from_secs(10), |world| {
        world.is_connected().then_some(())
    });
    assert!(connected.await.is_some(), "not back after 10 s");
    two.bob
        .plays(&format!("/move moves:b8c6 table:{}", two.code))
        .await;
    assert_eq!(posted.pings, [two.bob.id]);
    stage.end().await;
}
