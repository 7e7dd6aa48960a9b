//! What is set for a room, where its tables are played, and what is said a second time.

use crate::session::{Folder, code, said};

#[test]
fn who_has_the_terminal_sets_what_holds_for_the_room() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let shown = session.one("/place");
    assert_eq!(
        said(&shown),
        "The settings of this place:\ndefault-game: none\nchannels: all\ntheme: as I was set up"
    );
    let none = session.one("ada> /new solo:yes");
    assert!(
        said(&none).starts_with("Which game? Name one, as in /new chaturanga"),
        "{none:#}"
    );
    assert_eq!(none["error"], "unreadable");
    let guest = session.one("ada> /place theme:dark");
    assert!(
        said(&guest).starts_with("Only those who run this place can do that"),
        "{guest:#}"
    );
    let set = session.one("/place default-game:chaturaji theme:dark channels:#hall,#yard");
    assert_eq!(
        said(&set),
        "Set. The settings of this place now:\ndefault-game: chaturaji\nchannels: #hall, #yard\ntheme: dark"
    );
    session.end();

    // The room is not called so: nothing is opened in it any more.
    let mut session = folder.start(&[]);
    let room = said(&session.one("/place channels:elsewhere")).to_owned();
    assert!(room.contains("channels: #elsewhere"), "{room}");
    let refused = session.one("ada> /new solo:yes");
    assert_eq!(
        said(&refused),
        "New tables are not opened here, but in #elsewhere."
    );
    session.one("/place channels:all");
    let opened = session.say("ada> /new solo:yes");
    assert!(
        said(&opened[0]).starts_with("@ada plays Chaturaji alone"),
        "{opened:#?}"
    );
    session.end();
}

#[test]
fn every_setting_can_be_set_back() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let first = said(&session.one("/place")).to_owned();
    session.one("/place default-game:chaturaji theme:dark channels:#hall");
    let back = session.one("/place default-game:default theme:default channels:default");
    let (_, settings) = said(&back).split_once('\n').unwrap();
    assert_eq!(first.split_once('\n').unwrap().1, settings);
    session.one("/place default-game:chaturaji theme:dark");
    let back = session.one("/place default-game:none theme:none");
    assert!(said(&back).contains("default-game: none"), "{back:#}");
    session.end();
}

#[test]
fn what_means_nothing_on_the_console_is_not_said_to_be_set() {
    let folder = Folder::new();
    for (line, told) in [
        (
            "/place prefix:!!",
            "prefix is a setting of rooms on Matrix and means nothing here.",
        ),
        (
            "/place prefix:default",
            "prefix is a setting of rooms on Matrix and means nothing here.",
        ),
        (
            "/place threads:yes",
            "threads is a setting of places that have threads and means nothing here.",
        ),
    ] {
        let replies = folder.script(&[line]);
        assert_eq!(said(&replies[0]), told);
        assert_eq!(replies[0]["error"], "refused");
    }
}

#[test]
fn the_theme_of_the_room_is_that_of_its_pictures() {
    let folder = Folder::new();
    let draws = |lines: &[&str]| {
        let replies = folder.script(lines);
        let picture = replies.last().and_then(|reply| reply["picture"].as_str());
        std::fs::read(picture.unwrap_or_else(|| panic!("{replies:#?}"))).unwrap()
    };
    let light = draws(&["ada> /new chaturanga solo:yes", "ada> /board"]);
    let dark = draws(&["/place theme:dark", "ada> /board"]);
    assert_ne!(light, dark);
    assert_eq!(light, draws(&["/place theme:light", "ada> /board"]));
}

#[test]
fn a_table_is_moved_from_one_room_to_another() {
    let folder = Folder::new();
    let opened = folder.script(&["ada> /new chaturanga with:@bob", "bob> /join"]);
    let table = code(&opened[0]);
    let yard = folder.file("yard.toml", "[console]\nroom = \"yard\"\n");
    let mut session = folder.start(&["--config", yard.to_str().unwrap()]);
    let strange = session.one(&format!("cy> /here {table}"));
    assert_eq!(said(&strange), "You have no seat at this table.");
    let moved = session.one("bob> /here");
    let begins = format!("Chaturanga, table {table}. The table is played here now.\n");
    assert!(said(&moved).starts_with(&begins), "{moved:#}");
    assert!(moved["picture"].is_string());
    assert_eq!(moved["place"], "console:yard");
    let again = session.one(&format!("bob> /here {table}"));
    assert!(said(&again).starts_with(&begins), "{again:#}");
    session.end();
}

#[test]
fn nothing_is_missing_on_the_console() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let doctor = session.one("/doctor");
    assert_eq!(
        said(&doctor),
        "Nothing is missing: everything I do works here."
    );
    let guest = session.one("ada> /doctor");
    assert_eq!(guest["error"], "refused");
    session.end();
}

#[test]
fn r02_who_sends_the_same_moves_again_hears_that_they_are_played() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    session.say("ada> /new chaturanga with:@bob seat:white");
    session.say("bob> /join");
    session.say("ada> /move a2a3");
    let again = session.one("ada> /move a3");
    assert_eq!(
        said(&again),
        "That is played already: a2–a3. @bob (Black) to move."
    );
    assert_eq!(again["error"], "done");
    let other = session.one("ada> /move b2b3");
    assert_eq!(said(&other), "It is Black's turn (@bob), not yours.");
    session.end();
}

#[test]
fn a_rematch_that_came_to_nothing_does_not_hide_how_to_open_another() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let table = code(&session.say("ada> /new chaturanga with:@bob")[0]);
    session.say("bob> /join");
    session.say("ada> /draw");
    session.say("bob> /draw");
    let rematch = code(&session.say("ada> /rematch")[0]);
    let late = session.one(&format!("ada> /draw table:{table}"));
    assert!(
        said(&late).ends_with(&format!("Its rematch is {rematch}.")),
        "{late:#}"
    );
    session.say(&format!("ada> /cancel table:{rematch}"));
    let late = session.one(&format!("ada> /draw table:{table}"));
    assert!(
        said(&late).ends_with(&format!("/rematch table:{table} opens it again.")),
        "{late:#}"
    );
    session.end();
}

#[test]
fn the_points_come_before_who_won_and_long_lists_are_cut() {
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    session.say("ada> /new four-handed solo:yes");
    let over = session.say("ada> /draw");
    let told = said(&over[0]);
    let points = told.find("Points: ").unwrap_or_else(|| panic!("{told}"));
    let result = told.find("All agree").unwrap_or_else(|| panic!("{told}"));
    assert!(points < result, "{told}");

    for _ in 0..22 {
        session.say("ada> /new chaturanga solo:yes");
    }
    let list = session.one("ada> /games");
    let lines: Vec<&str> = said(&list).lines().collect();
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[20], "and 2 more");
    session.end();
}
