//! `help`: the catalogue, and one command of it.

use crate::command::catalogue::{COMMANDS, Command, Takes};
use crate::command::text::Text;
use crate::rules;

/// All commands, a line each.
pub(crate) fn all() -> Text {
    let lines = COMMANDS.iter().map(|command| {
        Text::new()
            .code(format!("/{}", command.name))
            .plain(format!(" {}", command.does))
    });
    Text::join(lines, "\n")
        .plain("\nMore about one: ")
        .code("/help move")
        .plain(". A turn of a game with dice: ")
        .code("/roll")
        .plain(", then ")
        .code("/move b1c3 a2a3")
        .plain(".")
}

/// One command with its options and examples.
pub(crate) fn one(command: &Command) -> Text {
    let mut text = Text::new()
        .code(command.usage())
        .plain(format!("\n{}.", super::refusal::capital(command.does)));
    if !command.more.is_empty() {
        text = text.plain(format!(" {}", command.more.replace('`', "")));
    }
    for option in command.options {
        text = text
            .plain("\n")
            .code(option.key)
            .plain(format!(": {}", option.help.replace('`', "")));
        let choices = match option.takes {
            Takes::GameOptions => Vec::new(),
            takes => takes.choices(),
        };
        if !choices.is_empty() {
            text = text.plain(format!(" ({})", choices.join(", ")));
        }
        if option.takes == Takes::GameOptions {
            for info in rules::games().filter(|info| !info.options.is_empty()) {
                let keys: Vec<&str> = info.options.iter().map(|option| option.key).collect();
                text = text.plain(format!("; {}: {}", info.key, keys.join(" ")));
            }
        }
    }
    let examples = command
        .examples
        .iter()
        .map(|line| Text::new().code(format!("/{line}")));
    text.plain("\nFor example ")
        .then(Text::join(examples, ", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_help_fits_one_message() {
        let texts = COMMANDS.iter().map(one).chain([all()]);
        for text in texts {
            let length = text.to_plain(|person| person.to_string()).chars().count();
            assert!(length <= 1900, "{length} characters: {text:?}");
        }
    }
}
