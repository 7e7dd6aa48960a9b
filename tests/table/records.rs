//! Records: written, read again, verified, and found out when they are false.

use std::process::Command;

use ashtapada::club::Action;
use ashtapada::ids::PersonId;
use ashtapada::rules::{Phase, Roll};
use ashtapada::table::{
    Deed, DiceVerdict, Record, RecordDice, RecordError, Status, Table, VerifyError, verify,
};

use crate::hall::{Hall, draw, solo};

fn named(person: PersonId) -> String {
    format!("player _{person}_\nSetup: {{}}")
}

fn record_of(table: &Table) -> Record {
    Record::of(table, named).unwrap()
}

/// Some turns of a game of dice, and then its end by agreement.
pub async fn diced(hall: &Hall, key: &str, ends: bool) -> Record {
    let ada = hall.person("ada").await;
    let mut wanted = solo(key);
    if key == "partnership" {
        wanted
            .options
            .insert("setup".to_owned(), "random".to_owned());
    }
    let code = hall.open(ada, wanted).await;
    for _ in 0..30 {
        hall.act(ada, code, Action::Roll).await.unwrap();
        let table = hall.table(code).await;
        let play = table.play().unwrap();
        if play.phase() == Phase::Move {
            let first = play.text(play.legal()[0]);
            hall.plays(ada, code, &first).await;
        }
        let table = hall.table(code).await;
        let play = table.play().unwrap();
        if play.phase() == Phase::Move {
            hall.act(ada, code, Action::Pass).await.unwrap();
        }
    }
    if ends {
        hall.act(ada, code, draw()).await.unwrap();
    }
    record_of(&*hall.table(code).await)
}

#[tokio::test]
async fn text_and_json_say_the_same_and_both_verify() {
    let hall = Hall::new();
    for key in ["partnership", "four-handed", "four-handed-cross"] {
        for ends in [false, true] {
            let record = diced(&hall, key, ends).await;
            let json = Record::read(&record.json()).unwrap();
            assert_eq!(json, record);
            let text = Record::read(&record.text()).unwrap();
            let verdict = verify(&json).unwrap();
            assert_eq!(verify(&text).unwrap(), verdict);
            let expected = if ends {
                DiceVerdict::Fair { rolls: 30 }
            } else {
                DiceVerdict::NotYet
            };
            assert_eq!(verdict.dice, expected, "{key}");
            assert_eq!(verdict.outcome.is_some(), ends);
            // The text differs in nothing but the names' line breaks and the STATE, which is for people.
            let mut plain = record.clone();
            plain.state = None;
            for player in &mut plain.players {
                player.name = player.name.replace('\n', " ");
            }
            assert_eq!(text.json(), plain.json());
            assert_eq!(text.text(), record.text());
        }
    }
}

#[tokio::test]
async fn a_record_ends_with_the_state_for_people_and_the_setup_for_programs() {
    let hall = Hall::new();
    let text = diced(&hall, "four-handed", true).await.text();
    let lines: Vec<&str> = text.lines().collect();
    let state = lines.iter().position(|line| *line == "State:").unwrap();
    assert!(lines[state + 1].starts_with("   8 "), "{text}");
    assert_eq!(lines[state + 9].trim(), "a  b  c  d  e  f  g  h");
    assert!(
        lines[state..]
            .iter()
            .any(|line| line.starts_with("  scores: ["))
    );
    assert!(
        lines.last().unwrap().starts_with("Setup: {\"board\""),
        "{text}"
    );
    assert!(text.starts_with("Ashtapada record 1\nTable: "));
    assert!(text.contains("\n1. south ["), "{text}");
}

/// The README's Python stands between these two.
const MARKS: (&str, &str) = (
    "<!-- check_dice.py: begin -->\n```python\n",
    "```\n<!-- check_dice.py: end -->",
);

/// The lines of Python with which the README says that anybody can check the dice.
fn script() -> &'static str {
    let (_, rest) = include_str!("../../README.md").split_once(MARKS.0).unwrap();
    rest.split_once(MARKS.1).unwrap().0
}

