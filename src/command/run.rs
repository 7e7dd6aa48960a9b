//! Carrying out commands: from an [`Invocation`] through the club to what is said.
//!
//! What everybody is told is kept with the change itself, in the store's outbox, before anybody sees it. What only the caller
//! is told, and changes nothing, comes back from [`run`].

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;

use super::catalogue::Verb;
use super::message::{Attachment, Choice, ErrorKind, Message};
use super::pages;
use super::pieces;
use super::reading::Invocation;
use super::seats;
use super::text::Text;
use super::words;
use crate::club::{Action, Caller, Club, ClubError, Done, Happened, Sought, Wanted};
use crate::ids::{At, PersonId, TableCode};
use crate::rules::{Info, Seat};
use crate::table::{Event, Record, SeatWish, Table};

/// Who is behind an account that somebody mentions, as far as the platform knows.
#[async_trait]
pub trait Directory: Send + Sync {
    /// The account, its name and whether it is a bot's; `None` when nobody there has that account (R46).
    async fn find(&self, account: &str) -> Option<Guest>;
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
    Club(ClubError),
    /// A mention that nobody answers to.
    Nobody(String),
    Position(String),
    Seat { named: String, seats: Vec<String> },
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
        match given.command.verb {
            Verb::New => self.new_table(given).await,
            Verb::Rematch => {
                let done = self.club.rematch(self.caller, given.table(), &words::posts).await?;
                self.done(done)
            }
            Verb::Join
            | Verb::Decline
            | Verb::Invite
            | Verb::Remove
            | Verb::Leave
            | Verb::Start
            | Verb::Cancel
            | Verb::Roll
            | Verb::Move
            | Verb::Pass
            | Verb::Resign
            | Verb::Draw
            | Verb::Claim => self.act(given).await,
            Verb::Board => self.board(given).await,
            Verb::Moves => self.moves(given).await,
            Verb::Games => self.games(given).await,
            Verb::Next => self.next().await,
            Verb::Show => {
                let table = self.table(given).await?;
                let text = words::status(&table, self.caller.person, self.now);
                Ok(vec![self.reply(text).about(table.code())])
            }
            Verb::Record => self.record(given).await,
            Verb::Dice => {
                let table = self.table(given).await?;
                Ok(vec![self.reply(words::fairness(&table)).about(table.code())])
            }
            Verb::Rules => Ok(vec![self.reply(given.game("game").map_or_else(pages::index, pages::page))]),
            Verb::Help => Ok(vec![self.reply(given.command("command").map_or_else(words::all, words::one))]),
        }
    }

    async fn new_table(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let Some(info) = given.game("game") else {
            return Ok(Vec::new());
        };
        let position = match given.text("position").map(serde_json::from_str) {
            None => None,
            Some(Ok(setup)) => Some(Box::new(setup)),
            Some(Err(error)) => return Err(Failure::Position(error.to_string())),
        };
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
        self.done(done)
    }

    async fn act(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let action = self.action(given).await?;
        let done = self.club.act(self.caller, given.table(), &action, &words::posts).await?;
        self.done(done)
    }

    async fn action(&self, given: &Invocation) -> Result<Action, Failure> {
        let offer = None;
        Ok(match given.command.verb {
            Verb::Join => Action::Join {
                seat: self.named_seat(given).await?,
                word: given.text("word").unwrap_or_default().to_owned(),
            },
            Verb::Invite => Action::Invite {
                person: self.player(given).await?,
            },
            Verb::Remove => Action::Remove {
                person: self.player(given).await?,
            },
            Verb::Decline => Action::Decline { offer },
            Verb::Leave => Action::Leave,
            Verb::Cancel => Action::Cancel { offer },
            Verb::Roll => Action::Roll,
            Verb::Move => Action::Move {
                text: given.text("moves").unwrap_or_default().to_owned(),
            },
            Verb::Pass => Action::Pass,
            Verb::Resign => Action::Resign {
                seat: self.named_seat(given).await?,
                confirm: given.yes("confirm"),
            },
            Verb::Draw => Action::Draw { offer },
            Verb::Claim => Action::Claim,
            Verb::Start
            | Verb::New
            | Verb::Rematch
            | Verb::Board
            | Verb::Moves
            | Verb::Games
            | Verb::Next
            | Verb::Show
            | Verb::Record
            | Verb::Rules
            | Verb::Dice
            | Verb::Help => Action::Start,
        })
    }

    /// What the caller alone is told of what was done: what to confirm, or that nothing had to be done.
    fn done(&self, done: Done) -> Result<Vec<Message>, Failure> {
        match done {
            Done::Now(happened) => Ok(self.told_alone(&happened)),
            Done::Before { table, .. } => {
                let mut text = Text::from("That was done already.");
                if let Some(table) = &table {
                    let turn = words::whose_turn(table, None).quiet();
                    text = text.plain(if turn.is_empty() { "" } else { " " }).then(turn);
                }
                Ok(vec![self.reply(text).refused(ErrorKind::Done)])
            }
        }
    }

    fn told_alone(&self, happened: &Happened) -> Vec<Message> {
        let table = &happened.table;
        if let Some(faces) = &happened.stands {
            let text = Text::from("You have thrown: ")
                .strong(faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" and "))
                .plain(". A roll is thrown once.");
            return vec![self.reply(text).about(table.code())];
        }
        if !happened.changed() {
            let text = Text::from("Nothing to do: it is so already.");
            return vec![self.reply(text).about(table.code())];
        }
        let asked = happened.changes.iter().find_map(|change| match change.entry.event {
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
        let mut message = self.reply(text).about(table.code());
        message.choices.push(Choice {
            label: "Resign".to_owned(),
            line,
        });
        vec![message]
    }

    async fn board(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let table = self.table(given).await?;
        let from = match given.text("from") {
            Some(named) => Some(self.seat(table.info(), named)?),
            None => words::side_of(&table, self.caller.person),
        };
        let Some(play) = table.play() else {
            let text = words::status(&table, self.caller.person, self.now);
            return Ok(vec![self.reply(text).about(table.code())]);
        };
        let turn = match table.ending() {
            Some(_) => Text::from("The game is over."),
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
        Ok(vec![message.about(table.code())])
    }

    async fn moves(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let table = self.club.look(self.caller, given.table(), Sought::Playing).await?;
        let Some(play) = table.play() else {
            return self.status_of(&table);
        };
        let all = play.legal();
        let from = given.text("from");
        let moves = match from {
            Some(named) => pieces::moves_of(play, named),
            None => all.clone(),
        };
        let text = if all.is_empty() {
            words::whose_turn(&table, None).quiet()
        } else if moves.is_empty() {
            Text::from(format!("“{}” has no legal move now.", from.unwrap_or_default()))
        } else {
            words::listed(table.info(), play, &moves, usize::MAX)
        };
        Ok(vec![self.reply(text).about(table.code())])
    }

    async fn games(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let (found, none) = match given.word("whose") {
            Some("here") => (self.club.tables_in(&self.caller.place).await?, "There is no table here."),
            Some("open") => (self.club.open_tables().await?, "No table is open to everybody."),
            _ => (self.club.tables_of(self.caller.person).await?, "You are at no table."),
        };
        let found: Vec<_> = found.into_iter().map(|one| (one.code, one.listing)).collect();
        let text = if found.is_empty() {
            Text::from(none).plain(" Open one with ").code("/new").plain(".")
        } else {
            words::tables(&found, self.caller.person, self.now)
        };
        Ok(vec![self.reply(text)])
    }

    async fn next(&self) -> Result<Vec<Message>, Failure> {
        let Some(table) = self.club.next(self.caller).await? else {
            return Ok(vec![self.reply(Text::from("No table waits for you."))]);
        };
        let mut text = Text::from("Table ").code(table.code().to_string());
        if let Some(place) = table.places().first() {
            text = text.plain(format!(" in {place}"));
        }
        let text = text.plain(": ").then(words::whose_turn(&table, None).quiet());
        let side = words::side_of(&table, self.caller.person);
        let message = words::board_of(self.reply(text), &table, side);
        Ok(vec![message.about(table.code())])
    }

    async fn record(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        let table = self.table(given).await?;
        let names = self.names(table.people()).await?;
        let name = |person: PersonId| names.get(&person).cloned().unwrap_or_default();
        let Some(record) = Record::of(&table, name) else {
            return self.status_of(&table);
        };
        let (ending, written) = match given.word("as") {
            Some("json") => ("json", record.json()),
            _ => ("txt", record.text()),
        };
        let text = Text::from("The record of table ").code(table.code().to_string()).plain(".");
        let mut message = self.reply(text).about(table.code());
        message.file = Some(Attachment {
            name: format!("{}.{ending}", table.code()),
            text: written,
        });
        Ok(vec![message])
    }

    fn status_of(&self, table: &Table) -> Result<Vec<Message>, Failure> {
        let text = words::status(table, self.caller.person, self.now);
        Ok(vec![self.reply(text).about(table.code())])
    }

    async fn table(&self, given: &Invocation) -> Result<std::sync::Arc<Table>, Failure> {
        Ok(self.club.look(self.caller, given.table(), Sought::Any).await?)
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
        Ok(self.club.meet(platform, &guest.account, &guest.name, guest.bot).await?)
    }

    /// The seat named by `seat` at the table that is meant.
    async fn named_seat(&self, given: &Invocation) -> Result<Option<Seat>, Failure> {
        let Some(named) = given.text("seat") else {
            return Ok(None);
        };
        let table = self.club.look(self.caller, given.table(), Sought::Unfinished).await?;
        self.seat(table.info(), named).map(Some)
    }

    fn seat(&self, info: &'static Info, named: &str) -> Result<Seat, Failure> {
        seats::named(info, named).ok_or_else(|| Failure::Seat {
            named: named.to_owned(),
            seats: seats::names(info),
        })
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

    async fn refused(&self, given: &Invocation, failure: Failure) -> Message {
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
                Text::from(format!("There is no seat “{named}” in this game; it has {}.", seats.join(", "))),
            ),
        };
        let message = self.reply(text).refused(kind);
        match given.table() {
            Some(code) => message.about(code),
            None => message,
        }
    }

    /// The table that refused, for its words; finding it again must not turn one refusal into another.
    async fn meant(&self, given: &Invocation, error: &ClubError) -> Option<std::sync::Arc<Table>> {
        if !matches!(error, ClubError::Refused(_)) || given.command.verb == Verb::New {
            return None;
        }
        let code: Option<TableCode> = given.table();
        for sought in [given.command.verb.sought(), Sought::Any] {
            if let Ok(table) = self.club.look(self.caller, code, sought).await {
                return Some(table);
            }
        }
        None
    }

    fn reply(&self, text: Text) -> Message {
        Message::only(self.caller.place.clone(), self.caller.person, text)
    }
}

impl Verb {
    /// The kind of table a command is for, as the club looks for it.
    fn sought(self) -> Sought {
        match self {
            Verb::Join | Verb::Invite | Verb::Remove | Verb::Leave | Verb::Start => Sought::Gathering,
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
