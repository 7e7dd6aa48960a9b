//! From a line, or from a platform's own options, to an [`Invocation`]: a command with typed values.

mod error;
mod invocation;
mod values;
mod words;

pub use error::ReadError;
pub use invocation::{Given, Invocation};

use self::words::Word;
use super::catalogue::{COMMANDS, Command, CommandOption, Takes, command};
use super::games;
use crate::ids::TableCode;
use crate::lookalike::meant_or;
use crate::nearest::nearest;
use crate::rules::reading::narrowed;

/// Longest line that is looked at, in characters.
const LONGEST_LINE: usize = 10_000;

/// Reads a line that begins with `/` or the prefix. `None`: it is no command but talk.
///
/// # Errors
/// Names what cannot be read, and what is near to it.
pub fn read(line: &str, prefix: &str) -> Result<Option<Invocation>, ReadError> {
    let Some((name, rest)) = after_the_sign(line, prefix).and_then(split_name) else {
        return Ok(None);
    };
    // Before anything is looked for in it: a line of any length costs no more than reading it once.
    let found = line.chars().count();
    if found > LONGEST_LINE {
        return Err(ReadError::LineTooLong {
            most: LONGEST_LINE,
            found,
        });
    }
    let Some(command) = command(&name) else {
        return Err(ReadError::NoSuchCommand {
            nearest: nearest(
                &meant_or(&name),
                COMMANDS.iter().map(|command| command.name),
            ),
            name,
        });
    };
    let mut collected = Collected::new(command);
    for word in words::split(rest) {
        collected.take(word)?;
    }
    collected.finish().map(Some)
}

/// The line behind `/` or the prefix.
fn after_the_sign<'a>(line: &'a str, prefix: &str) -> Option<&'a str> {
    let line = line.trim_start_matches(words::is_blank);
    signs(prefix)
        .into_iter()
        .find_map(|sign| line.strip_prefix(sign.as_str()))
}

/// What a command can begin with where this is the prefix, also in the full-width forms that some keyboards make.
pub fn signs(prefix: &str) -> Vec<String> {
    let wide = |sign: char| match sign {
        '!'..='~' => char::from_u32(u32::from(sign) + 0xFEE0).unwrap_or(sign),
        sign => sign,
    };
    let plain = ["/", prefix].into_iter().filter(|sign| !sign.is_empty());
    plain
        .flat_map(|sign| [sign.to_owned(), sign.chars().map(wide).collect()])
        .collect()
}

/// The command's name in lower case and what follows; `None` for talk such as `/etc/motd` or `!!!`.
fn split_name(line: &str) -> Option<(String, &str)> {
    let end = line.find(words::is_blank).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let name = narrowed(name);
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    (plain && name.chars().next().is_some_and(char::is_alphabetic))
        .then(|| (name.to_lowercase(), rest))
}

/// The words of a line, sorted to the options they belong to.
struct Collected {
    command: &'static Command,
    /// Options in the order of their first mention, each with its text so far.
    texts: Vec<(&'static CommandOption, String)>,
    /// The option to which words without a name belong at the moment.
    open: Option<&'static CommandOption>,
}

impl Collected {
    fn new(command: &'static Command) -> Collected {
        Collected {
            command,
            texts: Vec::new(),
            open: None,
        }
    }

    fn take(&mut self, word: Word) -> Result<(), ReadError> {
        match word.name.as_deref().map(str::to_lowercase) {
            Some(name) => self.take_named(&name, word),
            None => self.take_bare(word),
        }
    }

    fn take_named(&mut self, name: &str, word: Word) -> Result<(), ReadError> {
        if let Some(option) = self.command.option(name) {
            let again = matches!(option.takes, Takes::People(_) | Takes::GameOptions);
            if self.has(option) && !again {
                return Err(ReadError::Twice { key: option.key });
            }
            let goes_on = option.takes.several_words() && !word.quoted;
            self.open = (goes_on || word.text.is_empty()).then_some(option);
            self.add(option, &word.text);
            return Ok(());
        }
        if let Some(option) = self.game_options()
            && games::has_option(name)
        {
            self.open = None;
            self.add(option, &format!("{name}={}", word.text));
            return Ok(());
        }
        // `a8=Mantri` names a promotion, not an option.
        if let Some(option) = self.command.unnamed()
            && option.takes == Takes::Moves
            && word.raw.contains(['=', '＝'])
        {
            self.add(option, &word.raw);
            return Ok(());
        }
        let keys = self.command.options.iter().map(|option| option.key);
        let games = self
            .game_options()
            .map_or(Vec::new(), |_| games::option_keys());
        Err(ReadError::NoSuchOption {
            command: self.command,
            nearest: nearest(&meant_or(name), keys.chain(games)),
            name: name.to_owned(),
        })
    }

