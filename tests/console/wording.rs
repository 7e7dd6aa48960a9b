//! What is said of armies under command, of rolls that allow nothing, of checks and of finished tables.

use crate::session::{Folder, Session, said};

/// Four people at a table of Four-Handed Chess that begins from this position.
fn four(folder: &Folder, setup: &str, dice: &str) -> Session {
    let dice = folder.file("dice", dice);
    let mut session = folder.start(&["--dice", dice.to_str().unwrap()]);
    session.say(&format!(
        "ada> /new four-handed corner=boat with:@bob @cy @di position:{setup}"
    ));
    for guest in ["bob", "cy", "di"] {
        session.say(&format!("{guest}> /join"));
    }
    session
}

/// Red's King is on Green's throne: Green, whose player is out, is under Red's command.
const COMMANDED: &str = r#"{"board":"4,rK,1,kP,1/8/8/yK,7/6,gK,kK/1,gP,6/8/2,yP,5","mover":"north","command":["south","west","south","east"],"out":["north"]}"#;

#[test]
fn fh8_what_a_commander_does_with_another_army_is_told_as_the_commanders() {
    let folder = Folder::new();
    let mut session = four(&folder, COMMANDED, "1,5\n");
    let table = session.one("ada> /show");
    assert!(
        said(&table).contains("\nGreen (north): @cy, under Red's command\n"),
        "{table:#}"
    );
    let board = session.one("ada> /board");
    let alt = board["alt"].as_str().unwrap();
    assert!(
        alt.contains("Green, under Red's command, to roll."),
        "{alt}"
    );
    let others = session.one("di> /roll");
    assert_eq!(
        said(&others),
        "It is Green's turn, under Red's command (@ada), not yours."
    );
    let out = session.one("cy> /roll");
    assert_eq!(
        said(&out),
        "You are out of this game. It is Green's turn, under Red's command (@ada)."
    );
    let rolled = session.one("ada> /roll");
    assert!(
        said(&rolled).starts_with("@ada (Green, under Red's command) rolls 1 and 5."),
        "{rolled:#}"
    );
    let moved = session.one("ada> /move b3b2");
    assert!(
        said(&moved).starts_with("@ada (Green, under Red's command): Pawn b3–b2."),
        "{moved:#}"
    );
    let passed = session.one("ada> /pass");
    assert!(
        said(&passed)
            .starts_with("@ada (Green, under Red's command) gives up the rest of the roll."),
        "{passed:#}"
    );
    session.end();
}

#[test]
fn fh8_a_claimed_throne_tells_whose_command_the_army_is_under() {
    let folder = Folder::new();
    let setup =
        r#"{"board":"6,kP,1/3,rK,4/8/yK,7/6,gK,kK/1,gP,6/8/2,yP,5","mover":"south","dice":[5,6]}"#;
    let mut session = four(&folder, setup, "1,1\n");
    let moved = session.one("ada> /move d7e8");
    assert!(
        said(&moved).contains("Green's army is under Red's command now."),
        "{moved:#}"
    );
    session.end();
}

#[test]
fn cg3_a_check_is_told_in_words_and_to_those_who_do_not_see_the_picture() {
    let folder = Folder::new();
    let setup = r#"{"board":"4,bK,3/8/8/8/8/8/8/wR,3,wK,3","mover":"white"}"#;
    let replies = folder.script(&[
        &format!("ada> /new chaturanga solo:yes position:{setup}"),
        "ada> /move a1a8",
    ]);
    assert!(
        said(&replies[1]).ends_with("@ada (Black) to move. Check."),
        "{replies:#?}"
    );
    let alt = replies[1]["alt"].as_str().unwrap();
    assert!(alt.contains("Black to move. Check."), "{alt}");
}

#[test]
fn pc10_a_last_roll_that_allows_nothing_is_told_before_the_result() {
    let folder = Folder::new();
    let setup = r#"{"board":"1,gK,2,kK,3/6,kN,1/8/1,rK,1,wR,4/8/8/8/3,wK,4","mover":"south","bare":[null,1]}"#;
    let dice = folder.file("dice", "6,6\n");
    let mut session = folder.start(&["--dice", dice.to_str().unwrap()]);
    session.say(&format!("ada> /new partnership solo:yes position:{setup}"));
    let rolled = session.one("ada> /roll");
    let (nothing, result) = (
        said(&rolled).find("Nothing can be moved with that."),
        said(&rolled).find("a draw."),
    );
    assert!(
        nothing.is_some() && result.is_some() && nothing < result,
        "{rolled:#}"
    );
    session.end();
}

#[test]
fn fh7_a_boat_triumph_lists_what_it_takes() {
    let folder = Folder::new();
    let setup = r#"{"board":"yK,6,gK/8/8/3,yB,gB,3/2,yB,1,kB,3/2,gB,kB,4/1,rB,6/rK,6,kK","mover":"south","dice":[2,3]}"#;
    let replies = folder.script(&[
        &format!("ada> /new four-handed solo:yes position:{setup}"),
        "ada> /move b2d4",
    ]);
    assert!(
        said(&replies[1])
            .starts_with("@ada (Red): Boat b2–d4, Boat Triumph: takes Green's Boat on c3 (+2), Black's Boat on d3 (+2), "),
        "{replies:#?}"
    );
}

#[test]
fn moves_off_turn_say_whose_they_are() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "bob> /join",
        "bob> /moves horse",
        "bob> /moves a2",
    ]);
    assert!(
        said(&replies[3]).starts_with("@ada (White) to move.\nPadati a2 to a3"),
        "{replies:#?}"
    );
}

#[test]
fn a_line_whose_speaker_cannot_be_read_is_answered() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "**x**> /new chaturaji",
        "a b> /games",
        "ada:> /games",
        "a b> hello",
    ]);
    assert_eq!(replies.len(), 3, "{replies:#?}");
    for reply in &replies {
        assert_eq!(reply["error"], "unreadable", "{reply:#}");
    }
}

#[test]
fn r86_far_too_long_lines_are_refused_before_they_are_taken_apart() {
    let folder = Folder::new();
    let names = "@a ".repeat(50_000);
    let quotes = "“x ".repeat(20_000);
    let replies = folder.script(&[
        &format!("ada> /new chaturanga with:{names}"),
        &format!("ada> /new chaturanga word:{quotes}"),
        &format!("ada> /new chaturanga with:{}", "@a ".repeat(200)),
        "ada> /new chaturanga options:\"gaja=silver gaja=alfil\"",
        "ada> /new chaturanga position:\"\"",
    ]);
    let told: Vec<&str> = replies.iter().map(said).collect();
    assert!(told[0].contains("at most 10000 characters"), "{told:#?}");
    assert!(told[1].contains("at most 10000 characters"), "{told:#?}");
    assert!(told[2].contains("at most 3 players"), "{told:#?}");
    assert!(told[3].contains("“gaja” is chosen twice"), "{told:#?}");
    assert!(told[4].contains("position cannot be “”"), "{told:#?}");
    assert!(
        replies.iter().all(|reply| reply["error"] == "unreadable"),
        "{told:#?}"
    );
}
