//! Discord's errors, by their numbers.

use serde_json::{Value, json};

/// An error as Discord answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: u32,
    pub(crate) message: String,
    /// Whether a bot that does everything right would never see it: such a refusal fails the test.
    pub(crate) fault: bool,
}

const fn legal(status: u16, code: u32) -> (u16, u32, bool) {
    (status, code, false)
}

impl Refusal {
    fn new((status, code, fault): (u16, u32, bool), message: &str) -> Refusal {
        Refusal {
            status,
            code,
            message: message.to_owned(),
            fault,
        }
    }

    pub(crate) fn unauthorized() -> Refusal {
        Refusal::new(legal(401, 0), "401: Unauthorized")
    }

    pub(crate) fn unknown_channel() -> Refusal {
        Refusal::new(legal(404, 10003), "Unknown Channel")
    }

    pub(crate) fn unknown_guild() -> Refusal {
        Refusal::new(legal(404, 10004), "Unknown Guild")
    }

    pub(crate) fn unknown_message() -> Refusal {
        Refusal::new(legal(404, 10008), "Unknown Message")
    }

    pub(crate) fn unknown_user() -> Refusal {
        Refusal::new(legal(404, 10013), "Unknown User")
    }

    pub(crate) fn unknown_member() -> Refusal {
        Refusal::new(legal(404, 10007), "Unknown Member")
    }

    pub(crate) fn unknown_webhook() -> Refusal {
        Refusal::new(legal(404, 10015), "Unknown Webhook")
    }

    pub(crate) fn unknown_interaction() -> Refusal {
        Refusal::new(legal(404, 10062), "Unknown interaction")
    }

    pub(crate) fn unknown_command() -> Refusal {
        Refusal::new((404, 10063, true), "Unknown application command")
    }

    pub(crate) fn edited_too_often() -> Refusal {
        Refusal::new(
            legal(429, 30046),
            "Maximum number of edits to messages older than 1 hour reached. Try again later",
        )
    }

    pub(crate) fn acknowledged() -> Refusal {
        Refusal::new(
            (400, 40060, true),
            "Interaction has already been acknowledged.",
        )
    }

    pub(crate) fn missing_access() -> Refusal {
        Refusal::new(legal(403, 50001), "Missing Access")
    }

    pub(crate) fn cannot_message_user() -> Refusal {
        Refusal::new(legal(403, 50007), "Cannot send messages to this user")
    }

    pub(crate) fn other_author() -> Refusal {
        Refusal::new(
            (403, 50005, true),
            "Cannot edit a message authored by another user",
        )
    }

    pub(crate) fn empty_message() -> Refusal {
        Refusal::new((400, 50006, true), "Cannot send an empty message")
    }

    pub(crate) fn missing_permissions() -> Refusal {
        Refusal::new(legal(403, 50013), "Missing Permissions")
    }

    pub(crate) fn invalid_webhook_token() -> Refusal {
        Refusal::new(legal(401, 50027), "Invalid Webhook Token")
    }

    pub(crate) fn invalid_body(what: &str) -> Refusal {
        Refusal::new((400, 50035, true), &format!("Invalid Form Body: {what}"))
    }

    pub(crate) fn archived() -> Refusal {
        Refusal::new((400, 50083, true), "Thread is archived")
    }

    pub(crate) fn not_a_text_channel() -> Refusal {
        Refusal::new(
            (400, 50008, true),
            "Cannot send messages in a non-text channel",
        )
    }

    pub(crate) fn has_a_thread() -> Refusal {
        Refusal::new(
            (400, 160_004, true),
            "A thread has already been created for this message",
        )
    }

    pub(crate) fn no_such_route() -> Refusal {
        Refusal::new((404, 0, true), "404: Not Found")
    }

    pub(crate) fn json(&self) -> Value {
        json!({"message": self.message, "code": self.code})
    }
}