    fn take_bare(&mut self, word: Word) -> Result<(), ReadError> {
        let wordy = self
            .open
            .is_some_and(|open| matches!(open.takes, Takes::Text(_) | Takes::Position));
        if !wordy && !word.quoted {
            if let Some(option) = self.command.mentioning()
                && word.is_mention()
            {
                self.add(option, &word.text);
                return Ok(());
            }
            if let Some(option) = self.flag(&word.text) {
                self.add(option, "yes");
                return Ok(());
            }
            if let Some(option) = self.table_of(&word.text) {
                self.add(option, &word.text);
                return Ok(());
            }
        }
        let ends = wordy || self.open.is_some_and(|open| ends_before(open, &word.text));
        if let Some(option) = self.open
            && !(ends && self.lacks_the_unnamed(&word.text))
        {
            if !option.takes.several_words() {
                self.open = None;
            }
            self.add(option, &word.text);
            return Ok(());
        }
        match self.command.unnamed() {
            Some(option) if !self.has(option) => {
                self.open = option.takes.several_words().then_some(option);
                self.add(option, &word.text);
                Ok(())
            }
            _ => Err(ReadError::Surplus {
                command: self.command,
                word: word.text,
            }),
        }
    }

    /// Whether the option that needs no name was not given, and is required or a game that this word names.
    fn lacks_the_unnamed(&self, text: &str) -> bool {
        // `four` begins the names of two games: what follows says which.
        let is_game = || !matches!(games::named(text), games::GameNamed::Nothing);
        let unnamed = self.command.unnamed().filter(|option| !self.has(option));
        unnamed.is_some_and(|option| option.required || (option.takes == Takes::Game && is_game()))
    }

    /// The yes-or-no option of this name, if it was not given.
    fn flag(&self, text: &str) -> Option<&'static CommandOption> {
        let option = self.command.option(&text.to_lowercase())?;
        let flag = matches!(option.takes, Takes::YesNo | Takes::YesNoOrDefault);
        (flag && !self.has(option)).then_some(option)
    }

    /// The command's table, if this is a code: a code cannot be taken for a move.
    fn table_of(&self, text: &str) -> Option<&'static CommandOption> {
        let code: TableCode = text.parse().ok()?;
        let option = self.command.option("table")?;
        (!code.reads_like_a_move() && !self.has(option)).then_some(option)
    }

    fn game_options(&self) -> Option<&'static CommandOption> {
        self.command
            .options
            .iter()
            .find(|option| option.takes == Takes::GameOptions)
    }

    fn has(&self, option: &CommandOption) -> bool {
        self.texts.iter().any(|(other, _)| other.key == option.key)
    }

    fn add(&mut self, option: &'static CommandOption, text: &str) {
        match self
            .texts
            .iter_mut()
            .find(|(other, _)| other.key == option.key)
        {
            Some((_, texts)) => {
                if !texts.is_empty() {
                    texts.push(' ');
                }
                texts.push_str(text);
            }
            None => self.texts.push((option, text.to_owned())),
        }
    }

    fn finish(self) -> Result<Invocation, ReadError> {
        let texts = self
            .texts
            .iter()
            .map(|(option, text)| (option.key, text.as_str()));
        Invocation::from_options(self.command, texts)
    }
}

/// Whether a list is over before a word that could stand in it, but need not: a name is rather the game where that is
/// missing, and what has no choice in it is no option of a game.
fn ends_before(list: &CommandOption, text: &str) -> bool {
    match list.takes {
        Takes::People(_) => true,
        Takes::GameOptions => !text.contains(['=', ':', '＝', '：']),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
