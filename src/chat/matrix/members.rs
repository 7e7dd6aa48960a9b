//! How many are in a room. The syncs bring all members ([`super::sync::filter`]), and no count of them.

use matrix_sdk::{Room, RoomMemberships};

/// How many are in a room or invited to it; 0 when that is not known.
pub(super) async fn active(room: &Room) -> u64 {
    count(room, RoomMemberships::ACTIVE).await
}

/// How many are in a room; 0 when that is not known.
pub(super) async fn joined(room: &Room) -> u64 {
    count(room, RoomMemberships::JOIN).await
}

async fn count(room: &Room, memberships: RoomMemberships) -> u64 {
    let client = room.client();
    let store = client.state_store();
    let members = store.get_user_ids(room.room_id(), memberships).await;
    members
        .inspect_err(|error| {
            tracing::warn!("matrix: members of {}: {error}", room.room_id());
        })
        .map_or(0, |members| members.len() as u64)
}
