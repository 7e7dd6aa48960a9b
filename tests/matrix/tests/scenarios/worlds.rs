//! One table in both worlds: Discord and Matrix.

use ashtapada_discord_tests as discord;
use ashtapada_matrix_tests::{Kind, Stage, vector};

use crate::common::{BOT, line, setting};

/// Both sides of one bot.
struct Worlds {
    discord: discord::Stage,
    matrix: Stage,
}

impl Worlds {
    async fn open() -> Worlds {
        let matrix = Stage::dark(BOT, setting(&[])).await;
        let environment = matrix.environment().into_iter();
        // The data folder is the one of the Discord side.
        let environment = environment.filter(|(name, _)| name != "ASHTAPADA_DATA_DIR");
        let setting = discord::Setting {
            environment: environment.collect(),
            ..discord::Setting::default()
        };
        let mut discord = discord::Stage::with(BOT, setting).await;
        discord.bot().until_logged("matrix: ready as").await;
        Worlds { discord, matrix }
    }

    async fn killed(&mut self) {
        self.discord.kill();
        self.discord.start().await;
        self.discord.bot().until_logged("matrix: ready as").await;
    }
}

/// The code of the table that a message on Discord is about.
fn code(message: &discord::Message) -> String {
    let buttons = message.components.to_string();
    let at = buttons.find("table:").unwrap();
    buttons[at + 6..at + 11].to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_opened_on_discord_is_joined_from_matrix_and_played_to_its_end() {
    let mut worlds = Worlds::open().await;
    let ada = worlds.discord.person("ada");
    let bob = worlds.matrix.person("bob").await;
    let [bob] = worlds.matrix.room(Kind::Encrypted, [&bob]).await;
    let game = vector::game("chaturanga-array_manasollasa-ending_al-adli-gaja_silver-08.json");
    let opened = ada
        .plays("/new game:chaturanga array:manasollasa gaja:silver seat:white open:yes")
        .await;
    let code = code(&opened);
    let mark = ada.mark();
    bob.plays(&format!("!join {code}")).await;
    let begun = ada
        .sees(mark, "the board on Discord", |post| {
            !post.attachments.is_empty()
        })
        .await;
    assert_eq!(
        begun.pings,
        [ada.id],
        "who is to move is notified where they play"
    );
    let mut state = game["first"].clone();
    let order = vector::seats(&game);
    for (number, event) in game["events"].as_array().unwrap().iter().enumerate() {
        if number == 3 {
            worlds.killed().await;
        }
        let (mark, known) = (ada.mark(), bob.newest());
        let white = vector::acting(order, &state) == "white";
        match white {
            true => {
                let line = line(event, &code).replacen("!move ", "/move moves:", 1);
                ada.says(&line).await;
            }
            false => {
                bob.says(&line(event, &code)).await;
            }
        }
        let there = bob.sees_next(known, "the move on Matrix").await;
        let here = ada.sees(mark, "the move on Discord", |_| true).await;
        state = event["then"].clone();
        if state["over"].is_null() {
            // A mention in the place where the one to move plays, and in no other.
            let (on_discord, on_matrix) = match vector::acting(order, &state) {
                "white" => (vec![ada.id], Vec::new()),
                _ => (Vec::new(), vec![bob.id()]),
            };
            assert_eq!(here.pings, on_discord, "{}", here.content);
            assert_eq!(there.mentions(), on_matrix, "{there}");
        }
        assert!(!here.content.contains("@bob-"), "{}", here.content);
    }
    let record = crate::common::record(&bob, &code).await;
    assert_eq!(record["state"], state);
    assert_eq!(record["status"], "played");
    worlds.discord.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_opened_on_matrix_is_joined_from_discord() {
    let worlds = Worlds::open().await;
    let ada = worlds.matrix.person("ada").await;
    let [ada] = worlds.matrix.room(Kind::Plain, [&ada]).await;
    let bob = worlds.discord.person("bob");
    let opened = ada.plays("!new chaturanga seat:white open:yes").await;
    let code = opened.code();
    let known = ada.newest();
    bob.plays(&format!("/join table:{code}")).await;
    let begun = ada.sees_next(known, "the board on Matrix").await;
    assert_eq!(begun.mentions(), [ada.id()]);
    // One that is not open is joined by nobody from elsewhere.
    let closed = ada.plays("!new chaturanga seat:white").await.code();
    bob.says(&format!("/join table:{closed}")).await;
    ada.plays(&format!("!cancel {closed}")).await;
    let mark = bob.mark();
    ada.plays(&format!("!move b1c3 table:{code}")).await;
    let told = bob.sees(mark, "the move on Discord", |_| true).await;
    assert_eq!(told.pings, [bob.id]);
    worlds.discord.end().await;
}
