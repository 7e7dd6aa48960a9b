//! Who speaks, where, and what they may do there.

use matrix_sdk::Room;
use matrix_sdk::ruma::{EventId, UserId};

use crate::chat::matrix::{Matrix, members, powers};
use crate::club::{Caller, ClubError};
use crate::ids::{Cause, PersonId, Place, Platform};

/// Somebody who says or does something in a room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speaker<'a> {
    pub(super) room: &'a Room,
    pub(super) user: &'a UserId,
    /// The root of the thread it happens in.
    pub(super) thread: Option<&'a EventId>,
    /// The event by which they do it.
    pub(super) event: &'a EventId,
    /// When that was sent, in milliseconds since 1970.
    pub(super) sent: u64,
    /// What a refusal is a reply to: that event, or the board they reacted to.
    pub(super) answered: &'a EventId,
}

impl Speaker<'_> {
    pub(super) fn place(&self) -> Place {
        let room = self.room.room_id().as_str();
        match self.thread {
            Some(thread) => Place::thread(Platform::Matrix, room, thread.as_str()),
            None => Place::room(Platform::Matrix, room),
        }
    }

    pub(super) fn cause(&self) -> Cause {
        Cause::new(Platform::Matrix, self.event)
    }

    /// As one who asks for something, made known if need be.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn caller(&self, matrix: &Matrix) -> Result<Caller, ClubError> {
        let member = self.room.get_member_no_sync(self.user).await.ok().flatten();
        let name = member
            .as_ref()
            .map_or(self.user.localpart(), |member| member.name());
        let account = self.user.as_str();
        let person = matrix
            .club
            .meet(Platform::Matrix, account, name, false)
            .await?;
        Ok(self.called(person).await)
    }

    /// As one who asks for something, if the person is known already.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn known_caller(&self, matrix: &Matrix) -> Result<Option<Caller>, ClubError> {
        let store = matrix.club.store();
        let account = self.user.as_str();
        let person = store.person_by_account(Platform::Matrix, account).await?;
        Ok(match person {
            Some(person) => Some(self.called(person.id).await),
            None => None,
        })
    }

    /// Whether this is a talk between somebody and the bot: nobody else is there, and the room was opened as such or has no
    /// name, so that clients show it under the other's. A room with a name is a place of its own, however few are in it.
    pub(super) async fn is_alone(&self) -> bool {
        let room = self.room;
        (room.name().is_none_or(|name| name.is_empty()) || room.is_direct().await.unwrap_or(false))
            && members::active(room).await == 2
    }

    async fn called(&self, person: PersonId) -> Caller {
        let moderates = powers::power(self.room, self.user).await.moderates();
        Caller {
            direct: self.is_alone().await,
            runs_place: moderates,
            moderates,
            cause: Some(self.cause()),
            ..Caller::new(person, self.place())
        }
    }
}
