use super::*;
use crate::ids::At;
use crate::store::journal_error::JournalError;
use crate::store::mark::Mark;
use crate::store::segment::{Known, walk};
use crate::store::{Commit, LocalDisk};
use std::fs;
use std::path::Path;

/// A segment of three synced groups of two lines each; its bytes.
fn written(dir: &Path) -> Vec<u8> {
    let (folder, claim) = Folder::claim(dir).unwrap();
    let id = FolderId(7);
    let marker = Marker::begin(&folder, Mark::new(id, 0, Chain::seed(id))).unwrap();
    let ground = Ground {
        folder: folder.clone(),
        disk: Arc::new(LocalDisk),
        claim: Arc::new(claim),
        marker,
    };
    let mut journal = Journal::begin(ground, (0, Chain::seed(id))).unwrap();
    for group in 0..3 {
        for line in 0..2 {
            journal
                .add(Deed::Commit(Box::new(Commit::new(
                    At(group * 2 + line),
                    None,
                ))))
                .unwrap();
        }
        journal.write(true).unwrap();
    }
    assert_eq!(
        (journal.last(), journal.lines(), journal.unsynced()),
        (6, 6, false)
    );
    fs::read(folder.segment(1)).unwrap()
}

/// Walks a segment with this content; the records after number `after` and what was noticed. Up to number `marked`
/// the journal was acknowledged.
fn walked(
    content: &[u8],
    after: u64,
    marked: Option<u64>,
) -> Result<(Vec<u64>, Walked), JournalError> {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::new(dir.path());
    fs::write(folder.segment(1), content).unwrap();
    let mut mark = None;
    if let Some(n) = marked {
        let mut chain = Chain::seed(FolderId(7));
        let lines = content.split_inclusive(|byte| *byte == b'\n').skip(1);
        for line in lines.take(usize::try_from(n).unwrap()) {
            chain = chain.next(crc32fast::hash(&line[..line.len().saturating_sub(10)]));
        }
        mark = Some(Mark::new(FolderId(7), n, chain));
    }
    let known = Known {
        after: Point {
            n: after,
            chain: None,
        },
        mark: mark.as_ref(),
        also: None,
        lenient: false,
    };
    let mut numbers = Vec::new();
    let walked = walk(&folder.segments().unwrap(), known, |record, _| {
        numbers.push(record.n);
        Ok(())
    })?;
    Ok((numbers, walked))
}

#[test]
fn cut_at_any_byte_the_whole_lines_before_are_read_and_the_rest_is_torn() {
    let dir = tempfile::tempdir().unwrap();
    let content = written(dir.path());
    for length in 0..=content.len() {
        // A line is whole without its end, too.
        let ended = |at: usize| content[at] == b'\n' || content.get(at + 1) == Some(&b'\n');
        let whole = (0..content.len())
            .filter(|&at| content[at] == b'\n' && at <= length)
            .count() as u64;
        let (numbers, walked) = walked(&content[..length], 0, None).unwrap();
        assert_eq!(
            numbers,
            (1..whole.max(1)).collect::<Vec<_>>(),
            "cut to {length}"
        );
        let end = (0..length).rfind(|&at| ended(at)).map_or(0, |at| at + 1);
        assert_eq!(
            walked.torn.map_or(0, |torn| torn.bytes),
            (length - end) as u64,
            "cut to {length}"
        );
        assert_eq!(walked.unended, end > 0 && content[end - 1] != b'\n');
    }
}

#[test]
fn a_bad_byte_is_a_torn_tail_only_where_nobody_was_told_of_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let content = written(dir.path());
    let starts: Vec<usize> = content
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    for line in 1..=6_u64 {
        let mut bent = content.clone();
        bent[starts[usize::try_from(line).unwrap() - 1] + 20] ^= 1;
        for marked in [None, Some(4), Some(6)] {
            let told = format!("line {line}, acknowledged {marked:?}");
            let read = walked(
                &bent,
                0,
                marked.filter(|&marked| line > marked || marked == 6),
            );
            match read {
                Ok((numbers, walked)) => {
                    // The last line without a word of its acknowledgement, or the last group where only the one
                    // before it was acknowledged.
                    assert!(marked != Some(6) && line >= 5, "{told}");
                    assert!(line == 6 || marked == Some(4), "{told}");
                    assert_eq!(numbers.last(), Some(&(line - 1)), "{told}");
                    assert!(walked.torn.is_some(), "{told}");
                }
                Err(JournalError::Rotten { first, last, .. }) => {
                    assert!(line < 5 || marked == Some(6), "{told}");
                    // Known bad up to the first line that says that the bad one was safe.
                    assert!(first == line && last >= line, "{told}: {first} to {last}");
                }
                // A whole line behind a bad one, and nothing says whether it was acknowledged.
                Err(JournalError::Misfit { found, .. }) => {
                    assert_eq!((line, marked, found), (5, None, Some(6)), "{told}");
                }
                Err(error) => panic!("{told}: {error}"),
            }
        }
        // What the view has already does not matter.
        assert!(walked(&bent, 6, Some(6)).is_ok());
    }
}

#[test]
fn whole_lines_that_do_not_fit_are_refused_and_never_taken_for_an_unfinished_write() {
    let dir = tempfile::tempdir().unwrap();
    let content = written(dir.path());
    let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
    let doubled = [lines[0], lines[1], lines[1], lines[2]].concat();
    let twice = [content.as_slice(), content.as_slice()].concat();
    let headless = lines[1..].concat();
    for (told, changed) in [
        ("doubled", doubled),
        ("twice", twice),
        ("headless", headless),
    ] {
        let error = walked(&changed, 0, None).unwrap_err();
        assert!(
            matches!(error, JournalError::Misfit { .. }),
            "{told}: {error}"
        );
    }
    let missing = [lines[0], lines[1], lines[3]].concat();
    let error = walked(&missing, 0, None).unwrap_err();
    assert!(
        matches!(
            error,
            JournalError::Rotten {
                first: 2,
                last: 2,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn lines_with_the_ends_of_another_system_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let content = String::from_utf8(written(dir.path())).unwrap();
    let changed = content.replace('\n', "\r\n");
    let (numbers, walked) = walked(changed.as_bytes(), 0, None).unwrap();
    assert_eq!((numbers.len(), walked.torn), (6, None));
    assert_eq!(walked.length, changed.len() as u64);
}
