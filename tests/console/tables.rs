//! Tables, seats, offers and refusals as people meet them.

use insta::assert_snapshot;
use serde_json::Value;

use crate::session::{Folder, code, record_path, said};

/// Who is told what, with what differs between runs put aside.
fn told(replies: &[Value]) -> String {
    let mut lines = String::new();
    for reply in replies {
        let error = reply
            .get("error")
            .map_or(String::new(), |error| format!(" [{error}]"));
        let mentions = match reply["mentions"].as_array().unwrap().as_slice() {
            [] => String::new(),
            some => format!(
                " (mentions {})",
                some.iter()
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        };
        let picture = if reply["picture"].is_null() {
            ""
        } else {
            " (board)"
        };
        lines.push_str(&format!(
            "-> {}{error}{mentions}{picture}\n{}\n",
            reply["to"].as_str().unwrap(),
            said(reply)
        ));
        let choices = reply["choices"].as_array().unwrap();
        for choice in choices {
            lines.push_str(&format!(
                "   [{}] {}\n",
                choice["label"].as_str().unwrap(),
                choice["line"].as_str().unwrap()
            ));
        }
    }
    plain(&lines)
}

/// Table codes and hashes replaced.
fn plain(text: &str) -> String {
    let mut words = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let hash = word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
        let code = word.len() == 5
            && word.parse::<ashtapada::ids::TableCode>().is_ok()
            && word
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        words.push_str(match (hash, code) {
            (true, _) => "HASH",
            (_, true) => "CODE",
            _ => &word,
        });
        word.clear();
        words.push(c);
    }
    words.trim_end().to_owned()
}

#[test]
fn a_game_of_two_from_invitation_to_result() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white word:hello",
        "bob> /join",
        "ada> /move Ng1-f3",
        "bob> /move d7d6",
        "cy> /move e2e3",
        "bob> /draw",
        "ada> /decline",
        "ada> /draw",
        "bob> /draw",
        "ada> /rematch",
        "bob> /join",
        "ada> /cancel",
        "bob> /cancel",
    ]);
    assert_snapshot!(told(&replies));
}

#[test]
fn a_table_of_four_gathers() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new four-handed with:@bob corner=boat",
        "ada> /start",
        "cy> /join",
        "di> /join seat:south",
        "di> /join seat:black",
        "di> /leave",
        "ada> /invite @eve",
        "eve> /decline",
        "ada> /remove @cy",
        "bob> /invite @cy",
        "ada> /show",
        "/games open",
        "/games here",
        "ada> /cancel",
    ]);
    assert_snapshot!(told(&replies));
}

#[test]
fn a_turn_of_a_dice_game() {
    let folder = Folder::new();
    let dice = folder.file("dice", "3,5\n6,2\n6,6\n");
    let mut session = folder.start(&["--dice", dice.to_str().unwrap()]);
    let mut replies = Vec::new();
    for line in [
        "ada> /new four-handed solo:yes",
        "ada> /move a2a3",
        "ada> /roll",
        "ada> /roll",
        "ada> /move c1d3 a2a4",
        "ada> /move d1b3",
        "ada> /move c1d3",
        "ada> /moves pawn",
        "ada> /pass",
        "ada> /roll",
        "ada> /pass",
        "ada> /roll",
        "ada> /dice",
        "ada> /next",
        "ada> /roll",
    ] {
        replies.extend(session.say(line));
    }
    session.end();
    assert_snapshot!(told(&replies));
}

#[test]
fn which_table_is_meant_is_asked_and_never_guessed() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /roll",
        "ada> /new chaturaji solo:yes",
        "ada> /new chaturanga solo:yes",
        "ada> /move a2a3",
    ]);
    assert_eq!(replies[0]["error"], "which-table");
    assert_eq!(replies[3]["error"], "which-table");
    let (first, second) = (code(&replies[1]), code(&replies[2]));
    assert!(
        said(&replies[3]).contains(&first) && said(&replies[3]).contains(&second),
        "{replies:#?}"
    );
}

#[test]
fn right_after_a_game_the_answer_is_that_it_is_over() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga solo:yes",
        "ada> /draw",
        "ada> /move a2a3",
        "ada> /resign",
        "ada> /moves",
    ]);
    for reply in &replies[2..] {
        assert_eq!(reply["error"], "refused");
        assert!(
            said(reply).starts_with("This game is over. /rematch"),
            "{reply}"
        );
    }
}

