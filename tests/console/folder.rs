//! The data folder: restarts, a second program, export and import, and what is refused at the start.

use ashtapada::command::message::Message;
use ashtapada::command::text::Text;
use ashtapada::ids::{At, PersonId, Place, Platform};
use ashtapada::store::{self, Commit, Person, Post, Store};

use crate::session::{Folder, code, said, text};

#[test]
fn a_restart_on_the_same_folder_goes_on_where_it_was() {
    let folder = Folder::new();
    let opened = folder.script(&["ada> /new chaturanga solo:yes", "ada> /move e2e3"]);
    let table = code(&opened[0]);
    let after = folder.script(&[&format!("ada> /move e7e6 table:{table}"), "ada> /show"]);
    assert!(
        said(&after[1]).contains("Last moves: White e2–e3, Black e7–e6."),
        "{after:#?}"
    );
}

#[test]
fn r05_a_second_program_on_the_same_folder_is_refused() {
    let folder = Folder::new();
    let mut first = folder.start(&[]);
    first.say("ada> /games");
    let second = folder.run(&["--json"], "ada> /games\n");
    assert!(!second.status.success());
    assert!(second.stdout.is_empty());
    let told = text(&second.stderr);
    assert!(told.contains("in use by another process"), "{told}");
    assert!(told.contains(folder.data().to_str().unwrap()), "{told}");
    first.end();
}

#[test]
fn r67_a_message_kept_before_a_crash_is_shown_after_the_restart_once() {
    let folder = Folder::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (sled, _) = store::open(&folder.data(), store::Options::default()).unwrap();
    let place = Place::room(Platform::Console, "hall");
    let text = Text::from("kept for ").mention(PersonId(1));
    let mut commit = Commit::new(At(1), None);
    commit.people.push(Person {
        id: PersonId(1),
        accounts: Vec::new(),
        name: "ada".to_owned(),
        bot: false,
    });
    commit.posts.push(Post {
        place: place.clone(),
        body: serde_json::to_value(Message::everyone(place, text)).unwrap(),
    });
    runtime.block_on(sled.commit(commit)).unwrap();
    runtime.block_on(sled.close()).unwrap();
    drop(sled);

    let shown = folder.script(&[]);
    assert_eq!(shown.len(), 1, "{shown:#?}");
    assert_eq!(said(&shown[0]), "kept for @ada");
    assert_eq!(shown[0]["mentions"], serde_json::json!(["ada"]));
    assert!(folder.script(&[]).is_empty());
}

#[test]
fn what_is_exported_can_be_imported_into_a_new_folder() {
    let (old, new) = (Folder::new(), Folder::new());
    let opened = old.script(&["ada> /new chaturaji solo:yes", "ada> /move a2a3"]);
    let table = code(&opened[0]);
    let file = old.path().join("everything");
    let exported = old.run(&["export", file.to_str().unwrap()], "");
    assert!(exported.status.success(), "{}", text(&exported.stderr));
    let again = old.run(&["export", file.to_str().unwrap()], "");
    assert!(!again.status.success(), "an export overwrote a file");

    let imported = new.run(&["import", file.to_str().unwrap()], "");
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let shown = new.script(&[&format!("ada> /show {table}")]);
    assert!(said(&shown[0]).contains("Red a2–a3"), "{shown:#?}");
    let twice = new.run(&["import", file.to_str().unwrap()], "");
    assert!(
        !twice.status.success(),
        "an import went into a folder that was not empty"
    );
}

#[test]
fn check_plays_everything_again() {
    let folder = Folder::new();
    folder.script(&["ada> /new chaturanga solo:yes", "ada> /move e2e3"]);
    let checked = folder.run(&["check"], "");
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    let told = text(&checked.stdout);
    assert!(told.contains("tables 1, people 1"), "{told}");
}

#[test]
fn a_wrong_configuration_is_refused_with_file_and_line() {
    let folder = Folder::new();
    let file = folder.file("a.toml", "[limits]\ntables_per_persn = 3\n");
    let refused = folder.run(&["--config", file.to_str().unwrap()], "");
    assert!(!refused.status.success());
    let told = text(&refused.stderr);
    assert!(
        told.contains("a.toml, line 2") && told.contains("limits.tables_per_person"),
        "{told}"
    );
    assert!(
        !folder.data().exists(),
        "a refused start left something behind"
    );
}

#[test]
fn credentials_of_an_adapter_are_no_matter_to_the_console_and_refused_by_run_where_it_was_not_built()
 {
    let folder = Folder::new();
    let credentials = "[matrix]\nhomeserver = \"https://example.org\"\nuser = \"@a:example.org\"\naccess_token = \"very.secret\"\n";
    let file = folder.file("a.toml", credentials);
    let played = folder.run(&["console", "--config", file.to_str().unwrap()], "");
    assert!(played.status.success(), "{}", text(&played.stderr));
    // Built with it, the program would log in: that is for the adapter's own scenarios.
    if cfg!(not(feature = "matrix")) {
        let refused = folder.run(&["run", "--config", file.to_str().unwrap()], "");
        assert!(!refused.status.success());
        let told = text(&refused.stderr);
        assert!(
            told.contains("matrix") && !told.contains("very.secret"),
            "{told}"
        );
    }
}

