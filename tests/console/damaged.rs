//! Data folders with something missing or in the wrong place, as people who copy, restore and clean up make them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::session::{Folder, code, said, text};

/// A configuration under which segments of the journal are short.
fn rotating(folder: &Folder) -> PathBuf {
    folder.file("short.toml", "[store]\nrotate_lines = 100\n")
}

/// The files of the data folder whose names begin so, in order.
fn files(folder: &Folder, beginning: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.data()).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| name(path).starts_with(beginning))
        .collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Twenty-four games that are over, and ten that run, played under a journal that was rotated meanwhile; their codes.
fn played(folder: &Folder, config: &Path) -> Vec<String> {
    let mut session = folder.start(&["--config", config.to_str().unwrap()]);
    let mut codes = Vec::new();
    for game in 0..34 {
        let opened = session.say("ada> /new chaturanga solo:yes");
        let table = code(&opened[0]);
        if game < 24 {
            session.say(&format!("ada> /draw table:{table}"));
        }
        codes.push(table);
    }
    session.end();
    codes
}

/// Whether every table can be shown.
fn all_are_there(folder: &Folder, codes: &[String]) {
    let lines: Vec<String> = codes
        .iter()
        .map(|code| format!("ada> /show table:{code}"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let shown = folder.script(&lines);
    assert_eq!(shown.len(), codes.len());
    for (code, shown) in codes.iter().zip(&shown) {
        assert!(shown.get("error").is_none(), "{code}: {shown}");
    }
}

#[test]
fn finished_games_whose_file_is_gone_come_back_from_the_journal_or_are_refused_until_they_are_given_up()
 {
    let folder = Folder::new();
    let config = rotating(&folder);
    let config = config.to_str().unwrap();
    let codes = played(&folder, Path::new(config));
    // Without the database and one of their files: the journal beside it has them, or the start says what to do.
    let gone = files(&folder, "finished-").remove(0);
    let content = fs::read(&gone).unwrap();
    fs::remove_file(&gone).unwrap();
    fs::remove_dir_all(folder.data().join("sled")).unwrap();
    let run = folder.run(&["--config", config, "--json"], "");
    if run.status.success() {
        return all_are_there(&folder, &codes);
    }
    let told = text(&run.stderr);
    assert!(
        told.contains(&name(&gone)) && told.contains("--accept-loss"),
        "{told}"
    );
    let accepted = folder.run(&["--config", config, "--json", "--accept-loss"], "");
    assert!(accepted.status.success(), "{}", text(&accepted.stderr));
    let again = text(&folder.run(&["--config", config, "--json"], "").stderr);
    assert!(
        again.contains("given up") && again.contains(&name(&gone)),
        "{again}"
    );
    fs::write(&gone, content).unwrap();
    all_are_there(&folder, &codes);
    let settled = text(&folder.run(&["--config", config, "--json"], "").stderr);
    assert!(!settled.contains("given up"), "{settled}");
}

#[test]
fn check_names_the_file_that_is_damaged_and_mends_it_from_what_is_whole() {
    let folder = Folder::new();
    let config = rotating(&folder);
    let codes = played(&folder, &config);
    let victim = files(&folder, "finished-").remove(0);
    let mut content = fs::read(&victim).unwrap();
    let middle = content.len() / 2;
    content[middle] ^= 1;
    fs::write(&victim, content).unwrap();
    let checked = folder.run(&["check"], "");
    let told = [text(&checked.stdout), text(&checked.stderr)].concat();
    assert!(!checked.status.success(), "{told}");
    assert!(
        told.contains(&format!("DAMAGED  {}", name(&victim))),
        "{told}"
    );
    assert!(told.contains("check --mend"), "{told}");
    let mended = folder.run(&["check", "--mend"], "");
    let told = [text(&mended.stdout), text(&mended.stderr)].concat();
    assert!(mended.status.success(), "{told}");
    assert!(
        told.contains("set aside") && told.contains("tables 34"),
        "{told}"
    );
    assert!(folder.run(&["check"], "").status.success());
    fs::remove_dir_all(folder.data().join("sled")).unwrap();
    all_are_there(&folder, &codes);
}

#[test]
fn a_database_of_another_folder_is_named_and_nothing_is_changed() {
    let (ours, theirs) = (Folder::new(), Folder::new());
    let opened = ours.script(&["ada> /new chaturanga solo:yes"]);
    let table = code(&opened[0]);
    theirs.script(&[
        "bob> /new chaturanga solo:yes",
        "bob> /move e2e3",
        "bob> /move e7e6",
    ]);
    let (sled, own) = (ours.data().join("sled"), ours.path().join("own"));
    fs::rename(&sled, &own).unwrap();
    fs::rename(theirs.data().join("sled"), &sled).unwrap();
    let before = files(&ours, "");
    let refused = ours.run(&["--json"], "");
    let told = text(&refused.stderr);
    assert!(!refused.status.success());
    assert!(
        told.contains(sled.to_str().unwrap()) && told.contains("another data folder"),
        "{told}"
    );
    assert_eq!(files(&ours, ""), before);
    fs::remove_dir_all(&sled).unwrap();
    all_are_there(&ours, &[table]);
}

#[test]
fn a_wrong_key_is_refused_as_long_as_a_running_game_needs_the_right_one() {
    let folder = Folder::new();
    let opened = folder.script(&["ada> /new four-handed solo:yes", "ada> /roll"]);
    let table = code(&opened[0]);
    let key = folder.data().join("key");
    let right = fs::read(&key).unwrap();
    fs::write(&key, [7; 32]).unwrap();
    for arguments in [&["--json"][..], &["check"]] {
        let refused = folder.run(arguments, &format!("ada> /draw table:{table}\n"));
        let told = text(&refused.stderr);
        assert!(!refused.status.success(), "{arguments:?}: {told}");
        assert!(
            told.contains(key.to_str().unwrap()) && told.contains(&table),
            "{told}"
        );
    }
    // The right one back: the game goes on, and its secret is published at the end.
    fs::write(&key, right).unwrap();
    let replies = folder.script(&[
        &format!("ada> /draw table:{table}"),
        &format!("ada> /record table:{table} as:json"),
    ]);
    let record = folder.data().join("records");
    let record = fs::read_dir(record)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let verified = folder.run(&["verify", record.to_str().unwrap()], "");
    assert!(
        verified.status.success(),
        "{} {replies:#?}",
        text(&verified.stderr)
    );
    // With no game that needs it, another key harms nobody.
    fs::write(&key, [7; 32]).unwrap();
    let replies = folder.script(&["ada> /new four-handed solo:yes", "ada> /roll"]);
    assert!(said(&replies[1]).contains("rolls"), "{replies:#?}");
}

#[test]
fn games_that_cannot_be_played_are_not_imported_and_nothing_is_left() {
    let (old, new) = (Folder::new(), Folder::new());
    old.script(&[
        "ada> /new chaturanga solo:yes",
        "ada> /move e2e3",
        "ada> /move e7e6",
    ]);
    let file = old.path().join("everything");
    old.run(&["export", file.to_str().unwrap()], "");
    let sealed = |json: &str| format!("{json}\t{:08x}\n", crc32fast::hash(json.as_bytes()));
    let whole = fs::read_to_string(&file).unwrap();
    assert!(whole.contains("e7e6"));
    let bent: String = whole
        .lines()
        .map(|line| sealed(&line.rsplit_once('\t').unwrap().0.replace("e7e6", "e7e4")))
        .collect();
    fs::write(&file, bent).unwrap();
    let refused = new.run(&["import", file.to_str().unwrap()], "");
    let told = text(&refused.stderr);
    assert!(!refused.status.success());
    assert!(
        told.contains("line 2") && told.contains("cannot be played"),
        "{told}"
    );
    assert!(!told.contains("Refused("), "{told}");
    let left: Vec<String> = files(&new, "").iter().map(|path| name(path)).collect();
    assert_eq!(left, ["lock"]);
    // A line that is not as it was written is not read.
    fs::write(&file, whole.replace("e7e6", "e7e4")).unwrap();
    let refused = new.run(&["import", file.to_str().unwrap()], "");
    assert!(
        text(&refused.stderr).contains("line 2 is damaged"),
        "{}",
        text(&refused.stderr)
    );
    fs::write(&file, whole).unwrap();
    let imported = new.run(&["import", file.to_str().unwrap()], "");
    assert!(imported.status.success(), "{}", text(&imported.stderr));
}

#[test]
fn a_wrong_key_is_refused_also_while_games_wait_for_one_that_was_lost() {
    let folder = Folder::new();
    let key = folder.data().join("key");
    let first = folder.script(&["ada> /new four-handed solo:yes", "ada> /roll"]);
    fs::remove_file(&key).unwrap();
    let second = folder.script(&["bob> /new four-handed solo:yes", "bob> /roll"]);
    let (first, second) = (code(&first[0]), code(&second[0]));
    fs::write(&key, [7; 32]).unwrap();
    let refused = folder.run(&["--json"], "");
    let told = text(&refused.stderr);
    assert!(!refused.status.success(), "{told}");
    let named = told.split("sealed (").nth(1).unwrap();
    assert!(
        named.starts_with(&format!("{second})")) && !named.contains(&first),
        "{told}"
    );
}
