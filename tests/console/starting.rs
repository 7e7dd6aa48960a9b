//! With what the program is started: names, variables, and folders whose names are hard to say.

use serde_json::Value;

use crate::session::{Folder, said, text};

#[test]
fn a_name_that_cannot_be_one_is_refused_with_file_line_and_setting() {
    let folder = Folder::new();
    for (content, line, setting) in [
        ("[console]\nname = \"a b\"\n", "line 2", "console.name"),
        (
            "[console]\n\nname = \"everyone\"\n",
            "line 3",
            "console.name",
        ),
        ("[console]\nroom = \"../x\"\n", "line 2", "console.room"),
    ] {
        let file = folder.file("a.toml", content);
        for command in ["console", "check"] {
            let refused = folder.run(&[command, "--config", file.to_str().unwrap()], "");
            let told = text(&refused.stderr);
            assert!(!refused.status.success(), "{command}: {told}");
            let place = format!("a.toml, {line}: `{setting}` takes a name");
            assert!(told.contains(&place), "{command}: {told}");
        }
    }
}

/// Where a folder has a name that is no text, or cannot be shown.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_no_text_or_cannot_be_shown_are_told_so_that_they_can_be_found() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for (name, shown) in [
        (&b"caf\xe9"[..], "caf%E9"),
        ("a\u{202e}b".as_bytes(), "a%E2%80%AEb"),
        (b"a\x1b[31mb", "a%1B%5B31mb"),
        (b"a\nb", "a%0Ab"),
    ] {
        let folder = Folder::new();
        let data = folder.path().join(OsStr::from_bytes(name));
        let arguments = [OsStr::new("--json"), OsStr::new("--data"), data.as_os_str()];
        let script = "ada> /new chaturanga solo:yes\nada> /record\n";
        let run = folder.run_os(&arguments, script);
        let told = text(&run.stdout);
        assert!(run.status.success(), "{}", text(&run.stderr));
        let replies: Vec<Value> = told
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {told}"))
            })
            .collect();
        let address = said(&replies[1]).split_once(": ").unwrap().1;
        assert!(
            address.starts_with("file:///") && address.contains(shown),
            "{address}"
        );
        let picture = replies[0]["picture"].as_str().unwrap();
        let exists = std::path::Path::new(picture).exists();
        assert!(exists || picture.contains(shown), "{picture}");
    }
}

#[test]
fn a_variable_that_is_no_setting_is_only_warned_of_and_an_empty_one_sets_nothing() {
    let folder = Folder::new();
    let elsewhere = folder.path().join("elsewhere");
    let file = format!("data_dir = {:?}\n", elsewhere.to_str().unwrap());
    let file = folder.file("a.toml", &file);
    let variables = [
        ("ASHTAPADA_DATA_DIR", ""),
        ("ASHTAPADA_SERVICE_HOST", "10.0.0.1"),
        ("ASHTAPADA_DISCORD_TOKEN", "x"),
    ];
    let arguments = ["console", "--config", file.to_str().unwrap()];
    let run = folder.run_with(&variables, &arguments, "");
    let told = text(&run.stderr);
    assert!(run.status.success(), "{told}");
    assert!(elsewhere.is_dir(), "{told}");
    for said in [
        "environment variable ASHTAPADA_SERVICE_HOST: there is no setting",
        "did you mean `ASHTAPADA_DISCORD__TOKEN`?",
    ] {
        assert!(told.contains(said), "{told}");
    }
}
