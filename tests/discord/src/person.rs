//! What people on a stage do, and what they wait for.

use serde_json::Value;

use crate::double::Double;
use crate::message::Message;
use crate::spoken::Heard;

/// Somebody on the stage.
#[derive(Clone)]
pub struct Person {
    /// The account.
    pub id: u64,
    pub(crate) double: Double,
    pub(crate) at: u64,
}

impl Person {
    /// The same somewhere else.
    #[must_use]
    pub fn at(&self, channel: u64) -> Person {
        Person {
            at: channel,
            ..self.clone()
        }
    }

    /// The same in direct messages with the bot.
    #[must_use]
    pub fn in_direct_messages(&self) -> Person {
        let channel = self.double.with(|world| world.direct(self.id));
        self.at(channel)
    }

    /// Where they are.
    #[must_use]
    pub fn channel(&self) -> u64 {
        self.at
    }

    /// How they are mentioned.
    #[must_use]
    pub fn mention(&self) -> String {
        format!("<@{}>", self.id)
    }

    /// Sends a line such as `/move moves:b1c3 a2a3 table:K7Q2F`, with a name before every value, without waiting; the
    /// interaction's id.
    #[must_use]
    pub fn send(&self, line: &str) -> u64 {
        self.double.with(|world| {
            let (name, given) = taken_apart(line);
            world.command(self.id, self.at, &name, &borrowed(&given), false)
        })
    }

    /// Sends a line and waits for the answer.
    pub async fn says(&self, line: &str) -> Heard {
        let id = self.send(line);
        self.answer(id, line).await
    }

    /// Waits until an interaction is answered.
    pub async fn answer(&self, id: u64, what: &str) -> Heard {
        self.double
            .until(&format!("the answer to {what}"), |world| {
                let heard = world.heard(id)?;
                let waits = heard.replies.iter().any(|reply| reply.thinking);
                (heard.interaction.first_kind.is_some() && !waits).then_some(heard)
            })
            .await
    }

    /// Clicks a button of a message, without waiting.
    #[must_use]
    pub fn press(&self, message: &Message, label: &str) -> u64 {
        let custom_id = message.button(label);
        self.double
            .with(|world| world.press(self.id, message.id, &custom_id, &[]))
    }

    /// The same by what the button carries, which need not be on the message any more.
    #[must_use]
    pub fn press_id(&self, message: &Message, custom_id: &str) -> u64 {
        self.double
            .with(|world| world.press(self.id, message.id, custom_id, &[]))
    }

    /// Clicks a button and waits until the bot has taken note.
    pub async fn clicks(&self, message: &Message, label: &str) -> Heard {
        let id = self.press(message, label);
        self.answer(id, label).await
    }

    /// Clicks a button and waits for a reply to the caller alone.
    pub async fn asks(&self, message: &Message, label: &str) -> Heard {
        let id = self.press(message, label);
        self.reply(id, label).await
    }

    /// Waits for a reply to the caller alone.
    pub async fn reply(&self, id: u64, what: &str) -> Heard {
        self.double
            .until(&format!("a reply to {what}"), |world| {
                let heard = world.heard(id)?;
                let waits = heard.replies.iter().any(|reply| reply.thinking);
                (!heard.replies.is_empty() && !waits).then_some(heard)
            })
            .await
    }

    /// Chooses from a menu of a message; waits until the message has changed, and gives it.
    pub async fn chooses(&self, message: &Message, custom_id: &str, value: &str) -> Message {
        let (id, edits) = (message.id, message.edits);
        self.double
            .with(|world| world.press(self.id, id, custom_id, &[value.to_owned()]));
        self.changed(id, edits).await
    }

    /// Chooses from a menu, and gives the message as it is then; nothing when that was the end of it.
    pub async fn chooses_or_ends(
        &self,
        message: &Message,
        custom_id: &str,
        value: &str,
    ) -> Option<Message> {
        let (id, edits) = (message.id, message.edits);
        self.double
            .with(|world| world.press(self.id, id, custom_id, &[value.to_owned()]));
        self.double
            .until("the step after a choice", |world| {
                match world.messages.get(&id) {
                    None => Some(None),
                    Some(message) => (message.edits > edits).then(|| Some(message.clone())),
                }
            })
            .await
    }

