//! What is said of armies under command, of rolls that allow nothing, of checks and of finished tables.

use serde_json::Value;

use crate::session::{Folder, Session, code, said};

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
    assert!(alt.contains("Green, under Red's command to roll."), "{alt}");
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
        said(&passed).starts_with(
            "@ada (Green, under Red's command) gives up the rest of the roll."
        ),
        "{passed:#}"
    );
    session.end();
}

#[test]
fn fh8_a_claimed_throne_tells_whose_command_the_army_is_under() {
    let folder = Folder::new();
    let setup = r#"{"board":"6,kP,1/3,rK,4/8/yK,7/6,gK,kK/1,gP,6/8/2,yP,5","mover":"south","dice":[5,6]}"#;
    let mut session = four(&folder, setup, "1,1\n");
    let moved = session.one("ada> /move d7e8");
    assert!(
        said(&moved).contains("Green's army is under Red's command now."),
        "{moved:#}"
    );
    session.end();
}
