//! The list of settings: their sections, keys and what a value must be. The defaults are those of [`super::Config`].

use toml::Value;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::error::Wanted;
use super::names;

/// One setting of the configuration.
pub(super) struct Setting {
    /// The section it stands in; empty at the top of the file.
    pub(super) section: &'static str,
    pub(super) key: &'static str,
    pub(super) takes: Takes,
    /// A further environment variable by which it can be given.
    pub(super) also: Option<&'static str>,
}

/// What a setting takes.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// Any text; empty means not set.
    Text,
    /// A text that must not be shown in messages.
    Secret,
    /// The path of a file or folder; empty means not set.
    Path,
    /// An address beginning with `http://` or `https://`; empty means not set.
    Url,
    /// An address as above or the name of a Matrix server; empty means not set.
    Homeserver,
    /// Names of Matrix servers and MXIDs with blanks or commas between; empty means not set.
    Inviters,
    /// A number between two bounds, both included.
    Number(i64, i64),
    /// `true` or `false`.
    YesNo,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A level, or a filter of levels, of the log.
    Log,
    /// One to three characters that begin a command.
    Prefix,
    /// The name of somebody who speaks on the console.
    Speaker,
    /// The name of the console's room.
    Room,
}

/// The colour themes of pictures.
const THEMES: &[&str] = &["light", "dark", "colour-blind"];

/// Every setting, in the order of `config.example.toml`.
pub(super) const SETTINGS: &[Setting] = &[
    setting("", "data_dir", Takes::Path),
    setting("", "log", Takes::Log),
    setting("discord", "token", Takes::Secret).or("DISCORD_TOKEN"),
    setting("discord", "api_url", Takes::Url).or("DISCORD_API_BASE"),
    setting("discord", "extra_ca", Takes::Path).or("DISCORD_EXTRA_CA"),
    setting("discord", "test_guild", Takes::Text),
    setting("discord", "message_content", Takes::YesNo),
    setting("discord", "theme", Takes::Word(THEMES)),
    setting("matrix", "homeserver", Takes::Homeserver),
    setting("matrix", "user", Takes::Text),
    setting("matrix", "password", Takes::Secret),
    setting("matrix", "access_token", Takes::Secret),
    setting("matrix", "recovery_key", Takes::Secret),
    setting("matrix", "device_name", Takes::Text),
    setting("matrix", "prefix", Takes::Prefix),
    setting("matrix", "theme", Takes::Word(THEMES)),
    setting("matrix", "invited_by", Takes::Inviters),
    setting("matrix", "largest_room", Takes::Number(0, 1_000_000)),
    setting("matrix", "away_minutes", Takes::Number(0, 10_080)),
    setting("console", "room", Takes::Room),
    setting("console", "name", Takes::Speaker),
    setting("console", "pictures", Takes::Path),
    setting("console", "inline", Takes::YesNo),
    setting("console", "theme", Takes::Word(THEMES)),
    setting("limits", "tables_per_person", Takes::Number(1, 100_000)),
    setting("limits", "tables_per_place", Takes::Number(1, 100_000)),
    setting("limits", "unjoined_days", Takes::Number(1, 3650)),
    setting("store", "rotate_lines", Takes::Number(100, 10_000_000)),
];

const fn setting(section: &'static str, key: &'static str, takes: Takes) -> Setting {
    Setting {
        section,
        key,
        takes,
        also: None,
    }
}

impl Setting {
    const fn or(mut self, variable: &'static str) -> Setting {
        self.also = Some(variable);
        self
    }

    /// The name under which messages speak of it: `limits.tables_per_person`.
    pub(super) fn name(&self) -> String {
        match self.section {
            "" => self.key.to_owned(),
            section => format!("{section}.{}", self.key),
        }
    }

    /// The environment variable that sets it: `ASHTAPADA_LIMITS__TABLES_PER_PERSON`.
    pub(super) fn variable(&self) -> String {
        match self.section {
            "" => format!("ASHTAPADA_{}", self.key),
            section => format!("ASHTAPADA_{section}__{}", self.key),
        }
        .to_ascii_uppercase()
    }
}

/// The setting of this section and key.
pub(super) fn find(section: &str, key: &str) -> Option<&'static Setting> {
    SETTINGS
        .iter()
        .find(|setting| setting.section == section && setting.key == key)
}

