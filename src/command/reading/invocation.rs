use std::collections::BTreeMap;

use super::super::catalogue::{Command, CommandOption};
use super::{ReadError, values};
use crate::ids::TableCode;
use crate::rules::Info;

/// A command with the values given to its options, each checked by itself.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The command.
    pub command: &'static Command,
    given: BTreeMap<&'static str, Given>,
}

/// The value of an option.
#[derive(Debug, Clone)]
pub enum Given {
    /// Accounts of people on the caller's platform, each once, as the platform writes them without `@`.
    People(Vec<String>),
    /// A game.
    Game(&'static Info),
    /// One of the option's words.
    Word(&'static str),
    /// A number within the option's bounds.
    Number(i64),
    /// Yes or no.
    Yes(bool),
    /// A table.
    Table(TableCode),
    /// Keys and values of the game's options, in lower case.
    Pairs(Vec<(String, String)>),
    /// A command.
    Command(&'static Command),
    /// Rooms as the platform names them, each once; none for all.
    Rooms(Vec<String>),
    /// A text to be read by what knows more: moves, a seat of the game, a position, a word.
    Text(String),
}

impl Invocation {
    /// Checks the texts given for a command's options by a platform that has options of its own; a line's reader ends here
    /// too. Options that are empty count as not given.
    ///
    /// # Errors
    /// Names the first option that is unknown, missing or has a value it does not take.
    pub fn from_options<'a>(
        command: &'static Command,
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Invocation, ReadError> {
        let mut given = BTreeMap::new();
        for (key, text) in texts {
            let option = command.option(key).ok_or_else(|| ReadError::NoSuchOption {
                command,
                name: key.to_owned(),
                nearest: None,
            })?;
            if let Some(value) = values::read(option, text)? {
                given.insert(option.key, value);
            }
        }
        let missing = |option: &&CommandOption| option.required && !given.contains_key(option.key);
        match command.options.iter().find(missing) {
            Some(option) => Err(ReadError::Missing {
                command,
                key: option.key,
                help: option.help,
            }),
            None => Ok(Invocation { command, given }),
        }
    }

    /// The same at this table, if the command can be given one and was given none.
    pub fn at_table(mut self, code: TableCode) -> Invocation {
        if let Some(option) = self.command.option("table") {
            self.given.entry(option.key).or_insert(Given::Table(code));
        }
        self
    }

    /// The accounts an option names; none when it was not given.
    pub fn people(&self, key: &str) -> &[String] {
        match self.given.get(key) {
            Some(Given::People(people)) => people,
            _ => &[],
        }
    }

    /// The game an option names.
    pub fn game(&self, key: &str) -> Option<&'static Info> {
        match self.given.get(key) {
            Some(Given::Game(info)) => Some(info),
            _ => None,
        }
    }

    /// The word chosen for an option.
    pub fn word(&self, key: &str) -> Option<&'static str> {
        match self.given.get(key) {
            Some(Given::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The number given for an option.
    pub fn number(&self, key: &str) -> Option<i64> {
        match self.given.get(key) {
            Some(Given::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Whether an option was given as yes; no when it was not given.
    pub fn yes(&self, key: &str) -> bool {
        self.yes_or_no(key) == Some(true)
    }

    /// What was given for a yes-or-no option.
    pub fn yes_or_no(&self, key: &str) -> Option<bool> {
        match self.given.get(key) {
            Some(Given::Yes(yes)) => Some(*yes),
            _ => None,
        }
    }

    /// The rooms an option names; none for all of them.
    pub fn rooms(&self, key: &str) -> Option<&[String]> {
        match self.given.get(key) {
            Some(Given::Rooms(rooms)) => Some(rooms),
            _ => None,
        }
    }

    /// Whether an option was given.
    pub fn has(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    /// Whether no option was given.
    pub fn is_bare(&self) -> bool {
        self.given.is_empty()
    }

    /// The table named by `table`.
    pub fn table(&self) -> Option<TableCode> {
        match self.given.get("table") {
            Some(Given::Table(code)) => Some(*code),
            _ => None,
        }
    }

    /// The game's options given, in lower case.
    pub fn pairs(&self, key: &str) -> &[(String, String)] {
        match self.given.get(key) {
            Some(Given::Pairs(pairs)) => pairs,
            _ => &[],
        }
    }

    /// The command an option names.
    pub fn command(&self, key: &str) -> Option<&'static Command> {
        match self.given.get(key) {
            Some(Given::Command(command)) => Some(command),
            _ => None,
        }
    }

    /// The text given for an option.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.given.get(key) {
            Some(Given::Text(text)) => Some(text),
            _ => None,
        }
    }
}
