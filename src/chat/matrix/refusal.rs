//! What a homeserver's refusal asks for.

use std::time::Duration;

use matrix_sdk::HttpError;
use matrix_sdk::ruma::api::error::{ErrorKind, RetryAfter};

/// The longest wait that a server may ask for.
const LONGEST: Duration = Duration::from_secs(3600);

/// What a homeserver says that takes nothing from anybody for a while, or nothing from an account that has not agreed to its terms.
const CLOSED: [&str; 2] = ["M_RESOURCE_LIMIT_EXCEEDED", "M_CONSENT_NOT_GIVEN"];

/// What is to be done after a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Try again: no network, 5xx, a proxy's page, or M_LIMIT_EXCEEDED with the wait asked for.
    Again(Option<Duration>),
    /// M_UNKNOWN_TOKEN or M_MISSING_TOKEN: the device is logged out.
    Token,
    /// M_USER_DEACTIVATED, M_USER_LOCKED, M_USER_SUSPENDED: nobody can use the account.
    Account,
    /// M_FORBIDDEN.
    Forbidden(String),
    /// Any other, which will not pass by itself. The status and what the server said.
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
        // Not the homeserver's own words: a proxy's page.
        None => Refusal::Again(None),
        Some(ErrorKind::UnknownToken(_) | ErrorKind::MissingToken) => Refusal::Token,
        Some(ErrorKind::UserDeactivated | ErrorKind::UserLocked | ErrorKind::UserSuspended) => {
            Refusal::Account
        }
        Some(ErrorKind::LimitExceeded(limit)) => {
            Refusal::Again(limit.retry_after.as_ref().and_then(wait))
        }
        Some(_) if status >= 500 || status == 429 => Refusal::Again(None),
        Some(kind) if CLOSED.contains(&kind.errcode().as_str()) => {
            tracing::warn!("matrix: the homeserver takes nothing from the bot now: {said}");
            Refusal::Again(None)
        }
        Some(ErrorKind::Forbidden) => Refusal::Forbidden(said.to_string()),
        Some(_) => Refusal::Other(status, said.to_string()),
    }
}

/// How long a server asks to wait, if that is not absurd.
fn wait(after: &RetryAfter) -> Option<Duration> {
    let asked = match after {
        RetryAfter::Delay(delay) => *delay,
        RetryAfter::DateTime(until) => until.duration_since(std::time::SystemTime::now()).ok()?,
    };
    Some(asked.min(LONGEST))
}

/// The same of a number of milliseconds.
pub(super) fn wait_ms(asked: u64) -> Duration {
    Duration::from_millis(asked).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_server_makes_the_bot_wait_for_ever() {
        let absurd = RetryAfter::Delay(Duration::from_secs(u64::MAX));
        assert_eq!(wait(&absurd), Some(LONGEST));
        let short = RetryAfter::Delay(Duration::from_millis(700));
        assert_eq!(wait(&short), Some(Duration::from_millis(700)));
    }
}
