//! States a power failure or a bad disk can leave: the store opens, and nothing acknowledged is missing.

use std::fs;
use std::path::{Path, PathBuf};

use ashtapada::ids::TableCode;
use ashtapada::store::{Damage, Found, Memory, Opening, Options, Store, open};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use crate::support::{
    ONE, State, TABLES, copy, cut, files, folder, folder_with_snapshots, opened, play, small,
    state, step, version, without_view,
};

fn turn_bits(path: &Path, bits: usize, random: &mut impl Rng) {
    let mut bytes = fs::read(path).unwrap();
    for _ in 0..bits {
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
    }
    fs::write(path, bytes).unwrap();
}

/// Opens a damaged folder, expects everything, and that the next opening finds nothing amiss.
async fn survives(dir: &Path, expected: &State, told: &str) -> Opening {
    let (store, opening) = match open(dir, small(25)) {
        Ok(opened) => opened,
        Err(error) => panic!("{told}: {error}"),
    };
    assert_eq!(&state(&store, TABLES).await, expected, "{told}: {opening}");
    store.close().await.unwrap();
    drop(store);
    let (store, again) = opened(dir, 25);
    assert_eq!(again.found, Found::Resumed, "{told}: {again}");
    assert_eq!(
        &state(&store, TABLES).await,
        expected,
        "{told}, opened again"
    );
    opening
}

#[tokio::test]
async fn bits_turned_in_the_view_are_noticed_and_the_view_is_rebuilt() {
    let home = tempfile::tempdir().unwrap();
    let whole = home.path().join("whole");
    let expected = folder_with_snapshots(&whole).await;
    let seed = rand::random();
    let mut random = StdRng::seed_from_u64(seed);
    let mut rebuilt = 0;
    for trial in 0..40 {
        let dir = home.path().join("damaged");
        copy(&whole, &dir);
        let inside: Vec<PathBuf> = files(&dir.join("sled"), "")
            .into_iter()
            .filter(|path| path.is_file())
            .collect();
        let victim = &inside[random.random_range(0..inside.len())];
        let bits = [1, 8, 200, 5_000][trial % 4];
        if fs::metadata(victim).unwrap().len() > 0 {
            turn_bits(victim, bits, &mut random);
        }
        let told = format!(
            "seed {seed}, trial {trial}, {bits} bits in {}",
            victim.display()
        );
        let opening = survives(&dir, &expected, &told).await;
        rebuilt += usize::from(matches!(opening.found, Found::Rebuilt { .. }));
        fs::remove_dir_all(dir).unwrap();
    }
    assert!(
        rebuilt > 5,
        "seed {seed}: only {rebuilt} of 40 were noticed"
    );
}

#[tokio::test]
async fn a_view_with_files_cut_short_or_missing_is_rebuilt() {
    let home = tempfile::tempdir().unwrap();
    let whole = home.path().join("whole");
    let expected = folder_with_snapshots(&whole).await;
    for (trial, victim) in files(&whole.join("sled"), "").into_iter().enumerate() {
        let name = victim.file_name().unwrap();
        for keep in [None, Some(0), Some(1), Some(2)] {
            let dir = home.path().join("damaged");
            copy(&whole, &dir);
            let victim = dir.join("sled").join(name);
            match keep {
                None if victim.is_dir() => fs::remove_dir_all(&victim).unwrap(),
                None => fs::remove_file(&victim).unwrap(),
                Some(_) if victim.is_dir() => {}
                Some(third) => cut(&victim, fs::metadata(&victim).unwrap().len() * third / 3),
            }
            survives(
                &dir,
                &expected,
                &format!("trial {trial}, {} kept {keep:?}", name.display()),
            )
            .await;
            fs::remove_dir_all(dir).unwrap();
        }
    }
}

