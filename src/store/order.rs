//! What the writing thread is asked, and the answers it holds back until a group is safe.

use std::io;
use std::path::PathBuf;

use tokio::sync::oneshot;

use super::damage::Damage;
use super::{Commit, Committed, PostId, StoreError};
use crate::ids::At;

pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What the writing thread is asked to do.
#[derive(Debug)]
pub(super) enum Order {
    Commit(Box<Commit>, Answer<Committed>),
    Posted(Vec<PostId>, Answer<()>),
    Sync(Answer<()>),
    /// A file was found damaged or missing that a new snapshot can stand in for.
    Mend,
    Close(Option<Answer<()>>),
}

/// An answer held back until the group is safe: a refusal may rest on another command of the same group.
#[derive(Debug)]
pub(super) enum Held {
    Commit(Answer<Committed>, Result<Committed, StoreError>),
    Done(Answer<()>),
}

impl Held {
    /// A receiver that is gone has given up waiting; there is nobody to tell.
    pub(super) fn give(self) {
        match self {
            Self::Commit(answer, result) => drop(answer.send(result)),
            Self::Done(answer) => drop(answer.send(Ok(()))),
        }
    }

    pub(super) fn refuse(self, error: StoreError) {
        match self {
            Self::Commit(answer, _) => drop(answer.send(Err(error))),
            Self::Done(answer) => drop(answer.send(Err(error))),
        }
    }
}

/// Why the thread takes no more.
#[derive(Debug)]
pub(super) enum Failure {
    Journal(io::Error),
    /// A file that was locked is gone, or another one by now.
    Lock(PathBuf),
    View(Damage),
}

impl Failure {
    pub(super) fn told(&self) -> StoreError {
        StoreError::Stopped(match self {
            Self::Journal(error) => format!(
                "the journal could not be written ({error}); make room or mend the disk, then start the program again"
            ),
            Self::Lock(path) => format!(
                "{} was removed or exchanged while the program ran, so another program may be using the data folder; stop every program that uses it, then start this one again",
                path.display()
            ),
            Self::View(damage) => format!(
                "the database failed ({damage}); start the program again, and it is rebuilt from the journal"
            ),
        })
    }
}

/// Orders taken together: written in one go, synced once.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) held: Vec<Held>,
    pub(super) needs_sync: bool,
    pub(super) now: At,
    pub(super) failure: Option<Failure>,
}