#[test]
fn who_has_no_seat_here_is_not_asked_at_which_table() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga solo:yes",
        "bob> /new chaturanga solo:yes",
        "eve> /move a2a3",
    ]);
    let told = said(&replies[2]);
    assert_eq!(
        told,
        "You have no seat at any table here. /games lists yours."
    );
}

#[test]
fn r43_who_joined_can_leave_and_r44_joining_twice_changes_nothing() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturaji",
        "bob> /join",
        "bob> /join",
        "bob> /leave",
        "bob> /leave",
    ]);
    assert_eq!(replies[2]["to"], "bob");
    assert!(replies[2].get("error").is_none(), "{replies:#?}");
    assert!(
        said(&replies[3]).contains("leaves the table"),
        "{replies:#?}"
    );
    assert_eq!(replies[4]["error"], "refused");
}

#[test]
fn r53_resigning_is_asked_first_and_works_off_turn() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "bob> /join",
        "bob> /resign confirm:yes",
        "bob> /resign confirm:yes",
    ]);
    assert!(
        said(&replies[2]).contains("Confirm within a minute"),
        "{replies:#?}"
    );
    assert!(
        said(&replies[3]).contains("Resignation: @ada (White) wins."),
        "{replies:#?}"
    );
}

#[test]
fn fair_dice_are_committed_to_and_a_record_can_be_verified() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let opened = session.say("ada> /new partnership solo:yes");
    assert!(
        said(&opened[0]).contains("SHA-256 of their secret is"),
        "{opened:#?}"
    );
    let table = code(&opened[0]);
    for _ in 0..6 {
        session.say("ada> /roll");
        session.say("ada> /pass");
    }
    for seat in ["south", "west", "north", "east"] {
        session.say(&format!("ada> /resign seat:{seat} table:{table}"));
        session.say(&format!(
            "ada> /resign seat:{seat} confirm:yes table:{table}"
        ));
    }
    for form in ["json", "text"] {
        let reply = session.one(&format!("ada> /record as:{form} table:{table}"));
        let file = record_path(&[reply]);
        let verified = folder.run(&["verify", file.to_str().unwrap()], "");
        let told = crate::session::text(&verified.stdout);
        assert!(
            verified.status.success(),
            "{}",
            crate::session::text(&verified.stderr)
        );
        assert!(told.contains("follows from the secret"), "{told}");
        // A record with another roll does not hold.
        let changed = std::fs::read_to_string(&file)
            .unwrap()
            .replacen("[1,", "[2,", 1);
        let forged = folder.file(
            "forged",
            &changed.replace("\"secret\": \"", "\"secret\": \"0"),
        );
        if form == "json" {
            assert!(
                !folder
                    .run(&["verify", forged.to_str().unwrap()], "")
                    .status
                    .success()
            );
        }
    }
    session.end();
}

#[test]
fn r65_one_ping_for_a_turn_and_none_to_the_one_acting() {
    let folder = Folder::new();
    let dice = folder.file("dice", "1,1\n1,5\n");
    let mut session = folder.start(&["--dice", dice.to_str().unwrap()]);
    for line in [
        "ada> /new partnership with:@bob @cy @di",
        "bob> /join",
        "cy> /join",
    ] {
        session.say(line);
    }
    let mentions = |replies: Vec<Value>| -> Vec<Value> {
        replies
            .iter()
            .map(|reply| reply["mentions"].clone())
            .collect()
    };
    let nobody = vec![serde_json::json!([])];
    assert_eq!(
        mentions(session.say("di> /join")),
        [serde_json::json!(["ada"])]
    );
    assert_eq!(mentions(session.say("ada> /roll")), nobody);
    assert_eq!(mentions(session.say("ada> /move a2a3")), nobody);
    assert_eq!(
        mentions(session.say("ada> /move b2b3")),
        [serde_json::json!(["bob"])]
    );
    assert_eq!(mentions(session.say("bob> /roll")), nobody);
    assert_eq!(
        mentions(session.say("bob> /pass")),
        [serde_json::json!(["cy"])]
    );
    session.end();
}
