//! Whole games of the vectors, played line by line across kill -9.

use std::fs;

use ashtapada_process_tests::vector;
use serde_json::Value;

use crate::session::{Folder, Session, code, record_path};

/// Where the program is killed: after so many events; odd ones as soon as the line is written, even ones after its answer.
fn kill_points(events: usize, seed: usize) -> Vec<usize> {
    let mut points: Vec<usize> = (1..=5)
        .map(|part| (events * part / 6 + seed * part % 5).min(events.saturating_sub(1)))
        .collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// The lines that bring about an event of a vector at a solo table.
fn lines(event: &Value) -> Vec<String> {
    let (what, value) = vector::deed(event);
    match what {
        "roll" => vec!["/roll".to_owned()],
        "move" => vec![format!("/move {}", value.as_str().unwrap())],
        "pass" => vec!["/pass".to_owned()],
        "resign" => {
            let seat = value.as_str().unwrap();
            vec![
                format!("/resign seat:{seat}"),
                format!("/resign seat:{seat} confirm:yes"),
            ]
        }
        "claim" => vec!["/claim".to_owned()],
        "agree" => vec!["/draw".to_owned()],
        other => panic!("no line for {other}"),
    }
}

fn opening(game: &Value) -> String {
    let options = vector::options(game, '=');
    format!("ada> /new {} solo:yes{options}", vector::name(game))
}

fn record(session: &mut Session, table: &str) -> Value {
    // After a crash what was kept and not shown comes first (R67).
    let replies = session.say(&format!("ada> /record as:json table:{table}"));
    serde_json::from_str(&fs::read_to_string(record_path(&replies)).unwrap()).unwrap()
}

/// Plays a vector from `new` to its end with five kills, and compares the end.
fn play(name: &str, seed: usize) {
    let game = vector::game(name);
    let events = vector::events(&game);
    let folder = Folder::new();
    let dice = vector::dice(&game).map(|dice| folder.file("dice", &dice));
    let start = || match &dice {
        Some(file) => folder.start(&["--dice", file.to_str().unwrap()]),
        None => folder.start(&[]),
    };
    let mut session = start();
    let table = code(&session.say(&opening(&game))[0]);
    let mut kills = kill_points(events.len(), seed);
    let mut done = 0;
    while done < events.len() {
        let kill = kills.first().is_some_and(|at| *at <= done);
        let at_once = kill && kills.remove(0) % 2 == 1;
        for line in lines(&events[done]) {
            let line = format!("ada> {line} table:{table}");
            if at_once {
                session.throw(&line);
                continue;
            }
            let replies = session.say(&line);
            assert!(
                !replies.is_empty(),
                "{name}, event {done}: no reply to {line}"
            );
            for reply in &replies {
                assert!(
                    reply.get("error").is_none(),
                    "{name}, event {done}, {line}: {reply:#}"
                );
            }
        }
        done += 1;
        if kill {
            session.kill();
            session = start();
            // What was not answered may have been done or not; what was answered has been.
            let known = record(&mut session, &table)["events"]
                .as_array()
                .unwrap()
                .len();
            let least = if at_once { done - 1 } else { done };
            assert!(
                (least..=done).contains(&known),
                "{name}: {known} events after {done}"
            );
            done = known;
        }
    }
    let record = record(&mut session, &table);
    assert_eq!(record["state"], events[events.len() - 1]["then"], "{name}");
    assert_eq!(record["status"], "played", "{name}");
    session.end();
}

#[test]
fn a_game_of_chaturanga_is_played_to_its_end_across_kills() {
    play(
        "chaturanga-array_manasollasa-ending_al-adli-gaja_alfil-06.json",
        1,
    );
}

#[test]
fn a_game_of_maha_chatukanga_is_played_to_its_end_across_kills() {
    play("maha-chatukanga-06.json", 2);
}

#[test]
fn a_game_of_partnership_chaturanga_is_played_to_its_end_across_kills() {
    play("partnership-setup_random-00.json", 3);
}

#[test]
fn a_game_of_four_handed_chess_is_played_to_its_end_across_kills() {
    play("four-handed-11.json", 4);
}

#[test]
fn a_game_of_chaturaji_is_played_to_its_end_across_kills() {
    play("chaturaji-15.json", 5);
}

#[test]
fn a_game_on_the_cross_is_played_to_its_end_across_kills() {
    play("four-handed-cross-07.json", 6);
}
