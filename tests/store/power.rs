//! States a power failure or a bad disk can leave: the store opens, and nothing acknowledged is missing.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use ashtapada::store::{Damage, Found, Memory, OpenError, Opening, Store, open};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use crate::support::{State, copy, files, opened, play, small, state, step};

const TABLES: u32 = 6;
/// Segments so long that there is one only.
const ONE: u64 = 100_000;

/// A closed store with `commits` commands, and what it should hold.
async fn folder(dir: &Path, segment_lines: u64, commits: u64) -> State {
    let model = Memory::new();
    let (store, opening) = opened(dir, segment_lines);
    assert_eq!(opening.found, Found::Fresh);
    play(&store, &model, TABLES, commits).await;
    store.close().await.unwrap();
    state(&model, TABLES).await
}

/// A closed store with two snapshots at least.
async fn folder_with_snapshots(dir: &Path) -> State {
    let model = Memory::new();
    let (store, _) = opened(dir, 25);
    let mut rounds = 0;
    while files(dir, "snapshot-").len() < 2 {
        rounds += 1;
        assert!(rounds < 400, "no snapshots are taken");
        play(&store, &model, TABLES, 30).await;
    }
    store.close().await.unwrap();
    state(&model, TABLES).await
}

fn without_view(dir: &Path) {
    fs::remove_dir_all(dir.join("sled")).unwrap();
}

fn cut(path: &Path, length: u64) {
    OpenOptions::new()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(length)
        .unwrap();
}

fn turn_bits(path: &Path, bits: usize, random: &mut impl Rng) {
    let mut bytes = fs::read(path).unwrap();
    for _ in 0..bits {
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
    }
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_tail_torn_at_any_byte_is_cut_and_the_whole_lines_are_kept() {
    let home = tempfile::tempdir().unwrap();
    let whole = home.path().join("whole");
    folder(&whole, ONE, 30).await;
    let segment = files(&whole, "journal-").remove(0);
    let text = fs::read(&segment).unwrap();
    let ends: Vec<usize> = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    let from = ends[ends.len() - 3];
    for length in (from..=text.len()).step_by(7) {
        let torn = home.path().join(format!("torn-{length}"));
        fs::create_dir(&torn).unwrap();
        let name = torn.join(segment.file_name().unwrap());
        fs::write(&name, &text[..length]).unwrap();
        let (store, opening) = opened(&torn, ONE);
        let lines = ends.iter().filter(|end| **end <= length).count();
        assert_eq!(opening.number, lines as u64 - 1, "cut at {length}");
        let last = *ends.iter().rfind(|end| **end <= length).unwrap();
        assert_eq!(
            opening.torn.map_or(0, |torn| torn.bytes),
            (length - last) as u64
        );
        drop(store);
        assert_eq!(
            fs::read(&name).unwrap(),
            &text[..last],
            "what was torn is gone and nothing else"
        );
        fs::remove_dir_all(torn).unwrap();
    }
}

#[tokio::test]
async fn a_whole_view_keeps_what_the_journal_lost() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder(dir, ONE, 40).await;
    let segment = files(dir, "journal-").remove(0);
    let length = fs::metadata(&segment).unwrap().len();
    cut(&segment, length - 3_000);
    let (store, opening) = opened(dir, ONE);
    assert!(
        matches!(opening.found, Found::Ahead { journal } if journal < opening.number),
        "{opening}"
    );
    assert_eq!(state(&store, TABLES).await, expected);
    drop(store);
    // The snapshot taken then stands in for the lines that were lost.
    without_view(dir);
    let (store, opening) = opened(dir, ONE);
    assert!(
        matches!(
            opening.found,
            Found::Rebuilt {
                snapshot: Some(_),
                ..
            }
        ),
        "{opening}"
    );
    assert_eq!(state(&store, TABLES).await, expected);
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
async fn a_line_gone_bad_in_the_middle_is_not_mistaken_for_a_torn_tail() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("folder");
    let expected = folder(&dir, ONE, 40).await;
    let segment = files(&dir, "journal-").remove(0);
    let mut text = fs::read(&segment).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 1;
    fs::write(&segment, text).unwrap();
    let lost = home.path().join("lost");
    copy(&dir, &lost);
    // The view has what the line said: told, and kept in a snapshot.
    let (store, opening) = opened(&dir, ONE);
    assert_eq!(opening.rot.len(), 1, "{opening}");
    assert_eq!(state(&store, TABLES).await, expected);
    drop(store);
    without_view(&dir);
    let (store, opening) = opened(&dir, ONE);
    assert!(
        matches!(
            opening.found,
            Found::Rebuilt {
                damage: Damage::Missing,
                snapshot: Some(_),
                ..
            }
        ),
        "{opening}"
    );
    assert_eq!(state(&store, TABLES).await, expected);
    // Nothing has it: the program says so and changes nothing.
    without_view(&lost);
    let before = fs::read(files(&lost, "journal-").remove(0)).unwrap();
    let error = open(&lost, small(ONE)).unwrap_err();
    assert!(matches!(error, OpenError::Lost { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("are damaged and stand nowhere else"),
        "{error}"
    );
    assert_eq!(
        fs::read(files(&lost, "journal-").remove(0)).unwrap(),
        before
    );
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
async fn a_segment_whose_first_line_was_torn_is_begun_again() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder(dir, ONE, 10).await;
    let (store, opening) = opened(dir, ONE);
    let next = opening.number + 1;
    drop(store);
    for torn in ["", "{\"format\":1,\"fi"] {
        fs::write(dir.join(format!("journal-{next:012}.jsonl")), torn).unwrap();
        let (store, opening) = opened(dir, ONE);
        assert_eq!((opening.found, opening.number), (Found::Resumed, next - 1));
        assert_eq!(state(&store, TABLES).await, expected);
    }
}

#[tokio::test]
async fn a_journal_of_a_later_program_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let json = r#"{"format":2,"first":1}"#;
    let line = format!("{json}\t{:08x}\n", crc32fast::hash(json.as_bytes()));
    fs::write(home.path().join("journal-000000000001.jsonl"), line).unwrap();
    let error = open(home.path(), small(ONE)).unwrap_err().to_string();
    assert!(
        error.contains("has format 2; this program reads 1"),
        "{error}"
    );
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
async fn without_a_journal_a_damaged_view_is_refused_and_a_whole_one_kept() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let expected = folder(dir, ONE, 10).await;
    fs::remove_file(files(dir, "journal-").remove(0)).unwrap();
    let broken = dir.join("broken");
    copy(&dir.join("sled"), &broken.join("sled"));
    fs::write(broken.join("sled/db"), b"not a database").unwrap();
    let error = open(&broken, small(ONE)).unwrap_err().to_string();
    assert!(error.contains("there is no journal"), "{error}");
    let (store, opening) = opened(dir, ONE);
    assert!(
        matches!(opening.found, Found::Ahead { journal: 0 }),
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