fn python(record: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.json");
    std::fs::write(&path, record).unwrap();
    let check = folder.path().join("check_dice.py");
    std::fs::write(&check, script()).unwrap();
    let run = Command::new("python3")
        .arg(&check)
        .arg(&path)
        .output()
        .expect("this test runs python3, which is not installed here");
    let said = [run.stdout, run.stderr].concat();
    (
        run.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[tokio::test]
async fn ten_lines_of_python_check_the_dice_too() {
    assert_eq!(script().lines().count(), 10);
    let hall = Hall::new();
    for key in ["partnership", "four-handed"] {
        let mut record = diced(&hall, key, true).await;
        let (fair, said) = python(&record.json());
        assert!(fair && said.contains("all 30 rolls"), "{said}");
        change_a_roll(&mut record);
        let (fair, said) = python(&record.json());
        assert!(!fair && said.contains("is not fair"), "{said}");
    }
}

fn change_a_roll(record: &mut Record) {
    let roll = record
        .events
        .iter_mut()
        .rev()
        .find_map(|told| match &mut told.deed {
            Deed::Roll(roll) => Some(roll),
            _ => None,
        });
    let roll = roll.unwrap();
    let turned: Vec<u8> = roll.faces().iter().map(|face| 7 - face).collect();
    *roll = Roll::new(&turned).unwrap();
}

#[tokio::test]
async fn what_is_false_in_a_record_is_found() {
    let hall = Hall::new();
    let record = diced(&hall, "four-handed", true).await;
    let with = |change: &dyn Fn(&mut Record)| {
        let mut changed = record.clone();
        change(&mut changed);
        verify(&changed).unwrap_err()
    };
    let dice = |change: &dyn Fn(&mut RecordDice)| {
        with(&|record: &mut Record| change(record.dice.as_mut().unwrap()))
    };
    let no_secret = dice(&|dice| {
        if let RecordDice::Fair { secret, .. } = dice {
            *secret = None;
        }
    });
    assert_eq!(no_secret, VerifyError::NoSecret);
    let other_secret = dice(&|dice| {
        if let RecordDice::Fair {
            secret, commitment, ..
        } = dice
        {
            *secret = Some(ashtapada::table::Revealed(commitment.0));
        }
    });
    assert!(matches!(other_secret, VerifyError::Commitment { .. }));
    let contribution = dice(&|dice| {
        if let RecordDice::Fair { contributions, .. } = dice {
            contributions.clear();
        }
    });
    assert_eq!(contribution, VerifyError::Contributions);
    let contribution = dice(&|dice| {
        if let RecordDice::Fair {
            contributions,
            commitment,
            ..
        } = dice
        {
            contributions[0].hex = ashtapada::table::Contribution(commitment.0);
        }
    });
    assert!(
        matches!(contribution, VerifyError::Roll { n: 1, .. }),
        "{contribution:?}"
    );
    let another = dice(&|dice| {
        if let RecordDice::Fair { contributions, .. } = dice {
            contributions[0].person = PersonId(77);
        }
    });
    assert_eq!(another, VerifyError::Contributions);
    let order = dice(&|dice| {
        if let RecordDice::Fair { order, .. } = dice {
            *order = Some(20);
        }
    });
    assert_eq!(order, VerifyError::Drawn);
    let no_dice = with(&|record| record.dice = None);
    assert_eq!(no_dice, VerifyError::Section);
    let nobody = with(&|record| record.players.clear());
    assert_eq!(nobody, VerifyError::Players);
    let one_seat = with(&|record| record.players[1].seat = record.players[0].seat);
    assert_eq!(one_seat, VerifyError::Players);
    for no_time in ["yesterday", "", "2026-11-30", "2026-11-30T21:46:52+00:00"] {
        let opened = with(&|record| record.opened = no_time.to_owned());
        assert_eq!(opened, VerifyError::Time("opened"));
    }
    let closed = with(&|record| record.closed = None);
    assert_eq!(closed, VerifyError::End("closing time"));
    let no_state = with(&|record| record.state = None);
    assert_eq!(no_state, VerifyError::NoState);
    let rolled = with(&change_a_roll);
    assert!(
        matches!(
            rolled,
            VerifyError::Roll { .. }
                | VerifyError::Event { .. }
                | VerifyError::Seat { .. }
                | VerifyError::End(_)
        ),
        "{rolled:?}"
    );
    let result = with(&|record| record.result = None);
    assert_eq!(result, VerifyError::End("result"));
    let status = with(&|record| record.status = Status::Unfinished);
    assert_eq!(status, VerifyError::End("status"));
    let setup = with(&|record| record.setup = serde_json::json!({}));
    assert_eq!(setup, VerifyError::End("setup"));
    let state = with(&|record| record.state = Some(serde_json::json!({})));
    assert_eq!(state, VerifyError::End("state"));
    let unknown = with(&|record| record.game = "draughts".to_owned());
    assert_eq!(unknown, VerifyError::UnknownGame("draughts".to_owned()));
    let lost = with(&|record| {
        record.events.remove(0);
    });
    assert!(
        matches!(lost, VerifyError::Event { number: 1, .. }),
        "{lost:?}"
    );
}

#[tokio::test]
async fn rolls_from_a_file_are_marked_as_not_fair() {
    let hall = Hall::with_dice("1,5\n");
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    hall.act(ada, code, Action::Roll).await.unwrap();
    hall.act(ada, code, draw()).await.unwrap();
    let record = record_of(&*hall.table(code).await);
    assert!(
        record
            .text()
            .contains("\nDice: not fair: rolls from a file\n")
    );
    assert!(record.json().contains("\"fair\": false"));
    for form in [record.text(), record.json()] {
        let read = Record::read(&form).unwrap();
        assert_eq!(verify(&read).unwrap().dice, DiceVerdict::FromFile);
    }
}

#[tokio::test]
async fn other_texts_are_no_records() {
    let hall = Hall::new();
    let text = diced(&hall, "four-handed", true).await.text();
    assert!(matches!(Record::read("{}"), Err(RecordError::Json(_))));
    for broken in ["", "hello", "Ashtapada record", "Ashtapada record x"] {
        assert!(matches!(
            Record::read(broken),
            Err(RecordError::Missing(_) | RecordError::Line { .. })
        ));
    }
    let later = text.replacen("record 1", "record 2", 1);
    assert_eq!(Record::read(&later), Err(RecordError::Newer(2)));
    let no_game = text.replacen("\nGame: ", "\nGames: ", 1);
    assert_eq!(Record::read(&no_game), Err(RecordError::Missing("Game")));
    let bad_roll = text.replacen("\n1. south [", "\n1. south [9", 1);
    assert!(matches!(
        Record::read(&bad_roll),
        Err(RecordError::Line { .. })
    ));
    // Every prefix of a record is read or refused, and none panics.
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let _ = Record::read(&text[..end]).map(|record| verify(&record).is_ok());
    }
    let windows = text.replace('\n', "\r\n");
    assert!(verify(&Record::read(&windows).unwrap()).is_ok());
}
