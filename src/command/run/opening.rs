//! Opening a table.

use std::collections::BTreeMap;

use super::{Errand, Failure};
use crate::club::Wanted;
use crate::command::message::Message;
use crate::command::position;
use crate::command::reading::Invocation;
use crate::command::words;
use crate::rules;
use crate::table::SeatWish;

impl Errand<'_> {
    pub(super) async fn new_table(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        self.check_permissions().await?;
        let info = match given.game("game") {
            Some(info) => info,
            None => {
                let settings = self.club.settings(&self.caller.home()).await?;
                let game = settings.default_game.and_then(rules::game);
                game.ok_or(Failure::NoGame)?
            }
        };
        let position = given.text("position").map(position::read).transpose();
        let position = position.map_err(Failure::Position)?.map(Box::new);
        let seat = match given.text("seat") {
            None => SeatWish::Unsaid,
            Some("random") => SeatWish::Random,
            Some(named) => SeatWish::Named(self.seat(info, named)?),
        };
        let options: BTreeMap<String, String> = given.pairs("options").iter().cloned().collect();
        let mut with = Vec::new();
        for account in given.people("with") {
            with.push(self.person(account).await?);
        }
        let wanted = Wanted {
            game: info.key.to_owned(),
            options,
            with,
            seat,
            solo: given.yes("solo"),
            open: given.yes("open"),
            position,
            word: given.text("word").unwrap_or_default().to_owned(),
        };
        let done = self.club.open(self.caller, &wanted, &words::posts).await?;
        self.done_and_twin(given, done).await
    }

    /// R20, R41: nothing is begun where it could not be played.
    pub(super) async fn check_permissions(&self) -> Result<(), Failure> {
        let mut lacking = self.directory.lacking().await;
        lacking.retain(|one| one.needed);
        match lacking.is_empty() {
            true => Ok(()),
            false => Err(Failure::Lacking(lacking)),
        }
    }
}
