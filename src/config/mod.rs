//! The configuration: a TOML file and environment variables, checked key by key.
//!
//! Every setting is listed once in [`settings`] (what it takes) and has its default here; `config.example.toml` shows them all.

mod error;
pub mod names;
mod secret;
mod settings;
mod sources;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Table;

pub use error::{ConfigError, Spot, Wanted};
pub use secret::Secret;

/// All settings of one installation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The folder of games and keys; empty: the platform's data folder with `ashtapada` in it.
    pub data_dir: PathBuf,
    /// What is logged on standard error: a level, or levels by part.
    pub log: String,
    /// The Discord adapter.
    pub discord: Discord,
    /// The Matrix adapter.
    pub matrix: Matrix,
    /// The console chat.
    pub console: Console,
    /// What people may not exceed.
    pub limits: Limits,
    /// The games' storage.
    pub store: Storage,
}

/// Settings of the Discord adapter, which is off without a token.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Discord {
    /// The bot's token; empty: the adapter is off.
    pub token: Secret,
    /// Another address of the API, without `/api`; empty: Discord's own.
    pub api_url: String,
    /// A PEM file with one more certificate authority to trust; empty: none.
    pub extra_ca: PathBuf,
    /// The id of a server in which commands are registered at once, for trying things out; empty: everywhere.
    pub test_guild: String,
    /// Whether the bot may read ordinary messages (the privileged intent), so that bare moves are understood.
    pub message_content: bool,
    /// The colours of the pictures where a server has chosen no others: `light`, `dark` or `colour-blind`.
    pub theme: String,
}

/// Settings of the Matrix adapter, which is off without a homeserver.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matrix {
    /// The homeserver's address or server name; empty: the adapter is off.
    pub homeserver: String,
    /// The bot's user name or full id; with an access token it may be left out.
    pub user: String,
    /// Its password, for the first login.
    pub password: Secret,
    /// An access token in place of the password.
    pub access_token: Secret,
    /// The account's recovery key, with which a device logged in by token is verified.
    pub recovery_key: Secret,
    /// The name of the device the bot logs in as.
    pub device_name: String,
    /// What a command begins with in rooms, beside `/`.
    pub prefix: String,
    /// The colours of the pictures where a room has chosen no others: `light`, `dark` or `colour-blind`.
    pub theme: String,
    /// The servers and accounts whose invitations are accepted; empty: everybody's.
    pub invited_by: String,
    /// The most members of a room that is joined; 0: no limit.
    pub largest_room: u64,
    /// Minutes after which a command that was not heard in time is asked about before it is carried out; 0: never.
    pub away_minutes: u64,
}

/// Settings of the console chat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Console {
    /// The name of the room in the terminal.
    pub room: String,
    /// Who speaks at first.
    pub name: String,
    /// The folder board pictures are written to; empty: `pictures` in the data folder.
    pub pictures: PathBuf,
    /// Whether pictures are shown in terminals that can.
    pub inline: bool,
    /// The colours of the pictures: `light`, `dark` or `colour-blind`.
    pub theme: String,
}

/// What people may not exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Unfinished tables one person may have.
    pub tables_per_person: usize,
    /// Unfinished tables one place may have.
    pub tables_per_place: usize,
    /// Days after which a table nobody joined is closed.
    pub unjoined_days: u64,
}

/// Settings of the games' storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Storage {
    /// Lines after which a new journal is begun and a snapshot written.
    pub rotate_lines: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            data_dir: PathBuf::new(),
            log: "warn,ashtapada=info,matrix_sdk=error".to_owned(),
            discord: Discord::default(),
            matrix: Matrix::default(),
            console: Console::default(),
            limits: Limits::default(),
            store: Storage::default(),
        }
    }
}

impl Default for Discord {
    fn default() -> Discord {
        Discord {
            token: Secret::default(),
            api_url: String::new(),
            extra_ca: PathBuf::new(),
            test_guild: String::new(),
            message_content: false,
            theme: "light".to_owned(),
        }
    }
}

impl Default for Matrix {
    fn default() -> Matrix {
        Matrix {
            homeserver: String::new(),
            user: String::new(),
            password: Secret::default(),
            access_token: Secret::default(),
            recovery_key: Secret::default(),
            device_name: "Ashtapada".to_owned(),
            prefix: "!".to_owned(),
            theme: "light".to_owned(),
            invited_by: String::new(),
            largest_room: 0,
            away_minutes: 30,
        }
    }
}

