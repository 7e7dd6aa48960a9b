//! Messages of real games, laid out without drawing, and held against Discord's bounds.

use std::sync::Arc;

use async_trait::async_trait;
use serenity::http::HttpBuilder;

use super::*;
use crate::chat::discord::Settings;
use crate::chat::discord::poster::Poster;
use crate::club::{Caller, Clock, Limits, OsChance, SystemClock};
use crate::command::reading;
use crate::command::run::{Directory, Errand, Guest, run};
use crate::config::Secret;
use crate::ids::{Cause, Place, Platform};
use crate::picture::Easel;
use crate::store::Memory;
use crate::table::SealingKey;
use render::Theme;

/// People are accounts by number, called as they would like to be.
const ADA: u64 = 71;
const BOB: u64 = 72;

/// A channel in which commands are said.
struct Channel {
    discord: Discord,
    said: u64,
}

struct Everybody;

#[async_trait]
impl Directory for Everybody {
    async fn find(&self, account: &str) -> Option<Guest> {
        Some(Guest {
            account: account.to_owned(),
            name: name(account.parse().ok()?).to_owned(),
            bot: false,
        })
    }
}

fn name(account: u64) -> &'static str {
    match account {
        ADA => "_ada_",
        BOB => "```bob",
        _ => "carol",
    }
}

fn place() -> Place {
    Place::room(Platform::Discord, "5")
}

impl Channel {
    fn new() -> Channel {
        let club = Club::new(
            Arc::new(Memory::new()),
            Arc::new(SystemClock),
            Arc::new(OsChance),
            SealingKey::new([7; 32]),
            None,
            Limits::default(),
        );
        let discord = Discord {
            club: Arc::new(club),
            http: Arc::new(HttpBuilder::new("x").build()),
            easel: Easel::with(|_| Ok(vec![1, 2, 3])),
            settings: Settings {
                token: Secret::default(),
                api_url: None,
                extra_ca: None,
                test_guild: None,
                message_content: false,
                theme: Theme::default(),
            },
            me: std::sync::OnceLock::new(),
            poster: Poster::default(),
        };
        Channel { discord, said: 0 }
    }

    /// Says a line: what everybody sees of it, and what only the caller.
    async fn say(&mut self, account: u64, line: &str) -> (Vec<Message>, Vec<Message>) {
        self.said += 1;
        let club = &self.discord.club;
        let person = club
            .meet(
                Platform::Discord,
                &account.to_string(),
                name(account),
                false,
            )
            .await;
        let mut caller = Caller::new(person.unwrap(), place());
        caller.cause = Some(Cause::new(Platform::Discord, self.said));
        let errand = Errand {
            club,
            directory: &Everybody,
            caller: &caller,
            now: SystemClock.now(),
        };
        let invocation = reading::read(line, "!").unwrap().unwrap();
        let own = run(&errand, &invocation).await;
        let waiting = club.store().outbox(None, 100).await.unwrap();
        let mut public = Vec::new();
        for (id, post) in waiting {
            public.push(serde_json::from_value(post.body).unwrap());
            club.store().posted(&[id]).await.unwrap();
        }
        (public, own)
    }

    /// Says a line and lays the only public message out.
    async fn shown(&mut self, account: u64, line: &str) -> Sheet {
        let (public, own) = self.say(account, line).await;
        assert_eq!(public.len(), 1, "{line}: {own:?}");
        let sheet = lay(&self.discord, &public[0]).await;
        within_bounds(&sheet);
        sheet
    }
}

