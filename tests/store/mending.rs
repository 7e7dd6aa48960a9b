//! Mending: in the background of a start, by hand, and killed at any moment of it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ashtapada::store::{Memory, Store, check, mend, open};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::damage::{Histories, SEGMENT, damage, damage_view};
use crate::support::{TABLES, copy, files, opened, small, state, step, version};

const FOLDER: &str = "ASHTAPADA_MEND_FOLDER";
const MEND: &str = "mending::a_mend_runs_through_when_it_is_not_killed";

#[tokio::test]
async fn a_mend_runs_through_when_it_is_not_killed() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        // A line of its own behind what the harness has begun to say.
        println!("\nbegun");
        std::io::stdout().flush().unwrap();
        mend(Path::new(&folder), &small(SEGMENT)).unwrap();
        return;
    }
    let (home, model) = (tempfile::tempdir().unwrap(), Memory::new());
    let (store, _) = opened(home.path(), SEGMENT);
    for version in 0..30 {
        store.commit(step(0, version, 1)).await.unwrap();
        model.commit(step(0, version, 1)).await.unwrap();
    }
    store.close().await.unwrap();
    drop(store);
    mend(home.path(), &small(SEGMENT)).unwrap();
    assert!(check(home.path()).unwrap().is_whole());
    let (store, _) = opened(home.path(), SEGMENT);
    assert_eq!(state(&store, 1).await, state(&model, 1).await);
}

/// A process that mends the folder, and has just begun to.
fn mending(dir: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([MEND, "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("begun") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended by itself");
    }
    child.stdout = Some(out.into_inner());
    child
}

#[tokio::test]
async fn killed_while_it_mends_a_folder_has_no_less_than_before() {
    let kills: u64 = std::env::var("ASHTAPADA_MEND_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(40);
    let seed: u64 = rand::random();
    let mut random = StdRng::seed_from_u64(seed);
    let histories = Histories::make(&mut random).await;
    let (whole, dir) = (
        histories.home.path().join("whole"),
        histories.home.path().join("tried"),
    );
    let mut killed = 0;
    for kill in 0..kills {
        let history = histories.all.choose(&mut random).unwrap();
        let other = histories.all.choose(&mut random).unwrap();
        copy(&history.left.path, &dir);
        let what = damage(&dir, history, other, &mut random);
        let view = damage_view(&dir, history, other, &mut random);
        let told = format!(
            "seed {seed}, kill {kill}, {}: {what}, {view}",
            history.left.path.display()
        );
        // Only where a mend that is left alone succeeds.
        copy(&dir, &whole);
        if mend(&whole, &small(SEGMENT)).is_ok() {
            for _ in 0..random.random_range(1..3) {
                let mut child = mending(&dir);
                std::thread::park_timeout(Duration::from_micros(random.random_range(0..40_000)));
                child.kill().unwrap();
                killed += u64::from(child.wait().unwrap().code().is_none());
            }
            let (store, opening) =
                open(&dir, small(SEGMENT)).unwrap_or_else(|error| panic!("{told}\n{error}"));
            assert!(
                state(&store, TABLES).await == history.left.state,
                "{told}\n{opening}"
            );
            store.close().await.unwrap();
            drop(store);
            mend(&dir, &small(SEGMENT)).unwrap();
            let report = check(&dir).unwrap();
            assert!(report.is_whole(), "{told}\n{report}");
        }
        fs::remove_dir_all(&dir).unwrap();
        fs::remove_dir_all(&whole).unwrap();
    }
    assert!(
        killed > kills / 4,
        "only {killed} of {kills} were killed before they had done"
    );
}

/// A closed folder that has files of every kind.
async fn with_every_kind(dir: &Path) -> Memory {
    let model = Memory::new();
    let (store, _) = opened(dir, SEGMENT);
    let mut rounds = 0;
    // A snapshot that was given up at the end may have left a file of finished games that nobody names.
    let names_finished = |snapshot: &std::path::PathBuf| {
        fs::read_to_string(snapshot).is_ok_and(|text| text.contains("finished-000000000001"))
    };
    while files(dir, "snapshot-")
        .iter()
        .filter(|path| names_finished(path))
        .count()
        < 2
    {
        rounds += 1;
        assert!(rounds < 400, "no snapshots are taken");
        for table in 0..TABLES {
            let version = version(&model, table).await;
            store.commit(step(table, version, 2)).await.unwrap();
            model.commit(step(table, version, 2)).await.unwrap();
        }
    }
    store.close().await.unwrap();
    model
}

#[tokio::test]
async fn what_is_damaged_or_missing_is_mended_beside_other_work() {
    let home = tempfile::tempdir().unwrap();
    let left = home.path().join("left");
    let model = with_every_kind(&left).await;
    for (beginning, gone) in [
        ("finished-", true),
        ("finished-", false),
        ("snapshot-", true),
        ("snapshot-", false),
        ("journal-0", true),
        ("journal-0", false),
    ] {
        let told = format!("{beginning}, gone {gone}");
        let dir = home.path().join("tried");
        copy(&left, &dir);
        let victim = files(&dir, beginning).remove(0);
        let name = victim.file_name().unwrap().to_string_lossy().into_owned();
        if gone {
            fs::remove_file(&victim).unwrap();
        } else {
            let mut content = fs::read(&victim).unwrap();
            let middle = content.len() / 2;
            content[middle] ^= 1;
            fs::write(&victim, content).unwrap();
        }
        let report = check(&dir).unwrap();
        let damaged: Vec<&str> = report
            .parts
            .iter()
            .filter(|part| part.is_damaged())
            .map(|part| part.name.as_str())
            .collect();
        // A snapshot that is gone is not missed: the other one stands for all.
        let blamed = if beginning == "snapshot-" && gone {
            vec![]
        } else {
            vec![name.as_str()]
        };
        assert_eq!(damaged, blamed, "{told}\n{report}");
        let (store, opening) = opened(&dir, SEGMENT);
        let before = files(&dir, "");
        let mended = async {
            // Whatever the store is asked for makes it look whether something is to be mended.
            while !blamed.is_empty() && files(&dir, "") == before {
                store.sync().await.unwrap();
            }
        };
        let mended = tokio::time::timeout(Duration::from_secs(60), mended).await;
        assert!(mended.is_ok(), "{told}: nothing is mended; {opening}");
        store.close().await.unwrap();
        drop(store);
        mend(&dir, &small(SEGMENT)).unwrap();
        let report = check(&dir).unwrap();
        assert!(report.is_whole(), "{told}\n{report}");
        fs::remove_dir_all(dir.join("sled")).unwrap();
        let (store, opening) = opened(&dir, SEGMENT);
        assert!(
            state(&store, TABLES).await == state(&model, TABLES).await,
            "{told}\n{opening}"
        );
        drop(store);
        fs::remove_dir_all(&dir).unwrap();
    }
}
