//! A whole game of each of the six, by slash commands, with a person for every seat.

use ashtapada_discord_tests::{Message, Person, Setting, Stage, vector};
use serde_json::Value;

use crate::common::{BOT, code, record};

fn opening(game: &Value) -> String {
    let options = vector::options(game, ':');
    format!("/new game:{}{options}", vector::name(game))
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
        let game = vector::game(name);
        let setting = Setting {
            dice: vector::dice(&game),
            ..Setting::default()
        };
        let stage = Stage::with(BOT, setting).await;
        let seats = vector::seats(&game);
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
        self.seat(vector::acting(vector::seats(&self.game), state))
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
    let events = vector::events(&seated.game);
    let mut state = seated.game["first"].clone();
    for event in events {
        let (what, value) = vector::deed(event);
        let actor = seated.actor(&state);
        match what {
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