impl Takes {
    /// Reads the text of an environment variable as the value of the setting.
    pub(super) fn read(self, text: &str) -> Result<Value, Wanted> {
        let value = match self {
            Takes::Number(..) => text.trim().parse().map(Value::Integer).ok(),
            Takes::YesNo => match text.trim() {
                "true" | "yes" | "1" => Some(Value::Boolean(true)),
                "false" | "no" | "0" => Some(Value::Boolean(false)),
                _ => None,
            },
            Takes::Text
            | Takes::Secret
            | Takes::Path
            | Takes::Url
            | Takes::Homeserver
            | Takes::Inviters
            | Takes::Word(_)
            | Takes::Log
            | Takes::Speaker
            | Takes::Room
            | Takes::Prefix => Some(Value::String(text.to_owned())),
        };
        let value = value.ok_or(self.wanted())?;
        self.check(&value).map(|()| value)
    }

    /// Says what would be right, if the value is not.
    pub(super) fn check(self, value: &Value) -> Result<(), Wanted> {
        let right = match (self, value) {
            (Takes::Number(least, most), Value::Integer(number)) => (least..=most).contains(number),
            (Takes::YesNo, Value::Boolean(_))
            | (Takes::Text | Takes::Secret | Takes::Path, Value::String(_)) => true,
            (Takes::Url, Value::String(url)) => url.is_empty() || is_address(url),
            (Takes::Homeserver, Value::String(server)) => {
                server.is_empty() || is_address(server) || is_server_name(server)
            }
            (Takes::Inviters, Value::String(list)) => listed(list).all(is_inviter),
            (Takes::Word(words), Value::String(word)) => words.contains(&word.as_str()),
            (Takes::Log, Value::String(filter)) => is_log_filter(filter),
            (Takes::Room, Value::String(name)) => names::named(name).is_some(),
            (Takes::Speaker, Value::String(name)) => {
                names::named(name).is_some_and(|name| !names::is_reserved(&name))
            }
            (Takes::Prefix, Value::String(prefix)) => {
                (1..=3).contains(&prefix.chars().count())
                    && !prefix
                        .chars()
                        .any(|c| c.is_alphanumeric() || c.is_whitespace())
            }
            _ => false,
        };
        if right { Ok(()) } else { Err(self.wanted()) }
    }

    fn wanted(self) -> Wanted {
        match self {
            Takes::Text | Takes::Secret => Wanted::Text,
            Takes::Path => Wanted::Path,
            Takes::Url => Wanted::Url,
            Takes::Homeserver => Wanted::Homeserver,
            Takes::Inviters => Wanted::Inviters,
            Takes::Number(least, most) => Wanted::Number { least, most },
            Takes::YesNo => Wanted::YesNo,
            Takes::Word(words) => Wanted::Word(words),
            Takes::Log => Wanted::Log,
            Takes::Prefix => Wanted::Prefix,
            Takes::Speaker => Wanted::Speaker,
            Takes::Room => Wanted::Room,
        }
    }
}

/// The entries of a list with blanks or commas between them.
pub(super) fn listed(list: &str) -> impl Iterator<Item = &str> {
    let between = |c: char| c == ',' || c.is_whitespace();
    list.split(between).filter(|entry| !entry.is_empty())
}

fn is_address(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Matrix specification, appendices 4.1: a host name or address, perhaps with a port.
fn is_server_name(name: &str) -> bool {
    let of_a_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    !name.is_empty() && name.chars().all(of_a_name)
}

fn is_inviter(entry: &str) -> bool {
    match entry.strip_prefix('@') {
        Some(account) => account
            .split_once(':')
            .is_some_and(|(local, server)| !local.is_empty() && is_server_name(server)),
        None => is_server_name(entry),
    }
}

/// Whether a text is a level, or parts of the program with their levels. A word that is no level would be taken for a part of the
/// program, and everything else would fall silent.
fn is_log_filter(filter: &str) -> bool {
    let mut parts = filter.split(',').map(str::trim);
    filter.parse::<Targets>().is_ok()
        && parts.all(|part| part.contains('=') || part.parse::<LevelFilter>().is_ok())
}
