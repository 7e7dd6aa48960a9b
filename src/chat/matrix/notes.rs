//! What the adapter notes in the store about itself.
//!
//! | key | what it holds |
//! |---|---|
//! | `matrix/session` | who is logged in, sealed ([`super::session`]) |
//! | `matrix/device` | the device as which a login was begun |
//! | `matrix/since` | how far the syncs have been carried out ([`super::since`]) |
//! | `matrix/mark` | what the transaction ids of this store begin with |
//! | `matrix/last/<code>/<room>[/<thread>]` | the newest event about a table in a place ([`super::poster`]) |
//! | `matrix/lost/<room>[/<thread>]` | who was told that a place takes no messages ([`crate::chat::outbox::lost`]) |
//! | `matrix/greeted/<room>` | since when the bot is in a room ([`super::rooms`]) |
//! | `matrix/moved/<room>` | where the tables of an upgraded room went ([`super::upgrade`]) |
//! | `matrix/not-followed/<room>` | the room to which its upgrade is not followed ([`super::upgrade`]) |
//! | `matrix/late/<room>` | the commands there that wait to be confirmed ([`super::hearing`]) |
//! | `matrix/bot/<account>` | that the account is a bot's, which is not obeyed |
//! | `matrix/unreadable/<room>` | when it was told there last that something cannot be decrypted |

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::club::{Clock, Club, SystemClock};
use crate::store::{Commit, StoreError};

/// Reads a note; one that cannot be understood is none.
///
/// # Errors
/// When the store fails.
pub(super) async fn read<N: DeserializeOwned>(
    club: &Club,
    key: &str,
) -> Result<Option<N>, StoreError> {
    let Some(stored) = club.store().note(key).await? else {
        return Ok(None);
    };
    Ok(serde_json::from_value(stored)
        .inspect_err(|error| tracing::warn!("the note {key} cannot be understood: {error}"))
        .ok())
}

/// Writes a note; durable when this returns.
///
/// # Errors
/// When the store takes no more.
pub(super) async fn write(club: &Club, key: &str, note: &impl Serialize) -> Result<(), StoreError> {
    let mut commit = Commit::new(SystemClock.now(), None);
    commit.notes.push((key.to_owned(), Some(json!(note))));
    club.store().commit(commit).await.map(|_| ())
}

/// Removes notes.
///
/// # Errors
/// When the store takes no more.
pub(super) async fn remove(club: &Club, keys: &[&str]) -> Result<(), StoreError> {
    let mut commit = Commit::new(SystemClock.now(), None);
    let gone = keys.iter().map(|key| ((*key).to_owned(), None));
    commit.notes.extend(gone);
    club.store().commit(commit).await.map(|_| ())
}
