//! What the caller is told when nothing came of a command.

use std::sync::Arc;

use super::{Errand, Failure};
use crate::club::{ClubError, Sought};
use crate::command::message::{ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::text::Text;
use crate::command::words;
use crate::table::{Refusal, Table};

impl Errand<'_> {
    pub(super) async fn refused(&self, given: &Invocation, failure: Failure) -> Message {
        let (kind, text) = match failure {
            Failure::Act(error, sought) => {
                let table = self.meant(given, &error, sought).await;
                let error = lapsed(given, error);
                words::trouble(&error, table.as_deref(), self.caller.person, self.now)
            }
            Failure::Club(error) => words::trouble(&error, None, self.caller.person, self.now),
            Failure::NotBegun { missing, table } => {
                (ErrorKind::Refused, words::not_begun_yet(missing, &table))
            }
            Failure::Over(table) => (
                ErrorKind::Refused,
                words::finished(Some(&table), self.caller.person),
            ),
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
    async fn meant(
        &self,
        given: &Invocation,
        error: &ClubError,
        sought: Sought,
    ) -> Option<Arc<Table>> {
        if !matches!(error, ClubError::Refused(_)) {
            return None;
        }
        let code = given.table();
        for sought in [sought, Sought::Any] {
            if let Ok(table) = self.club.look(self.caller, code, sought).await {
                return Some(table);
            }
        }
        None
    }
}

/// R128: who answers an offer that is gone is told so, whatever has become of the game since.
fn lapsed(given: &Invocation, error: ClubError) -> ClubError {
    match error {
        ClubError::Refused(Refusal::Finished | Refusal::TooLateToCancel | Refusal::NothingOpen)
            if given.number("offer").is_some() =>
        {
            ClubError::Refused(Refusal::OfferLapsed)
        }
        error => error,
    }
}
