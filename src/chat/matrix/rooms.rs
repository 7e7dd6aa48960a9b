//! Rooms the bot comes to and goes from: one greeting, since when it is there, and leaving where it is alone.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::ruma::RoomId;
use matrix_sdk::ruma::api::client::membership::leave_room;
use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::events::room::message::RoomMessageEventContent;
use matrix_sdk::{Room, RoomMemberships, RoomState};
use serde::{Deserialize, Serialize};

use super::words::house as words;
use super::writing::prefix_in;
use super::{Matrix, members, notes, powers, upgrade};
use crate::ids::{Place, Platform};
use crate::store::StoreError;

/// For how long the bot stays in a room that everybody else has left.
const ALONE: Duration = Duration::from_secs(60);

/// A room that the bot has come to once, and greeted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Come {
    /// When it joined, in the server's milliseconds since 1970; `None` since it has left.
    joined: Option<u64>,
}

/// Since when the bot is in a room, in the servers' milliseconds since 1970: what was said before is not for it (R91).
///
/// # Errors
/// When the store fails.
pub(super) async fn own_join(matrix: &Matrix, room: &Room) -> Result<Option<u64>, StoreError> {
    let come: Option<Come> = notes::read(&matrix.club, &key(room.room_id())).await?;
    match come {
        Some(Come {
            joined: Some(joined),
        }) => Ok(Some(joined)),
        Some(Come { joined: None }) | None => Ok(by_member_event(matrix, room).await),
    }
}

async fn by_member_event(matrix: &Matrix, room: &Room) -> Option<u64> {
    let member = room.get_member_no_sync(&matrix.me).await.ok()??;
    let event = member.event();
    if *event.membership() != MembershipState::Join {
        return None;
    }
    event.origin_server_ts().map(|at| at.get().into())
}

/// Notes that the bot has come to a room, and greets, the first time. Says nothing of what was there before, and reads none
/// of it. `joined` is when it came, where the timeline tells. Whether it stays.
///
/// # Errors
/// When the store fails.
pub(super) async fn arrived(
    matrix: &Arc<Matrix>,
    room: &Room,
    joined: Option<u64>,
) -> Result<bool, StoreError> {
    let id = room.room_id();
    let come: Option<Come> = notes::read(&matrix.club, &key(id)).await?;
    let known = come.is_some_and(|come| come.joined.is_some());
    if room.state() != RoomState::Joined || known && joined.is_none() {
        return Ok(true);
    }
    let most = matrix.settings.largest_room;
    if most > 0 && members::joined(room).await > most {
        tracing::info!("matrix: {id} has more members than matrix.largest_room; it is left");
        leave(room).await;
        return Ok(false);
    }
    let joined = match joined {
        Some(joined) => Some(joined),
        None => by_member_event(matrix, room).await,
    };
    if come.is_none() && powers::power(room, &matrix.me).await.may_send() {
        greet(matrix, room, joined.unwrap_or_default()).await;
    }
    let come = Come {
        joined: Some(joined.unwrap_or_default()),
    };
    notes::write(&matrix.club, &key(id), &come).await?;
    if let Err(error) = upgrade::arrived(matrix, room).await {
        tracing::error!("matrix: the tables that come to {id}: {error}");
    }
    Ok(true)
}

async fn greet(matrix: &Matrix, room: &Room, joined: u64) {
    let place = Place::room(Platform::Matrix, room.room_id().as_str());
    let greeting = words::greeting(&prefix_in(matrix, &place).await);
    let content = RoomMessageEventContent::notice_plain(greeting);
    // Killed before it is noted, the program says it again under the same id, and nobody sees it twice.
    let once = format!("ashtapada-greeting-{joined}");
    let sent = room.send(content).with_transaction_id(once.into());
    if let Err(error) = sent.await {
        tracing::warn!("matrix: {} cannot be greeted: {error}", room.room_id());
    }
}

/// Notes that the bot is in a room, which is not greeted.
///
/// # Errors
/// When the store fails.
pub(super) async fn settle(matrix: &Matrix, room: &Room) -> Result<(), StoreError> {
    let come = Come {
        joined: Some(by_member_event(matrix, room).await.unwrap_or_default()),
    };
    notes::write(&matrix.club, &key(room.room_id()), &come).await
}

/// The bot is in a room no more: it left, was kicked or banned. Its tables stay (R92: however often that is said).
///
/// # Errors
/// When the store fails.
pub(super) async fn left(matrix: &Arc<Matrix>, room: &RoomId) -> Result<(), StoreError> {
    matrix.poster.gone(room);
    matrix.undecrypted.forget(room);
    let key = key(room);
    let come: Option<Come> = notes::read(&matrix.club, &key).await?;
    match come {
        Some(come) if come.joined.is_some() => {
            tracing::info!("matrix: the bot is in {room} no more");
            notes::write(&matrix.club, &key, &Come { joined: None }).await?;
        }
        Some(_) => {}
        // It never was there: an invitation was declined.
        None => matrix.client.get_room(room).into_iter().for_each(forget),
    }
    Ok(())
}

/// Looks whether the bot was in a room that it is in no more, and the program was killed before that was noted.
///
/// # Errors
/// When the store fails.
pub(super) async fn look_left(matrix: &Arc<Matrix>, room: &RoomId) -> Result<(), StoreError> {
    let come: Option<Come> = notes::read(&matrix.club, &key(room)).await?;
    match come.is_some_and(|come| come.joined.is_some()) {
        true => left(matrix, room).await,
        false => Ok(()),
    }
}

/// Looks whether the bot is alone in a room, and leaves it if it still is a minute later.
pub(super) async fn look_alone(matrix: &Arc<Matrix>, room: &Room) {
    if room.state() != RoomState::Joined || members::active(room).await != 1 {
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

/// Leaves this room and no other: by the SDK's way it would leave as well those which the room says it continues, and anybody
/// may write any room there.
pub(super) async fn leave(room: &Room) {
    let id = room.room_id();
    let request = leave_room::v3::Request::new(id.to_owned());
    if let Err(error) = room.client().send(request).await {
        tracing::warn!("matrix: {id} cannot be left: {error}");
    }
}

/// Forgets a room in which the bot is not: an invitation that was declined is looked at no more.
fn forget(room: Room) {
    tokio::spawn(async move {
        if let Err(error) = room.forget().await {
            tracing::debug!("matrix: {} is not forgotten: {error}", room.room_id());
        }
    });
}

fn key(room: &RoomId) -> String {
    format!("matrix/greeted/{room}")
}
