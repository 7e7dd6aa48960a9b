//! Rooms the bot comes to and goes from: one greeting, since when it is there, and leaving where it is alone.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::events::room::message::RoomMessageEventContent;
use matrix_sdk::ruma::{MilliSecondsSinceUnixEpoch, RoomId, TransactionId};
use matrix_sdk::{Room, RoomMemberships, RoomState};
use serde::{Deserialize, Serialize};

use super::words::house as words;
use super::{Matrix, notes, powers, upgrade};
use crate::store::StoreError;

/// For how long the bot stays in a room that everybody else has left.
const ALONE: Duration = Duration::from_secs(60);

/// A room that the bot has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Come {
    /// When it joined, in the server's milliseconds since 1970.
    joined: u64,
}

/// Since when the bot is in a room: what was said before is not for it (R91). `None` when that cannot be told.
pub(super) async fn own_join(
    matrix: &Matrix,
    room: &Room,
) -> Result<Option<MilliSecondsSinceUnixEpoch>, StoreError> {
    let key = key(room.room_id());
    if let Some(Come { joined }) = notes::read(&matrix.club, &key).await? {
        return Ok(joined.try_into().ok().map(MilliSecondsSinceUnixEpoch));
    }
    Ok(by_member_event(matrix, room).await)
}

async fn by_member_event(matrix: &Matrix, room: &Room) -> Option<MilliSecondsSinceUnixEpoch> {
    let member = room.get_member_no_sync(&matrix.me).await.ok()??;
    let event = member.event();
    if *event.membership() != MembershipState::Join {
        return None;
    }
    event.origin_server_ts()
}

/// Greets, the first time. Says nothing of what was there before, and reads none of it.
///
/// # Errors
/// When the store fails.
pub(super) async fn arrived(matrix: &Arc<Matrix>, room: &Room) -> Result<(), StoreError> {
    let id = room.room_id();
    if room.state() != RoomState::Joined || matrix.club.store().note(&key(id)).await?.is_some() {
        return Ok(());
    }
    let most = matrix.settings.largest_room;
    if most > 0 && room.joined_members_count() > most {
        tracing::info!("matrix: {id} has more members than matrix.largest_room; it is left");
        leave(room).await;
        return Ok(());
    }
    if powers::power(room, &matrix.me).await.may_send() {
        let greeting = words::greeting(&matrix.settings.prefix);
        let content = RoomMessageEventContent::notice_plain(greeting);
        // Killed before the note below, the program says it again under the same id, and nobody sees it twice.
        let once = format!("ashtapada-greeting-{}", joined_at(matrix, room).await);
        let sent = room
            .send(content)
            .with_transaction_id(<&TransactionId>::from(once.as_str()).to_owned());
        if let Err(error) = sent.await {
            tracing::warn!("matrix: {id} cannot be greeted: {error}");
        }
    }
    settle(matrix, room).await?;
    upgrade::arrived(matrix, room).await
}

/// Notes that the bot is in a room, which is greeted no more.
///
/// # Errors
/// When the store fails.
pub(super) async fn settle(matrix: &Matrix, room: &Room) -> Result<(), StoreError> {
    let come = Come {
        joined: joined_at(matrix, room).await,
    };
    notes::write(&matrix.club, &key(room.room_id()), &come).await
}

async fn joined_at(matrix: &Matrix, room: &Room) -> u64 {
    let joined = by_member_event(matrix, room).await;
    joined.map_or(0, |joined| joined.get().into())
}

/// The bot is in a room no more: it left, was kicked or banned. Its tables stay (R92: however often that is said).
///
/// # Errors
/// When the store fails.
pub(super) async fn left(matrix: &Arc<Matrix>, room: &RoomId) -> Result<(), StoreError> {
    matrix.poster.gone(room);
    matrix.undecrypted.forget(room);
    let key = key(room);
    if matrix.club.store().note(&key).await?.is_some() {
        tracing::info!("matrix: the bot is in {room} no more");
        notes::remove(&matrix.club, &[&key]).await?;
    }
    Ok(())
}

/// Looks whether the bot is alone in a room, and leaves it if it still is a minute later.
pub(super) fn look_alone(matrix: &Arc<Matrix>, room: &Room) {
    // Without a count nothing is known.
    if room.state() != RoomState::Joined || room.active_members_count() != 1 {
        return;
    }
    let Some(looking) = matrix.alone.begin(room.room_id()) else {
        return;
    };
    let room = room.clone();
    tokio::spawn(async move {
        tokio::time::sleep(ALONE).await;
        drop(looking);
        let id = room.room_id();
        if room.state() == RoomState::Joined && is_alone(&room).await {
            tracing::info!("matrix: nobody else is in {id}; it is left");
            leave(&room).await;
        }
    });
}

/// By the whole list of members, which the server is asked for.
async fn is_alone(room: &Room) -> bool {
    let others = room.members(RoomMemberships::ACTIVE).await;
    others.is_ok_and(|members| members.iter().all(|member| member.is_account_user()))
}

async fn leave(room: &Room) {
    if let Err(error) = room.leave().await {
        tracing::warn!("matrix: {} cannot be left: {error}", room.room_id());
    }
}

fn key(room: &RoomId) -> String {
    format!("matrix/greeted/{room}")
}
