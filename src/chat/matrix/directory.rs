//! Who is behind a name in a room: its members, and nobody else (R46).

use async_trait::async_trait;
use matrix_sdk::room::RoomMember;
use matrix_sdk::ruma::matrix_uri::MatrixId;
use matrix_sdk::ruma::{MatrixToUri, OwnedRoomId, RoomAliasId, RoomId, UserId};
use matrix_sdk::{Room, RoomMemberships, RoomState};

use super::Matrix;
use crate::command::run::{Directory, Guest, Lacking};

/// The people and rooms that can be named in a room.
pub(super) struct Present<'a> {
    matrix: &'a Matrix,
    room: &'a Room,
}

impl<'a> Present<'a> {
    pub(super) fn of(matrix: &'a Matrix, room: &'a Room) -> Present<'a> {
        Present { matrix, room }
    }

    fn guest(&self, member: &RoomMember) -> Guest {
        let user = member.user_id();
        Guest {
            account: user.to_string(),
            name: member.name().to_owned(),
            bot: user == self.matrix.me || self.matrix.hearing.is_bot(user),
        }
    }

    async fn by_id(&self, user: &UserId) -> Option<Guest> {
        let member = self.room.get_member(user).await;
        let member = member.inspect_err(|error| {
            tracing::warn!("matrix: a member of {}: {error}", self.room.room_id())
        });
        let member = member.ok()??;
        let there = RoomMemberships::ACTIVE.matches(member.membership());
        there.then(|| self.guest(&member))
    }

    /// By a display name or the MXID's part before the colon, if only one has it.
    async fn by_name(&self, name: &str) -> Option<Guest> {
        let members = self.room.members(RoomMemberships::ACTIVE).await;
        let members = members.inspect_err(|error| {
            tracing::warn!("matrix: the members of {}: {error}", self.room.room_id())
        });
        let members = members.ok()?;
        let named = members
            .iter()
            .map(|member| (member.user_id(), member.name()))
            .collect::<Vec<_>>();
        let at = only(&named, name)?;
        members.get(at).map(|member| self.guest(member))
    }
}

/// The only one of this local part or, where that is nobody's, of this display name, in any case.
fn only(members: &[(&UserId, &str)], name: &str) -> Option<usize> {
    let fitting = |fits: &dyn Fn(&UserId, &str) -> bool| {
        let places = members.iter().enumerate();
        let mut found = places.filter(|(_, (user, called))| fits(user, called));
        let first = found.next().map(|(at, _)| at);
        (first, found.next().is_some())
    };
    let wanted = name.to_lowercase();
    let local = fitting(&|user, _| user.localpart().eq_ignore_ascii_case(name));
    let called = fitting(&|_, called| called.to_lowercase() == wanted);
    match (local, called) {
        ((Some(one), false), _) | ((None, _), (Some(one), false)) => Some(one),
        _ => None,
    }
}

#[async_trait]
impl Directory for Present<'_> {
    /// By MXID, with or without its `@`, or by a name that is one member's only.
    async fn find(&self, account: &str) -> Option<Guest> {
        match UserId::parse(format!("@{}", account.trim_start_matches('@'))) {
            Ok(user) => self.by_id(&user).await,
            Err(_) => self.by_name(account).await,
        }
    }

    /// A room the bot is in: by its id, an alias or a link.
    async fn room(&self, named: &str) -> Option<String> {
        let named = match MatrixToUri::parse(named).map(|uri| uri.id().clone()) {
            Ok(MatrixId::Room(room)) => room.to_string(),
            Ok(MatrixId::RoomAlias(alias)) => alias.to_string(),
            Ok(_) => return None,
            Err(_) => named.to_owned(),
        };
        let joined = |id: OwnedRoomId| {
            let room = self.matrix.client.get_room(&id)?;
            (room.state() == RoomState::Joined).then(|| id.to_string())
        };
        if let Ok(id) = RoomId::parse(&named) {
            return joined(id);
        }
        // The reader of lines takes the sign before the name away.
        let alias = RoomAliasId::parse(format!("#{}", named.trim_start_matches('#'))).ok()?;
        let behind = self.matrix.client.resolve_room_alias(&alias).await;
        joined(behind.ok()?.room_id)
    }

    async fn lacking(&self) -> Vec<Lacking> {
        self.matrix.health.lacking(self.matrix, self.room).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::user_id;

    #[test]
    fn a_name_is_somebodys_where_it_is_one_members_only() {
        let members = [
            (user_id!("@bob:a.org"), "Robert"),
            (user_id!("@cy:a.org"), "Cy"),
            (user_id!("@cy:b.org"), "The Other"),
            (user_id!("@dora:a.org"), "bob"),
            (user_id!("@eve:a.org"), "Twin"),
            (user_id!("@fay:a.org"), "twin"),
        ];
        assert_eq!(
            only(&members, "BOB"),
            Some(0),
            "the local part before a name"
        );
        assert_eq!(only(&members, "the other"), Some(2));
        assert_eq!(only(&members, "robert"), Some(0));
        for nobody in ["cy", "twin", "zoe", ""] {
            assert_eq!(only(&members, nobody), None, "{nobody}");
        }
    }
}
