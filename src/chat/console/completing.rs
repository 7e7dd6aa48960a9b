//! Completing commands and options with the tabulator key, from the catalogue.

use rustyline::Context;
use rustyline::Helper;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;

use crate::command::catalogue::{COMMANDS, command};
use crate::ids::Platform;

/// What the line editor asks for help.
pub(super) struct Completing;

impl Helper for Completing {}
impl Highlighter for Completing {}
impl Validator for Completing {}
impl Hinter for Completing {
    type Hint = String;
}

impl Completer for Completing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(candidates(line.get(..position).unwrap_or(line)))
    }
}

/// Where the word to complete begins, in bytes, and what it can become.
fn candidates(line: &str) -> (usize, Vec<String>) {
    let start = line.rfind(char::is_whitespace).map_or(0, |at| {
        at + line[at..].chars().next().map_or(1, char::len_utf8)
    });
    let word = &line[start..];
    let before = line[..start].trim();
    // A speaker may be named first: `ada> /ro`.
    let spoken = before.rsplit('>').next().unwrap_or_default().trim();
    let found = match (spoken.split_whitespace().next(), word.split_once(':')) {
        (None, _) => command_names(word),
        (Some(name), Some((key, value))) => option_values(name, key, value),
        (Some(name), None) => option_keys(name, word),
    };
    (start, found)
}

fn command_names(word: &str) -> Vec<String> {
    let Some(sign) = word.chars().next().filter(|sign| matches!(sign, '/' | '!')) else {
        return Vec::new();
    };
    let names = COMMANDS
        .iter()
        .map(|command| format!("{sign}{} ", command.name));
    names.filter(|name| name.starts_with(word)).collect()
}

fn option_keys(name: &str, word: &str) -> Vec<String> {
    let options =
        command(name.trim_start_matches(['/', '!'])).map_or(&[][..], |command| command.options);
    let options = options
        .iter()
        .filter(|option| option.is_for(Platform::Console));
    let keys = options.map(|option| format!("{}:", option.key));
    keys.filter(|key| key.starts_with(word)).collect()
}

fn option_values(name: &str, key: &str, value: &str) -> Vec<String> {
    let option =
        command(name.trim_start_matches(['/', '!'])).and_then(|command| command.option(key));
    let choices = option.map_or(Vec::new(), |option| option.takes.choices());
    choices
        .into_iter()
        .filter(|choice| choice.starts_with(value))
        .map(|choice| format!("{key}:{choice} "))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_options_and_choices_are_completed() {
        assert_eq!(candidates("/rol"), (0, vec!["/roll ".to_owned()]));
        assert_eq!(candidates("ada> !rol"), (5, vec!["!roll ".to_owned()]));
        assert_eq!(candidates("/board fr"), (7, vec!["from:".to_owned()]));
        assert_eq!(
            candidates("ada> /board as:p"),
            (12, vec!["as:picture ".to_owned()])
        );
        assert_eq!(candidates("hello é"), (6, Vec::new()));
        assert_eq!(candidates(""), (0, Vec::new()));
    }
}
