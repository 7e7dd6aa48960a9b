//! What is refused, and the reason that is given.

use insta::assert_snapshot;

use crate::session::{Folder, said};

#[test]
fn r46_each_bad_challenge_has_its_own_sentence() {
    let folder = Folder::new();
    let refused: Vec<String> = [
        "ada> /new chaturanga with:@ada",
        "ada> /new chaturanga with:@me",
        "ada> /new chaturanga with:@ashtapada",
        "ada> /new chaturanga with:@<b>",
        "ada> /new chaturanga with:@bob @cy",
        "ada> /new chaturanga with:@bob solo:yes",
    ]
    .into_iter()
    .map(|line| {
        let replies = folder.script(&[line]);
        assert_eq!(replies.len(), 1, "{line}: {replies:#?}");
        assert!(replies[0].get("error").is_some(), "{line}: {replies:#?}");
        said(&replies[0]).to_owned()
    })
    .collect();
    assert_snapshot!(refused.join("\n"));
}

/// A game from a position, in which the last line is refused.
fn refused(setup: &str, game: &str, line: &str) -> String {
    let folder = Folder::new();
    let opened = format!("ada> /new {game} solo:yes position:{setup}");
    let replies = folder.script(&[&opened, &format!("ada> {line}")]);
    let last = &replies[replies.len() - 1];
    assert_eq!(last["error"], "refused", "{replies:#?}");
    said(last).to_owned()
}

#[test]
fn an_illegal_move_is_answered_with_the_reason() {
    let chaturanga = r#"{"board":"4,bR,2,bK/8/8/2,bP,5/8/4,wN,3/wP,7/4,wK,3","mover":"white"}"#;
    let four = r#"{"board":"yK,7/8/8/8/8/8/rP,7/1,rH,5,kK","mover":"south","dice":[2,5]}"#;
    let told = [
        refused(four, "four-handed", "/move b1c3"),
        refused(four, "four-handed", "/move horse c3"),
        refused(chaturanga, "chaturanga", "/move e3c4"),
        refused(chaturanga, "chaturanga", "/move e1e3"),
        refused(chaturanga, "chaturanga", "/move a2a4"),
        refused(chaturanga, "chaturanga", "/move c5c4"),
        refused(chaturanga, "chaturanga", "/move a2a3 a3a4"),
        refused(chaturanga, "chaturanga", "/move 0-0"),
        refused(chaturanga, "chaturanga", "/move hello"),
        refused(chaturanga, "chaturanga", "/roll"),
        refused(chaturanga, "chaturanga", "/claim"),
        refused(chaturanga, "chaturanga", "/pass"),
        refused(chaturanga, "chaturanga", "/resign"),
    ];
    assert_snapshot!(told.join("\n"));
}

#[test]
fn a_position_that_cannot_be_set_up_is_refused_with_the_reason() {
    let folder = Folder::new();
    let told: Vec<String> = [
        "/new chaturanga position:{\"board\":\"8/8\"}",
        "/new chaturanga position:hello",
        "/new chaturanga position:{\"bord\":\"\"}",
        "/new chaturanga corner=boat",
        "/new four-handed corner=middle",
        "/new four-handed seat:white",
    ]
    .into_iter()
    .map(|line| {
        let replies = folder.script(&[line]);
        assert!(replies[0].get("error").is_some(), "{line}: {replies:#?}");
        format!("{line}\n    {}", said(&replies[0]))
    })
    .collect();
    assert_snapshot!(told.join("\n"));
}
