//! What is typed on another keyboard: letters that only look like Latin ones are named, digits and wide forms are read.

use crate::session::{Folder, said};

/// The last reply to a line in a game of one person.
fn answer(line: &str) -> String {
    let folder = Folder::new();
    let replies = folder.script(&["ada> /new chaturanga solo:yes", &format!("ada> {line}")]);
    said(&replies[replies.len() - 1]).to_owned()
}

#[test]
fn letters_of_another_script_in_a_move_are_named_with_what_was_meant() {
    for (line, told) in [
        (
            "/move с7с6",
            "“с7с6”: “с” is a Cyrillic letter that looks like “c”. Did you mean c7c6?",
        ),
        (
            "/move c2 с3",
            "“c2 с3”: “с” is a Cyrillic letter that looks like “c”. Did you mean c2 c3?",
        ),
        (
            "/move Νс3",
            "“Νс3”: “Ν” is a Greek letter that looks like “N”; “с” is a Cyrillic letter that looks like “c”. Did you mean Nc3?",
        ),
        (
            "/move ж2ж3",
            "“ж2ж3”: “ж” is a Cyrillic letter. Write squares with the letters a to h and digits, as in b1c3.",
        ),
        (
            "/moves с2",
            "“с2”: “с” is a Cyrillic letter that looks like “c”. Did you mean c2?",
        ),
    ] {
        assert_eq!(answer(line), told);
    }
}

#[test]
fn letters_of_another_script_in_a_command_are_named_with_what_was_meant() {
    let move_meant =
        "There is no command “mоvе”. Did you mean /move? (“о” and “е” are Cyrillic letters.)";
    assert_eq!(answer("/mоvе b1c3"), move_meant);
    let option = answer("/board аs:text");
    assert!(
        option.contains("Did you mean “as”? (“а” is a Cyrillic letter.)"),
        "{option}"
    );
    let game = answer("/rules сhaturanga");
    assert!(
        game.contains("Did you mean “chaturanga”? (“с” is a Cyrillic letter.)"),
        "{game}"
    );
    let value = answer("/board as:техt");
    assert!(
        value.contains("Did you mean “text”? (“т”, “е” and “х” are Cyrillic letters.)"),
        "{value}"
    );
    let command = answer("/help mоve");
    assert!(
        command.contains("Did you mean “move”? (“о” is a Cyrillic letter.)"),
        "{command}"
    );
}

#[test]
fn letters_of_another_script_in_a_seat_are_named_with_what_was_meant() {
    let told = "“ѕouth”: “ѕ” is a Cyrillic letter that looks like “s”. Did you mean south?";
    assert_eq!(answer("/new chaturaji seat:ѕouth"), told);
    assert!(answer("/new chaturaji seat:ж").starts_with("There is no seat “ж”"));
}

#[test]
fn digits_of_other_scripts_and_wide_forms_are_read() {
    for line in [
        "/move b١c٣",
        "/move b१c३",
        "/move b۱c۳",
        "/move ｂ１ｃ３",
        "/move Nc๓",
        "／ｍｏｖｅ ｂ１ｃ３",
        "！move b1c3",
    ] {
        let told = answer(line);
        assert!(told.contains("Ashva b1–c3"), "{line}: {told}");
    }
    let listed = answer("/moves b१");
    assert!(listed.contains("Ashva b1"), "{listed}");
}

#[test]
fn numbers_and_codes_are_read_in_any_digits() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let opened = session.say("ada> /new chaturanga solo:yes");
    let code = crate::session::code(&opened[0]);
    let wide: String = code
        .chars()
        .map(|c| match c.to_digit(10) {
            Some(digit) => char::from_u32(0x0966 + digit).unwrap(),
            None => char::from_u32(u32::from(c) + 0xFEE0).unwrap(),
        })
        .collect();
    let shown = session.one(&format!("ada> /show table:{wide}"));
    assert!(said(&shown).contains(&code), "{shown}");
    session.end();
}
