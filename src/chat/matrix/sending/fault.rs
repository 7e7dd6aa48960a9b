//! What went wrong with an event that was to be sent, by what is to be done about it.

use std::time::Duration;

use matrix_sdk::{Room, RoomState};

use crate::chat::matrix::refusal::{self, Refusal};

/// Why an event did not get to its room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::chat::matrix) enum Fault {
    /// It may pass: no network, 5xx, or M_LIMIT_EXCEEDED with the wait that the server asks for.
    Again(Option<Duration>),
    /// The bot may not send there, until somebody changes that.
    Blocked(Lack),
    /// The bot is not in the room: it left, was kicked or banned.
    Gone,
    /// The server does not take what was sent (M_TOO_LARGE, M_BAD_JSON, …).
    Refused(String),
    /// The device is logged out, or the account cannot be used: nothing can be sent any more.
    Ended,
}

/// What the bot lacks in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat::matrix) enum Lack {
    /// M_FORBIDDEN while it is joined: no power to send messages.
    Power,
}

impl Fault {
    /// Of an error of the SDK.
    pub(super) fn of(error: &matrix_sdk::Error, room: &Room) -> Fault {
        match error {
            matrix_sdk::Error::WrongRoomState(_) => Fault::Gone,
            error => Fault::told(refusal::of(error), room.state()),
        }
    }

    fn told(refusal: Refusal, state: RoomState) -> Fault {
        match (refusal, state) {
            (Refusal::Again(wait), _) => Fault::Again(wait),
            (Refusal::Token | Refusal::Account, _) => Fault::Ended,
            (Refusal::Forbidden(_), RoomState::Joined) => Fault::Blocked(Lack::Power),
            (
                Refusal::Forbidden(_),
                RoomState::Left | RoomState::Invited | RoomState::Knocked | RoomState::Banned,
            ) => Fault::Gone,
            // A proxy's page, or a server that is being set up: not Matrix's own words.
            (Refusal::Other(404 | 408, _), _) => Fault::Again(None),
            // Not the server's word: the crypto store was busy, or its disk is full.
            (Refusal::Other(0, said), _) => {
                tracing::warn!("matrix: an event cannot be sent now: {said}");
                Fault::Again(None)
            }
            (Refusal::Other(_, said), _) => Fault::Refused(said),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r101_a_limit_is_waited_for_as_long_as_the_server_says() {
        let wait = Some(Duration::from_millis(4321));
        assert_eq!(
            Fault::told(Refusal::Again(wait), RoomState::Joined),
            Fault::Again(wait)
        );
    }

    #[test]
    fn without_power_it_waits_and_without_the_room_it_is_gone() {
        let forbidden = || Refusal::Forbidden("M_FORBIDDEN".to_owned());
        assert_eq!(
            Fault::told(forbidden(), RoomState::Joined),
            Fault::Blocked(Lack::Power)
        );
        for state in [RoomState::Left, RoomState::Banned, RoomState::Invited] {
            assert_eq!(Fault::told(forbidden(), state), Fault::Gone);
        }
    }

    #[test]
    fn a_revoked_token_ends_it_and_what_is_too_large_is_refused() {
        for refusal in [Refusal::Token, Refusal::Account] {
            assert_eq!(Fault::told(refusal, RoomState::Joined), Fault::Ended);
        }
        let large = Refusal::Other(413, "M_TOO_LARGE".to_owned());
        assert_eq!(
            Fault::told(large, RoomState::Joined),
            Fault::Refused("M_TOO_LARGE".to_owned())
        );
        let page = Refusal::Other(404, String::new());
        assert_eq!(Fault::told(page, RoomState::Joined), Fault::Again(None));
    }
}
