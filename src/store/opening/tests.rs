//! Refusals tell whoever runs the program what to do.

use super::*;
use crate::ids::TableCode;
use crate::store::kept::KeptError;
use crate::store::{StoreError, TransferError};

fn io() -> io::Error {
    io::Error::from(io::ErrorKind::PermissionDenied)
}

fn path() -> PathBuf {
    PathBuf::from("file")
}

/// One of each, and the next: a new one does not compile until it is here.
fn next_journal(error: Option<&JournalError>) -> Option<JournalError> {
    let path = path();
    Some(match error {
        None => JournalError::Unreadable { path, error: io() },
        Some(JournalError::Unreadable { .. }) => JournalError::Format { path, format: 9 },
        Some(JournalError::Format { .. }) => JournalError::Rotten {
            path,
            first: 1,
            last: 2,
        },
        Some(JournalError::Rotten { .. }) => JournalError::Gap { first: 1, last: 2 },
        Some(JournalError::Gap { .. }) => JournalError::Misfit {
            path,
            line: 1,
            expected: 1,
            found: None,
        },
        Some(JournalError::Misfit { .. }) => JournalError::Fork { path, n: 1 },
        // Never told as it is: the view is made anew then.
        Some(JournalError::Fork { .. } | JournalError::View(_)) => return None,
    })
}

fn next_kept(error: Option<&KeptError>) -> Option<KeptError> {
    let path = path();
    Some(match error {
        None => KeptError::Io { path, error: io() },
        Some(KeptError::Io { .. }) => KeptError::Format { path, format: 9 },
        Some(KeptError::Format { .. }) => KeptError::Damaged { path, line: 1 },
        Some(KeptError::Damaged { .. }) => KeptError::Incomplete { path },
        // What is given up is told by what it was done for.
        Some(KeptError::Incomplete { .. } | KeptError::View(_) | KeptError::GivenUp) => {
            return None;
        }
    })
}

fn next_open(error: Option<&OpenError>) -> Option<OpenError> {
    let path = path();
    Some(match error {
        None => OpenError::InUse(path),
        Some(OpenError::InUse(_)) => OpenError::Folder {
            folder: path,
            error: io(),
        },
        Some(OpenError::Folder { .. }) => OpenError::Foreign {
            paths: vec![path],
            kind: Stranger::Fork,
            tied: true,
        },
        Some(OpenError::Foreign { .. }) => OpenError::Misnamed { path, said: 1 },
        Some(OpenError::Misnamed { .. }) => OpenError::ForkedView {
            path,
            why: "why".to_owned(),
        },
        Some(OpenError::ForkedView { .. }) => OpenError::Lost {
            damage: Damage::Missing,
            tried: vec!["this".to_owned()],
        },
        Some(OpenError::Lost { .. }) => OpenError::View(Damage::Missing),
        // These say what stands in others.
        Some(
            OpenError::View(_)
            | OpenError::Journal { .. }
            | OpenError::Unfit(_)
            | OpenError::Snapshot(_),
        ) => return None,
    })
}

fn next_transfer(error: Option<&TransferError>) -> Option<TransferError> {
    Some(match error {
        None => TransferError::Number(9),
        Some(TransferError::Number(_)) => TransferError::Unplayable {
            line: 1,
            code: TableCode::numbered(0),
            why: "why".to_owned(),
        },
        Some(TransferError::Unplayable { .. }) => TransferError::NotEmpty(path()),
        Some(TransferError::NotEmpty(_) | TransferError::Open(_) | TransferError::Lines(_)) => {
            return None;
        }
    })
}

/// Refusals of single commands are worded by who asked; these reach whoever runs the program.
fn next_store(error: Option<&StoreError>) -> Option<StoreError> {
    use crate::store::order::Failure;
    let stopped = |failure: Failure| Some(failure.told());
    match error {
        None => stopped(Failure::Journal(io())),
        Some(StoreError::Stopped(told)) if told.contains("could not be written") => {
            stopped(Failure::Lock(path()))
        }
        Some(StoreError::Stopped(told)) if told.contains("was removed") => {
            stopped(Failure::View(Damage::Missing))
        }
        Some(StoreError::Stopped(_)) => Some(StoreError::Damaged("it".to_owned())),
        Some(StoreError::Damaged(_)) => None,
        Some(StoreError::Stale { .. } | StoreError::Handled { .. }) => None,
        Some(StoreError::AccountTaken { .. } | StoreError::Closed) => None,
    }
}

fn each<E: fmt::Display>(next: impl Fn(Option<&E>) -> Option<E>) -> Vec<String> {
    let mut told = Vec::new();
    let mut last = None;
    while let Some(error) = next(last.as_ref()) {
        told.push(error.to_string());
        last = Some(error);
    }
    told
}

#[test]
fn every_refusal_says_what_to_do_next() {
    let told = [
        each(next_journal),
        each(next_kept),
        each(next_open),
        each(next_transfer),
        each(next_store),
    ]
    .concat();
    assert_eq!(told.len(), 6 + 4 + 7 + 3 + 4);
    for told in told {
        let instructs = [
            "put",
            "start",
            "stop",
            "see to it",
            "use the program",
            "make the export",
            "Move",
            "into a new one",
        ];
        assert!(
            instructs.iter().any(|word| told.contains(word)),
            "no instruction: {told}"
        );
        assert!(!told.contains("{ "), "a debug text: {told}");
    }
}
