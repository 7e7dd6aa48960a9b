//! A whole game of each of the six, in all kinds of rooms.

use ashtapada_matrix_tests::vector::{self, acting, dice, seats};
use ashtapada_matrix_tests::{Event, Kind, Person, Setting, Stage};
use serde_json::Value;

use crate::common::{BOT, line, opening, record};

/// Where a game is played.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    Room(Kind),
    RoomOfVersion(&'static str),
    Thread(Kind),
}

/// What happens in the middle of it, every so many steps.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    None,
    BotKilled(usize),
    ServerRestarted(usize),
}

/// A table of people by their seats.
struct Seated {
    stage: Stage,
    game: Value,
    people: Vec<(&'static str, Person)>,
    code: String,
    /// The words that began the game.
    begun: Event,
}

impl Seated {
    async fn at(name: &str, place: Where, own_server: bool) -> Seated {
        let game = vector::game(name);
        let setting = Setting {
            dice: dice(&game),
            own_server,
            ..Setting::default()
        };
        let stage = Stage::with(BOT, setting).await;
        let seats = seats(&game);
        let kind = match place {
            Where::Room(kind) | Where::Thread(kind) => kind,
            Where::RoomOfVersion(_) => Kind::Plain,
        };
        let version = match place {
            Where::RoomOfVersion(version) => Some(version),
            Where::Room(_) | Where::Thread(_) => None,
        };
        let solo = matches!(kind, Kind::Direct | Kind::EncryptedDirect);
        let ada = stage.person("ada").await;
        let mut people: Vec<Person> = if solo {
            Vec::from(stage.room_of(kind, version, [&ada]).await)
        } else if seats.len() == 2 {
            let bob = stage.person("bob").await;
            Vec::from(stage.room_of(kind, version, [&ada, &bob]).await)
        } else {
            let (bob, cy, di) = (
                stage.person("bob").await,
                stage.person("cy").await,
                stage.person("di").await,
            );
            Vec::from(stage.room_of(kind, version, [&ada, &bob, &cy, &di]).await)
        };
        let in_thread = matches!(place, Where::Thread(_));
        if in_thread {
            people[0].asks("!place threads:yes").await;
        }
        let seat = if solo {
            "solo:yes".to_owned()
        } else {
            format!("seat:{}", seats[0])
        };
        let opened = people[0].plays(&format!("{} {seat}", opening(&game))).await;
        let code = opened.code();
        if in_thread {
            people = people
                .iter()
                .map(|person| person.in_thread(&opened.id))
                .collect();
        }
        let mut begun = opened;
        if !solo {
            for (person, seat) in people.iter().zip(seats).skip(1) {
                person.sees_own(&begun.id).await;
                begun = person
                    .plays(&format!("!join seat:{seat} table:{code}"))
                    .await;
            }
        }
        let people = seats
            .iter()
            .enumerate()
            .map(|(at, seat)| (*seat, people[if solo { 0 } else { at }].clone()))
            .collect();
        Seated {
            stage,
            game,
            people,
            code,
            begun,
        }
    }

    fn seat(&self, seat: &str) -> &Person {
        let (_, person) = self.people.iter().find(|(of, _)| *of == seat).unwrap();
        person
    }
}

/// Plays a vector to its end and compares the end; every step is said to everybody, in its place, once.
async fn play(name: &str, place: Where, trouble: Trouble) {
    let own_server = matches!(trouble, Trouble::ServerRestarted(_));
    let mut seated = Seated::at(name, place, own_server).await;
    let steps = vector::events(&seated.game).to_vec();
    let mut state = seated.game["first"].clone();
    let order = seats(&seated.game);
    let mut told = seated.begun.clone();
    for (number, event) in steps.iter().enumerate() {
        match trouble {
            Trouble::BotKilled(every) if number % every == every - 1 => {
                seated.stage.kill();
                seated.stage.start().await;
            }
            Trouble::ServerRestarted(every) if number % every == every - 1 => {
                seated.stage.synapse.stop();
                seated.stage.synapse.start().await;
            }
            Trouble::None | Trouble::BotKilled(_) | Trouble::ServerRestarted(_) => {}
        }
        let seat = match event["do"]["resign"].as_str() {
            Some(seat) => seat,
            None => acting(order, &state),
        };
        // Who acts has seen what was done before.
        seated.seat(seat).sees_own(&told.id).await;
        if event["do"]["resign"].is_string() {
            // It is asked first (R53).
            let asked = format!("!resign seat:{seat} table:{}", seated.code);
            seated.seat(seat).asks(&asked).await;
        }
        told = seated.seat(seat).plays(&line(event, &seated.code)).await;
        let encrypted = matches!(
            place,
            Where::Room(Kind::Encrypted | Kind::EncryptedDirect) | Where::Thread(Kind::Encrypted)
        );
        assert_eq!(told.encrypted, encrypted, "{told}");
        state = event["then"].clone();
    }
    let (_, first) = &seated.people[0];
    let record = record(first, &seated.code).await;
    assert_eq!(record["state"], state, "{name}");
    assert_eq!(record["status"], "played", "{name}");
    let versions = crate::common::versions(first, &seated.code);
    let mut sorted = versions.clone();
    sorted.sort_unstable();
    assert_eq!(versions, sorted, "told out of order");
    seated.stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_chaturanga_in_a_plain_room_with_the_bot_killed_now_and_then() {
    play(
        "chaturanga-array_manasollasa-ending_al-adli-gaja_alfil-06.json",
        Where::Room(Kind::Plain),
        Trouble::BotKilled(14),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_maha_chatukanga_in_encrypted_direct_messages() {
    play(
        "maha-chatukanga-06.json",
        Where::Room(Kind::EncryptedDirect),
        Trouble::None,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_partnership_chaturanga_in_an_encrypted_thread() {
    play(
        "partnership-00.json",
        Where::Thread(Kind::Encrypted),
        Trouble::None,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_four_handed_chess_in_a_room_of_version_12() {
    play(
        "four-handed-corner_boat-11.json",
        Where::RoomOfVersion("12"),
        Trouble::None,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_chaturaji_in_an_encrypted_room_with_the_server_restarted_now_and_then() {
    play(
        "chaturaji-03.json",
        Where::Room(Kind::Encrypted),
        Trouble::ServerRestarted(10),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_on_the_cross_in_direct_messages() {
    play(
        "four-handed-cross-07.json",
        Where::Room(Kind::Direct),
        Trouble::None,
    )
    .await;
}
