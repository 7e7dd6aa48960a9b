//! Records that somebody has changed: nothing in them is passed over.

use ashtapada::table::{Record, RecordDice, RecordError, verify};

use crate::hall::Hall;
use crate::records::diced;

#[tokio::test]
async fn a_drawn_order_that_is_false_is_found_and_told_in_plain_words() {
    let hall = Hall::new();
    let record = diced(&hall, "partnership", true).await;
    let with = |changed: Option<u32>| {
        let mut record = record.clone();
        if let Some(RecordDice::Fair { order, .. }) = &mut record.dice {
            *order = changed.or_else(|| order.map(|order| (order + 1) % 24));
        }
        verify(&record)
    };
    // Another back row can make the moves impossible before the dice are looked at.
    let false_order = with(None).unwrap_err().to_string();
    assert!(
        !false_order.contains("Some(") && !false_order.contains("None"),
        "{false_order}"
    );
}

/// What a changed text form is refused for, when it is read or when it is verified.
fn refused(text: &str) -> String {
    match Record::read(text) {
        Err(why) => why.to_string(),
        Ok(record) => match verify(&record) {
            Err(why) => why.to_string(),
            Ok(verified) => panic!("{verified:?} in\n{text}"),
        },
    }
}

#[tokio::test]
async fn nothing_in_the_text_form_can_be_changed_unnoticed() {
    let hall = Hall::new();
    let text = diced(&hall, "four-handed", true).await.text();
    let lines: Vec<&str> = text.lines().collect();
    // What people read of the position is checked like the rest.
    let state = lines.iter().position(|line| *line == "State:").unwrap();
    for index in state..lines.len() {
        let with = |changed: Option<String>| {
            let before = lines[..index].iter().map(|line| (*line).to_owned());
            let after = lines[index + 1..].iter().map(|line| (*line).to_owned());
            let all: Vec<String> = before.chain(changed).chain(after).collect();
            refused(&all.join("\n"))
        };
        with(None);
        with(Some(format!("{} and more", lines[index])));
        with(Some(format!("{}\n{}", lines[index], lines[index])));
    }
    let scores = text.replacen("  scores: [", "  scores: [1", 1);
    assert_eq!(refused(&scores), "the state is not what the events lead to");
    for (line, another) in [
        ("\n1. south", "\n2. south"),
        ("\nStatus: played", "\nStatus: played\nStatus: unfinished"),
        ("\nDice: fair", "\nDice: fair\nWinner: south"),
        ("\nOptions:", "\nA note of somebody's\nOptions:"),
    ] {
        assert!(text.contains(line), "{line}");
        refused(&text.replacen(line, another, 1));
    }
    let no_state: Vec<&str> = [&lines[..state], &lines[lines.len() - 1..]].concat();
    let told = refused(&no_state.join("\n"));
    assert_eq!(told, "the record does not show the position at the end");
}

#[tokio::test]
async fn nothing_in_the_json_form_is_passed_over() {
    let hall = Hall::new();
    let record = diced(&hall, "four-handed", true).await;
    let json = serde_json::json!(record);
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = json.clone();
        change(&mut changed);
        Record::read(&changed.to_string()).unwrap_err()
    };
    let odd = |path: &str| RecordError::Odd(path.to_owned());
    assert_eq!(with(&|json| json["note"] = "x".into()), odd("note"));
    let event = with(&|json| json["events"][3]["note"] = "x".into());
    assert_eq!(event, odd("events.4.note"));
    let unfair = with(&|json| json["dice"]["fair"] = false.into());
    assert!(matches!(unfair, RecordError::Odd(path) if path.starts_with("dice")));
    let bare = with(&|json| {
        json["dice"].as_object_mut().unwrap().remove("commitment");
    });
    assert!(matches!(bare, RecordError::Odd(path) if path.starts_with("dice")));
    let options = with(&|json| {
        json.as_object_mut().unwrap().remove("options");
    });
    assert_eq!(options, odd("options"));
    let missing = with(&|json| {
        json.as_object_mut().unwrap().remove("players");
    });
    assert_eq!(missing.to_string(), "not a record: it has no `players`");
    for path in ["status", "events", "code", "dice", "players"] {
        let told = with(&|json| json[path] = 7.into());
        let told = told.to_string();
        for rust in ["struct", "enum", "variant", "expected", "invalid type"] {
            assert!(!told.contains(rust), "{path}: {told}");
        }
    }
}
