//! A server with a channel, people in it, and the bot.

use std::path::{Path, PathBuf};

use ashtapada_process_tests::{Bot, Quiet, Share};
use tempfile::TempDir;

use crate::channel::ChannelKind;
use crate::double::Double;
use crate::person::Person;

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

static QUIET: Quiet = Quiet::new();

/// All that a scenario needs.
pub struct Stage {
    /// The service.
    pub double: Double,
    /// A server.
    pub guild: u64,
    /// A channel in it.
    pub hall: u64,
    program: PathBuf,
    setting: Setting,
    folder: TempDir,
    bot: Option<Bot>,
    // Given back last, when the bot has ended.
    _share: Share,
}

impl Stage {
    /// A stage whose bot has not been started.
    ///
    /// # Panics
    /// When there is no room for its files.
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
            _share: share,
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
        self.bot = Some(Bot::start(&self.program, &arguments, &environment));
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
        let log = self.bot().log.text();
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
