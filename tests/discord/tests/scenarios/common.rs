//! What many scenarios begin with.

use ashtapada_discord_tests::{Message, Person, Setting, Stage};

/// The whole program.
pub const BOT: &str = env!("CARGO_BIN_EXE_bot");

/// A stage with the bot ready.
pub async fn stage() -> Stage {
    Stage::open(BOT).await
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

/// The code of the table that a message is about, from its buttons.
pub fn code(message: &Message) -> String {
    let buttons = message.components.to_string();
    let at = buttons.find("table:");
    let code = at.and_then(|at| buttons.get(at + 6..at + 11));
    code.unwrap_or_else(|| panic!("no code in {buttons} of “{}”", message.content))
        .to_owned()
}

/// Two people at a table of Chaturanga, White to move.
pub struct Two {
    pub ada: Person,
    pub bob: Person,
    pub code: String,
    pub board: Message,
}

pub async fn two(stage: &Stage) -> Two {
    two_at(stage.person("ada"), stage.person("bob")).await
}

/// The same where these two are.
pub async fn two_at(ada: Person, bob: Person) -> Two {
    let line = format!("/new game:chaturanga seat:white with:{}", bob.mention());
    let opened = ada.plays(&line).await;
    let code = code(&opened);
    let mark = ada.mark();
    bob.says(&format!("/join table:{code}")).await;
    let board = bob
        .sees(mark, "the board", |post| !post.attachments.is_empty())
        .await;
    Two {
        ada,
        bob,
        code,
        board,
    }
}

/// The record of a table as one of its people gets it.
pub async fn record(person: &Person, code: &str) -> serde_json::Value {
    let heard = person.says(&format!("/record as:json table:{code}")).await;
    let files = &heard.reply().files;
    let file = files
        .first()
        .unwrap_or_else(|| panic!("no record: {}", heard.text()));
    serde_json::from_slice(file).unwrap()
}

/// How many events a table's record has.
pub async fn events(person: &Person, code: &str) -> usize {
    let record = record(person, code).await;
    record["events"].as_array().unwrap().len()
}
