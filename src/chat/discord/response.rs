//! What an error of Discord's API says, without what must not be shown: addresses hold the tokens of interactions.

use std::error::Error as _;

use serenity::Error;
use serenity::http::HttpError;

/// The interaction's token is no longer, or not yet, known.
pub(super) const UNKNOWN_INTERACTION: isize = 10062;
/// The interaction's webhook is gone.
pub(super) const UNKNOWN_WEBHOOK: isize = 10015;
/// The interaction has had its first response.
pub(super) const ALREADY_ACKNOWLEDGED: isize = 40060;

/// The HTTP status of the answer, if there was one.
pub(super) fn status(error: &Error) -> Option<u16> {
    match error {
        Error::Http(HttpError::UnsuccessfulRequest(response)) => {
            Some(response.status_code.as_u16())
        }
        _ => None,
    }
}

/// Discord's own number for what is wrong, if it gave one.
pub(super) fn code(error: &Error) -> Option<isize> {
    match error {
        Error::Http(HttpError::UnsuccessfulRequest(response)) => {
            Some(response.error.code).filter(|code| *code > 0)
        }
        _ => None,
    }
}

/// Whether the same request may go well a little later: too many requests, a fault of the service, a cut connection.
pub(super) fn passes(error: &Error) -> bool {
    match error {
        Error::Http(HttpError::UnsuccessfulRequest(response)) => {
            let status = response.status_code;
            status.as_u16() == 429 || status.is_server_error()
        }
        Error::Http(HttpError::Request(_)) => true,
        _ => false,
    }
}

/// Whether the request may have been carried out although no answer says so.
pub(super) fn may_have_arrived(error: &Error) -> bool {
    match error {
        Error::Http(HttpError::UnsuccessfulRequest(response)) => {
            response.status_code.is_server_error()
        }
        Error::Http(HttpError::Request(error)) => !error.is_connect(),
        _ => false,
    }
}

/// The error in words for the log.
pub(super) fn reason(error: &Error) -> String {
    match error {
        Error::Http(HttpError::UnsuccessfulRequest(response)) => format!(
            "HTTP {}, code {}: {}",
            response.status_code.as_u16(),
            response.error.code,
            response.error.message
        ),
        Error::Http(HttpError::Request(error)) => {
            // The outermost words hold the address; the innermost say what happened.
            let mut innermost: &dyn std::error::Error = error;
            while let Some(cause) = innermost.source() {
                innermost = cause;
            }
            match error.source() {
                Some(_) => innermost.to_string(),
                None if error.is_timeout() => "no answer in time".to_owned(),
                None => "the request failed".to_owned(),
            }
        }
        other => other.to_string(),
    }
}
