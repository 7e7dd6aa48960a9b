//! What people see, and wait for.

use std::sync::{MutexGuard, PoisonError};

use matrix_sdk::media::{MediaFormat, MediaRequestParameters};
use matrix_sdk::ruma::events::room::MediaSource;
use serde_json::json;

use crate::event::Event;
use crate::person::Person;
use crate::picture::Picture;
use ashtapada_process_tests::PATIENCE;

impl Person {
    fn events(&self) -> MutexGuard<'_, Vec<Event>> {
        let events = self.account.seen.events.lock();
        events.unwrap_or_else(PoisonError::into_inner)
    }

    /// How much they have seen so far.
    #[must_use]
    pub fn mark(&self) -> usize {
        self.events().last().map_or(0, |event| event.number)
    }

    /// Looks at what they have seen here, newer than `after`, in order.
    fn look<T>(&self, after: usize, look: impl FnOnce(&[&Event]) -> T) -> T {
        let here = self.here();
        let events = self.events();
        let newer = events.partition_point(|event| event.number <= after);
        let here = events[newer..].iter().filter(|event| {
            let in_thread = || event.thread() == self.thread.as_deref();
            event.room == here.as_str() && (self.thread.is_none() || in_thread())
        });
        look(&here.collect::<Vec<&Event>>())
    }

    fn is_bots(&self, event: &Event) -> bool {
        event.is_message() && event.sender == self.account.bot
    }

    /// What they have seen here, newer than `after`.
    #[must_use]
    pub fn story(&self, after: usize) -> Vec<Event> {
        self.look(after, |events| events.iter().copied().cloned().collect())
    }

    /// What the bot said here, newer than `after`.
    #[must_use]
    pub fn heard(&self, after: usize) -> Vec<Event> {
        self.look(after, |events| {
            let said = events.iter().copied();
            said.filter(|event| self.is_bots(event)).cloned().collect()
        })
    }

    /// Waits for an event here that is newer than `after` and fits.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn finds(&self, after: usize, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        let found = || {
            self.look(after, |events| {
                events.iter().copied().find(|event| fits(event)).cloned()
            })
        };
        let found = self.account.seen.bell.within(PATIENCE, found).await;
        found.unwrap_or_else(|| {
            let story = self.at(self.room()).story(0);
            let shown: Vec<String> = story
                .iter()
                .rev()
                .take(15)
                .rev()
                .map(Event::to_string)
                .collect();
            panic!(
                "{} waited in vain: {what} (after {after})\n{}",
                self.id(),
                shown.join("\n")
            )
        })
    }

    /// Waits for a message of the bot here that is newer than `after` and fits.
    pub async fn sees(&self, after: usize, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        self.finds(after, what, |event| self.is_bots(event) && fits(event))
            .await
    }

    /// Waits until they see this event themselves: what was before it is known then.
    pub async fn sees_own(&self, id: &str) -> Event {
        self.at(self.room())
            .finds(0, "what they said themselves", |event| event.id == id)
            .await
    }

    /// Says something and waits for the bot's next words here.
    pub async fn asks(&self, line: &str) -> Event {
        let id = self.says(line).await;
        let asked = self.sees_own(&id).await;
        self.sees(
            asked.number,
            &format!("an answer to {line}"),
            Event::is_words,
        )
        .await
    }

    /// Says something that makes the bot say something about a table to everybody, and gives those words.
    pub async fn plays(&self, line: &str) -> Event {
        let known = self.newest();
        let id = self.says(line).await;
        // What was said before it stands before it, however late it came.
        let said = self.sees_own(&id).await;
        let what = format!("words to everybody after {line}, {id}");
        self.sees_next_after(said.number, known, &what).await
    }

    /// The newest version of every table that they have seen here.
    #[must_use]
    pub fn newest(&self) -> Vec<(String, u64)> {
        let mut newest: Vec<(String, u64)> = Vec::new();
        self.at(self.room()).look(0, |events| {
            for event in events.iter().filter(|event| self.is_bots(event)) {
                let Some((code, version)) = event.board() else {
                    continue;
                };
                match newest.iter_mut().find(|(known, _)| known == code) {
                    Some((_, known)) => *known = version.max(*known),
                    None => newest.push((code.to_owned(), version)),
                }
            }
        });
        newest
    }

    /// Waits for words about a table that say more than what was known then.
    pub async fn sees_next(&self, known: Vec<(String, u64)>, what: &str) -> Event {
        self.sees_next_after(0, known, what).await
    }

    async fn sees_next_after(&self, after: usize, known: Vec<(String, u64)>, what: &str) -> Event {
        self.sees(after, what, |event| {
            let board = event.board().filter(|_| event.is_words());
            board.is_some_and(|(code, version)| {
                !known
                    .iter()
                    .any(|(other, most)| other == code && *most >= version)
            })
        })
        .await
    }

    /// Waits until somebody's membership here is such.
    pub async fn sees_member(&self, after: usize, user: &str, membership: &str) -> Event {
        let what = format!("{membership} of {user}");
        self.at(self.room())
            .finds(after, &what, |event| is_member(event, user, membership))
            .await
    }

    /// Waits until they have seen the bot typing.
    ///
    /// # Panics
    /// When it does not type.
    pub async fn sees_typing(&self) {
        let seen = &self.account.seen;
        let typed = || {
            let typing = seen.typing.lock();
            let typing = typing.unwrap_or_else(PoisonError::into_inner);
            typing.contains(&self.account.bot).then_some(())
        };
        let typed = seen.bell.within(PATIENCE, typed).await;
        assert!(typed.is_some(), "the bot does not type");
    }

    /// Downloads the picture of a message and checks what the message says of it.
    pub async fn downloads_picture(&self, event: &Event) -> Picture {
        Picture::checked(event, self.downloads(event).await)
    }

    /// Downloads the file of a message, and decrypts it if it is encrypted.
    ///
    /// # Panics
    /// When there is none.
    pub async fn downloads(&self, event: &Event) -> Vec<u8> {
        let content = &event.content;
        let source = match content["file"].is_null() {
            true => json!({"url": content["url"]}),
            false => json!({"file": content["file"]}),
        };
        let source = serde_json::from_value::<MediaSource>(source);
        let source = source.unwrap_or_else(|error| panic!("no file ({error}): {event}"));
        let request = MediaRequestParameters {
            source,
            format: MediaFormat::File,
        };
        let file = self
            .account
            .client
            .media()
            .get_media_content(&request, false)
            .await;
        file.unwrap_or_else(|error| panic!("no file ({error}): {event}"))
    }
}

/// Whether somebody's membership becomes such.
pub(crate) fn is_member(event: &Event, user: &str, membership: &str) -> bool {
    event.kind == "m.room.member"
        && event.state_key.as_deref() == Some(user)
        && event.content["membership"] == membership
}
