//! A second table with the same people and game is opened, and its opener is told of the first.

use serde_json::Value;

use crate::session::{Folder, code, said};

fn alone<'r>(replies: &'r [Value], whom: &str) -> Vec<&'r str> {
    let own = replies.iter().filter(|reply| reply["to"] == whom);
    own.map(said).collect()
}

#[test]
fn a_second_table_with_the_same_people_and_game_names_the_first() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let first = code(&session.say("ada> /new chaturanga with:@bob")[0]);
    let second = session.say("ada> /new chaturanga with:@bob");
    assert_ne!(code(&second[0]), first, "it is opened");
    let told = format!("@bob and you also have {first}, where nobody has moved yet.");
    assert_eq!(alone(&second, "ada"), [told.as_str()]);
    assert_eq!(second.len(), 2);
    // The other way round, and when the first one has begun.
    session.say(&format!("bob> /join table:{first}"));
    let told = format!("@ada and you also have {first}, where nobody has moved yet.");
    let third = session.say("bob> /new chaturanga with:@ada");
    assert_eq!(alone(&third, "bob"), [told.as_str()]);
    session.end();
}

#[test]
fn who_joins_what_is_a_second_table_is_told_too() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let first = code(&session.say("ada> /new chaturanga with:@bob")[0]);
    let second = code(&session.say("ada> /new chaturanga")[0]);
    let joined = session.say(&format!("bob> /join table:{second}"));
    let told = format!("@ada and you also have {first}, where nobody has moved yet.");
    assert_eq!(alone(&joined, "bob"), [told.as_str()]);
    session.end();
}

#[test]
fn another_game_other_people_or_a_game_that_goes_on_is_no_first_one() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "ada> /new maha-chatukanga with:@bob",
        "ada> /new chaturanga with:@cy",
        "ada> /new chaturanga solo:yes",
    ]);
    assert_eq!(alone(&replies, "ada"), [""; 0]);
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "bob> /join",
        "ada> /move a2a3",
        "ada> /new chaturanga with:@bob",
    ]);
    assert_eq!(alone(&replies, "ada"), [""; 0]);
}
