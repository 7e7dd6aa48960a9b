//! Invitations: whose are accepted, and trying until the room is there (R103).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::ruma::{OwnedServerName, OwnedUserId, RoomId, ServerName, UserId};
use matrix_sdk::{Room, RoomState};

use super::pause::Pauses;
use super::refusal::{self, Refusal};
use super::{Matrix, rooms};

/// The longest pause between tries to join.
const LONGEST: Duration = Duration::from_secs(3600);

/// Somebody whose invitations are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inviter {
    /// Everybody of a server.
    Server(OwnedServerName),
    /// One account.
    User(OwnedUserId),
}

/// A text that is neither a server's name nor an MXID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a server such as example.org nor an account such as @bob:example.org")]
pub struct NoInviter(pub String);

impl FromStr for Inviter {
    type Err = NoInviter;

    fn from_str(text: &str) -> Result<Inviter, NoInviter> {
        let none = || NoInviter(text.to_owned());
        match text.starts_with('@') {
            true => UserId::parse(text).map(Inviter::User).map_err(|_| none()),
            false => ServerName::parse(text)
                .map(Inviter::Server)
                .map_err(|_| none()),
        }
    }
}

/// Whether an invitation of this account is accepted; everybody's when nobody is listed.
fn may_invite(listed: &[Inviter], inviter: &UserId) -> bool {
    listed.is_empty()
        || listed.iter().any(|listed| match listed {
            Inviter::Server(server) => inviter.server_name() == server,
            Inviter::User(user) => inviter == user,
        })
}

/// Why an invitation is declined.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Declined {
    By(OwnedUserId),
    /// By whom is not known.
    Unknown,
    Large(u64),
    Space,
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::By(user) => write!(f, "{user} is not in matrix.invited_by"),
            Self::Unknown => {
                f.write_str("who invites is not known, and so not in matrix.invited_by")
            }
            Self::Large(members) => {
                write!(f, "it has {members} members, more than matrix.largest_room")
            }
            Self::Space => f.write_str("it is a space, in which nothing can be said"),
        }
    }
}

/// Answers an invitation, unless that is being done already.
pub(super) fn answer(matrix: &Arc<Matrix>, room: Room) {
    let Some(answering) = matrix.invitations.begin(room.room_id()) else {
        return;
    };
    let matrix = Arc::clone(matrix);
    tokio::spawn(async move {
        let _answering = answering;
        let mut changes = room.subscribe_info();
        while room.state() == RoomState::Invited {
            if let Some(why) = declined(&matrix, &room).await {
                return decline(&room, &why).await;
            }
            // Taken back or renewed, it may be somebody else's. What joining itself changes is no such change.
            let changed = async {
                while changes.next().await.is_some() && room.state() == RoomState::Joined {}
            };
            tokio::select! {
                () = join(&room) => return,
                () = changed => {}
            }
        }
    });
}

async fn declined(matrix: &Matrix, room: &Room) -> Option<Declined> {
    let settings = &matrix.settings;
    let invite = room.invite_details().await;
    let by = invite
        .inspect_err(|error| tracing::debug!("matrix: {}: {error}", room.room_id()))
        .ok()
        .map(|invite| invite.inviter_id);
    // Whoever cannot be told is nobody who is listed.
    match by {
        Some(user) if !may_invite(&settings.invited_by, &user) => return Some(Declined::By(user)),
        None if !settings.invited_by.is_empty() => return Some(Declined::Unknown),
        _ => {}
    }
    if room.is_space() {
        return Some(Declined::Space);
    }
    let via = room.room_id().server_name().map(ToOwned::to_owned);
    let members = too_many(matrix, room.room_id(), via.into_iter().collect()).await;
    members.map(Declined::Large)
}

/// How many members a room has, if those are more than matrix.largest_room. Of a server that does not tell nothing is known:
/// it is asked again by what the room itself says, when the bot has joined (rooms.rs).
pub(super) async fn too_many(
    matrix: &Matrix,
    room: &RoomId,
    via: Vec<OwnedServerName>,
) -> Option<u64> {
    let most = matrix.settings.largest_room;
    if most == 0 {
        return None;
    }
    let preview = matrix.client.get_room_preview(room.into(), via).await;
    let members = preview.ok()?.num_joined_members;
    (members > most).then_some(members)
}

async fn decline(room: &Room, why: &Declined) {
    tracing::info!(
        "matrix: the invitation to {} is declined: {why}",
        room.room_id()
    );
    rooms::leave(room).await;
}

/// R103: joins, however often it takes.
async fn join(room: &Room) {
    let id = room.room_id();
    let mut pauses = Pauses::up_to(LONGEST);
    while room.state() == RoomState::Invited {
        let asked = match room.join().await {
            Ok(()) => {
                tracing::info!("matrix: joined {id}");
                return;
            }
            Err(error) => {
                if pauses.is_first() {
                    tracing::warn!("matrix: {id} cannot be joined yet: {error}");
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

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::user_id;

    fn listed(names: &[&str]) -> Vec<Inviter> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn who_may_invite() {
        let (bob, cy) = (user_id!("@bob:a.org"), user_id!("@cy:b.org:8448"));
        assert!(may_invite(&[], cy));
        let list = listed(&["@bob:a.org", "b.org:8448"]);
        assert!(may_invite(&list, bob) && may_invite(&list, cy));
        for other in [
            user_id!("@eve:a.org"),
            user_id!("@cy:b.org"),
            user_id!("@bob:a.org.evil.org"),
        ] {
            assert!(!may_invite(&list, other), "{other}");
        }
    }

    #[test]
    fn an_inviter_is_a_server_or_an_account() {
        for wrong in ["@bob", "@bob:", "a org", ""] {
            assert!(wrong.parse::<Inviter>().is_err(), "{wrong}");
        }
    }
}
