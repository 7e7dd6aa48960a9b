//! The room: who speaks, what is answered, and what is still to be shown.

use std::collections::HashMap;
use std::sync::Arc;

use super::directory::Everybody;
use super::lines::{LONGEST_LINE, Line, Lines};
use super::paths::path_text;
use super::pictures::Pictures;
use super::show::{Reply, Show};
use super::speech::{Speaker, Speech, heard};
use super::terminal::{Found, asked_to_end};
use super::{ConsoleError, Settings};
use crate::club::{Caller, Clock, Club, ClubError, SystemClock};
use crate::command::message::{ErrorKind, Message, To};
use crate::command::reading;
use crate::command::run::{Errand, run};
use crate::command::text::Text;
use crate::command::words;
use crate::config::names::{BOT, LONGEST_NAME};
use crate::ids::{At, Cause, PersonId, Place, Platform};
use crate::store::PostId;

/// How many messages are taken from the outbox at once.
const AT_ONCE: usize = 64;

/// The room and all that is needed to answer in it.
pub(super) struct Room {
    club: Arc<Club>,
    place: Place,
    speaker: Speaker,
    /// The account of who speaks at first, and runs the room.
    host: String,
    lines: Option<Lines>,
    /// How the terminal was before it was edited in, if it is one.
    found: Option<Found>,
    pictures: Pictures,
    show: Show,
    settings: Settings,
    /// When the program started, and how many lines it has heard: together they name the cause of a command.
    started: At,
    heard: u64,
}

impl Room {
    pub(super) fn open(settings: Settings, club: Arc<Club>) -> Result<Room, ConsoleError> {
        let named =
            |name: &str| Speaker::named(name).ok_or_else(|| ConsoleError::Name(name.to_owned()));
        let room = named(&settings.room)?;
        let found = Found::look();
        let lines = Lines::open(&settings.history);
        let speaker = named(&settings.name)?;
        Ok(Room {
            place: Place::room(Platform::Console, room.account),
            host: speaker.account.clone(),
            speaker,
            pictures: Pictures::new(&settings),
            show: Show::new(settings.json),
            lines: Some(lines),
            found,
            club,
            settings,
            started: SystemClock.now(),
            heard: 0,
        })
    }

    pub(super) async fn run(mut self) -> Result<(), ConsoleError> {
        let terminal = self.lines.as_ref().is_some_and(Lines::is_terminal);
        if !self.settings.json {
            self.show.welcome(terminal)?;
        }
        self.close_expired().await;
        self.show_what_waits().await?;
        // At a terminal somebody waits for it to be as it was; a script just ends with its program.
        let asked = terminal.then(asked_to_end).transpose()?;
        let mut end = std::pin::pin!(async {
            match asked {
                Some(asked) => asked.await,
                None => std::future::pending().await,
            }
        });
        loop {
            let line = tokio::select! {
                line = self.next_line() => line?,
                () = &mut end => {
                    self.leave_terminal();
                    None
                }
            };
            let line = match line {
                None => break,
                Some(Line::Said(line)) => line,
                Some(Line::TooLong(begins)) => {
                    self.answer_too_long(&begins).await?;
                    continue;
                }
                Some(Line::NoText) => {
                    self.show.remark(
                        "(That was no UTF-8 text, so nothing was done. Please type the line again.)",
                    )?;
                    continue;
                }
            };
            match heard(&line, &self.speaker) {
                Speech::Silence => {}
                Speech::Goodbye => break,
                Speech::SpeaksNow(speaker) => {
                    self.show.remark(&format!("{} speaks.", speaker.name))?;
                    self.speaker = speaker;
                }
                Speech::NoName(name) => self.answer_no_name(&name).await?,
                Speech::Says(speaker, said) => self.answer(&speaker, &said, terminal).await?,
            }
        }
        if let Some(lines) = self.lines.take() {
            lines.close(&self.settings.history);
        }
        Ok(())
    }

    fn leave_terminal(&self) {
        if let Some(Err(error)) = self.found.as_ref().map(Found::restore) {
            tracing::debug!("the terminal was not put back: {error}");
        }
    }

    /// Waits for a line where waiting holds up nobody.
    async fn next_line(&mut self) -> Result<Option<Line>, ConsoleError> {
        let Some(mut lines) = self.lines.take() else {
            return Ok(None);
        };
        let prompt = format!("{}> ", self.speaker.name);
        let waiting = tokio::task::spawn_blocking(move || {
            let line = lines.next(&prompt);
            (lines, line)
        });
        let (lines, line) = waiting.await.map_err(std::io::Error::other)?;
        self.lines = Some(lines);
        Ok(line?)
    }

