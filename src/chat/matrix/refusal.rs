//! What a homeserver's refusal asks for.

use std::time::Duration;

use matrix_sdk::HttpError;
use matrix_sdk::ruma::api::error::{ErrorKind, RetryAfter};

/// What is to be done after a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Try again: no network, 5xx, or M_LIMIT_EXCEEDED with the wait asked for.
    Again(Option<Duration>),
    /// M_UNKNOWN_TOKEN or M_MISSING_TOKEN: the device is logged out.
    Token,
    /// M_USER_DEACTIVATED, M_USER_LOCKED, M_USER_SUSPENDED: nobody can use the account.
    Account,
    /// M_FORBIDDEN.
    Forbidden(String),
    /// M_LIMIT_EXCEEDED is no other refusal; any other will not pass by itself. The status and what the server said.
    Other(u16, String),
}

/// Of an error of the SDK.
pub(super) fn of(error: &matrix_sdk::Error) -> Refusal {
    match error {
        matrix_sdk::Error::Http(error) => of_http(error),
        other => Refusal::Other(0, other.to_string()),
    }
}

/// Of an error of a request.
pub(super) fn of_http(error: &HttpError) -> Refusal {
    let Some(said) = error.as_client_api_error() else {
        return Refusal::Again(None);
    };
    let status = said.status_code.as_u16();
    match error.client_api_error_kind() {
        Some(ErrorKind::UnknownToken(token)) if token.soft_logout => Refusal::Token,
        Some(ErrorKind::UnknownToken(_) | ErrorKind::MissingToken) => Refusal::Token,
        Some(ErrorKind::UserDeactivated | ErrorKind::UserLocked | ErrorKind::UserSuspended) => {
            Refusal::Account
        }
        Some(ErrorKind::LimitExceeded(limit)) => {
            Refusal::Again(limit.retry_after.as_ref().and_then(wait))
        }
        _ if status >= 500 || status == 429 => Refusal::Again(None),
        Some(ErrorKind::Forbidden) => Refusal::Forbidden(said.to_string()),
        _ => Refusal::Other(status, said.to_string()),
    }
}

fn wait(after: &RetryAfter) -> Option<Duration> {
    match after {
        RetryAfter::Delay(delay) => Some(*delay),
        RetryAfter::DateTime(until) => until.duration_since(std::time::SystemTime::now()).ok(),
    }
}
