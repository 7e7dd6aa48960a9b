//! `help`: the catalogue, and one command of it.

use crate::command::catalogue::{COMMANDS, Command, Takes, Verb};
use crate::command::games;
use crate::command::text::Text;
use crate::rules;

/// All commands, a line each.
pub(crate) fn all() -> Text {
    let lines = COMMANDS.iter().map(|command| {
        // A blank line between the parts: a platform with short messages may break there.
        let blank = if begins_a_part(command.verb) {
            "\n"
        } else {
            ""
        };
        Text::from(blank)
            .code(format!("/{}", command.name))
            .plain(format!(" {}", command.does))
    });
    Text::join(lines, "\n")
        .plain("\n\nMore about one: ")
        .code("/help move")
        .plain(". A turn of a game with dice: ")
        .code("/roll")
        .plain(", then ")
        .code("/move b1c3 a2a3")
        .plain(".")
}

/// Whether a new part of the catalogue begins: gathering people, playing, looking at things, running a place.
fn begins_a_part(verb: Verb) -> bool {
    matches!(verb, Verb::Roll | Verb::Board | Verb::Here)
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
            for info in rules::games() {
                let keys: Vec<&str> = games::offered(info).map(|option| option.key).collect();
                if keys.is_empty() {
                    continue;
                }
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
pub(in crate::command) mod tests {
    use super::*;

    /// What a platform with marks for emphasis may make of a text at the most: a mark before each sign that could be one.
    pub(in crate::command) fn marked_up(text: &Text) -> usize {
        let plain = text.to_plain(|person| person.to_string());
        let signs = plain.chars().filter(char::is_ascii_punctuation).count();
        plain.chars().count() + signs + 6 * text.0.len()
    }

    /// The longest part between blank lines, marked up.
    pub(in crate::command) fn longest_part(text: &Text) -> usize {
        let plain = text.to_plain(|person| person.to_string());
        let parts = plain.split("\n\n").map(|part| {
            let signs = part.chars().filter(char::is_ascii_punctuation).count();
            part.chars().count() + signs
        });
        parts.max().unwrap_or_default()
    }

    #[test]
    fn every_help_fits_one_message_or_can_be_parted_at_blank_lines() {
        for command in COMMANDS {
            let length = marked_up(&one(command));
            assert!(length <= 1900, "{}: {length} characters", command.name);
        }
        let length = longest_part(&all());
        assert!(length <= 1500, "{length} characters");
    }

    #[test]
    fn what_is_drawn_is_offered_to_nobody() {
        let texts = COMMANDS.iter().map(one).chain([all()]);
        let pages = rules::games().map(crate::command::pages::page);
        for text in texts.chain(pages) {
            let plain = text.to_plain(|person| person.to_string());
            let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).collect();
            let order = words.windows(2).any(|two| {
                two == ["setup", "order"] || two == ["order", ""] && plain.contains("order=")
            });
            assert!(!order, "{plain}");
        }
        assert!(!games::option_keys().contains(&"order"));
    }
}
