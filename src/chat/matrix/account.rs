//! Whose an access token is (client-server specification, 5.7: `whoami`), asked before the device's store is used.

use matrix_sdk::ruma::{OwnedDeviceId, OwnedUserId};
use matrix_sdk::{Client, reqwest};
use serde::Deserialize;

use super::connection::Waiting;
use super::{MatrixError, refusal};
use crate::chat::address::without_password;

const WHOAMI: &str = "_matrix/client/v3/account/whoami";

/// The account and device of a token.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Whose {
    #[serde(rename = "user_id")]
    pub(super) user: OwnedUserId,
    #[serde(rename = "device_id", default)]
    pub(super) device: Option<OwnedDeviceId>,
}

#[derive(Debug, Default, Deserialize)]
struct Refused {
    #[serde(default)]
    errcode: String,
    #[serde(default)]
    retry_after_ms: Option<u64>,
}

/// Asks whose the token is; waits while the homeserver cannot be reached. `None` when the program stops meanwhile.
///
/// # Errors
/// [`MatrixError::Token`] when the server does not know it, [`MatrixError::Account`] when the account cannot be used.
pub(super) async fn whose(
    client: &Client,
    token: &str,
    waiting: &mut Waiting,
) -> Result<Option<Whose>, MatrixError> {
    let mut address = client.homeserver();
    if !address.path().ends_with('/') {
        address.set_path(&format!("{}/", address.path()));
    }
    let url = address.join(WHOAMI);
    let url = url.map_err(|_| MatrixError::Homeserver(without_password(address.as_str())))?;
    loop {
        let asking = async {
            let request = client.http_client().get(url.clone()).bearer_auth(token);
            let answer = request.send().await?;
            let status = answer.status().as_u16();
            Ok::<_, reqwest::Error>((status, answer.bytes().await?))
        };
        let Some(answer) = waiting.unless_stopped(asking).await else {
            return Ok(None);
        };
        let asked = match answer {
            Ok((status, body)) => match read(status, &body) {
                Answer::Known(whose) => return Ok(Some(whose)),
                Answer::Refused(error) => return Err(error),
                Answer::Again(asked) => asked,
            },
            Err(error) => {
                let error = error.without_url();
                tracing::debug!("matrix: whose the token is cannot be asked: {error}");
                None
            }
        };
        if !waiting.wait(address.as_str(), asked).await {
            return Ok(None);
        }
    }
}

enum Answer {
    Known(Whose),
    Refused(MatrixError),
    Again(Option<std::time::Duration>),
}

fn read(status: u16, body: &[u8]) -> Answer {
    if status == 200
        && let Ok(whose) = serde_json::from_slice(body)
    {
        return Answer::Known(whose);
    }
    let refused: Refused = serde_json::from_slice(body).unwrap_or_default();
    match refused.errcode.as_str() {
        "M_UNKNOWN_TOKEN" | "M_MISSING_TOKEN" => Answer::Refused(MatrixError::Token),
        "M_USER_DEACTIVATED" | "M_USER_LOCKED" | "M_USER_SUSPENDED" => {
            Answer::Refused(MatrixError::Account("of the access token".to_owned()))
        }
        "M_FORBIDDEN" => Answer::Refused(MatrixError::Login(refused.errcode)),
        _ => Answer::Again(refused.retry_after_ms.map(refusal::wait_ms)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn whose_a_token_is() {
        let body = br#"{"user_id":"@bot:a.org","device_id":"X","is_guest":false}"#;
        let Answer::Known(whose) = read(200, body) else {
            panic!("not understood");
        };
        assert_eq!(
            (whose.user.as_str(), whose.device.is_some()),
            ("@bot:a.org", true)
        );
        let body = br#"{"user_id":"@bot:a.org"}"#;
        assert!(matches!(read(200, body), Answer::Known(whose) if whose.device.is_none()));
    }

    #[test]
    fn a_token_that_is_unknown_is_not_waited_for_and_anything_else_is() {
        let unknown = br#"{"errcode":"M_UNKNOWN_TOKEN","error":"x"}"#;
        assert!(matches!(
            read(401, unknown),
            Answer::Refused(MatrixError::Token)
        ));
        let limited = br#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1500}"#;
        let wait = Duration::from_millis(1500);
        assert!(matches!(read(429, limited), Answer::Again(Some(asked)) if asked == wait));
        for (status, body) in [(502, &b"<html>"[..]), (200, b"{}"), (404, b"")] {
            assert!(
                matches!(read(status, body), Answer::Again(None)),
                "{status}"
            );
        }
    }
}