/// What Discord documents of messages and buttons.
fn within_bounds(sheet: &Sheet) {
    let body = sheet.body();
    assert!(sheet.content.encode_utf16().count() <= 2000);
    let rows = body["components"].as_array().unwrap();
    assert!(rows.len() <= 5);
    let mut ids = Vec::new();
    for row in rows {
        let buttons = row["components"].as_array().unwrap();
        assert!((1..=5).contains(&buttons.len()));
        for button in buttons {
            let label = button["label"].as_str().unwrap();
            assert!((1..=80).contains(&label.chars().count()), "{label}");
            let id = button["custom_id"].as_str().unwrap();
            assert!(id.len() <= 100 && !ids.contains(&id), "{id}");
            ids.push(id);
        }
    }
    for file in body["attachments"].as_array().unwrap() {
        let about = file["description"].as_str().unwrap_or_default();
        assert!(about.chars().count() <= 1024);
    }
    assert_eq!(body["allowed_mentions"]["parse"], json!([]));
}

fn labels(sheet: &Sheet) -> Vec<Vec<String>> {
    let rows = sheet.components.as_array().unwrap().iter();
    let label = |button: &Value| button["label"].as_str().unwrap().to_owned();
    rows.map(|row| {
        let buttons = row["components"].as_array().unwrap();
        buttons.iter().map(label).collect()
    })
    .collect()
}