impl Default for Console {
    fn default() -> Console {
        Console {
            room: "hall".to_owned(),
            name: "you".to_owned(),
            pictures: PathBuf::new(),
            inline: true,
            theme: "light".to_owned(),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            tables_per_person: 50,
            tables_per_place: 1000,
            unjoined_days: 7,
        }
    }
}

impl Default for Storage {
    fn default() -> Storage {
        Storage {
            rotate_lines: 300_000,
        }
    }
}

impl Config {
    /// Reads the file, if one is named, and the environment. Refused with the place and what would be right. Variables that
    /// are no settings though they begin like ours are given beside it.
    ///
    /// # Errors
    /// [`ConfigError`]: the first thing that is wrong.
    pub fn load(file: Option<&Path>) -> Result<(Config, Vec<ConfigError>), ConfigError> {
        let text = match file {
            None => String::new(),
            Some(path) => {
                std::fs::read_to_string(path).map_err(|cause| ConfigError::Unreadable {
                    path: path.to_owned(),
                    cause,
                })?
            }
        };
        let path = file.unwrap_or(Path::new(""));
        Config::read(path, &text, std::env::vars_os())
    }

    /// The same from a text and a list of variables. `path` is for messages.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn read(
        path: &Path,
        text: &str,
        variables: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<(Config, Vec<ConfigError>), ConfigError> {
        let mut table = sources::from_text(path, text)?;
        let unknown = sources::from_environment(&mut table, variables)?;
        Ok((Config::from_table(table)?, unknown))
    }

    fn from_table(table: Table) -> Result<Config, ConfigError> {
        // Keys and types were checked against the list of settings; the words here are for a list that has fallen behind.
        let config: Config = table
            .try_into()
            .map_err(|error: toml::de::Error| ConfigError::Together(error.message().to_owned()))?;
        config.discord.check()?;
        config.matrix.check()?;
        Ok(config)
    }

    /// The data folder: the one set, else the platform's own. `None` when there is neither (no home folder).
    pub fn data_folder(&self) -> Option<PathBuf> {
        if self.data_dir.as_os_str().is_empty() {
            directories::BaseDirs::new().map(|base| base.data_dir().join("ashtapada"))
        } else {
            Some(self.data_dir.clone())
        }
    }
}

impl Discord {
    /// Whether the adapter has what it needs to run.
    pub fn is_on(&self) -> bool {
        !self.token.is_empty()
    }

    /// The server in which commands are registered, if one is set.
    pub fn server(&self) -> Option<u64> {
        let id = self.test_guild.trim().parse().ok();
        id.filter(|id| *id > 0)
    }

    fn check(&self) -> Result<(), ConfigError> {
        if !is_token(&self.token) {
            return Err(ConfigError::Together(
                "discord.token is no token: it has blanks, line breaks or other characters that no token has; copy it anew, without `Bot` before it".to_owned(),
            ));
        }
        if self.server().is_none() && !self.test_guild.is_empty() {
            return Err(ConfigError::Together(
                "discord.test_guild is no server's id; it is a number such as \"41771983423143937\" (right-click the server, Copy Server ID, with Developer Mode on)".to_owned(),
            ));
        }
        Ok(())
    }
}

/// Whether a token can stand in the header of a request.
fn is_token(token: &Secret) -> bool {
    token.reveal().bytes().all(|byte| byte.is_ascii_graphic())
}

impl Matrix {
    /// Whether the adapter is to run. After the first login it needs neither password nor token.
    pub fn is_on(&self) -> bool {
        !self.homeserver.is_empty()
    }

    /// The servers and accounts whose invitations are accepted; everybody's when there are none.
    pub fn inviters(&self) -> impl Iterator<Item = &str> {
        settings::listed(&self.invited_by)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |what: &str| Err(ConfigError::Together(what.to_owned()));
        if !is_token(&self.access_token) {
            return refuse(
                "matrix.access_token is no token: it has blanks, line breaks or other characters that no token has; copy it anew",
            );
        }
        // A token tells whose it is.
        if self.is_on() && self.user.is_empty() && self.access_token.is_empty() {
            return refuse(
                "matrix.user is missing; name the bot's account, such as \"@ashtapada:example.org\"",
            );
        }
        if self.homeserver.is_empty() && !(self.password.is_empty() && self.access_token.is_empty())
        {
            return refuse(
                "matrix.homeserver is missing; give its address, such as \"https://matrix.example.org\", or its name, such as \"example.org\"",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
