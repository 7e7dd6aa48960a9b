//! A journal that is torn, gone bad, missing or too new.

use std::fs;
use std::path::Path;

use ashtapada::store::{Damage, Found, Memory, OpenError, Store, open};

use crate::support::{
    ONE, TABLES, copy, cut, files, folder, folder_with_snapshots, opened, play, play_until_filed,
    small, state, without_view,
};

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
        let kept: Vec<u8> = files(&torn, "journal-")
            .iter()
            .filter(|path| path.to_string_lossy().contains(".jsonl.cut-"))
            .flat_map(|path| fs::read(path).unwrap())
            .collect();
        assert_eq!(kept, &text[last..length], "and is kept beside it");
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
            .contains("are damaged or gone and stand nowhere else"),
        "{error}"
    );
    assert_eq!(
        fs::read(files(&lost, "journal-").remove(0)).unwrap(),
        before
    );
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
    let json = r#"{"format":3,"first":1}"#;
    let line = format!("{json}\t{:08x}\n", crc32fast::hash(json.as_bytes()));
    fs::write(home.path().join("journal-000000000001.jsonl"), line).unwrap();
    let error = open(home.path(), small(ONE)).unwrap_err().to_string();
    assert!(
        error.contains("has format 3; this program reads 2"),
        "{error}"
    );
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
async fn ends_of_lines_of_another_system_are_read_and_written_on_behind() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let model = Memory::new();
    let (store, _) = opened(dir, ONE);
    play(&store, &model, TABLES, 20).await;
    drop(store);
    for round in 0..2 {
        let segment = files(dir, "journal-0").remove(0);
        let text = fs::read_to_string(&segment).unwrap();
        fs::write(&segment, text.replace("\r\n", "\n").replace('\n', "\r\n")).unwrap();
        without_view(dir);
        let (store, opening) = opened(dir, ONE);
        assert_eq!(opening.torn, None, "round {round}");
        assert_eq!(state(&store, TABLES).await, state(&model, TABLES).await);
        play(&store, &model, TABLES, 20).await;
    }
    without_view(dir);
    let (store, _) = opened(dir, ONE);
    assert_eq!(state(&store, TABLES).await, state(&model, TABLES).await);
}

#[tokio::test]
async fn segments_in_each_others_place_are_refused_and_not_cut() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    folder_with_snapshots(dir).await;
    without_view(dir);
    let segments = files(dir, "journal-0");
    let newest = segments.last().unwrap();
    let (first, last) = (fs::read(&segments[0]).unwrap(), fs::read(newest).unwrap());
    for (there, told) in [(&last, "exchanged"), (&first, "written over")] {
        fs::write(&segments[0], there).unwrap();
        fs::write(newest, &first).unwrap();
        let error = open(dir, small(25)).unwrap_err().to_string();
        assert!(
            error.contains("is not what its name says"),
            "{told}: {error}"
        );
        assert_eq!(fs::read(newest).unwrap(), first, "{told}");
    }
}

/// Makes the files of a folder what the first format had: without ids, digests and sums.
fn as_first_format(dir: &Path) {
    for path in [
        files(dir, "journal-0"),
        files(dir, "snapshot-"),
        files(dir, "finished-"),
    ]
    .concat()
    {
        let text = fs::read_to_string(&path).unwrap();
        let (heading, rest) = text.split_once('\n').unwrap();
        let json = heading.rsplit_once('\t').unwrap().0;
        let mut heading: serde_json::Value = serde_json::from_str(json).unwrap();
        let fields = heading.as_object_mut().unwrap();
        for later in ["folder", "chain", "number"] {
            fields.remove(later);
        }
        fields.insert("format".to_owned(), 1.into());
        if let Some(finished) = fields.get_mut("finished") {
            for file in finished.as_array_mut().unwrap() {
                *file = file["name"].clone();
            }
        }
        let json = heading.to_string();
        let seal = crc32fast::hash(json.as_bytes());
        fs::write(&path, format!("{json}\t{seal:08x}\n{rest}")).unwrap();
    }
    fs::remove_file(dir.join("journal.mark")).unwrap();
    without_view(dir);
}

#[tokio::test]
async fn a_folder_of_the_first_format_is_read_and_gone_on_with() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let model = Memory::new();
    let (store, _) = opened(dir, 25);
    play_until_filed(&store, &model, dir).await;
    store.close().await.unwrap();
    drop(store);
    as_first_format(dir);
    for round in 0..3 {
        let (store, opening) = opened(dir, 25);
        assert_eq!(
            state(&store, TABLES).await,
            state(&model, TABLES).await,
            "{opening}"
        );
        play(&store, &model, TABLES, 20).await;
        store.close().await.unwrap();
        drop(store);
        if round > 0 {
            without_view(dir);
        }
    }
    let (store, _) = opened(dir, 25);
    assert_eq!(state(&store, TABLES).await, state(&model, TABLES).await);
}