    /// Chooses from a menu that may be out of date, and gives what is said then: in the message itself or behind it.
    pub async fn chooses_or_answered(
        &self,
        message: &Message,
        custom_id: &str,
        value: &str,
    ) -> String {
        let (id, edits) = (message.id, message.edits);
        let chosen = self
            .double
            .with(|world| world.press(self.id, id, custom_id, &[value.to_owned()]));
        self.double
            .until("what an old menu says", |world| {
                let behind = world.heard(chosen)?.text();
                let own = world.messages.get(&id).filter(|own| own.edits > edits);
                let own = own.map_or("", |own| own.content.as_str());
                (!behind.is_empty() || !own.is_empty()).then(|| format!("{own}{behind}"))
            })
            .await
    }

    /// Clicks a button that changes its own message, and gives the message.
    pub async fn turns(&self, message: &Message, label: &str) -> Message {
        let (id, edits) = (message.id, message.edits);
        let _ = self.press(message, label);
        self.changed(id, edits).await
    }

    async fn changed(&self, id: u64, edits: u32) -> Message {
        self.double
            .until("a change of the message", |world| {
                let message = world.messages.get(&id)?;
                (message.edits > edits).then(|| message.clone())
            })
            .await
    }

    /// Types into the last option of a line, and gives what is offered.
    pub async fn types(&self, line: &str) -> Vec<(String, Value)> {
        let id = self.double.with(|world| {
            let (name, given) = taken_apart(line);
            world.command(self.id, self.at, &name, &borrowed(&given), true)
        });
        self.double
            .until(&format!("choices for {line}"), |world| {
                world.interactions.get(&id)?.choices.clone()
            })
            .await
    }

    /// Writes an ordinary message.
    pub fn writes(&self, text: &str) -> u64 {
        self.double.with(|world| world.say(self.id, self.at, text))
    }

    /// Waits for a public message of the bot that is newer than `after` and fits.
    pub async fn sees(&self, after: u64, what: &str, fits: impl Fn(&Message) -> bool) -> Message {
        self.double
            .until(what, |world| {
                let bot = world.bot.id;
                let posts = world.posts(self.at);
                let mut fresh = posts
                    .into_iter()
                    .filter(|post| post.id > after && post.author == bot);
                fresh.find(|post| fits(post)).cloned()
            })
            .await
    }

    /// The newest public message's id where they are; 0 without one.
    #[must_use]
    pub fn mark(&self) -> u64 {
        self.double.with(|world| {
            let posts = world.posts(self.at);
            posts.last().map_or(0, |post| post.id)
        })
    }

    /// Does something that makes the bot say something to everybody, and gives that message.
    pub async fn plays(&self, line: &str) -> Message {
        let mark = self.mark();
        let heard = self.says(line).await;
        let told = heard.text();
        self.sees(mark, &format!("a message after {line} ({told})"), |_| true)
            .await
    }
}

fn borrowed(given: &[(String, String)]) -> Vec<(&str, String)> {
    given
        .iter()
        .map(|(key, value)| (key.as_str(), value.clone()))
        .collect()
}

/// The name and the options of a line; a value goes on to the next word with a colon that stands behind a plain word. Mentions
/// are ids.
fn taken_apart(line: &str) -> (String, Vec<(String, String)>) {
    let mut words = line.trim_start_matches('/').split(' ');
    let name = words.next().unwrap_or_default().to_owned();
    let mut given: Vec<(String, String)> = Vec::new();
    for word in words {
        let key = word.split_once(':').filter(|(key, _)| {
            !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        });
        match (key, given.last_mut()) {
            (Some((key, value)), _) => given.push((key.to_owned(), value.to_owned())),
            (None, Some((_, value))) => {
                value.push(' ');
                value.push_str(word);
            }
            (None, None) => panic!("no option before “{word}” in {line}"),
        }
    }
    for (_, value) in &mut given {
        if let Some(id) = value
            .strip_prefix("<@")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            *value = id.to_owned();
        }
    }
    (name, given)
}
