//! Room upgrades: the bot follows into the new room with its tables (R100), also when it was not there to see it.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::deserialized_responses::RawAnySyncOrStrippedState;
use matrix_sdk::ruma::api::client::state::get_state_event_for_key;
use matrix_sdk::ruma::events::StateEventType;
use matrix_sdk::ruma::{OwnedRoomId, OwnedServerName, OwnedUserId, RoomId, RoomOrAliasId};
use matrix_sdk::{Room, RoomState};
use serde::Deserialize;
use serde_json::json;

use super::pause::Pauses;
use super::refusal::{self, Refusal};
use super::{Matrix, invitations, notes, rooms};
use crate::club::{Clock, ClubError, SystemClock};
use crate::command::words::posts;
use crate::ids::{Place, Platform, TableCode};
use crate::store::{Commit, Find, Stages};

/// The longest pause between tries to join the new room.
const LONGEST: Duration = Duration::from_secs(3600);

/// How many tables of a room are moved at most.
const TABLES: usize = 10_000;

/// Follows a room that was upgraded, if it was and has not been followed.
pub(super) async fn look(matrix: &Arc<Matrix>, room: &Room) {
    let Some(next) = room.successor_room() else {
        return;
    };
    match notes::read::<String>(&matrix.club, &moved(room.room_id())).await {
        Ok(None) => {}
        Ok(Some(_)) => return,
        Err(error) => return tracing::error!("matrix: {error}"),
    }
    match notes::read::<OwnedRoomId>(&matrix.club, &refused(room.room_id())).await {
        Ok(refused) if refused.as_ref() == Some(&next.room_id) => return,
        Ok(_) => {}
        Err(error) => return tracing::error!("matrix: {error}"),
    }
    let Some(following) = matrix.upgrades.begin(room.room_id()) else {
        return;
    };
    let (matrix, room) = (Arc::clone(matrix), room.clone());
    tokio::spawn(async move {
        let _following = following;
        follow(&matrix, &room, &next.room_id).await;
    });
}

/// The bot has come to a room, perhaps one that continues another: then the tables come along, however it was joined.
///
/// # Errors
/// When the store fails.
pub(super) async fn arrived(matrix: &Matrix, room: &Room) -> Result<(), ClubError> {
    let Some(before) = room.predecessor_room() else {
        return Ok(());
    };
    // Anybody may write any room into the beginning of theirs: the old room decides.
    let old = matrix.client.get_room(&before.room_id);
    let points_here = old
        .and_then(|old| old.successor_room())
        .is_some_and(|next| next.room_id == room.room_id());
    if points_here {
        move_tables(matrix, &before.room_id, room.room_id()).await?;
    }
    Ok(())
}

/// Follows into the new room, however often it takes, if it continues the old one.
async fn follow(matrix: &Arc<Matrix>, old: &Room, next: &RoomId) {
    let was_there = is_in(matrix, next);
    if !was_there
        && let Some(members) = invitations::too_many(matrix, next, servers(old).await).await
    {
        let why = format!("it has {members} members, more than matrix.largest_room");
        return stay(matrix, old.room_id(), next, &why).await;
    }
    let mut pauses = Pauses::up_to(LONGEST);
    loop {
        let asked = match continues(matrix, old, next).await {
            Ok(true) => match move_tables(matrix, old.room_id(), next).await {
                Ok(()) => return,
                Err(error) => {
                    tracing::error!("matrix: the tables of {}: {error}", old.room_id());
                    None
                }
            },
            // Anybody with the power may write any room into the end of theirs: the new room must say the same.
            Ok(false) => {
                if let Some(room) = matrix.client.get_room(next).filter(|_| !was_there) {
                    rooms::leave(&room).await;
                }
                let why = "it does not say that it continues that room";
                return stay(matrix, old.room_id(), next, why).await;
            }
            Err(error) => {
                if pauses.is_first() {
                    tracing::warn!(
                        "matrix: {next}, which continues {}, cannot be joined yet: {error}",
                        old.room_id()
                    );
                }
                match refusal::of(&error) {
                    Refusal::Again(asked) => asked,
                    Refusal::Token | Refusal::Account => return,
                    Refusal::Forbidden(_) | Refusal::Other(..) => None,
                }
            }
        };
        tokio::time::sleep(pauses.next(asked)).await;
    }
}