#[tokio::test]
async fn an_old_view_put_back_catches_up_or_is_rebuilt() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("folder");
    let model = Memory::new();
    let (mut store, _) = opened(&dir, 25);
    for _ in 0..3 {
        play(&store, &model, TABLES, 20).await;
        store.close().await.unwrap();
        drop(store);
        let old = home.path().join("old");
        if !old.exists() {
            copy(&dir.join("sled"), &old);
        }
        without_view(&dir);
        copy(&old, &dir.join("sled"));
        store = opened(&dir, 25).0;
        assert_eq!(state(&store, TABLES).await, state(&model, TABLES).await);
    }
}

#[tokio::test]
async fn a_damaged_snapshot_falls_back_on_the_older_one() {
    let home = tempfile::tempdir().unwrap();
    let whole = home.path().join("whole");
    let expected = folder_with_snapshots(&whole).await;
    let seed = rand::random();
    let mut random = StdRng::seed_from_u64(seed);
    for trial in 0..20 {
        let dir = home.path().join("damaged");
        copy(&whole, &dir);
        let newest = files(&dir, "snapshot-").pop().unwrap();
        if trial % 2 == 0 {
            cut(
                &newest,
                random.random_range(0..fs::metadata(&newest).unwrap().len()),
            );
        } else {
            turn_bits(&newest, 40, &mut random);
        }
        if trial % 4 < 2 {
            without_view(&dir);
        } else {
            let db = dir.join("sled/db");
            turn_bits(&db, 20_000, &mut random);
        }
        let opening = survives(&dir, &expected, &format!("seed {seed}, trial {trial}")).await;
        if let Found::Rebuilt { snapshot, .. } = &opening.found {
            assert_ne!(snapshot.as_ref(), Some(&newest));
            assert!(opening.to_string().contains("not used for it"), "{opening}");
        }
        fs::remove_dir_all(dir).unwrap();
    }
}

#[tokio::test]
async fn half_made_files_of_a_killed_process_do_no_harm() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder_with_snapshots(dir).await;
    fs::write(dir.join("sled/snap.00000000000000FF.generating"), b"torn").unwrap();
    fs::write(dir.join("snapshot-000000009999.jsonl.tmp"), b"{\"for").unwrap();
    let next = step(0, 0, 1);
    let (store, opening) = opened(dir, 25);
    assert_eq!(opening.found, Found::Resumed);
    assert_eq!(state(&store, TABLES).await, expected);
    assert!(
        store.commit(next).await.is_err(),
        "the table has events already"
    );
    assert_eq!(files(dir, "snapshot-000000009999").len(), 0);
}

#[tokio::test]
async fn a_view_that_ends_the_program_again_and_again_is_rebuilt() {
    let home = tempfile::tempdir().unwrap();
    let expected = folder(home.path(), ONE, 10).await;
    fs::write(home.path().join("sled.opening"), "3\n").unwrap();
    let (store, opening) = opened(home.path(), ONE);
    assert!(
        matches!(
            opening.found,
            Found::Rebuilt {
                damage: Damage::EndedOpening(3),
                ..
            }
        ),
        "{opening}"
    );
    assert_eq!(state(&store, TABLES).await, expected);
}

/// A closed folder with finished games that stand nowhere but in one file and the view: that file, and what is stored.
async fn with_filed_games(dir: &Path) -> (PathBuf, State) {
    let model = Memory::new();
    let (store, _) = opened(dir, 25);
    for version in (0..20).step_by(4) {
        let commit = step(0, version, 4);
        store.commit(commit.clone()).await.unwrap();
        model.commit(commit).await.unwrap();
    }
    let first = r#""code":"22222""#;
    let mut rounds = 0;
    let filed = loop {
        let found = files(dir, "finished-").into_iter();
        let filed = found
            .filter(|path| !path.to_string_lossy().ends_with(".tmp"))
            .find(|path| fs::read_to_string(path).unwrap().contains(first));
        let moved_on = !fs::read_to_string(files(dir, "journal-").remove(0))
            .unwrap()
            .contains(first);
        if let Some(filed) = filed.filter(|_| moved_on) {
            break filed;
        }
        rounds += 1;
        assert!(rounds < 400, "no finished games are filed");
        for table in 1..TABLES {
            let version = version(&model, table).await;
            let commit = step(table, version, 1);
            store.commit(commit.clone()).await.unwrap();
            model.commit(commit).await.unwrap();
        }
    };
    store.close().await.unwrap();
    (filed, state(&model, TABLES).await)
}

