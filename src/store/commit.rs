//! One command's whole effect, and what it is made of.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Listing;
use crate::ids::{At, Cause, PersonId, Place, Platform, TableCode};

/// One command's whole effect. The events are JSON; the store itself carries them as text where it need not read them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit<E = Value> {
    /// What caused it; a cause is committed once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// When.
    pub at: At,
    /// Events for tables; a second entry for a table goes on after the first.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub appends: Vec<Append<E>>,
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
pub struct Append<E = Value> {
    /// Which table.
    pub code: TableCode,
    /// How many events it has before.
    pub expected: u64,
    /// The events; with none, only the listing changes.
    pub events: Vec<E>,
    /// What the lists show of the table from now on.
    pub listing: Listing,
}

impl<E> Append<E> {
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
