//! States a power failure or a bad disk can leave: the store opens, and nothing acknowledged is missing.

use std::fs;
use std::path::{Path, PathBuf};

use ashtapada::store::{Damage, Found, Memory, Opening, Store, open};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use crate::support::{
    ONE, State, TABLES, copy, cut, files, folder, folder_with_snapshots, opened, play, small,
    state, step, without_view,
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

#[tokio::test]
async fn finished_games_that_went_bad_are_left_out_and_told_when_nothing_else_has_them() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let first = r#""code":"22222""#;
    let model = Memory::new();
    let (store, _) = opened(dir, 25);
    let mut rounds = 0;
    while !files(dir, "finished-")
        .iter()
        .any(|path| fs::read_to_string(path).unwrap().contains(first))
    {
        rounds += 1;
        assert!(rounds < 400, "no finished games are filed");
        play(&store, &model, TABLES, 30).await;
    }
    drop(store);
    let expected = state(&model, TABLES).await;
    for path in files(dir, "finished-") {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(first, r#""code":"22223""#)).unwrap();
    }
    without_view(dir);
    let (store, opening) = opened(dir, 25);
    assert!(
        opening
            .warnings
            .iter()
            .any(|warning| warning.starts_with("left out: ")),
        "{opening}"
    );
    let found = state(&store, TABLES).await;
    assert_eq!(
        found.beyond_the_first_table(),
        expected.beyond_the_first_table()
    );
}