fn damage_first_table(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let bent = text.replacen(r#""code":"22222""#, r#""code":"22223""#, 1);
    assert_ne!(bent, text);
    fs::write(path, bent).unwrap();
}

#[tokio::test]
async fn finished_games_that_went_bad_are_refused_given_up_only_when_told_and_told_until_they_are_back()
 {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let (filed, expected) = with_filed_games(dir).await;
    let right = fs::read(&filed).unwrap();
    damage_first_table(&filed);
    without_view(dir);
    let error = open(dir, small(25)).unwrap_err().to_string();
    let name = filed.file_name().unwrap().to_string_lossy().into_owned();
    assert!(
        error.contains(&name) && error.contains("--accept-loss"),
        "{error}"
    );
    let accepting = Options {
        accept_loss: true,
        ..small(25)
    };
    let (store, opening) = open(dir, accepting).unwrap();
    assert!(
        opening.to_string().contains(&format!("given up: {name}")),
        "{opening}"
    );
    let found = state(&store, TABLES).await;
    assert_eq!(
        found.beyond_the_first_table(),
        expected.beyond_the_first_table()
    );
    drop(store);
    // Told again, also when nothing is accepted any more.
    for _ in 0..2 {
        let (store, opening) = opened(dir, 25);
        assert_eq!(opening.found, Found::Resumed);
        assert!(
            opening.to_string().contains(&format!("given up: {name}")),
            "{opening}"
        );
        drop(store);
    }
    // Put back, it is taken in, and there is nothing more to be told.
    fs::write(&filed, right).unwrap();
    let (store, opening) = opened(dir, 25);
    assert!(!opening.to_string().contains("given up"), "{opening}");
    assert_eq!(state(&store, TABLES).await, expected);
    drop(store);
    assert!(!opened(dir, 25).1.is_remarkable());
}

#[tokio::test]
async fn a_bent_first_line_of_a_file_of_finished_games_costs_no_game() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let (filed, expected) = with_filed_games(dir).await;
    let mut bent = fs::read(&filed).unwrap();
    bent[5] ^= 1;
    fs::write(&filed, bent).unwrap();
    without_view(dir);
    let (store, opening) = opened(dir, 25);
    assert_eq!(state(&store, TABLES).await, expected, "{opening}");
}

#[tokio::test]
async fn the_newest_file_of_finished_games_given_up_and_put_back_is_taken_in() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let (_, expected) = with_filed_games(dir).await;
    let newest = files(dir, "finished-").pop().unwrap();
    let right = fs::read(&newest).unwrap();
    fs::remove_file(&newest).unwrap();
    without_view(dir);
    // The older snapshot may do without it; what is left then is not the case meant here.
    while files(dir, "snapshot-").len() > 1 {
        fs::remove_file(files(dir, "snapshot-").remove(0)).unwrap();
    }
    let accepting = Options {
        accept_loss: true,
        ..small(25)
    };
    assert!(open(dir, small(25)).is_err());
    drop(open(dir, accepting).unwrap());
    let name = newest.file_name().unwrap().to_string_lossy().into_owned();
    let (store, opening) = opened(dir, 25);
    assert!(!newest.exists(), "its number was used again");
    assert!(
        opening.to_string().contains(&format!("given up: {name}")),
        "{opening}"
    );
    drop(store);
    fs::write(&newest, right).unwrap();
    let (store, opening) = opened(dir, 25);
    assert_eq!(state(&store, TABLES).await, expected, "{opening}");
    drop(store);
    // And stands in the files from then on.
    without_view(dir);
    let (store, opening) = opened(dir, 25);
    assert_eq!(state(&store, TABLES).await, expected, "{opening}");
}

