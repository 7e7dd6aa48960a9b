//! What the caller is told when nothing came of a command.

use std::sync::Arc;

use super::{Errand, Failure};
use crate::club::{ClubError, Sought};
use crate::command::message::{ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::text::Text;
use crate::command::words::{self, Asked};
use crate::ids::TableCode;
use crate::lookalike::meant_or;
use crate::table::{Refusal, Table};

impl Errand<'_> {
    pub(super) async fn refused(&self, given: &Invocation, failure: Failure) -> Message {
        let (kind, text) = match failure {
            Failure::Act(ClubError::OldBoard { code, then, now }, _) => {
                return self.old_board(code, then, now).await;
            }
            Failure::Act(error, sought) => {
                let table = self.meant(given, &error, &sought).await;
                if let Some(table) = &table
                    && let Some(message) = self.played_already(given, &error, table).await
                {
                    return message;
                }
                let error = lapsed(given, error);
                if let ClubError::Refused(Refusal::Unreadable(_)) = &error
                    && let Some(text) = given.text("moves").and_then(words::look_alikes)
                {
                    let reply = self.reply(text).refused(ErrorKind::Refused);
                    return match &table {
                        Some(table) => reply.about(table),
                        None => reply,
                    };
                }
                let rematch = self.rematch_of(table.as_deref()).await;
                let asked = self.asked(table.as_deref(), rematch.as_deref());
                words::trouble(&error, &asked)
            }
            Failure::NoGame => (ErrorKind::Unreadable, words::no_game()),
            Failure::NoRoom(named) => (ErrorKind::Refused, words::no_room(&named)),
            Failure::Lacking(lacking) => (ErrorKind::Refused, words::cannot_play(&lacking)),
            Failure::NoSetting(option) => (ErrorKind::Refused, words::no_setting(option)),
            Failure::NotYours => (ErrorKind::Refused, words::not_yours()),
            Failure::Club(error) => words::trouble(&error, &self.asked(None, None)),
            Failure::NotBegun { missing, table } => {
                (ErrorKind::Refused, words::not_begun_yet(missing, &table))
            }
            Failure::Over(table) => {
                let rematch = self.rematch_of(Some(&table)).await;
                let person = self.caller.person;
                let text = words::finished(Some(&table), rematch.as_deref(), person);
                (ErrorKind::Refused, text)
            }
            Failure::Nobody(account) => (ErrorKind::Refused, words::nobody(&account)),
            Failure::Position(error) => (
                ErrorKind::Unreadable,
                Text::from(format!("The position is no SETUP text: {error}.")),
            ),
            Failure::Seat { named, .. } if meant_or(&named) != named => {
                let strange = words::look_alikes(&named).unwrap_or_default();
                (ErrorKind::Refused, strange)
            }
            Failure::Seat { named, seats } => (
                ErrorKind::Refused,
                Text::from(format!(
                    "There is no seat “{named}” in this game; it has {}.",
                    seats.join(", ")
                )),
            ),
        };
        let message = self.reply(text).refused(kind);
        Message {
            table: given.table(),
            ..message
        }
    }

    /// R13: which board that was, and the present one.
    async fn old_board(&self, code: TableCode, then: usize, now: usize) -> Message {
        let table = self.club.load(code).await.ok();
        let text = words::old_board(table.as_deref(), then, now);
        let reply = self.reply(text).refused(ErrorKind::OldBoard);
        match table {
            Some(table) => {
                let side = words::side_of(&table, self.caller.person);
                words::board_of(reply, &table, side).about(&table)
            }
            None => reply,
        }
    }

    /// R02: who sends the same moves again, since nobody told them that they are played, is told so now.
    async fn played_already(
        &self,
        given: &Invocation,
        error: &ClubError,
        table: &Table,
    ) -> Option<Message> {
        let text = given.text("moves")?;
        match error {
            ClubError::Refused(
                Refusal::NotYourTurn { .. }
                | Refusal::RollFirst
                | Refusal::Finished
                | Refusal::Unreadable(_),
            ) => {}
            _ => return None,
        }
        let played = self.club.played_already(self.caller, table, text);
        let moves = played.await.ok().flatten()?;
        let text = words::played_already(table, &moves);
        Some(self.reply(text).refused(ErrorKind::Done).about(table))
    }

    fn asked<'a>(&self, table: Option<&'a Table>, rematch: Option<&'a Table>) -> Asked<'a> {
        Asked {
            table,
            rematch,
            caller: self.caller.person,
            now: self.now,
        }
    }

    /// The rematch that a table has had.
    async fn rematch_of(&self, table: Option<&Table>) -> Option<Arc<Table>> {
        self.club.load(table?.rematch_code()?).await.ok()
    }

    /// The table that refused, for its words; finding it again must not turn one refusal into another.
    async fn meant(
        &self,
        given: &Invocation,
        error: &ClubError,
        sought: &Sought,
    ) -> Option<Arc<Table>> {
        if !matches!(error, ClubError::Refused(_)) {
            return None;
        }
        let code = given.table();
        for sought in [sought, &Sought::Any] {
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
