//! The options chosen for one game, checked against its card.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::info::{Choices, Info};

/// Options that fit their game. What is absent is at its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Options(BTreeMap<&'static str, String>);

/// Why options do not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The game has no such option.
    #[error("{game} has no option “{key}”; it has: {known}")]
    Unknown {
        /// The game's name.
        game: &'static str,
        /// What was asked for.
        key: String,
        /// The options there are.
        known: String,
    },
    /// The option cannot have this value.
    #[error("{key} cannot be “{value}”; it can be {allowed}")]
    Value {
        /// The option.
        key: &'static str,
        /// What was asked for.
        value: String,
        /// What could be chosen.
        allowed: String,
    },
    /// A number must be drawn before the game can be set up.
    #[error("{key} has not been drawn")]
    NotDrawn {
        /// The option that is drawn.
        key: &'static str,
    },
}

impl Options {
    /// Checks keys and values against the game's card; a later value of a key replaces an earlier one.
    ///
    /// # Errors
    /// Names the first option that the game does not have, or whose value it does not know.
    pub fn checked<K: AsRef<str>, V: AsRef<str>>(
        info: &'static Info,
        chosen: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Options, OptionError> {
        let mut options = Options::default();
        for (key, value) in chosen {
            let key = key.as_ref().trim().to_lowercase();
            let value = value.as_ref().trim().to_lowercase();
            let option = info.option(&key).ok_or_else(|| OptionError::Unknown {
                game: info.name,
                key: key.clone(),
                known: known(info),
            })?;
            if !option.choices.has(&value) {
                return Err(OptionError::Value {
                    key: option.key,
                    value,
                    allowed: option.choices.to_string(),
                });
            }
            options.0.insert(option.key, value);
        }
        Ok(options)
    }

    /// The value of an option, its default if it was not chosen.
    #[must_use]
    pub fn get(&self, info: &Info, key: &str) -> &str {
        match (self.0.get(key), info.option(key)) {
            (Some(value), _) => value,
            (None, Some(option)) => option.default,
            (None, None) => "",
        }
    }

    /// The value of an option that is a number.
    #[must_use]
    pub fn number(&self, info: &Info, key: &str) -> Option<u32> {
        self.get(info, key).parse().ok()
    }

    /// The option that must still be drawn, with how many numbers there are to draw from.
    #[must_use]
    pub fn undrawn(&self, info: &Info) -> Option<(&'static str, u32)> {
        info.options.iter().find_map(|option| match option.choices {
            Choices::Drawn { with, value, count }
                if self.get(info, with) == value && !self.0.contains_key(option.key) =>
            {
                Some((option.key, count))
            }
            _ => None,
        })
    }

    /// What was chosen, by key.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(key, value)| (*key, value.as_str()))
    }
}

fn known(info: &Info) -> String {
    let keys: Vec<&str> = info.options.iter().map(|option| option.key).collect();
    if keys.is_empty() {
        "none".to_owned()
    } else {
        keys.join(", ")
    }
}

impl Choices {
    fn has(&self, value: &str) -> bool {
        let number = value
            .parse::<u32>()
            .ok()
            .filter(|number| number.to_string() == value);
        match *self {
            Choices::Words(words) => words.contains(&value),
            Choices::Number { least, most } => number.is_some_and(|n| (least..=most).contains(&n)),
            Choices::Drawn { count, .. } => number.is_some_and(|n| n < count),
        }
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Choices::Words(words) => f.write_str(&words.join(" or ")),
            Choices::Number { least, most } => write!(f, "{least} to {most}"),
            Choices::Drawn { count, .. } => write!(f, "0 to {}", count.saturating_sub(1)),
        }
    }
}