#[tokio::test]
async fn a_whole_view_is_kept_also_when_the_mark_is_gone_with_the_journals_end() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder(dir, ONE, 40).await;
    let segment = files(dir, "journal-0").remove(0);
    cut(&segment, fs::metadata(&segment).unwrap().len() - 2_000);
    fs::remove_file(dir.join("journal.mark")).unwrap();
    let (store, opening) = opened(dir, ONE);
    assert!(matches!(opening.found, Found::Ahead { .. }), "{opening}");
    assert_eq!(state(&store, TABLES).await, expected);
}

#[tokio::test]
async fn a_newest_segment_that_is_gone_with_view_and_mark_is_missed() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    folder_with_snapshots(dir).await;
    fs::remove_file(files(dir, "journal-0").pop().unwrap()).unwrap();
    fs::remove_file(dir.join("journal.mark")).unwrap();
    without_view(dir);
    let error = open(dir, small(25)).unwrap_err().to_string();
    assert!(error.contains("are missing from the journal"), "{error}");
}

#[tokio::test]
async fn the_mark_of_a_copy_that_went_its_own_way_is_named_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let (dir, fork) = (home.path().join("left"), home.path().join("fork"));
    let expected = folder(&dir, ONE, 20).await;
    copy(&dir, &fork);
    for (dir, table) in [(&dir, 0), (&fork, 1)] {
        let (store, _) = opened(dir, ONE);
        let stored = store
            .table(TableCode::numbered(table))
            .await
            .unwrap()
            .unwrap();
        let mut commit = step(table, stored.version, 1);
        commit.posts.clear();
        store.commit(commit).await.unwrap();
        store.close().await.unwrap();
    }
    let own = fs::read(dir.join("journal.mark")).unwrap();
    fs::copy(fork.join("journal.mark"), dir.join("journal.mark")).unwrap();
    let error = open(&dir, small(ONE)).unwrap_err().to_string();
    let mark = dir.join("journal.mark");
    assert!(
        error.starts_with(&format!("{} belongs to another history", mark.display())),
        "{error}"
    );
    // As the refusal says: moved away, the folder is whole without it; put back as well.
    fs::remove_file(&mark).unwrap();
    drop(opened(&dir, ONE));
    fs::write(&mark, own).unwrap();
    let (store, _) = opened(&dir, ONE);
    assert_ne!(
        state(&store, TABLES).await,
        expected,
        "one command came after it"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_view_that_cannot_be_read_for_want_of_rights_is_not_taken_for_a_damaged_one() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder(dir, ONE, 20).await;
    // Nobody, also not who may read everything, reads a folder as a file.
    let mark = dir.join("sled.opening");
    fs::create_dir(&mark).unwrap();
    let error = open(dir, small(ONE)).unwrap_err().to_string();
    assert!(
        error.contains("see to it") && !error.contains("accept-loss"),
        "{error}"
    );
    assert!(!dir.join("sled.bad").exists());
    fs::remove_dir(&mark).unwrap();
    let (store, opening) = opened(dir, ONE);
    assert_eq!(opening.found, Found::Resumed);
    assert_eq!(state(&store, TABLES).await, expected);
}

#[tokio::test]
async fn a_view_that_ended_the_program_is_tried_again_when_it_is_the_one_whole_copy() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder(dir, ONE, 40).await;
    let segment = files(dir, "journal-0").remove(0);
    let mut text = fs::read(&segment).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 1;
    fs::write(&segment, text).unwrap();
    fs::write(dir.join("sled.opening"), "3\n").unwrap();
    let (store, opening) = opened(dir, ONE);
    assert_eq!(state(&store, TABLES).await, expected, "{opening}");
    assert!(!dir.join("sled.opening").exists());
}
