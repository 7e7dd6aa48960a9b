//! Commands that only look: the board, the legal moves, lists, a record.

use std::collections::HashMap;

use super::{Errand, Failure};
use crate::club::Sought;
use crate::command::message::{Attachment, Message};
use crate::command::pieces;
use crate::command::reading::Invocation;
use crate::command::text::Text;
use crate::command::words;
use crate::ids::PersonId;
use crate::rules::reading;
use crate::table::{Record, Table};

impl Errand<'_> {
    pub(super) async fn board(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let table = self.table(given, Sought::Begun).await?;
        let from = match given.text("from") {
            Some(named) => Some(self.seat(table.info(), named)?),
            None => words::side_of(&table, self.caller.person),
        };
        let missing = "There is no board";
        let play = match table.play() {
            Some(play) => play,
            None => return Err(Failure::NotBegun { missing, table }),
        };
        let turn = match table.ending() {
            Some(how) => words::ending(&table, how),
            None => words::whose_turn(&table, None).quiet(),
        };
        let title = Text::new()
            .strong(table.info().name)
            .plain(", table ")
            .code(table.code().to_string())
            .plain(": ")
            .then(turn);
        let seen_from = from.unwrap_or_else(|| play.player());
        let message = match given.word("as") {
            Some("text") => {
                let board = words::board(table.info(), play, seen_from);
                self.reply(title.block(board.plain()))
            }
            _ => words::board_of(self.reply(title), &table, Some(seen_from)),
        };
        Ok(vec![message.about(&table)])
    }

    pub(super) async fn moves(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let table = self.table(given, Sought::Moves).await?;
        let missing = "There are no moves";
        let play = match (table.play(), table.ending()) {
            (None, _) => return Err(Failure::NotBegun { missing, table }),
            (Some(_), Some(_)) => return Err(Failure::Over(table)),
            (Some(play), None) => play,
        };
        let all = play.legal();
        let from = given.text("from");
        let moves = match from {
            Some(named) => match pieces::moves_of(play, named) {
                none if none.is_empty() => reading::fitting(play, named),
                moves => moves,
            },
            None => all.clone(),
        };
        let text = if all.is_empty() {
            words::whose_turn(&table, None).quiet()
        } else if let Some(named) = from.filter(|named| !pieces::is_there(table.info(), named)) {
            let strange = words::look_alikes(named);
            strange.unwrap_or_else(|| words::no_such_piece(table.info(), named))
        } else if moves.is_empty()
            && let Some(strange) = from.and_then(words::look_alikes)
        {
            strange
        } else if moves.is_empty() {
            Text::from(format!(
                "“{}” has no legal move now.",
                from.unwrap_or_default()
            ))
        } else {
            let listed = words::listed(table.info(), play, &moves, usize::MAX);
            if table.on_turn_now() == Some(self.caller.person) {
                listed
            } else {
                // Whose moves they are.
                words::whose_turn(&table, None)
                    .quiet()
                    .plain("\n")
                    .then(listed)
            }
        };
        Ok(vec![self.reply(text).about(&table)])
    }

    pub(super) async fn games(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let (found, none) = match given.word("whose") {
            Some("here") => (
                self.club.tables_in(&self.caller.place).await?,
                "There is no table here.",
            ),
            Some("open") => (
                self.club.open_tables().await?,
                "No table is open to everybody.",
            ),
            _ => (
                self.club.tables_of(self.caller.person).await?,
                "You are at no table.",
            ),
        };
        let found: Vec<_> = found
            .into_iter()
            .map(|one| (one.code, one.listing))
            .collect();
        let text = if found.is_empty() {
            Text::from(none)
                .plain(" Open one with ")
                .code("/new")
                .plain(".")
        } else {
            words::tables(&found, self.caller.person, self.now)
        };
        Ok(vec![self.reply(text)])
    }

    pub(super) async fn next(&self) -> Result<Vec<Message>, Failure> {
        let Some(table) = self.club.next(self.caller).await? else {
            return Ok(vec![self.reply(Text::from("No table waits for you."))]);
        };
        let mut text = Text::from("Table ").code(table.code().to_string());
        if let Some(place) = table.place_of(self.caller.person) {
            text = text.plain(" in ").place(place);
        }
        let text = text
            .plain(": ")
            .then(words::whose_turn(&table, None).quiet());
        let side = words::side_of(&table, self.caller.person);
        let message = words::board_of(self.reply(text), &table, side);
        Ok(vec![message.about(&table)])
    }

    pub(super) async fn record(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let table = self.table(given, Sought::Begun).await?;
        let names = self.names(table.people()).await?;
        let name = |person: PersonId| names.get(&person).cloned().unwrap_or_default();
        let missing = "There is no record";
        let Some(record) = Record::of(&table, name) else {
            return Err(Failure::NotBegun { missing, table });
        };
        let (ending, written) = match given.word("as") {
            Some("json") => ("json", record.json()),
            _ => ("txt", record.text()),
        };
        let text = Text::from("The record of table ").code(table.code().to_string());
        let mut message = self.reply(text).about(&table);
        message.file = Some(Attachment {
            name: format!("{}.{ending}", table.code()),
            text: written,
        });
        Ok(vec![message])
    }

    pub(super) fn status_of(&self, table: &Table) -> Result<Vec<Message>, Failure> {
        let text = words::status(table, self.caller.person, self.now);
        Ok(vec![self.reply(text).about(table)])
    }

    async fn names(
        &self,
        people: impl Iterator<Item = PersonId>,
    ) -> Result<HashMap<PersonId, String>, Failure> {
        let mut names = HashMap::new();
        for person in people {
            names.insert(person, self.club.person(person).await?.name);
        }
        Ok(names)
    }
}
