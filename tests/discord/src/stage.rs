//! A server with a channel, people in it, and the bot.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::bot::Bot;
use crate::channel::ChannelKind;
use crate::double::Double;
use crate::message::Message;
use crate::spoken::Heard;

/// How the bot is set up.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// Over TLS and a proxy, as with the public service (way B), in place of `api_url` (way A).
    pub public: bool,
    /// Rolls to use in place of fair ones.
    pub dice: Option<String>,
    /// Further variables of the environment; they come last.
    pub environment: Vec<(String, String)>,
}

/// All that a scenario needs.
pub struct Stage {
    /// The service.
    pub double: Double,
    /// A server.
    pub guild: u64,
    /// A channel in it.
    pub hall: u64,
    /// Whether what Discord would have refused is no fault of the test: cleared by [`Stage::forgive`].
    program: PathBuf,
    setting: Setting,
    folder: TempDir,
    bot: Option<Bot>,
}

impl Stage {
    /// A stage whose bot has not been started.
    ///
    /// # Panics
    /// When there is no room for its files.
    pub async fn dark(program: &str, setting: Setting) -> Stage {
        let double = Double::open().await;
        let (guild, hall) = double.with(|world| {
            let guild = world.add_guild("Palace");
            (guild, world.add_channel(guild, ChannelKind::Text, "hall"))
        });
        Stage {
            double,
            guild,
            hall,
            program: PathBuf::from(program),
            setting,
            folder: TempDir::new().expect("a folder for the test"),
            bot: None,
        }
    }

    /// A stage with the bot ready.
    pub async fn with(program: &str, setting: Setting) -> Stage {
        let mut stage = Stage::dark(program, setting).await;
        stage.start().await;
        stage
    }

    /// A stage with the bot ready, as most scenarios want it.
    pub async fn open(program: &str) -> Stage {
        Stage::with(program, Setting::default()).await
    }

    /// Starts the bot and waits until it takes commands.
    pub async fn start(&mut self) {
        self.launch();
        self.bot().until_logged("discord: ready as").await;
        self.double
            .until("the bot at the gateway", |world| {
                world.is_connected().then_some(())
            })
            .await;
    }

    /// Starts the bot without waiting.
    ///
    /// # Panics
    /// When a file cannot be written.
    pub fn launch(&mut self) {
        let mut arguments = vec!["run".to_owned()];
        if let Some(dice) = &self.setting.dice {
            let file = self.file("dice", dice);
            arguments.push("--dice".to_owned());
            arguments.push(file.to_string_lossy().into_owned());
        }
        let token = self.double.with(|world| world.token.clone());
        let mut environment = vec![
            (
                "ASHTAPADA_DATA_DIR".to_owned(),
                self.data().to_string_lossy().into_owned(),
            ),
            ("DISCORD_TOKEN".to_owned(), token),
        ];
        if self.setting.public {
            let pem = self.file("ca.pem", self.double.certificate());
            environment.push(("HTTPS_PROXY".to_owned(), self.double.proxy()));
            environment.push((
                "DISCORD_EXTRA_CA".to_owned(),
                pem.to_string_lossy().into_owned(),
            ));
        } else {
            environment.push(("DISCORD_API_BASE".to_owned(), self.double.url()));
            // Whoever went to the public service would come here, and nowhere else.
            environment.push(("HTTPS_PROXY".to_owned(), self.double.proxy()));
        }
        environment.extend(self.setting.environment.clone());
        self.bot = Some(Bot::start(
            &self.program,
            &arguments,
            &environment,
            &self.double,
        ));
    }

    /// One more variable of the environment, from the next start on.
    pub fn set_environment(&mut self, name: &str, value: &str) {
        self.setting
            .environment
            .push((name.to_owned(), value.to_owned()));
    }

    /// The bot.
    ///
    /// # Panics
    /// When it has not been started.
    #[must_use]
    pub fn bot(&mut self) -> &mut Bot {
        self.bot.as_mut().expect("the bot was started")
    }

    /// The folder with its games.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A file beside the data.
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("a file of the test");
        path
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Somebody new.
    #[must_use]
    pub fn person(&self, name: &str) -> Person {
        Person {
            id: self.double.with(|world| world.add_user(name)),
            double: self.double.clone(),
            at: self.hall,
        }
    }

    /// Kills the bot as kill -9 does.
    pub fn kill(&mut self) {
        self.bot().kill();
        self.unconnected();
    }

    fn unconnected(&mut self) {
        self.double.with(|world| {
            world.close_gateway(1000);
            // What was held back for it is let go: nobody waits for it any more.
            world.faults.released += 1;
            world.faults.held = 0;
        });
    }

    /// Stops the bot as service managers do; it must end well.
    ///
    /// # Panics
    /// When it does not.
    pub async fn stop(&mut self) {
        self.bot().ask_to_stop();
        let status = self.bot().until_ended().await;
        let log = self.bot().log.lines().join("\n");
        assert!(status.success(), "{status}\n{log}");
        self.unconnected();
    }

    /// Takes what Discord would have refused for right, where the refusal is what is tested. Something of it must be there.
    ///
    /// # Panics
    /// When nothing of the kind was refused.
    pub fn forgive(&self, what: &str) {
        let before = self.double.with(|world| world.refused.len());
        self.double
            .with(|world| world.refused.retain(|told| !told.contains(what)));
        let after = self.double.with(|world| world.refused.len());
        assert!(after < before, "nothing like “{what}” was refused");
    }

    /// Stops the bot and asks whether all was well.
    ///
    /// # Panics
    /// When Discord would have refused something, the token stands in the log, or something broke.
    pub async fn end(mut self) {
        self.stop().await;
        self.check();
    }

    /// Whether all was well so far.
    ///
    /// # Panics
    /// See [`Stage::end`].
    pub fn check(&mut self) {
        let refused = self.double.with(|world| world.refused.clone());
        let log = self.bot().log.lines();
        assert!(
            refused.is_empty(),
            "what Discord would have refused:\n{}\nthe log:\n{}",
            refused.join("\n"),
            log.join("\n")
        );
        let token = self.double.with(|world| world.token.clone());
        for line in &log {
            assert!(!line.contains(&token), "the token is in the log: {line}");
            assert!(
                !line.contains("interaction-token-"),
                "a token is in the log: {line}"
            );
            assert!(!line.contains("panicked at"), "{}", log.join("\n"));
        }
    }
}

/// Somebody on the stage.
#[derive(Clone)]
pub struct Person {
    /// The account.
    pub id: u64,
    double: Double,
    at: u64,
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
