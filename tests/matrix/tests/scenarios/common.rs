//! What many scenarios begin with.

use ashtapada_matrix_tests::{Event, Kind, Person, Setting, Stage, vector};
use serde_json::Value;

/// The whole program.
pub const BOT: &str = env!("CARGO_BIN_EXE_matrix-bot");

/// Where the bot's messages arrive at the server.
pub const SEND: &str = "PUT /rooms/*/send/*/*";

/// A stage with the bot ready.
pub async fn stage() -> Stage {
    stage_with(&[]).await
}

/// A stage with the bot ready and these variables in its environment.
pub async fn stage_with(environment: &[(&str, &str)]) -> Stage {
    Stage::with(BOT, setting(environment)).await
}

pub fn setting(environment: &[(&str, &str)]) -> Setting {
    let environment = environment.iter();
    Setting {
        environment: environment
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Setting::default()
    }
}

/// Two people in a room with the bot.
pub async fn room(stage: &Stage, kind: Kind) -> [Person; 2] {
    let (ada, bob) = (stage.person("ada").await, stage.person("bob").await);
    stage.room(kind, [&ada, &bob]).await
}

/// Two people at a table of Chaturanga, White to move.
pub struct Two {
    pub ada: Person,
    pub bob: Person,
    pub code: String,
    /// The words that began the game.
    pub begun: Event,
}

pub async fn two(stage: &Stage, kind: Kind) -> Two {
    let [ada, bob] = room(stage, kind).await;
    two_at(ada, bob).await
}

/// The same where these two are.
pub async fn two_at(ada: Person, bob: Person) -> Two {
    let line = format!("!new chaturanga seat:white with:{}", bob.id());
    let code = ada.plays(&line).await.code();
    bob.sees(0, "the invitation", |event| event.board().is_some())
        .await;
    let begun = bob.plays(&format!("!join {code}")).await;
    ada.sees_own(&begun.id).await;
    Two {
        ada,
        bob,
        code,
        begun,
    }
}

/// Somebody alone in a room with the bot, at a table of Chaturanga with both seats.
pub async fn alone(stage: &Stage, kind: Kind) -> (Person, String) {
    let ada = stage.person("ada").await;
    let [ada] = stage.room(kind, [&ada]).await;
    let code = ada.plays("!new chaturanga solo:yes").await.code();
    (ada, code)
}

/// The record of a table as one of its people gets it.
pub async fn record(person: &Person, code: &str) -> Value {
    let mark = person.mark();
    person.says(&format!("!record as:json table:{code}")).await;
    let told = person
        .sees(mark, "the record", |event| event.msgtype() == "m.file")
        .await;
    serde_json::from_slice(&person.downloads(&told).await).unwrap()
}

/// How many events a table's record has.
pub async fn events(person: &Person, code: &str) -> usize {
    record(person, code).await["events"]
        .as_array()
        .unwrap()
        .len()
}

/// The bot takes part: whatever was said before this has been heard, and its answers are there.
pub async fn caught_up(person: &Person) {
    person.asks("!help roll").await;
}

/// The versions of a table in the order in which words about it came.
pub fn versions(person: &Person, code: &str) -> Vec<u64> {
    let heard = person.heard(0);
    let boards = heard.iter().filter(|event| event.is_words());
    let boards = boards.filter_map(Event::board);
    boards
        .filter(|(of, _)| *of == code)
        .map(|(_, version)| version)
        .collect()
}

/// The line that opens the game of a vector.
pub fn opening(game: &Value) -> String {
    format!("!new {}{}", vector::name(game), vector::options(game, ':'))
}

/// One step of a vector: the line that says it, and whether it must be confirmed.
pub fn line(event: &Value, code: &str) -> String {
    let (what, value) = vector::deed(event);
    match what {
        "roll" => format!("!roll table:{code}"),
        "move" => format!("!move {} table:{code}", value.as_str().unwrap()),
        "pass" => format!("!pass table:{code}"),
        "resign" => format!(
            "!resign seat:{} confirm:yes table:{code}",
            value.as_str().unwrap()
        ),
        other => panic!("no command for {other}"),
    }
}

/// Starts a bot that ends by itself, and gives what it said.
pub async fn refused(stage: &mut Stage) -> String {
    stage.launch();
    let status = stage.bot().until_ended().await;
    let log = stage.bot().log.text();
    assert_eq!(status.code(), Some(1), "{log}");
    stage.check();
    log
}