#[test]
fn run_without_any_credentials_says_so() {
    let refused = Folder::new().run(&["run"], "");
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("nothing to run"));
}

#[test]
fn the_limit_of_tables_is_a_setting() {
    let folder = Folder::new();
    let file = folder.file("a.toml", "[limits]\ntables_per_person = 1\n");
    let script = "ada> /new chaturanga solo:yes\nada> /new chaturanga solo:yes\n";
    let run = folder.run(&["--json", "--config", file.to_str().unwrap()], script);
    let told = text(&run.stdout);
    let last = told.lines().last().unwrap();
    assert!(last.contains(r#""error":"limit""#), "{told}");
}

/// The script opens a game of dice, throws once and gives the rest up; the key is then taken away.
fn without_its_key() -> (Folder, String) {
    let folder = Folder::new();
    let opened = folder.script(&["ada> /new four-handed solo:yes", "ada> /roll"]);
    let table = code(&opened[0]);
    std::fs::remove_file(folder.data().join("key")).unwrap();
    (folder, table)
}

#[test]
fn check_says_that_the_key_of_running_games_is_missing_and_makes_none() {
    let (folder, table) = without_its_key();
    let checked = folder.run(&["check"], "");
    let told = text(&checked.stderr);
    assert!(checked.status.success(), "{told}");
    let path = folder.data().join("key");
    assert!(
        told.contains("warning") && told.contains(path.to_str().unwrap()) && told.contains(&table),
        "{told}"
    );
    assert!(!path.exists());
}

#[test]
fn without_the_key_of_running_games_the_program_says_so_and_starts() {
    let (folder, table) = without_its_key();
    let path = folder.data().join("key");
    let script = [
        format!("ada> /pass {table}"),
        format!("ada> /roll {table}"),
        "ada> /new chaturanga solo:yes".to_owned(),
        "ada> /new four-handed solo:yes".to_owned(),
        "ada> /roll".to_owned(),
        format!("ada> /draw table:{table}"),
    ];
    let run = folder.run(&["--json"], &script.join("\n"));
    let told = text(&run.stderr);
    assert!(run.status.success(), "{told}");
    assert!(
        told.contains("warning") && told.contains(path.to_str().unwrap()) && told.contains(&table),
        "{told}"
    );
    assert!(path.exists(), "new games have a key");
    let again = folder.run(&["--json"], "");
    let told = text(&again.stderr);
    assert!(!told.contains(&table), "the table is closed: {told}");
    let record = folder.path().join("data/records");
    let replies = folder.script(&[&format!("ada> /record table:{table} as:json")]);
    assert!(record.is_dir(), "{replies:#?}");
    let written = std::fs::read_dir(record).unwrap().next().unwrap().unwrap();
    let verified = folder.run(&["verify", written.path().to_str().unwrap()], "");
    let told = text(&verified.stderr);
    assert!(
        !verified.status.success() && told.contains("secret is not in the record"),
        "{told}"
    );
}

#[test]
fn games_whose_key_was_lost_are_named_at_every_start_until_they_are_over() {
    let (folder, table) = without_its_key();
    let path = folder.data().join("key");
    for _ in 0..3 {
        let run = folder.run(&["--json"], "ada> /new four-handed solo:yes\n");
        let told = text(&run.stderr);
        assert!(run.status.success(), "{told}");
        assert!(told.contains("warning") && told.contains(path.to_str().unwrap()));
        // The games under the new key are none of them.
        let named = told.split("closed): ").nth(1).unwrap_or_default();
        assert!(named.starts_with(&format!("{table}. ")), "{told}");
    }
    folder.script(&[&format!("ada> /draw table:{table}")]);
    let run = folder.run(&["--json"], "");
    let told = text(&run.stderr);
    assert!(!told.contains("warning"), "{told}");
}

#[test]
fn an_import_without_key_starts_without_a_word_where_no_running_game_needs_it() {
    let (old, new) = (Folder::new(), Folder::new());
    old.script(&["ada> /new chaturanga solo:yes", "ada> /move e2e3"]);
    let file = old.path().join("everything");
    old.run(&["export", file.to_str().unwrap()], "");
    let imported = new.run(&["import", file.to_str().unwrap()], "");
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let run = new.run(&["--json"], "ada> /new four-handed solo:yes\nada> /roll\n");
    let told = text(&run.stderr);
    assert!(run.status.success() && !told.contains("warning"), "{told}");
    assert!(new.data().join("key").exists());
    assert!(text(&run.stdout).contains("Roll") || text(&run.stdout).contains("roll"));
}
