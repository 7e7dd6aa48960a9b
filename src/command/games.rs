//! The games by the names people give them.

use crate::rules::{self, Choices, Info, OptionInfo};

/// What a name may mean.
#[derive(Debug)]
pub enum GameNamed {
    /// This game.
    One(&'static Info),
    /// A beginning that several share.
    Several(Vec<&'static Info>),
    /// None.
    Nothing,
}

/// The game of this key, name, rule prefix or synonym, or of an unambiguous beginning of one. Case, hyphens and blanks do not
/// matter.
pub fn named(text: &str) -> GameNamed {
    let text = letters(text);
    if text.is_empty() {
        return GameNamed::Nothing;
    }
    let games = || rules::games();
    if let Some(info) = games().find(|info| names(info).any(|name| letters(name) == text)) {
        return GameNamed::One(info);
    }
    let begins = |name: &str| letters(name).starts_with(&text);
    let mut among: Vec<&'static Info> = games()
        .filter(|info| begins(info.key) || begins(info.name))
        .collect();
    // A beginning of a key or name is not made ambiguous by another game's synonym.
    if among.is_empty() {
        among = games()
            .filter(|info| info.synonyms.iter().any(|name| begins(name)))
            .collect();
    }
    match among.as_slice() {
        [] => GameNamed::Nothing,
        [info] => GameNamed::One(info),
        _ => GameNamed::Several(among),
    }
}

fn names(info: &'static Info) -> impl Iterator<Item = &'static str> {
    [info.key, info.name, info.id]
        .into_iter()
        .chain(info.synonyms.iter().copied())
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether some game has an option of this key.
pub fn has_option(key: &str) -> bool {
    rules::games().any(|info| info.option(key).is_some())
}

/// The options of a game that people choose; what is drawn when a table is opened is none.
pub fn offered(info: &'static Info) -> impl Iterator<Item = &'static OptionInfo> {
    let drawn = |option: &&OptionInfo| matches!(option.choices, Choices::Drawn { .. });
    info.options.iter().filter(move |option| !drawn(option))
}

/// The keys of all options that people choose.
pub fn option_keys() -> Vec<&'static str> {
    let options = rules::games().flat_map(offered);
    options.map(|option| option.key).collect()
}
