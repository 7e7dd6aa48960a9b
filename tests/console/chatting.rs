//! What is said in the room, and how it comes out.

use std::collections::BTreeSet;

use crate::session::{Folder, record_path, said, text};

#[test]
fn two_lines_tell_how_to_begin_and_the_board_is_drawn() {
    let folder = Folder::new();
    let output = folder.run(&[], "ada> /new chaturanga solo:yes\n");
    let shown = text(&output.stdout);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[0].starts_with("Welcome to Ashtapada.") && lines[0].contains("/help"),
        "{shown}"
    );
    assert!(
        lines[2].starts_with("@ada plays Chaturanga alone"),
        "{shown}"
    );
    assert!(shown.contains(" 8 bR bN bE bF bK bE bN bR\n"), "{shown}");
    let picture = lines
        .iter()
        .find_map(|line| line.strip_prefix("Picture: "))
        .unwrap();
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));
    let found = text(&output.stderr);
    assert!(found.contains(folder.data().to_str().unwrap()), "{found}");
}

#[test]
fn a_reply_in_json_has_its_keys_and_error_only_when_refused() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga solo:yes",
        "ada> /mvoe e2e3",
        "ada> /record",
    ]);
    let keys = |at: usize| {
        replies[at]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<BTreeSet<_>>()
    };
    let usual = [
        "alt", "choices", "mentions", "picture", "place", "table", "text", "to",
    ];
    assert_eq!(keys(0), usual.map(str::to_owned).into());
    assert_eq!(keys(2), usual.map(str::to_owned).into());
    let written = std::fs::read_to_string(record_path(&replies[2..])).unwrap();
    assert!(written.contains("Game: chaturanga"), "{written}");
    assert_eq!(replies[0]["place"], "console:hall");
    assert_eq!(replies[0]["to"], "everyone");
    assert_eq!(replies[1]["error"], "unreadable");
    assert_eq!(replies[1]["to"], "ada");
    assert_eq!(
        said(&replies[1]),
        "There is no command “mvoe”. Did you mean /move?"
    );
}

#[test]
fn pictures_go_where_they_are_wanted() {
    let folder = Folder::new();
    let pictures = folder.path().join("boards");
    let output = folder.run(
        &["--json", "--pictures", pictures.to_str().unwrap()],
        "ada> /new chaturaji solo:yes\n",
    );
    assert!(output.status.success());
    assert_eq!(std::fs::read_dir(pictures).unwrap().count(), 1);
}

#[test]
fn r119_the_alt_text_has_everything_within_1024_characters() {
    let folder = Folder::new();
    for game in [
        "chaturanga",
        "maha-chatukanga",
        "partnership",
        "four-handed",
        "chaturaji",
        "four-handed-cross",
    ] {
        let replies = folder.script(&[&format!("ada> /new {game} solo:yes")]);
        let alt = replies[0]["alt"].as_str().unwrap();
        assert!(alt.chars().count() <= 1024, "{game}: {alt}");
        assert!(!alt.ends_with('…'), "{game}: {alt}");
        assert!(
            alt.contains("to move.") || alt.contains("to roll."),
            "{game}: {alt}"
        );
        assert!(
            alt.contains("King ") || alt.contains("Raja "),
            "{game}: {alt}"
        );
    }
    let folder = Folder::new();
    let replies = folder.script(&["ada> /new chaturanga solo:yes", "ada> /move e2e3"]);
    let alt = replies[1]["alt"].as_str().unwrap();
    assert!(
        alt.contains("Last move: White e2–e3.") && alt.contains("White: Raja e1, "),
        "{alt}"
    );
}

#[test]
fn r88_lines_may_end_in_carriage_returns_and_r86_hold_anything() {
    let folder = Folder::new();
    let mut script =
        b"ada> /new chaturanga solo:yes\r\nada> /move e2e3\r\nada> /roll x \xc3\xa9\r\n".to_vec();
    script.extend(b"ada> /move \xff\xfe\n/\nada> /join word:\xf0\x9f\xa6\x84\xcc\x81\n");
    let mut child = folder.start(&[]);
    for line in script.split(|byte| *byte == b'\n') {
        for reply in child.say_bytes(line) {
            assert!(!said(&reply).contains('\r'), "{reply}");
        }
    }
    child.end();
}

#[test]
fn r37_r38_names_come_out_as_they_are_and_move_no_cursor() {
    let folder = Folder::new();
    let replies = folder.script(&["_a_b_> /new chaturanga with:@x-y seat:white"]);
    assert!(
        said(&replies[0]).starts_with("@_a_b_ opens a table"),
        "{replies:#?}"
    );
    let refused = folder.script(&["ada> /as \u{1b}[31mred", "ada> /invite ```x```"]);
    assert!(
        refused.iter().all(|reply| !said(reply).contains('\u{1b}')),
        "{refused:#?}"
    );
}

#[test]
fn several_people_speak_in_one_room() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "/as Ada",
        "/new chaturanga with:@bob seat:white",
        "/as bob",
        "/join",
        "ADA> /move e2e3",
    ]);
    assert_eq!(replies.len(), 3, "{replies:#?}");
    assert!(
        said(&replies[2]).starts_with("@ADA (White): Padati e2–e3."),
        "{replies:#?}"
    );
    assert_eq!(replies[2]["mentions"], serde_json::json!(["bob"]));
}

#[test]
fn talk_is_not_answered_and_bare_moves_are_talk_r113() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga solo:yes",
        "ada> hello",
        "ada> e2e3",
        "cy> e2e3",
    ]);
    assert_eq!(replies.len(), 1, "{replies:#?}");
}

#[test]
fn help_and_rules_tell_of_every_command_and_game() {
    let folder = Folder::new();
    let replies = folder.script(&["/help", "/help new", "/rules", "/rules four", "/rules maha"]);
    let all = said(&replies[0]);
    assert!(
        ["/new ", "/roll ", "/dice "]
            .iter()
            .all(|name| all.contains(name)),
        "{all}"
    );
    assert!(said(&replies[1]).contains("corner"), "{replies:#?}");
    assert!(
        said(&replies[2]).contains("/rules four-handed-cross"),
        "{replies:#?}"
    );
    assert_eq!(replies[3]["error"], "unreadable");
    assert!(said(&replies[4]).contains("Kangaroo"), "{replies:#?}");
}