/// Stays with the tables where they are, and is not asked again to follow there.
async fn stay(matrix: &Matrix, old: &RoomId, next: &RoomId, why: &str) {
    tracing::warn!("matrix: the upgrade of {old} to {next} is not followed: {why}");
    if let Err(error) = notes::write(&matrix.club, &refused(old), &next).await {
        tracing::error!("matrix: {error}");
    }
}

fn is_in(matrix: &Matrix, room: &RoomId) -> bool {
    let room = matrix.client.get_room(room);
    room.is_some_and(|room| room.state() == RoomState::Joined)
}

/// Joins the new room, by the server of whoever upgraded the old one. Whether the new one says that it continues the old.
async fn continues(matrix: &Matrix, old: &Room, next: &RoomId) -> Result<bool, matrix_sdk::Error> {
    #[derive(Deserialize)]
    struct Create {
        #[serde(default)]
        predecessor: Option<Before>,
    }
    #[derive(Deserialize)]
    struct Before {
        room_id: OwnedRoomId,
    }
    if !is_in(matrix, next) {
        let via = servers(old).await;
        let next = <&RoomOrAliasId>::from(next);
        matrix.client.join_room_by_id_or_alias(next, &via).await?;
        tracing::info!("matrix: joined {next}, by the upgrade of {}", old.room_id());
    }
    // The sync may not have told yet.
    let create = get_state_event_for_key::v3::Request::new(
        next.to_owned(),
        StateEventType::RoomCreate,
        String::new(),
    );
    let create = matrix.client.send(create).await?.event_or_content;
    let create = serde_json::from_str::<Create>(create.get());
    let before = create.ok().and_then(|create| create.predecessor);
    Ok(before.is_some_and(|before| before.room_id == old.room_id()))
}

/// The servers by which the new room can be found.
async fn servers(old: &Room) -> Vec<OwnedServerName> {
    let tombstone = old.get_state_event(StateEventType::RoomTombstone, "").await;
    let sender = tombstone.ok().flatten().and_then(|event| match event {
        RawAnySyncOrStrippedState::Sync(event) => {
            event.get_field::<OwnedUserId>("sender").ok().flatten()
        }
        RawAnySyncOrStrippedState::Stripped(event) => {
            event.get_field::<OwnedUserId>("sender").ok().flatten()
        }
    });
    let of_id = old.room_id().server_name().map(ToOwned::to_owned);
    sender
        .map(|sender| sender.server_name().to_owned())
        .into_iter()
        .chain(of_id)
        .collect()
}

/// Moves the tables of a room and its threads to the new room, with the room's settings, and tells of each once.
async fn move_tables(matrix: &Matrix, old: &RoomId, new: &RoomId) -> Result<(), ClubError> {
    // The invitation to the new room may have been accepted at the same time.
    let _moving = matrix.moving.lock().await;
    let key = moved(old);
    let store = matrix.club.store();
    if store.note(&key).await?.is_some() {
        return Ok(());
    }
    let from = Place::room(Platform::Matrix, old.as_str());
    let to = Place::room(Platform::Matrix, new.as_str());
    let (settings, settings_there) = (format!("place/{from}"), format!("place/{to}"));
    let mut commit = Commit::new(SystemClock.now(), None);
    if store.note(&settings_there).await?.is_none()
        && let Some(kept) = store.note(&settings).await?
    {
        commit.notes.push((settings_there, Some(kept)));
    }
    let find = Find::InPlace {
        place: from.clone(),
        stages: Stages::Unfinished,
    };
    let tables = store.tables(find, TABLES).await?;
    for (code, _) in &tables {
        move_table(matrix, *code, &from, &to).await?;
    }
    // The last of all: killed before, it goes on with those that are still there.
    commit.notes.push((key, Some(json!(new.as_str()))));
    store.commit(commit).await?;
    let count = tables.len();
    tracing::info!("matrix: {count} tables of {old} are played in {new} now");
    Ok(())
}

/// Moves one table from wherever in the old room it is played: the room or a thread.
async fn move_table(
    matrix: &Matrix,
    code: TableCode,
    from: &Place,
    to: &Place,
) -> Result<(), ClubError> {
    let club = &matrix.club;
    let table = club.load(code).await?;
    let there = table.places().iter().filter(|place| place.is_within(from));
    let mut told = false;
    for place in there {
        match told {
            false => club.settle_telling(code, place, to, None, &posts).await?,
            true => club.settle_in(code, place, to, None).await?,
        }
        told = true;
    }
    Ok(())
}

fn refused(old: &RoomId) -> String {
    format!("matrix/not-followed/{old}")
}

fn moved(old: &RoomId) -> String {
    format!("matrix/moved/{old}")
}
