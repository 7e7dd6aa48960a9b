//! What lasts: tables as code, version and events, the people, small notes, the outbox, and what has been handled.
//!
//! The store knows nothing of games. A command's whole effect is one [`Commit`]; it is durable when
//! [`Store::commit`] returns, all of it or nothing (R116). Readers never wait for a writer's disk (R115). Messages
//! still to be posted are kept with the move that causes them (R67).

mod memory;

pub use memory::Memory;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{At, Cause, PersonId, Place, Platform, TableCode};

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
    /// The journal could not be written. Nothing more is taken until the program is started anew.
    #[error("the store has stopped: {0}")]
    Stopped(String),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// One command's whole effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// What caused it; a cause is committed once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// When.
    pub at: At,
    /// Events for tables; a second entry for a table goes on after the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appends: Vec<Append>,
    /// People new or changed, each replacing what was known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Person>,
    /// Notes to write, or to remove with `None`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(String, Option<Value>)>,
    /// Messages to be posted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<Post>,
}

impl Commit {
    /// A commit without effect yet.
    #[must_use]
    pub fn new(at: At, cause: Option<Cause>) -> Self {
        Self {
            cause,
            at,
            appends: Vec::new(),
            people: Vec::new(),
            notes: Vec::new(),
            posts: Vec::new(),
        }
    }
}

/// Events for one table; the first for a code makes the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Append {
    /// Which table.
    pub code: TableCode,
    /// How many events it has before.
    pub expected: u64,
    /// The events; with none, only the listing changes.
    pub events: Vec<Value>,
    /// What the lists show of the table from now on.
    pub listing: Listing,
}

impl Append {
    /// How many events the table has afterwards.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.expected + self.events.len() as u64
    }
}

/// What was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// The command's journal number, from 1.
    pub number: u64,
    /// The ids of its messages in the outbox, in their order.
    pub posts: Vec<PostId>,
}

/// A message's id in the outbox: the number of the command that made it and its place there. Ordered as made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u64, u32)", into = "(u64, u32)")]
pub struct PostId {
    /// The journal number of the command.
    pub number: u64,
    /// Which of its messages, from 0.
    pub index: u32,
}

impl From<(u64, u32)> for PostId {
    fn from((number, index): (u64, u32)) -> Self {
        Self { number, index }
    }
}

impl From<PostId> for (u64, u32) {
    fn from(id: PostId) -> Self {
        (id.number, id.index)
    }
}

/// A message to be posted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// Where.
    pub place: Place,
    /// The message; pictures are drawn again, never stored (R31).
    pub body: Value,
}

/// A table as stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// What the lists show of it.
    pub listing: Listing,
    /// How many events it has.
    pub version: u64,
    /// All of them, in order.
    pub events: Vec<Value>,
}

/// What the lists show of a table, and what it is found by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// Everybody seated or invited.
    pub people: Vec<PersonId>,
    /// Whose move it is.
    pub turn: Vec<PersonId>,
    /// Where it is played.
    pub places: Vec<Place>,
    /// May be joined from other places.
    pub open: bool,
    /// How far it has come.
    pub stage: Stage,
    /// When it last changed.
    pub since: At,
    /// When something has to be done about it unasked, such as closing a table nobody joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<At>,
    /// What else a list says of it, small: game and the like.
    pub summary: Value,
}

/// How far a table has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Waiting for players.
    Gathering,
    /// Being played.
    Playing,
    /// Over, or closed before it began.
    Finished,
}

impl Stage {
    /// Every stage in order.
    pub const ALL: [Self; 3] = [Self::Gathering, Self::Playing, Self::Finished];
}

/// Which stages a search asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stages {
    /// Every table.
    All,
    /// Those gathering or playing.
    Unfinished,
    /// Those of one stage.
    Only(Stage),
}

impl Stages {
    /// Whether this stage is asked for.
    #[must_use]
    pub fn include(self, stage: Stage) -> bool {
        match self {
            Self::All => true,
            Self::Unfinished => stage != Stage::Finished,
            Self::Only(one) => one == stage,
        }
    }
}

/// Which tables are wanted; each kind has an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Find {
    /// Those a person is seated at or invited to.
    OfPerson {
        /// Who.
        person: PersonId,
        /// How far they have come.
        stages: Stages,
    },
    /// Those played in a place; those in a thread also count as in its room.
    InPlace {
        /// Where.
        place: Place,
        /// How far they have come.
        stages: Stages,
    },
    /// Those that wait for players and may be joined from elsewhere.
    Open,
    /// Those with an expiry before this moment, the earliest first.
    Expiring {
        /// The moment.
        before: At,
    },
    /// Those that are over.
    Finished,
}

impl Find {
    /// Whether a table with this listing is wanted.
    #[must_use]
    pub fn wants(&self, listing: &Listing) -> bool {
        match self {
            Self::OfPerson { person, stages } => {
                stages.include(listing.stage) && listing.people.contains(person)
            }
            Self::InPlace { place, stages } => {
                stages.include(listing.stage)
                    && listing.places.iter().any(|own| own.is_within(place))
            }
            Self::Open => listing.open && listing.stage == Stage::Gathering,
            Self::Expiring { before } => listing.expires.is_some_and(|expires| expires < *before),
            Self::Finished => listing.stage == Stage::Finished,
        }
    }
}

/// A person and the accounts that are theirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Their number.
    pub id: PersonId,
    /// Their accounts; an account belongs to one person.
    pub accounts: Vec<Account>,
    /// What they are called.
    pub name: String,
    /// Whether it is a computer player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
}

/// An account on a platform.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Account {
    /// Where.
    pub platform: Platform,
    /// Its id there.
    pub account: String,
}
