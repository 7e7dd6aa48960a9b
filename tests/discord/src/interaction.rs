//! What people do with a bot: commands, clicks, choices, and what is typed into an option.

use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a first response may take.
pub(crate) const FIRST: Duration = Duration::from_secs(3);

/// How long the token lives.
pub(crate) const TOKEN: Duration = Duration::from_secs(15 * 60);

/// Discord's numbers of the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Command,
    Component,
    Autocomplete,
}

impl Kind {
    pub(crate) fn number(self) -> u8 {
        match self {
            Kind::Command => 2,
            Kind::Component => 3,
            Kind::Autocomplete => 4,
        }
    }
}

/// An interaction and what was answered.
#[derive(Debug, Clone)]
pub struct Interaction {
    /// Its id.
    pub id: u64,
    /// Who acted.
    pub user: u64,
    /// Where.
    pub channel: u64,
    /// How long the first response took; none while there is none.
    pub first_after: Option<Duration>,
    /// The number of the first response's kind.
    pub first_kind: Option<u64>,
    /// The choices, where something was typed into an option.
    pub choices: Option<Vec<(String, Value)>>,
    /// What a first response that came too late or a second time was told.
    pub refused: Vec<u32>,
    /// The message that answers a command, as long as it is there.
    pub original: Option<u64>,
    /// Whether the original was deleted by the bot.
    pub original_deleted: bool,
    /// Further messages made with the token.
    pub followups: Vec<u64>,
    pub(crate) kind: Kind,
    pub(crate) token: String,
    pub(crate) sent: Instant,
    /// Whether the token is dead before its time.
    pub(crate) dead: bool,
    /// Whether what is made with the token is for the caller alone.
    pub(crate) ephemeral: bool,
    /// The message whose button was clicked.
    pub(crate) source: Option<u64>,
}

impl Interaction {
    /// Whether it is a slash command.
    #[must_use]
    pub fn is_command(&self) -> bool {
        self.kind == Kind::Command
    }

    pub(crate) fn alive(&self) -> bool {
        !self.dead && self.sent.elapsed() < TOKEN
    }
}
