//! A homeserver, people on it, and the bot.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tempfile::TempDir;

use crate::admin::full_id;
use crate::door::Door;
use crate::event::Event;
use crate::person::Person;
use crate::room::Kind;
use crate::synapse::Synapse;
use ashtapada_process_tests::{Bot, Quiet, Share};

/// How the bot logs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Login {
    /// By name and password.
    #[default]
    Password,
    /// By an access token.
    Token,
    /// In no way but what the environment says.
    Other,
}

/// How the bot is set up.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// How it logs in.
    pub login: Login,
    /// Whether the server is one of its own, which can be restarted.
    pub own_server: bool,
    /// Rolls to use in place of fair ones.
    pub dice: Option<String>,
    /// Further arguments of the program.
    pub arguments: Vec<String>,
    /// Further variables of the environment; they come last.
    pub environment: Vec<(String, String)>,
}

/// Names are used once.
static NAMES: AtomicU64 = AtomicU64::new(1);

static QUIET: Quiet = Quiet::new();

/// All that a scenario needs.
pub struct Stage {
    /// The homeserver.
    pub synapse: Arc<Synapse>,
    /// The bot's way to it.
    pub door: Door,
    /// The bot's full id.
    pub bot_id: String,
    /// Its password.
    pub password: String,
    /// The token of its first device.
    pub token: String,
    /// How it is set up, from the next start on.
    pub setting: Setting,
    program: PathBuf,
    folder: TempDir,
    bot: Option<Bot>,
    // Given back last, when the bot has ended.
    _share: Share,
}

impl Stage {
    /// A stage whose bot has not been started.
    pub async fn dark(program: &str, setting: Setting) -> Stage {
        Stage::built(program, setting, QUIET.beside_others().await).await
    }

    /// A stage with the bot ready while no other scenario of this process runs.
    pub async fn alone(program: &str) -> Stage {
        let mut stage = Stage::built(program, Setting::default(), QUIET.alone().await).await;
        stage.start().await;
        stage
    }

    async fn built(program: &str, setting: Setting, share: Share) -> Stage {
        let synapse = match setting.own_server {
            true => Synapse::own().await,
            false => Synapse::shared().await,
        };
        let name = format!("ashtapada-{}", NAMES.fetch_add(1, Ordering::SeqCst));
        let password = format!("the password of {name}");
        let token = synapse.admin.register(&name, &password, false).await;
        let door = Door::open(synapse.url()).await;
        Stage {
            synapse,
            door,
            bot_id: full_id(&name),
            password,
            token,
            setting,
            program: PathBuf::from(program),
            folder: TempDir::new().expect("a folder for the test"),
            bot: None,
            _share: share,
        }
    }

    /// A stage with the bot ready.
    pub async fn with(program: &str, setting: Setting) -> Stage {
        let mut stage = Stage::dark(program, setting).await;
        stage.start().await;
        stage
    }

    /// Starts the bot and waits until it takes commands.
    pub async fn start(&mut self) {
        self.launch();
        let ready = format!("matrix: ready as {}", self.bot_id);
        self.bot().until_logged(&ready).await;
    }

    /// Starts the bot without waiting.
    ///
    /// # Panics
    /// When a file cannot be written.
    pub fn launch(&mut self) {
        let mut arguments = vec!["run".to_owned()];
        if let Some(dice) = &self.setting.dice {
            let path = self.folder.path().join("dice");
            std::fs::write(&path, dice).expect("a file of the test");
            arguments.push("--dice".to_owned());
            arguments.push(path.to_string_lossy().into_owned());
        }
        arguments.extend(self.setting.arguments.clone());
        self.bot = Some(Bot::start(&self.program, &arguments, &self.environment()));
    }

