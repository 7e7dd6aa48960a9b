//! What went wrong with a request, by what is to be done about it.

use serenity::http::HttpError;

/// Why a request to Discord brought nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::chat::discord) enum Fault {
    /// It may pass: try again later.
    Again(Again),
    /// The bot may not, until somebody changes that.
    Blocked(Lack),
    /// The channel, thread or server is no more.
    Gone,
    /// The person takes no direct messages (R23).
    Closed,
    /// The message that was meant is no more, or can no more be edited (R25, R32).
    NotThere,
    /// Discord does not take what was sent: our mistake, or a filter of the server's.
    Refused {
        /// Discord's code, 0 where it gave none.
        code: i64,
        /// Where in the body, and what.
        why: String,
    },
}

/// What may pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat::discord) enum Again {
    /// It cannot have arrived: no connection, or too many requests.
    NotArrived,
    /// It may have been done all the same: a cut connection, an error of the server, no answer in time.
    MayHaveArrived,
}

/// What the bot lacks in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat::discord) enum Lack {
    /// 50001 Missing Access: it does not see the channel (R22).
    Access,
    /// 50013 Missing Permissions: it may not post, or not attach files (R22).
    Permissions,
    /// The thread was locked, or cannot be reopened (R28).
    Locked,
    /// It is no channel that takes messages, or Discord forbids it for another reason.
    Forbidden,
}

impl Fault {
    /// The fault of a request that came back as an error.
    pub(in crate::chat::discord) fn of(error: &serenity::Error) -> Fault {
        match error {
            serenity::Error::Http(HttpError::UnsuccessfulRequest(response)) => {
                let told = &response.error;
                let mut why = told.message.clone();
                for one in &told.errors {
                    why.push_str(&format!("; {}: {} ({})", one.path, one.message, one.code));
                }
                let code = i64::try_from(told.code).unwrap_or_default();
                Fault::answered(response.status_code.as_u16(), code, why)
            }
            serenity::Error::Http(HttpError::Request(cut)) if cut.is_connect() => {
                Fault::Again(Again::NotArrived)
            }
            // The answer was cut short, or was none of Discord's.
            serenity::Error::Http(HttpError::Request(_)) | serenity::Error::Json(_) => {
                Fault::Again(Again::MayHaveArrived)
            }
            serenity::Error::Http(HttpError::RateLimitI64F64 | HttpError::RateLimitUtf8) => {
                Fault::Again(Again::MayHaveArrived)
            }
            other => Fault::Refused {
                code: 0,
                why: other.to_string(),
            },
        }
    }

    /// The fault of an answer with this HTTP status and Discord's code (0 or less where it gave none).
    fn answered(status: u16, code: i64, why: String) -> Fault {
        match (status, code) {
            (500.., _) => Fault::Again(Again::MayHaveArrived),
            (_, 10008 | 30046) => Fault::NotThere,
            // 20016, 20028 and 20029: limits of a channel; 40006 and 130000: Discord is busy.
            (429, _) | (_, 20016 | 20028 | 20029 | 40006 | 40333 | 130_000) => {
                Fault::Again(Again::NotArrived)
            }
            (_, 10003 | 10004) => Fault::Gone,
            (_, 50001) => Fault::Blocked(Lack::Access),
            (_, 50013) => Fault::Blocked(Lack::Permissions),
            (_, 50083 | 160_005) => Fault::Blocked(Lack::Locked),
            // 50278: no server in common any more.
            (_, 50007 | 50278) => Fault::Closed,
            (_, 50008 | 50024) => Fault::Blocked(Lack::Forbidden),
            // 200000 and 200001 are a server's own filter of words: no permission.
            (_, 200_000 | 200_001) => Fault::Refused { code, why },
            // Not Discord's own words, such as a proxy's page; the token is the gateway's matter.
            (401 | 403 | 404 | 408, code) if code <= 0 => Fault::Again(Again::NotArrived),
            (403, _) => Fault::Blocked(Lack::Forbidden),
            (_, code) => Fault::Refused { code, why },
        }
    }

    /// That no answer came in time.
    pub(in crate::chat::discord) const LATE: Fault = Fault::Again(Again::MayHaveArrived);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16, code: i64) -> Fault {
        Fault::answered(status, code, String::new())
    }

    #[test]
    fn r22_missing_access_and_missing_permissions_are_told_apart() {
        assert_eq!(answered(403, 50001), Fault::Blocked(Lack::Access));
        assert_eq!(answered(403, 50013), Fault::Blocked(Lack::Permissions));
    }

    #[test]
    fn r25_a_deleted_message_is_not_a_deleted_channel() {
        assert_eq!(answered(404, 10008), Fault::NotThere);
        assert_eq!(answered(404, 10003), Fault::Gone);
        assert_eq!(answered(404, 10004), Fault::Gone);
    }

    #[test]
    fn r28_r32_locked_threads_and_old_messages() {
        assert_eq!(answered(400, 50083), Fault::Blocked(Lack::Locked));
        // Discord gives it with 429, but waiting does not help.
        assert_eq!(answered(429, 30046), Fault::NotThere);
        assert_eq!(answered(400, 30046), Fault::NotThere);
    }

    #[test]
    fn what_may_pass_is_tried_again() {
        assert_eq!(answered(429, 0), Fault::Again(Again::NotArrived));
        assert_eq!(answered(500, 0), Fault::Again(Again::MayHaveArrived));
        assert_eq!(answered(502, -1), Fault::Again(Again::MayHaveArrived));
        for (status, code) in [(404, -1), (403, -1), (403, 0), (403, 40333)] {
            assert_eq!(answered(status, code), Fault::Again(Again::NotArrived));
        }
    }

    #[test]
    fn what_is_wrong_with_the_message_is_refused() {
        assert_eq!(
            answered(400, 50035),
            Fault::Refused {
                code: 50035,
                why: String::new()
            }
        );
        assert_eq!(answered(403, 50007), Fault::Closed);
        assert!(matches!(answered(400, 200_000), Fault::Refused { .. }));
        assert!(matches!(answered(413, 40005), Fault::Refused { .. }));
    }
}
