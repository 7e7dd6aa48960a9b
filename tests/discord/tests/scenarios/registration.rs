//! What is registered, where, and that only what changed is sent.

use ashtapada_discord_tests::{Stage, World};
use serde_json::json;

use crate::common::{BOT, setting, stage};

/// How many commands were sent, changed or removed so far.
fn sent(world: &World) -> usize {
    let changing = ["POST", "PUT", "PATCH", "DELETE"];
    let about = |path: &str| path.contains("/commands");
    let calls = world.calls.iter();
    calls
        .filter(|call| changing.contains(&call.method.as_str()) && about(&call.path))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_registered_everywhere_and_only_changes_are_sent() {
    let mut stage = stage().await;
    let first = stage.double.with(|world| {
        let commands = &world.commands[&None];
        let names: Vec<&str> = commands
            .iter()
            .filter_map(|one| one["name"].as_str())
            .collect();
        for name in [
            "new", "join", "move", "roll", "board", "place", "doctor", "here", "help",
        ] {
            assert!(names.contains(&name), "{name} is not in {names:?}");
        }
        for command in commands {
            let contexts = command["contexts"].as_array().unwrap();
            // What is for those who run a server need not be anywhere else.
            let servers_only = ["place", "doctor"].contains(&command["name"].as_str().unwrap());
            assert!(contexts.contains(&json!(0)), "{}", command["name"]);
            assert!(
                servers_only || contexts.contains(&json!(1)),
                "{}",
                command["name"]
            );
        }
        assert_eq!(sent(world), commands.len());
        sent(world)
    });
    stage.stop().await;
    stage.start().await;
    stage
        .double
        .with(|world| assert_eq!(sent(world), first, "nothing changed"));
    stage.stop().await;
    stage.double.with(|world| {
        let commands = world.commands.get_mut(&None).unwrap();
        commands[0]["description"] = json!("something of an older version");
        commands.push(
            json!({"id": "7", "name": "bygone", "type": 1, "description": "x", "version": "7",
            "application_id": world.bot.id.to_string()}),
        );
    });
    stage.start().await;
    stage.double.with(|world| {
        assert_eq!(sent(world), first + 2, "one change and one removal");
        assert_eq!(world.count("PATCH /applications/*/commands/*"), 1);
        assert_eq!(world.count("DELETE /applications/*/commands/7"), 1);
        assert!(
            world.commands[&None]
                .iter()
                .all(|one| one["name"] != "bygone")
        );
    });
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_registered_in_a_test_server_alone() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    let guild = stage.guild.to_string();
    stage.set_environment("ASHTAPADA_DISCORD__TEST_GUILD", &guild);
    stage.start().await;
    stage.double.with(|world| {
        assert!(!world.commands.contains_key(&None));
        assert!(world.commands[&Some(stage.guild)].len() > 20);
    });
    let first = stage.double.with(|world| sent(world));
    stage.stop().await;
    stage.start().await;
    stage
        .double
        .with(|world| assert_eq!(sent(world), first, "nothing changed"));
    let ada = stage.person("ada");
    assert!(ada.says("/help").await.text().contains("/new"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_that_fails_for_now_is_tried_again() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    let fault = ashtapada_discord_tests::Fault::Status(503);
    stage.double.fault("GET /applications/*/commands", fault, 1);
    stage.start().await;
    let known = |world: &World| {
        world
            .commands
            .get(&None)
            .map(Vec::len)
            .filter(|many| *many > 20)
    };
    stage.double.until("the commands", known).await;
    stage.end().await;
}