    async fn answer(
        &mut self,
        speaker: &Speaker,
        said: &str,
        terminal: bool,
    ) -> Result<(), ConsoleError> {
        self.heard += 1;
        let invocation = match reading::read(said, "!") {
            Ok(None) => {
                if terminal {
                    self.show
                        .remark("(Only said. Commands begin with /, such as /help.)")?;
                }
                return Ok(());
            }
            Ok(Some(invocation)) => Ok(invocation),
            Err(error) => Err(error),
        };
        self.close_expired().await;
        let person = self
            .club
            .meet(Platform::Console, &speaker.account, &speaker.name, false)
            .await?;
        let replies = match invocation {
            Ok(invocation) => {
                let caller = self.caller(speaker, person);
                let errand = Errand {
                    club: &self.club,
                    directory: &Everybody { speaker },
                    caller: &caller,
                    now: SystemClock.now(),
                };
                run(&errand, &invocation).await
            }
            Err(error) => {
                let message = Message::only(self.place.clone(), person, error.text());
                vec![message.refused(ErrorKind::Unreadable)]
            }
        };
        self.show_what_waits().await?;
        for message in replies {
            self.tell(&message).await?;
        }
        Ok(())
    }

    /// A line that is longer than any command is carried out in no part.
    async fn answer_too_long(&mut self, begins: &str) -> Result<(), ConsoleError> {
        let speaker = match heard(begins, &self.speaker) {
            Speech::Says(speaker, _) => speaker,
            _ => self.speaker.clone(),
        };
        let text = format!(
            "That line is longer than {LONGEST_LINE} bytes. Nothing of it was done; what follows it is read on."
        );
        self.refuse_line(&speaker, text).await
    }

    async fn answer_no_name(&mut self, name: &str) -> Result<(), ConsoleError> {
        let text = if name.is_empty() {
            "Say who speaks, as in /as ada.".to_owned()
        } else {
            let name: String = name.chars().take(2 * LONGEST_NAME).collect();
            format!(
                "“{name}” is no name for a speaker. A name has letters and digits, and “_”, “-” or “.” between them, at most {LONGEST_NAME} in all; “{BOT}” and “everyone” are not free."
            )
        };
        self.refuse_line(&self.speaker.clone(), text).await
    }

    async fn refuse_line(&mut self, speaker: &Speaker, text: String) -> Result<(), ConsoleError> {
        let (account, name) = (&speaker.account, &speaker.name);
        let meeting = self.club.meet(Platform::Console, account, name, false);
        let message = Message::only(self.place.clone(), meeting.await?, Text::from(text));
        self.tell(&message.refused(ErrorKind::Unreadable)).await
    }

    fn caller(&self, speaker: &Speaker, person: PersonId) -> Caller {
        let cause = format!("{}-{}", self.started.0, self.heard);
        Caller {
            // Whose terminal it is runs the room.
            runs_place: speaker.account == self.host,
            cause: Some(Cause::new(Platform::Console, cause)),
            ..Caller::new(person, self.place.clone())
        }
    }

    /// Closes what nobody joined. A table that cannot be closed is no reason to stop the others' games.
    async fn close_expired(&mut self) {
        if let Err(error) = self.club.tick(&words::posts).await {
            tracing::error!("tables that nobody joined were not all closed: {error}");
        }
    }

    /// Shows what the outbox holds for the console, in order, and marks it as posted. A message kept before a crash is shown at
    /// the next start (R67).
    async fn show_what_waits(&mut self) -> Result<(), ConsoleError> {
        let mut after: Option<PostId> = None;
        loop {
            let store = self.club.store().clone();
            let waiting = store
                .outbox(after, AT_ONCE)
                .await
                .map_err(ClubError::from)?;
            let Some((last, _)) = waiting.last() else {
                return Ok(());
            };
            after = Some(*last);
            let mut shown = Vec::new();
            for (id, post) in waiting {
                if post.place.platform != Platform::Console {
                    continue;
                }
                match serde_json::from_value::<Message>(post.body) {
                    Ok(message) => self.tell(&message).await?,
                    Err(error) => tracing::warn!("a message of the outbox cannot be read: {error}"),
                }
                shown.push(id);
            }
            store.posted(&shown).await.map_err(ClubError::from)?;
        }
    }

    async fn tell(&mut self, message: &Message) -> Result<(), ConsoleError> {
        let names = self.names(message).await?;
        let drawn = match &message.picture {
            Some(picture) => {
                let place = &message.place;
                self.pictures.draw(&self.club, place, picture).await
            }
            None => None,
        };
        let with_path = message.file.as_ref().map(|file| {
            let text = message.text.clone();
            let text = match self.pictures.keep_record(file) {
                Some(path) => text.plain(": ").code(path_text(&path)),
                None => text.plain(" could not be written; the log says why."),
            };
            Message {
                text,
                ..message.clone()
            }
        });
        self.show.reply(&Reply {
            message: with_path.as_ref().unwrap_or(message),
            names: &names,
            drawn: drawn.as_ref(),
        })?;
        if let Some(drawn) = &drawn
            && !self.settings.json
        {
            self.pictures.show_inline(drawn);
        }
        Ok(())
    }

    /// What the persons of a message are called.
    async fn names(&self, message: &Message) -> Result<HashMap<PersonId, String>, ConsoleError> {
        let only = match message.to {
            To::Everyone => None,
            To::Only(person) => Some(person),
        };
        let mut names = HashMap::new();
        for id in message.text.persons().into_iter().chain(only) {
            match self.club.person(id).await {
                Ok(person) => names.insert(id, person.name),
                Err(ClubError::UnknownPerson(_)) => None,
                Err(error) => return Err(error.into()),
            };
        }
        Ok(names)
    }
}
