//! What the caller alone is told of a command that was carried out.

use std::sync::Arc;

use super::{Errand, Failure};
use crate::club::{Done, Happened};
use crate::command::message::{Choice, ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::text::Text;
use crate::command::words;
use crate::table::Event;

impl Errand<'_> {
    /// What the caller alone is told of what was done: what to confirm, or that nothing had to be done.
    pub(super) fn done(&self, given: &Invocation, done: Done) -> Vec<Message> {
        match done {
            Done::Now(happened) => self.told_alone(given, &happened),
            Done::Before { table, .. } => {
                let text = words::done_before(table.as_deref(), given.command.verb);
                let reply = self.reply(text).refused(ErrorKind::Done);
                vec![match &table {
                    Some(table) => reply.about(table),
                    None => reply,
                }]
            }
            Done::RefusedBefore => {
                vec![self.reply(words::refused_before()).refused(ErrorKind::Done)]
            }
        }
    }

    /// The same of a table that is new or has new people, and of the first one where this is a second with the same people
    /// and game: opened by mistake, or not.
    pub(super) async fn done_and_twin(
        &self,
        given: &Invocation,
        done: Done,
    ) -> Result<Vec<Message>, Failure> {
        let new = match &done {
            Done::Now(happened) if happened.changed() => Some(Arc::clone(&happened.table)),
            _ => None,
        };
        let mut told = self.done(given, done);
        let Some(new) = new else {
            return Ok(told);
        };
        let twin = self.club.twin_of(&new, self.caller.person).await?;
        told.extend(twin.map(|first| {
            let text = words::twin(&new, first, self.caller.person);
            self.reply(text).about(&new)
        }));
        Ok(told)
    }

    fn told_alone(&self, given: &Invocation, happened: &Happened) -> Vec<Message> {
        let table = &happened.table;
        if let Some(faces) = &happened.stands {
            let text = Text::from("You have thrown: ")
                .strong(
                    faces
                        .iter()
                        .map(u8::to_string)
                        .collect::<Vec<_>>()
                        .join(" and "),
                )
                .plain(". A roll is thrown once.");
            return vec![self.reply(text).about(table)];
        }
        if !happened.changed() {
            let text = words::unchanged(table, self.caller.person, given.command.verb);
            return vec![self.reply(text).about(table)];
        }
        let asked = happened
            .changes
            .iter()
            .find_map(|change| match change.entry.event {
                Event::ResignAsked { seat, .. } => Some(seat),
                _ => None,
            });
        let Some(seat) = asked else {
            return Vec::new();
        };
        let line = format!("/resign confirm:yes table:{}", table.code());
        let text = Text::from(format!(
            "Do you want to resign as {}? Confirm within a minute: ",
            words::army(table.info(), seat)
        ))
        .code(line.clone());
        let mut message = self.reply(text).about(table);
        message.choices.push(Choice {
            label: "Resign".to_owned(),
            line,
        });
        vec![message]
    }
}
