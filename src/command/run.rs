//! Carrying out commands: from an [`Invocation`] through the club to what is said.
//!
//! What everybody is told is kept with the change itself, in the store's outbox, before anybody sees it. What only the caller
//! is told, and changes nothing, comes back from [`run`].

mod alone;
mod looking;
mod opening;
mod placing;
mod refusing;

use std::sync::Arc;

use async_trait::async_trait;

use super::catalogue::{CommandOption, Verb};
use super::message::{Message, PictureRef};
use super::pages;
use super::position::PositionError;
use super::reading::Invocation;
use super::seats;
use super::text::Text;
use super::words;
use crate::club::{Action, Caller, Club, ClubError, Sought};
use crate::ids::{At, PersonId};
use crate::rules::{Info, Seat};
use crate::table::{OfferId, Table};

/// Who is behind an account that somebody mentions, as far as the platform knows.
#[async_trait]
pub trait Directory: Send + Sync {
    /// The account, its name and whether it is a bot's; `None` when nobody there has that account (R46).
    async fn find(&self, account: &str) -> Option<Guest>;

    /// The platform's id of a room that somebody names; `None` when there is none of this name.
    async fn room(&self, named: &str) -> Option<String> {
        Some(named.to_owned())
    }

    /// What the bot lacks in the caller's place.
    async fn lacking(&self) -> Vec<Lacking> {
        Vec::new()
    }
}

/// A permission, or something like it, that the bot lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lacking {
    /// What the platform calls it.
    pub name: &'static str,
    /// Whether no game can be played without it.
    pub needed: bool,
    /// What does not work without it, as in “boards come as text”.
    pub otherwise: &'static str,
    /// How to give it, as in “allow it in the channel's settings”.
    pub how: &'static str,
}

/// Somebody who was mentioned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// The account.
    pub account: String,
    /// What it is called.
    pub name: String,
    /// Whether it is a bot's.
    pub bot: bool,
}

/// One command being carried out.
pub struct Errand<'a> {
    /// The tables.
    pub club: &'a Club,
    /// Who is who on the caller's platform.
    pub directory: &'a dyn Directory,
    /// Who asks.
    pub caller: &'a Caller,
    /// The time, for saying how long ago.
    pub now: At,
}

