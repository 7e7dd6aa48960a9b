//! What went wrong with an event that was to be sent, by what is to be done about it.

use std::time::Duration;

use matrix_sdk::{Room, RoomState};

use crate::chat::matrix::refusal::{self, Refusal};

/// Why an event did not get to its room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::chat::matrix) enum Fault {
    /// It may pass: no network, 5xx, or M_LIMIT_EXCEEDED with the wait that the server asks for.
    Again(Option<Duration>),
    /// What is to be shown cannot be uploaded, though the server answers: it may pass, and text goes through meanwhile.
    NotUploaded,
    /// M_FORBIDDEN while it is joined: it has no power to send messages, until somebody changes that.
    Blocked,
    /// The bot is not in the room: it left, was kicked or banned.
    Gone,
    /// The server does not take what was sent (M_TOO_LARGE, M_BAD_JSON, …).
    Refused(String),
    /// Nothing can be sent any more.
    Ended(Ended),
}

/// Why nothing can be sent any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat::matrix) enum Ended {
    /// The device is logged out.
    Device,
    /// The account is deactivated, locked or suspended.
    Account,
}

impl Fault {
    /// Of an error of the SDK.
    pub(super) fn of(error: &matrix_sdk::Error, room: &Room) -> Fault {
        match error {
            matrix_sdk::Error::WrongRoomState(_) => Fault::Gone,
            error => Fault::told(refusal::of(error), room.state()),
        }
    }

    /// Of an error while something was uploaded, which says nothing about the room.
    pub(super) fn of_upload(error: &matrix_sdk::Error) -> Fault {
        let answered = match error {
            matrix_sdk::Error::Http(error) => error.as_client_api_error().is_some(),
            _ => false,
        };
        Fault::not_uploaded(refusal::of(error), answered)
    }

    fn not_uploaded(refusal: Refusal, answered: bool) -> Fault {
        match refusal {
            Refusal::Again(None) if answered => Fault::NotUploaded,
            Refusal::Forbidden(said) | Refusal::Other(404, said) => Fault::Refused(said),
            other => Fault::told(other, RoomState::Joined),
        }
    }

    fn told(refusal: Refusal, state: RoomState) -> Fault {
        match (refusal, state) {
            (Refusal::Again(wait), _) => Fault::Again(wait),
            (Refusal::Token, _) => Fault::Ended(Ended::Device),
            (Refusal::Account, _) => Fault::Ended(Ended::Account),
            (Refusal::Forbidden(_), RoomState::Joined) => Fault::Blocked,
            (
                Refusal::Forbidden(_),
                RoomState::Left | RoomState::Invited | RoomState::Knocked | RoomState::Banned,
            ) => Fault::Gone,
            // A server that is being set up.
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
        assert_eq!(Fault::told(forbidden(), RoomState::Joined), Fault::Blocked);
        for state in [RoomState::Left, RoomState::Banned, RoomState::Invited] {
            assert_eq!(Fault::told(forbidden(), state), Fault::Gone);
        }
    }

    #[test]
    fn a_revoked_token_ends_it_and_what_is_too_large_is_refused() {
        for (refusal, ended) in [
            (Refusal::Token, Ended::Device),
            (Refusal::Account, Ended::Account),
        ] {
            let fault = Fault::told(refusal, RoomState::Joined);
            assert_eq!(fault, Fault::Ended(ended));
        }
        let large = Refusal::Other(413, "M_TOO_LARGE".to_owned());
        assert_eq!(
            Fault::told(large, RoomState::Joined),
            Fault::Refused("M_TOO_LARGE".to_owned())
        );
        let page = Refusal::Other(404, String::new());
        assert_eq!(Fault::told(page, RoomState::Joined), Fault::Again(None));
    }

    #[test]
    fn what_cannot_be_uploaded_is_no_matter_of_the_room() {
        let forbidden = Refusal::Forbidden("M_FORBIDDEN".to_owned());
        let refused = Fault::Refused("M_FORBIDDEN".to_owned());
        assert_eq!(Fault::not_uploaded(forbidden, true), refused);
        let page = || Refusal::Again(None);
        assert_eq!(Fault::not_uploaded(page(), true), Fault::NotUploaded);
        assert_eq!(Fault::not_uploaded(page(), false), Fault::Again(None));
        let wait = Some(Duration::from_secs(2));
        let limited = Refusal::Again(wait);
        assert_eq!(Fault::not_uploaded(limited, true), Fault::Again(wait));
    }
}
