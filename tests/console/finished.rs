//! Tables before their game begins and after it ends, and offers that are named by their numbers.

use serde_json::Value;

use crate::session::{Folder, code, said};

fn refused(reply: &Value, told: &str) {
    assert_eq!(reply["error"], "refused", "{reply:#}");
    assert!(said(reply).contains(told), "{reply:#}");
}

/// The line of a choice.
fn choice(reply: &Value, label: &str) -> String {
    let choices = reply["choices"].as_array().unwrap();
    let found = choices.iter().find(|choice| choice["label"] == label);
    let found = found.unwrap_or_else(|| panic!("no {label}: {reply:#}"));
    found["line"].as_str().unwrap().to_owned()
}

#[test]
fn before_the_game_there_is_nothing_to_hand_out() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob",
        "ada> /record",
        "ada> /board",
        "ada> /board as:text",
        "ada> /moves",
    ]);
    refused(
        &replies[1],
        "There is no record yet: the game has not begun.",
    );
    refused(&replies[2], "There is no board yet");
    refused(&replies[3], "There is no board yet");
    refused(
        &replies[4],
        "There are no moves yet: the game has not begun.",
    );
}

#[test]
fn a_finished_table_tells_its_result_and_lists_no_moves() {
    let folder = Folder::new();
    let opened = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "bob> /join",
        "bob> /resign",
        "bob> /resign confirm:yes",
    ]);
    let table = code(&opened[0]);
    let replies = folder.script(&[
        &format!("ada> /moves table:{table}"),
        &format!("ada> /board table:{table}"),
        &format!("ada> /move e2e3 table:{table}"),
        &format!("cy> /move e2e3 table:{table}"),
        &format!("ada> /rematch table:{table}"),
        &format!("ada> /moves table:{table}"),
    ]);
    refused(&replies[0], "This game is over.");
    assert!(
        said(&replies[1]).ends_with("Resignation: @ada (White) wins."),
        "{replies:#?}"
    );
    let alt = replies[1]["alt"].as_str().unwrap();
    assert!(alt.contains("Resignation: White wins."), "{alt}");
    refused(
        &replies[2],
        &format!("/rematch table:{table} opens it again."),
    );
    assert_eq!(said(&replies[3]), "This game is over.");
    let rematch = code(&replies[4]);
    refused(&replies[5], &format!("Its rematch is {rematch}."));
}

#[test]
fn a_closed_table_says_that_it_is_closed() {
    let folder = Folder::new();
    let opened = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "bob> /join",
        "ada> /cancel",
        "bob> /cancel",
    ]);
    let table = code(&opened[0]);
    let replies = folder.script(&[
        &format!("ada> /moves table:{table}"),
        &format!("ada> /board table:{table}"),
    ]);
    refused(&replies[0], "The table is closed without a result.");
    let alt = replies[1]["alt"].as_str().unwrap();
    assert!(
        alt.contains("The table is closed without a result."),
        "{alt}"
    );
    let unbegun = folder.script(&["ada> /new chaturanga with:@bob", "ada> /cancel"]);
    let table = code(&unbegun[0]);
    let replies = folder.script(&[&format!("ada> /record table:{table}")]);
    refused(&replies[0], "closed before the game began");
}

#[test]
fn r47_r49_r128_offers_are_answered_by_their_numbers() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    session.say("ada> /new chaturanga with:@bob seat:white");
    session.say("bob> /join");
    let draw = session.one("ada> /draw");
    let close = session.one("ada> /cancel");
    assert!(
        choice(&draw, "Agree to a draw").starts_with("/draw offer:"),
        "{draw:#}"
    );
    let which = session.one("bob> /decline");
    let number = |reply: &Value| {
        let decline = ["Decline the draw", "Decline to close"];
        let label = decline[usize::from(reply == &close)];
        let line = choice(reply, label);
        line.split(' ').nth(1).unwrap().to_owned()
    };
    refused(
        &which,
        &format!(
            "/decline {} (to end the game) or /decline {} (to close the table).",
            number(&draw),
            number(&close)
        ),
    );
    let agree = choice(&draw, "Agree to a draw");
    session.one(&format!("bob> {}", choice(&draw, "Decline the draw")));
    refused(
        &session.one(&format!("bob> {agree}")),
        "That offer has lapsed.",
    );
    // The same once more after the game is over.
    session.one(&format!("bob> {}", choice(&close, "Agree to close")));
    refused(
        &session.one(&format!("bob> {agree}")),
        "That offer has lapsed.",
    );
    session.end();
}

#[test]
fn agreeing_twice_says_for_whom_it_waits() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "bob> /join",
        "ada> /draw",
        "ada> /draw",
        "bob> /join",
    ]);
    assert_eq!(
        said(&replies[3]),
        "You have agreed to end the game already; it waits for @bob."
    );
}

#[test]
fn the_dice_of_a_finished_game_are_checked_by_the_bot_and_the_drawn_row_is_explained() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let opened = session.say("ada> /new partnership setup=random solo:yes");
    let table = code(&opened[0]);
    session.say("ada> /roll");
    let running = session.one(&format!("ada> /dice table:{table}"));
    assert!(said(&running).contains("with n = 0"), "{running:#}");
    for seat in ["south", "north"] {
        session.say(&format!("ada> /resign seat:{seat} table:{table}"));
        session.say(&format!(
            "ada> /resign seat:{seat} confirm:yes table:{table}"
        ));
    }
    let over = session.one(&format!("ada> /dice table:{table}"));
    assert!(
        said(&over).contains("Checked just now: Every roll (1) follows from the secret"),
        "{over:#}"
    );
    session.end();
}

#[test]
fn a_kept_seat_is_not_called_free() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturanga with:@bob seat:white",
        "ada> /start",
        "cy> /join",
        "cy> /join seat:black",
        "ada> /games",
        "ada> /show",
    ]);
    refused(&replies[1], "The game has not begun: it waits for @bob.");
    refused(&replies[2], "what is not taken is kept for @bob.");
    assert!(!said(&replies[3]).contains("free:"), "{replies:#?}");
    assert!(
        said(&replies[4]).contains("of @ada, Black kept for @bob"),
        "{replies:#?}"
    );
    assert!(
        said(&replies[5]).contains("\nBlack: kept for @bob\n"),
        "{replies:#?}"
    );
}

#[test]
fn a_seat_is_named_in_the_game_of_the_table_that_is_joined() {
    let folder = Folder::new();
    let replies = folder.script(&[
        "ada> /new chaturaji solo:yes",
        "ada> /new chaturanga seat:white",
        "bob> /join seat:black",
    ]);
    assert!(
        said(&replies[2]).starts_with("@bob plays Black."),
        "{replies:#?}"
    );
}
