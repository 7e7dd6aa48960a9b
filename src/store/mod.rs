//! What lasts: tables as code, version and events, the people, small notes, the outbox, and what has been handled.
//!
//! The store knows nothing of games. A command's whole effect is one [`Commit`]; it is durable when
//! [`Store::commit`] returns, all of it or nothing (R116). Readers never wait for a writer's disk (R115). Messages
//! still to be posted are kept with the move that causes them (R67).
//!
//! The data folder of [`Sled`] holds:
//! - `journal-*.jsonl`: a line for each command, on the disk before anybody is told. The journal decides.
//! - `journal.mark`: how far that was acknowledged, so that a journal which lost its end is noticed.
//! - `snapshot-*.jsonl`, the newest two, and `finished-*.jsonl`: everything before the journal's older lines, finished
//!   games in files that are not written again. Together with the journal they are the back-up.
//! - `sled/`: the view, by key and index; made anew from the other files when it is missing or damaged (then the damaged
//!   one is moved to `sled.bad/`). `sled.opening` is there while it is being opened, `sled.new/` while one is made.
//! - `losses.jsonl`: what was given up for good, see [`Options::accept_loss`].
//! - `lock`: held by the one process that uses the folder, as is the newest segment.
//!
//! Every file says to which folder it belongs, and which digest the chain over all commands has where it begins; so what
//! does not belong is refused before anything is changed. What is cut or set aside is kept (`*.cut-TIME`, `*.bad-TIME`).
//! After a start the files are read through, and what is damaged or missing is mended from what is whole.
//!
//! A line is JSON, a tab, and the JSON's CRC-32 in hexadecimal digits. What somebody wants forgotten is gone from the
//! view at once and from snapshots and journal when they have been written anew twice.

mod admit;
mod anew;
mod causes;
mod check;
mod claim;
mod commit;
mod committer;
mod damage;
mod disk;
mod draft;
mod effect;
mod evidence;
mod export;
mod finished;
mod folder;
mod head;
mod history;
mod journal;
mod journal_error;
mod kept;
mod keys;
mod line;
mod listing;
mod loss;
mod mark;
mod memory;
mod mend;
mod on_disk;
mod open;
mod opening;
mod order;
mod rebuild;
mod record;
mod recover;
mod search;
mod segment;
mod shelf;
mod snapshot;
mod survey;
mod title;
mod view;
mod view_history;

pub use causes::Memorable;
pub use check::{Part, Report, State, check};
pub use commit::{Account, Append, Commit, Committed, Person, Post, PostId};
pub use damage::Damage;
pub use disk::{Disk, LocalDisk, Tape};
pub use export::{TransferError, export, import};
pub use history::{Chain, FolderId, NotHex};
pub use journal_error::{JournalError, Rot, Torn};
pub use kept::KeptError;
pub use listing::{Find, Listing, Stage, Stages, Stored};
pub use memory::Memory;
pub use mend::mend;
pub use on_disk::{Sled, open};
pub use open::Options;
pub use opening::{ACCEPT_LOSS, Found, OpenError, Opening, Stranger};

use async_trait::async_trait;
use serde_json::Value;

use crate::ids::{Cause, PersonId, Platform, TableCode};

/// Where tables, people and messages to be posted are kept.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Keeps one command's whole effect: durable when this returns, all or nothing.
    ///
    /// # Errors
    /// [`StoreError::Stale`] when a table's version moved, [`StoreError::Handled`] when the cause was committed
    /// before, [`StoreError::AccountTaken`] when an account belongs to somebody else; nothing is kept then. After
    /// [`StoreError::Stopped`] the store takes no more commits until the program is started anew.
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError>;

    /// A table with all its events, `None` when there is none of this code.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when its record cannot be read.
    async fn table(&self, code: TableCode) -> Result<Option<Stored>, StoreError>;

    /// What the lists show of a table, without its events.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn listing(&self, code: TableCode) -> Result<Option<Listing>, StoreError>;

    /// At most `limit` tables by an index, the newest activity first; [`Find::Expiring`] the earliest to expire first.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn tables(
        &self,
        find: Find,
        limit: usize,
    ) -> Result<Vec<(TableCode, Listing)>, StoreError>;

    /// A person by number.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn person(&self, id: PersonId) -> Result<Option<Person>, StoreError>;

    /// A person by an account on a platform.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn person_by_account(
        &self,
        platform: Platform,
        account: &str,
    ) -> Result<Option<Person>, StoreError>;

    /// The number for a new person, given to no one else; the person exists once committed.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn next_person(&self) -> Result<PersonId, StoreError>;

    /// The journal number of the command with this cause, if it was committed (and not so long ago that it has been
    /// forgotten).
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn handled(&self, cause: &Cause) -> Result<Option<u64>, StoreError>;

    /// At most `limit` messages still to be posted, in order, those after `after`.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn outbox(
        &self,
        after: Option<PostId>,
        limit: usize,
    ) -> Result<Vec<(PostId, Post)>, StoreError>;

    /// Takes messages out of the outbox. Written down without waiting for the disk: a power failure may bring them
    /// back, a crash of the program does not. Unknown ids are passed over.
    ///
    /// # Errors
    /// [`StoreError::Stopped`], [`StoreError::Closed`].
    async fn posted(&self, ids: &[PostId]) -> Result<(), StoreError>;

    /// A small keyed document: settings of a place, preferences of a person.
    ///
    /// # Errors
    /// As [`Store::table`].
    async fn note(&self, key: &str) -> Result<Option<Value>, StoreError>;

    /// Returns when everything taken so far is on the disk, also what [`Store::posted`] wrote.
    ///
    /// # Errors
    /// [`StoreError::Stopped`], [`StoreError::Closed`].
    async fn sync(&self) -> Result<(), StoreError>;

    /// Finishes what was taken, syncs, and takes no more commits. Closing twice is no error.
    ///
    /// # Errors
    /// [`StoreError::Stopped`].
    async fn close(&self) -> Result<(), StoreError>;
}

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The table has another number of events than the command was decided on: read it again, decide again.
    #[error("table {code} has {found} events, not {expected}")]
    Stale {
        /// Which table.
        code: TableCode,
        /// How many events the command took it to have.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// The cause was committed before.
    #[error("{cause} was handled before, by command {number}")]
    Handled {
        /// The cause.
        cause: Cause,
        /// The journal number of that command.
        number: u64,
    },
    /// The account belongs to somebody else, so two persons would share it.
    #[error("the {platform} account {account} belongs to person {person}")]
    AccountTaken {
        /// The account's platform.
        platform: Platform,
        /// The account's id on the platform.
        account: String,
        /// Whose it is.
        person: PersonId,
    },
    /// A record cannot be read; the next start rebuilds the view from the journal.
    #[error(
        "stored record damaged: {0}; stop and start the program to have it rebuilt from the journal"
    )]
    Damaged(String),
    /// The journal could not be written. Nothing more is taken until the program is started anew. The command was not
    /// kept, unless the disk failed so that it could not even be taken back: repeated with its cause after the restart,
    /// it is done once in either case.
    #[error("the store has stopped: {0}")]
    Stopped(String),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}
