//! Checking a folder, and moving everything into another one.

use std::fs;

use ashtapada::ids::{At, Cause, Platform, TableCode};
use ashtapada::store::{Commit, Found, Memory, State, Store, TransferError, check, export, import};

use crate::support::{files, opened, play, play_until_filed, small, state, step};

/// The store's own tests have no games.
fn playable(_: TableCode, _: &[serde_json::Value]) -> Result<(), String> {
    Ok(())
}

#[tokio::test]
async fn what_is_exported_is_the_same_after_import() {
    let home = tempfile::tempdir().unwrap();
    let (from, to) = (home.path().join("from"), home.path().join("to"));
    let model = Memory::new();
    let (store, _) = opened(&from, 40);
    play(&store, &model, 5, 150).await;
    drop(store);
    let mut lines = Vec::new();
    let (count, opening) = export(&from, &small(40), &mut lines).unwrap();
    assert_eq!(
        lines.iter().filter(|byte| **byte == b'\n').count() as u64,
        count + 2,
        "a title, the things, an end"
    );
    let (imported, _) = import(&to, lines.as_slice(), playable).unwrap();
    assert_eq!(imported, count);
    let (store, again) = opened(&to, 40);
    assert_eq!(
        (again.found, again.number),
        (Found::Resumed, opening.number),
        "numbers go on where they were"
    );
    assert_eq!(state(&store, 5).await, state(&model, 5).await);
    let cause = Cause::new(
        Platform::Console,
        format_args!("{}-0", TableCode::numbered(0)),
    );
    assert_eq!(store.handled(&cause).await, Ok(Some(1)));
    play(&store, &model, 5, 60).await;
    drop(store);
    fs::remove_dir_all(to.join("sled")).unwrap();
    assert_eq!(
        state(&opened(&to, 40).0, 5).await,
        state(&model, 5).await,
        "rebuilt from the imported snapshot"
    );
}

#[tokio::test]
async fn an_import_that_is_cut_or_bent_or_meets_a_used_folder_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let from = home.path().join("from");
    let (store, _) = opened(&from, 40);
    store.commit(step(0, 0, 3)).await.unwrap();
    drop(store);
    let mut lines = Vec::new();
    export(&from, &small(40), &mut lines).unwrap();
    let text = String::from_utf8(lines.clone()).unwrap();
    let without_end = text
        .lines()
        .rev()
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
        .join("\n")
        + "\n";
    let without_one = text
        .lines()
        .enumerate()
        .filter(|(at, _)| *at != 2)
        .map(|(_, line)| format!("{line}\n"))
        .collect::<String>();
    for (told, bad) in [
        ("empty", String::new()),
        ("no export at all", "hello\n".to_owned()),
        (
            "later format",
            text.replacen("\"format\":2", "\"format\":9", 1),
        ),
        ("no end", without_end),
        ("one line less", without_one),
    ] {
        let to = home.path().join("to");
        assert!(
            matches!(
                import(&to, bad.as_bytes(), playable),
                Err(TransferError::Lines(_))
            ),
            "{told}"
        );
        assert_eq!(
            files(&to, "snapshot-").len() + files(&to, "journal-").len()
                - files(&to, "snapshot-000000000001.jsonl.tmp").len(),
            0,
            "{told}"
        );
    }
    assert!(matches!(
        import(&from, lines.as_slice(), playable),
        Err(TransferError::NotEmpty(_))
    ));
    let missing = home.path().join("missing");
    assert!(matches!(
        export(&missing, &small(40), &mut Vec::new()),
        Err(TransferError::Open(_))
    ));
    assert!(!missing.exists(), "an export makes no folder");
}

#[tokio::test]
async fn a_check_names_what_is_damaged_and_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let model = Memory::new();
    let (store, _) = opened(dir, 25);
    play_until_filed(&store, &model, dir).await;
    assert!(
        check(dir)
            .unwrap_err()
            .to_string()
            .contains("in use by another process")
    );
    drop(store);
    let report = check(dir).unwrap();
    assert!(report.is_whole(), "{report}");
    assert!(
        report
            .parts
            .iter()
            .all(|part| matches!(part.state, State::Whole(_))),
        "{report}"
    );
    for beginning in ["snapshot-", "finished-", "journal-"] {
        let victim = files(dir, beginning).remove(0);
        let whole = fs::read(&victim).unwrap();
        let mut bent = whole.clone();
        let middle = bent.len() / 3;
        bent[middle] ^= 1;
        fs::write(&victim, &bent).unwrap();
        let report = check(dir).unwrap();
        let named = report
            .parts
            .iter()
            .find(|part| matches!(part.state, State::Damaged(_)));
        assert_eq!(
            named.map(|part| part.name.as_str()),
            victim.file_name().unwrap().to_str(),
            "{report}"
        );
        assert!(!report.is_whole());
        assert_eq!(fs::read(&victim).unwrap(), bent, "it was only looked at");
        fs::write(&victim, whole).unwrap();
    }
    fs::write(dir.join("sled/db"), b"not a database").unwrap();
    let report = check(dir).unwrap();
    assert!(report.to_string().contains("DAMAGED  sled:"), "{report}");
    assert_eq!(fs::read(dir.join("sled/db")).unwrap(), b"not a database");
    assert!(!dir.join("sled.check").exists());
    fs::remove_dir_all(dir.join("sled")).unwrap();
    assert!(
        check(dir).unwrap().is_whole(),
        "a missing view is made by the next start"
    );
}

#[tokio::test]
async fn what_a_start_repaired_is_said_in_words() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let (store, opening) = opened(dir, 25);
    assert!(!opening.is_remarkable());
    assert_eq!(
        opening.to_string(),
        format!("new data folder {}", dir.display())
    );
    store.commit(Commit::new(At(1), None)).await.unwrap();
    drop(store);
    fs::write(dir.join("sled/db"), b"not a database").unwrap();
    let (store, opening) = opened(dir, 25);
    assert!(opening.is_remarkable());
    let text = opening.to_string();
    assert!(
        text.contains("could not be used")
            && text.contains(
                "was rebuilt from the journal: tables 0, commands 1; the old one was moved to"
            ),
        "{text}"
    );
    drop(store);
    assert!(dir.join("sled.bad").is_dir());
}
