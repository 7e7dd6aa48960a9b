//! A whole game of each of the six, by slash commands, with a person for every seat.

use std::path::Path;

use ashtapada_discord_tests::{Message, Person, Setting, Stage};
use serde_json::Value;

use crate::common::{BOT, code, record};

/// A game of the vectors.
fn vector(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/games");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The rolls of a game as a dice file.
pub fn dice(game: &Value) -> Option<String> {
    let mut file = String::new();
    if let Some(order) = game["options"].get("order") {
        file.push_str(&format!("order {order}\n"));
    }
    for event in game["events"].as_array().unwrap() {
        if let Some(roll) = event["do"].get("roll") {
            let faces: Vec<String> = roll
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect();
            file.push_str(&format!("{}\n", faces.join(",")));
        }
    }
    (!file.is_empty()).then_some(file)
}

fn opening(game: &Value) -> String {
    let mut line = format!("/new game:{}", game["game"].as_str().unwrap());
    for (key, value) in game["options"].as_object().unwrap() {
        if key != "order" {
            line.push_str(&format!(" {key}:{}", value.to_string().trim_matches('"')));
        }
    }
    line
}

/// The people of a table by their seats.
pub struct Seated {
    pub stage: Stage,
    pub game: Value,
    pub people: Vec<(&'static str, Person)>,
    pub code: String,
    /// The newest message.
    pub board: Message,
}

impl Seated {
    /// Everybody takes their seat by `/new` and `/join`.
    pub async fn at(name: &str) -> Seated {
        Seated::seated(name, false).await
    }

    /// Everybody but the host takes their seat by a button.
    pub async fn by_buttons(name: &str) -> Seated {
        Seated::seated(name, true).await
    }

    async fn seated(name: &str, buttons: bool) -> Seated {
        let game = vector(name);
        let setting = Setting {
            dice: dice(&game),
            ..Setting::default()
        };
        let stage = Stage::with(BOT, setting).await;
        let seats: &[&str] = match game["first"]["mover"].as_str() {
            Some("white" | "black") => &["white", "black"],
            _ => &["south", "west", "north", "east"],
        };
        let names = ["ada", "bob", "cy", "di"];
        let people: Vec<(&str, Person)> = seats
            .iter()
            .zip(names)
            .map(|(seat, name)| (*seat, stage.person(name)))
            .collect();
        let (seat, host) = &people[0];
        let opened = host.plays(&format!("{} seat:{seat}", opening(&game))).await;
        let code = code(&opened);
        let mut board = opened;
        for (seat, person) in &people[1..] {
            board = match buttons {
                false => {
                    person
                        .plays(&format!("/join seat:{seat} table:{code}"))
                        .await
                }
                true => {
                    let mark = person.mark();
                    let all = board.buttons().into_iter().filter_map(|one| one.custom_id);
                    let mut all: Vec<String> = all.filter(|id| id.contains("|join")).collect();
                    // With one seat left there is one button for it.
                    all.sort_by_key(|id| !id.contains(&format!("seat:{seat} ")));
                    let _ = person.press_id(&board, &all[0]);
                    person.sees(mark, "a seat taken", |_| true).await
                }
            };
        }
        Seated {
            stage,
            game,
            people,
            code,
            board,
        }
    }

    /// Who acts after this state: whoever commands the army on turn (FH8).
    pub fn actor(&self, state: &Value) -> &Person {
        let mover = state["mover"].as_str().unwrap();
        let at = self
            .people
            .iter()
            .position(|(seat, _)| *seat == mover)
            .unwrap();
        let seat = state["command"][at].as_str().unwrap_or(mover);
        self.seat(seat)
    }

    pub fn seat(&self, seat: &str) -> &Person {
        let (_, person) = self.people.iter().find(|(of, _)| *of == seat).unwrap();
        person
    }
}

/// Plays a vector to its end and compares the end; every turn is a public message.
async fn play(name: &str) {
    let seated = Seated::at(name).await;
    let code = &seated.code;
    let events = seated.game["events"].as_array().unwrap().clone();
    let mut state = seated.game["first"].clone();
    for event in &events {
        let (what, value) = event["do"].as_object().unwrap().iter().next().unwrap();
        let actor = seated.actor(&state);
        match what.as_str() {
            "roll" => actor.plays(&format!("/roll table:{code}")).await,
            "move" => {
                let moves = value.as_str().unwrap();
                actor
                    .plays(&format!("/move moves:{moves} table:{code}"))
                    .await
            }
            "pass" => actor.plays(&format!("/pass table:{code}")).await,
            "resign" => {
                let seat = value.as_str().unwrap();
                let person = seated.seat(seat);
                person
                    .says(&format!("/resign seat:{seat} table:{code}"))
                    .await;
                person
                    .plays(&format!("/resign seat:{seat} confirm:yes table:{code}"))
                    .await
            }
            other => panic!("{name}: no command for {other}"),
        };
        state = event["then"].clone();
    }
    let record = record(&seated.people[0].1, code).await;
    assert_eq!(record["state"], state, "{name}");
    assert_eq!(record["status"], "played", "{name}");
    seated
        .stage
        .double
        .until("an end of the buttons of a game that is over", |world| {
            let posts = world.posts(seated.stage.hall);
            (!posts.iter().any(|post| post.has_button("Resign"))).then_some(())
        })
        .await;
    // R32: however long a game lasts, no message of it is edited more than once.
    seated.stage.double.with(|world| {
        for post in world.posts(seated.stage.hall) {
            assert!(
                post.edits <= 1,
                "edited {} times: {}",
                post.edits,
                post.content
            );
        }
    });
    seated.stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_chaturanga() {
    play("chaturanga-array_manasollasa-ending_al-adli-gaja_alfil-06.json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_maha_chatukanga() {
    play("maha-chatukanga-06.json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_partnership_chaturanga() {
    play("partnership-setup_random-00.json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_four_handed_chess() {
    play("four-handed-11.json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r32_a_whole_game_of_chaturaji_edits_no_message_twice() {
    play("chaturaji-15.json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_on_the_cross() {
    play("four-handed-cross-07.json").await;
}
