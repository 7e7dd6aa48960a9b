//! What people say and do in rooms, and what comes of it: commands, bare moves, reactions.
//!
//! What is heard comes from the room's task, in order. What it causes is in the store when [`hear`] returns; what concerns the
//! caller alone has been said then.

mod answer;
mod caps;
mod carrying;
mod event;
mod late;
mod message;
mod reaction;
mod shown;
mod speaker;
mod spoken;
mod text;

use std::sync::Arc;

use matrix_sdk::Room;
use matrix_sdk::ruma::events::AnySyncTimelineEvent;
use matrix_sdk::ruma::serde::Raw;
use matrix_sdk::ruma::{MilliSecondsSinceUnixEpoch, OwnedEventId, OwnedUserId, UserId};

use self::caps::Caps;
use self::event::Kind;
use self::shown::Boards;
use super::{Matrix, notes};

/// What is remembered of those who speak, and of the boards they speak of.
#[derive(Default)]
pub(super) struct Hearing {
    caps: Caps,
    boards: Boards,
}

impl Hearing {
    /// Whether an account is known to be a bot's (R94).
    pub(in crate::chat::matrix) fn is_bot(&self, account: &UserId) -> bool {
        self.caps.is_bot(account)
    }
}

/// An event to be heard, decrypted.
pub(super) struct Heard {
    pub(in crate::chat::matrix) room: Room,
    pub(in crate::chat::matrix) event: Raw<AnySyncTimelineEvent>,
    /// When its server had it.
    pub(in crate::chat::matrix) sent: MilliSecondsSinceUnixEpoch,
    pub(in crate::chat::matrix) id: OwnedEventId,
    pub(in crate::chat::matrix) sender: OwnedUserId,
}

/// Carries out what an event asks for; durable when this returns. Whether it asked for anything.
pub(in crate::chat::matrix) async fn hear(matrix: &Arc<Matrix>, heard: Heard) -> bool {
    // The account's other devices speak for the bot, not to it.
    if heard.sender == matrix.me {
        return false;
    }
    match Kind::of(&heard.event) {
        Kind::Message(said) if said.is_ours(&heard.sender) => {
            is_a_bot(matrix, &heard.sender).await;
            false
        }
        Kind::Message(said) => message::hear(matrix, &heard, &said).await,
        Kind::Reaction(reaction) => reaction::hear(matrix, &heard, &reaction).await,
        Kind::Other => false,
    }
}

/// R94: who shows boards of ours is another bot of ours, and not obeyed from now on.
async fn is_a_bot(matrix: &Matrix, sender: &UserId) {
    if !matrix.hearing.caps.bot(sender) {
        return;
    }
    tracing::info!("matrix: {sender} is a bot like this one and is not obeyed");
    if let Err(error) = notes::write(&matrix.club, &bot_key(sender), &true).await {
        tracing::error!("matrix: {error}");
    }
}

/// Whether somebody is known to be a bot, from now or from before a start.
async fn is_known_bot(matrix: &Matrix, sender: &UserId) -> bool {
    if matrix.hearing.caps.is_bot(sender) {
        return true;
    }
    let noted = notes::read::<bool>(&matrix.club, &bot_key(sender)).await;
    let noted = noted.inspect_err(|error| tracing::error!("matrix: {error}"));
    let is = noted.ok().flatten() == Some(true);
    if is {
        matrix.hearing.caps.bot(sender);
    }
    is
}

fn bot_key(account: &UserId) -> String {
    format!("matrix/bot/{account}")
}
