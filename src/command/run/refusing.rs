//! What the caller is told when nothing came of a command.

use std::sync::Arc;

use super::{Errand, Failure};
use crate::club::{ClubError, Sought};
use crate::command::catalogue::Verb;
use crate::command::message::{ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::text::Text;
use crate::command::words;
use crate::table::Table;

impl Errand<'_> {
    pub(super) async fn refused(&self, given: &Invocation, failure: Failure) -> Message {
        let (kind, text) = match failure {
            Failure::Club(error) => {
                let table = self.meant(given, &error).await;
                words::trouble(&error, table.as_deref(), self.caller.person, self.now)
            }
            Failure::Nobody(account) => (
                ErrorKind::Refused,
                Text::from(format!("There is nobody called “{account}” here.")),
            ),
            Failure::Position(error) => (
                ErrorKind::Unreadable,
                Text::from(format!("The position is no SETUP text: {error}.")),
            ),
            Failure::Seat { named, seats } => (
                ErrorKind::Refused,
                Text::from(format!(
                    "There is no seat “{named}” in this game; it has {}.",
                    seats.join(", ")
                )),
            ),
        };
        let message = self.reply(text).refused(kind);
        match given.table() {
            Some(code) => message.about(code),
            None => message,
        }
    }

    /// The table that refused, for its words; finding it again must not turn one refusal into another.
    async fn meant(&self, given: &Invocation, error: &ClubError) -> Option<Arc<Table>> {
        if !matches!(error, ClubError::Refused(_)) || given.command.verb == Verb::New {
            return None;
        }
        let code = given.table();
        for sought in [given.command.verb.sought(), Sought::Any] {
            if let Ok(table) = self.club.look(self.caller, code, sought).await {
                return Some(table);
            }
        }
        None
    }
}

impl Verb {
    /// The kind of table a command is for, as the club looks for it.
    fn sought(self) -> Sought {
        match self {
            Verb::Join | Verb::Invite | Verb::Remove | Verb::Leave | Verb::Start => {
                Sought::Gathering
            }
            Verb::Roll
            | Verb::Move
            | Verb::Pass
            | Verb::Resign
            | Verb::Draw
            | Verb::Claim
            | Verb::Moves => Sought::Playing,
            Verb::Decline | Verb::Cancel => Sought::Unfinished,
            Verb::Rematch => Sought::Finished,
            Verb::New
            | Verb::Board
            | Verb::Games
            | Verb::Next
            | Verb::Show
            | Verb::Record
            | Verb::Rules
            | Verb::Dice
            | Verb::Help => Sought::Any,
        }
    }
}