fn ids(sheet: &Sheet) -> Vec<String> {
    let rows = sheet.components.as_array().unwrap().iter();
    rows.flat_map(|row| row["components"].as_array().unwrap())
        .map(|button| button["custom_id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_gathering_table_has_its_seats_as_buttons() {
    let mut channel = Channel::new();
    let sheet = channel.shown(ADA, "/new four-handed seat:red").await;
    let labels = labels(&sheet);
    assert_eq!(labels[0][0], "Join");
    assert_eq!(labels[0].len(), 4, "{labels:?}");
    assert!(labels[0][1].starts_with("Join as "));
    assert_eq!(labels[1], ["Leave", "Start"]);
    assert!(
        ids(&sheet).iter().all(|id| id.starts_with("a|-|")),
        "they hold for weeks"
    );
    assert_eq!(sheet.files.len(), 0);
}

#[tokio::test]
async fn r34_exactly_who_is_meant_is_notified_and_in_the_content() {
    let mut channel = Channel::new();
    let sheet = channel
        .shown(ADA, "/new chaturanga with:72 seat:white")
        .await;
    assert_eq!(sheet.allowed["users"], json!([BOB.to_string()]));
    assert!(sheet.content.contains("<@72>"), "{}", sheet.content);
    assert!(
        sheet.content.contains("**\\_ada\\_**"),
        "R38: {}",
        sheet.content
    );
    assert_eq!(labels(&sheet)[0], ["Join", "Decline"]);
    let begun = channel.shown(BOB, "/join").await;
    assert_eq!(begun.allowed["users"], json!([ADA.to_string()]));
    assert!(!begun.content.contains("```bob"), "R37: {}", begun.content);
}

#[tokio::test]
async fn a_turn_has_the_board_and_what_can_be_done() {
    let mut channel = Channel::new();
    channel.say(ADA, "/new chaturanga with:72 seat:white").await;
    let begun = channel.shown(BOB, "/join").await;
    assert_eq!(labels(&begun)[0], ["Move…"]);
    assert_eq!(
        labels(&begun)[1],
        ["Board from my side", "Legal moves", "Offer", "Resign"]
    );
    let file = &begun.files[0];
    assert!(file.filename.ends_with("-white.png"), "{}", file.filename);
    assert!(
        file.description
            .as_ref()
            .is_some_and(|alt| alt.contains("White"))
    );
    let moved = channel.shown(ADA, "/move d2d3").await;
    let version = |sheet: &Sheet| ids(sheet)[0].split('|').nth(1).unwrap().to_owned();
    assert_ne!(
        version(&begun),
        version(&moved),
        "an old button is told from a new one"
    );
    let without = moved.without_files();
    within_bounds(&without);
    let board = "```\n 1 wR";
    assert!(without.content.contains(board), "{}", without.content);
}

#[tokio::test]
async fn a_roll_is_a_short_message() {
    let mut channel = Channel::new();
    let begun = channel.shown(ADA, "/new four-handed solo:yes").await;
    assert_eq!(labels(&begun)[0], ["Roll"]);
    assert_eq!(
        labels(&begun)[1],
        ["Board from my side", "Legal moves", "Resign"],
        "nobody is there to be offered anything"
    );
    // Some rolls allow nothing; then the next army rolls.
    loop {
        let rolled = channel.shown(ADA, "/roll").await;
        if rolled.files.is_empty() {
            assert_eq!(labels(&rolled)[0], ["Move…", "Pass"]);
            assert!(labels(&rolled)[1].contains(&"Resign".to_owned()), "R53");
            assert_eq!(rolled.allowed["users"], json!([]));
            break;
        }
        assert_eq!(labels(&rolled)[0], ["Roll"]);
    }
}

#[tokio::test]
async fn r49_an_open_offer_can_still_be_answered_below_the_next_message() {
    let mut channel = Channel::new();
    channel.say(ADA, "/new chaturanga with:72 seat:white").await;
    channel.say(BOB, "/join").await;
    let offered = channel.shown(BOB, "/draw").await;
    assert_eq!(labels(&offered)[0], ["Move…", "Agree", "Decline"]);
    let moved = channel.shown(ADA, "/move d2d3").await;
    assert_eq!(labels(&moved)[0], ["Move…", "Agree", "Decline"]);
    let over = channel.shown(ADA, "/draw").await;
    assert_eq!(labels(&over), [["Rematch", "Record"]]);
}

#[tokio::test]
async fn what_is_for_one_person_has_its_own_buttons_only() {
    let mut channel = Channel::new();
    channel.say(ADA, "/new chaturanga with:72 seat:white").await;
    channel.say(BOB, "/join").await;
    let (_, own) = channel.say(ADA, "/resign").await;
    let sheet = lay(&channel.discord, &own[0]).await;
    within_bounds(&sheet);
    assert_eq!(ids(&sheet).len(), own[0].choices.len());
    assert!(ids(&sheet).iter().any(|id| id.contains("confirm:yes")));
}

#[tokio::test]
async fn a_record_is_a_file() {
    let mut channel = Channel::new();
    channel.say(ADA, "/new chaturanga solo:yes").await;
    channel.say(ADA, "/move d2d3").await;
    let (_, own) = channel.say(ADA, "/record as:json").await;
    let sheet = lay(&channel.discord, &own[0]).await;
    assert!(sheet.files[0].filename.ends_with(".json"));
    assert_eq!(sheet.body()["attachments"][0]["id"], json!("0"));
}

#[tokio::test]
async fn a_choice_that_fits_no_button_is_a_line_to_type() {
    let channel = Channel::new();
    let person = channel
        .discord
        .club
        .meet(Platform::Discord, "71", "ada", false);
    let mut message = Message::only(place(), person.await.unwrap(), Text::from("Which?"));
    message.choices.push(crate::command::message::Choice {
        label: "This".to_owned(),
        line: format!("/move {}", "b1c3 ".repeat(30).trim_end()),
    });
    let sheet = lay(&channel.discord, &message).await;
    assert!(!sheet.has_buttons());
    assert!(sheet.content.starts_with("Which?\nThis: `/move b1c3 b1c3"));
}

#[tokio::test]
async fn a_long_public_message_is_cut_and_a_long_reply_is_not() {
    let channel = Channel::new();
    let person = channel
        .discord
        .club
        .meet(Platform::Discord, "71", "ada", false);
    let person = person.await.unwrap();
    let text = Text::from(vec!["a line"; 1000].join("\n"));
    let public = lay(&channel.discord, &Message::everyone(place(), text.clone())).await;
    within_bounds(&public);
    assert!(public.content.ends_with('…'));
    let own = lay(&channel.discord, &Message::only(place(), person, text)).await;
    assert_eq!(markdown::pages(&own.content).join("\n"), own.content);
}
