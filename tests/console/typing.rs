//! Lines as people type them: what stands where in them does not matter more than it must.

use crate::session::{Folder, said, text};

fn opens(line: &str, game: &str) {
    let folder = Folder::new();
    let replies = folder.script(&[&format!("ada> {line}")]);
    let told = said(&replies[0]);
    assert!(
        told.starts_with(&format!("@ada opens a table of {game}:")),
        "{line}: {told}"
    );
}

#[test]
fn a_game_is_read_behind_a_list_too() {
    opens("/new with:@bob chaturanga", "Chaturanga");
    opens("/new with: @bob @cy chaturaji", "Chaturaji");
    opens("/new with:@bob,@cy four handed", "Four-Handed Chess");
    opens("/new options:corner=boat four-handed", "Four-Handed Chess");
    opens(
        "/new options: corner=boat quiet=200 four handed",
        "Four-Handed Chess",
    );
    opens(
        "/new corner=boat with:@bob four-handed open:yes",
        "Four-Handed Chess",
    );
}

#[test]
fn a_byte_order_mark_at_the_start_of_a_script_is_passed_over() {
    let folder = Folder::new();
    for start in ["ada> /help move", "# remark", "/help move", ""] {
        let script = format!("\u{FEFF}{start}\nada> /help roll\n");
        let ran = folder.run(&["console", "--json"], &script);
        let told = text(&ran.stdout);
        let replies = told.lines().count();
        let wanted = if start.contains("help") { 2 } else { 1 };
        assert_eq!(replies, wanted, "{start}: {told}");
        assert!(!told.contains("error"), "{start}: {told}");
    }
}

#[test]
fn a_byte_order_mark_at_the_start_of_a_record_is_passed_over() {
    let folder = Folder::new();
    for form in ["json", "text"] {
        let replies = folder.script(&[
            "ada> /new chaturanga solo:yes",
            "ada> /draw",
            &format!("ada> /record as:{form}"),
        ]);
        let path = crate::session::record_path(&replies);
        let marked = format!("\u{FEFF}{}", std::fs::read_to_string(&path).unwrap());
        let file = folder.file(form, &marked);
        let verified = folder.run(&["verify", file.to_str().unwrap()], "");
        assert!(
            verified.status.success(),
            "{form}: {}",
            text(&verified.stderr)
        );
    }
}

#[test]
fn of_a_line_that_is_too_long_nothing_is_done_and_that_is_said() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    session.say("ada> /new chaturanga solo:yes");
    let long = format!("ada> {} /resign seat:white", "x".repeat(1 << 20));
    let replies = session.say(&long);
    assert_eq!(replies.len(), 1, "{replies:#?}");
    assert_eq!(
        (&replies[0]["to"], &replies[0]["error"]),
        (&"ada".into(), &"unreadable".into())
    );
    assert_eq!(
        said(&replies[0]),
        "That line is longer than 1048576 bytes. Nothing of it was done; what follows it is read on."
    );
    session.one("ada> /show");
    session.end();
}

#[test]
fn nobody_plays_with_everyone() {
    let folder = Folder::new();
    for line in [
        "ada> /new chaturanga with:@everyone",
        "ada> /new chaturanga with:@Everyone",
    ] {
        let replies = folder.script(&[line]);
        assert_eq!(replies.len(), 1, "{replies:#?}");
        assert_eq!(
            said(&replies[0]),
            "“@everyone” is nobody in particular. Name the players, as in with:@bob; who may join is anybody here while a seat is free."
        );
        assert_eq!(replies[0]["error"], "refused");
    }
}