/// Why nothing came of a command.
enum Failure {
    /// From a command that looks for this kind of table.
    Act(ClubError, Box<Sought>),
    Club(ClubError),
    /// A mention that nobody answers to.
    Nobody(String),
    /// A room that there is not.
    NoRoom(String),
    /// No game is named, and none is set for the place.
    NoGame,
    /// No game can be played here.
    Lacking(Vec<Lacking>),
    /// Only for those who run or moderate the place.
    NotYours,
    /// A setting that means nothing on the caller's platform.
    NoSetting(&'static CommandOption),
    Position(PositionError),
    /// A game is asked about that has not begun.
    NotBegun {
        /// That it is missing: `There is no record`.
        missing: &'static str,
        table: Arc<Table>,
    },
    /// Something that only a game being played has is asked of one that is over.
    Over(Arc<Table>),
    Seat {
        named: String,
        seats: Vec<String>,
    },
}

impl From<ClubError> for Failure {
    fn from(error: ClubError) -> Failure {
        Failure::Club(error)
    }
}

/// Carries out a command. What comes back is for the caller alone.
pub async fn run(errand: &Errand<'_>, invocation: &Invocation) -> Vec<Message> {
    match errand.answer(invocation).await {
        Ok(messages) => messages,
        Err(failure) => vec![errand.refused(invocation, failure).await],
    }
}

impl Errand<'_> {
    async fn answer(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let word = || given.text("word").unwrap_or_default().to_owned();
        let offer = given.number("offer").and_then(|id| u64::try_from(id).ok());
        let offer = offer.map(OfferId);
        let mut action = match given.command.verb {
            Verb::New => return self.new_table(given).await,
            Verb::Place => return self.place(given).await,
            Verb::Doctor => return self.doctor().await,
            Verb::Rematch => {
                self.check_permissions().await?;
                let done = self
                    .club
                    .rematch(self.caller, given.table(), &words::posts)
                    .await
                    .map_err(|error| Failure::Act(error, Box::new(Sought::Finished)))?;
                return self.done_and_twin(given, done).await;
            }
            Verb::Board => return self.board(given).await,
            Verb::Moves => return self.moves(given).await,
            Verb::Games => return self.games(given).await,
            Verb::Next => return self.next().await,
            Verb::Show => {
                let table = self.table(given, Sought::Any).await?;
                return self.status_of(&table);
            }
            Verb::Record => return self.record(given).await,
            Verb::Dice => {
                let table = self.table(given, Sought::Dice).await?;
                let text = words::fairness(&table);
                return Ok(vec![self.reply(text).about(&table)]);
            }
            Verb::Rules => {
                let game = given.game("game");
                let mut message = self.reply(game.map_or_else(pages::index, pages::page));
                if let Some(info) = game {
                    message.picture = Some(PictureRef::Array {
                        game: info.key.to_owned(),
                    });
                    message.alt = Some(format!(
                        "The array of {}, and how each of its pieces moves, in the order of the list.",
                        info.name
                    ));
                }
                return Ok(vec![message]);
            }
            Verb::Help => {
                return Ok(vec![self.reply(
                    given.command("command").map_or_else(words::all, words::one),
                )]);
            }
            Verb::Join => Action::Join {
                seat: None,
                word: word(),
            },
            Verb::Invite => Action::Invite {
                person: self.player(given).await?,
            },
            Verb::Remove => Action::Remove {
                person: self.player(given).await?,
            },
            Verb::Decline => Action::Decline { offer },
            Verb::Leave => Action::Leave,
            Verb::Start => Action::Start,
            Verb::Cancel => Action::Cancel { offer },
            Verb::Roll => Action::Roll,
            Verb::Move => Action::Move {
                text: given.text("moves").unwrap_or_default().to_owned(),
            },
            Verb::Pass => Action::Pass,
            Verb::Resign => Action::Resign {
                seat: None,
                confirm: given.yes("confirm"),
            },
            Verb::Draw => Action::Draw { offer },
            Verb::Claim => Action::Claim,
            Verb::Here => {
                self.check_permissions().await?;
                Action::Here
            }
        };
        let sought = action.sought();
        if let Action::Join { seat, .. } | Action::Resign { seat, .. } = &mut action
            && let Some(named) = given.text("seat")
        {
            // The game of the table that is acted on says what its seats are called.
            let table = self.club.look(self.caller, given.table(), &sought).await?;
            *seat = Some(self.seat(table.info(), named)?);
        }
        let done = self
            .club
            .act(self.caller, given.table(), &action, &words::posts)
            .await
            .map_err(|error| Failure::Act(error, Box::new(sought)))?;
        match action {
            Action::Join { .. } => self.done_and_twin(given, done).await,
            _ => Ok(self.done(given, done)),
        }
    }

    async fn table(&self, given: &Invocation, sought: Sought) -> Result<Arc<Table>, Failure> {
        let named = given.table();
        Ok(self.club.look(self.caller, named, &sought).await?)
    }

    async fn player(&self, given: &Invocation) -> Result<PersonId, Failure> {
        match given.people("player").first() {
            Some(account) => self.person(account).await,
            None => Err(Failure::Nobody(String::new())),
        }
    }

    async fn person(&self, account: &str) -> Result<PersonId, Failure> {
        let guest = self.directory.find(account).await;
        let guest = guest.ok_or_else(|| Failure::Nobody(account.to_owned()))?;
        let platform = self.caller.place.platform;
        Ok(self
            .club
            .meet(platform, &guest.account, &guest.name, guest.bot)
            .await?)
    }

    fn seat(&self, info: &'static Info, named: &str) -> Result<Seat, Failure> {
        seats::named(info, named).ok_or_else(|| Failure::Seat {
            named: named.to_owned(),
            seats: seats::names(info),
        })
    }

    fn reply(&self, text: Text) -> Message {
        Message::only(self.caller.place.clone(), self.caller.person, text)
    }
}