    /// The environment of the bot.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        let mut environment = vec![
            (
                "ASHTAPADA_DATA_DIR",
                self.data().to_string_lossy().into_owned(),
            ),
            ("ASHTAPADA_MATRIX__HOMESERVER", self.door.url()),
        ];
        match self.setting.login {
            Login::Password => environment.extend([
                ("ASHTAPADA_MATRIX__USER", self.bot_id.clone()),
                ("ASHTAPADA_MATRIX__PASSWORD", self.password.clone()),
            ]),
            Login::Token => {
                environment.push(("ASHTAPADA_MATRIX__ACCESS_TOKEN", self.token.clone()))
            }
            Login::Other => {}
        }
        let environment = environment.into_iter();
        let environment = environment.map(|(name, value)| (name.to_owned(), value));
        environment
            .chain(self.setting.environment.clone())
            .collect()
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

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Somebody new, who is called so and nobody else is.
    pub async fn person(&self, name: &str) -> Person {
        let account = format!("{name}-{}", NAMES.fetch_add(1, Ordering::SeqCst));
        let id = full_id(&account);
        let admin = &self.synapse.admin;
        let token = admin.register(&account, "a password", false).await;
        let devices = admin.devices(&id).await;
        let device = devices.first().expect("the device of a new account");
        Person::arrives(&self.synapse.url(), &id, device, &token, &self.bot_id).await
    }

    /// A room of these people with the bot, which has come and greeted them; the people in it.
    pub async fn room<const N: usize>(&self, kind: Kind, people: [&Person; N]) -> [Person; N] {
        self.room_of(kind, None, people).await
    }

    /// The same in a version of rooms.
    ///
    /// # Panics
    /// When nobody is to be in it.
    pub async fn room_of<const N: usize>(
        &self,
        kind: Kind,
        version: Option<&str>,
        people: [&Person; N],
    ) -> [Person; N] {
        let first = people.first().expect("somebody in the room");
        let mut invited: Vec<&str> = people[1..].iter().map(|person| person.id()).collect();
        invited.push(&self.bot_id);
        let opened = first.opens(kind, version, &invited).await;
        for person in &people[1..] {
            person.joins(opened.room()).await;
        }
        let here = people.map(|person| person.at(opened.room()));
        self.until_come(&here).await;
        here
    }

    /// Waits until all of these people see that the bot is in their room and has greeted.
    pub async fn until_come(&self, people: &[Person]) {
        for person in people {
            person.sees_member(0, &self.bot_id, "join").await;
            person.sees(0, "a greeting", Event::is_words).await;
        }
    }

    /// Limits of the bot's account: messages in a second, and how many may come at once.
    pub async fn limit(&self, a_second: u32, at_once: u32) {
        self.synapse
            .admin
            .limit(&self.bot_id, a_second, at_once)
            .await;
    }

    /// Takes these limits back.
    pub async fn unlimit(&self) {
        self.synapse.admin.unlimit(&self.bot_id).await;
    }

    /// Ends all sessions of the bot.
    pub async fn revoke(&self) {
        self.synapse.admin.revoke(&self.bot_id).await;
    }

    /// The devices of the bot's account.
    pub async fn devices(&self) -> Vec<String> {
        self.synapse.admin.devices(&self.bot_id).await
    }

    /// Who is in a room, as the server knows it.
    pub async fn members(&self, room: &str) -> Vec<String> {
        self.synapse.admin.members(room).await
    }

    /// What the server says to a request of the bot's account, by the token of its first device.
    pub async fn as_bot(
        &self,
        method: &str,
        path: &str,
        body: Option<serde_json::Value>,
    ) -> serde_json::Value {
        let method = method.parse().unwrap_or_default();
        let body = body.unwrap_or_else(|| json!({}));
        self.synapse
            .admin
            .ask(method, path, Some(&self.token), Some(body))
            .await
    }

    /// Kills the bot as kill -9 does.
    pub fn kill(&mut self) {
        self.bot().kill();
        self.let_go();
    }

    fn let_go(&self) {
        // What was held back for it is let go: nobody waits for it any more.
        self.door.heal();
        self.door.release();
    }

    /// Stops the bot as service managers do; it must end well.
    ///
    /// # Panics
    /// When it does not.
    pub async fn stop(&mut self) {
        self.bot().ask_to_stop();
        let status = self.bot().until_ended().await;
        let log = self.bot().log.text();
        assert!(status.success(), "{status}\n{log}");
        self.let_go();
    }

    /// Stops the bot and asks whether all was well.
    ///
    /// # Panics
    /// When a secret stands in the log, or something broke.
    pub async fn end(mut self) {
        self.stop().await;
        self.check();
    }

    /// Whether all was well so far.
    ///
    /// # Panics
    /// See [`Stage::end`].
    pub fn check(&mut self) {
        let (password, token) = (self.password.clone(), self.token.clone());
        for line in self.bot().log.lines() {
            assert!(
                !line.contains(&password),
                "the password is in the log: {line}"
            );
            assert!(!line.contains(&token), "the token is in the log: {line}");
            assert!(!line.contains("syt_"), "a token is in the log: {line}");
            assert!(!line.contains("panicked at"), "{}", self.bot().log.text());
        }
    }
}
