//! The form in which commands are registered, as it is sent and as Discord gives it back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serenity::model::Permissions;

use super::options::{self, Kind};
use crate::chat::discord::menu::cut;
use crate::command::catalogue::{COMMANDS, Command, Verb};

/// Longest text that explains a command or an option, in characters.
pub(super) const LONGEST: usize = 100;

/// A text in other languages by Discord's locale, such as `de` or `pt-BR`. None are there yet.
pub(super) type Localised = Option<BTreeMap<String, String>>;

/// A slash command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Registered {
    pub(super) name: String,
    #[serde(default)]
    name_localizations: Localised,
    #[serde(rename = "type", default = "chat_input")]
    kind: u8,
    description: String,
    #[serde(default)]
    description_localizations: Localised,
    #[serde(default)]
    pub(super) options: Vec<Offered>,
    /// Who may use it where a server has said nothing else, as a number in a text.
    #[serde(default)]
    default_member_permissions: Option<String>,
    /// Where it can be used: 0 in servers, 1 in direct messages with the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contexts: Option<Vec<u8>>,
    /// How the bot is installed: 0 in servers. Installed for a person it could post nothing in servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    integration_types: Option<Vec<u8>>,
}

/// One option of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Offered {
    #[serde(rename = "type")]
    pub(super) kind: u8,
    pub(super) name: String,
    #[serde(default)]
    pub(super) name_localizations: Localised,
    pub(super) description: String,
    #[serde(default)]
    pub(super) description_localizations: Localised,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) choices: Vec<Choice>,
    #[serde(default)]
    pub(super) autocomplete: bool,
    /// R17: bounds and the like, which are never given: one that does not fit would stop the choices of its neighbours.
    #[serde(flatten)]
    pub(super) more: BTreeMap<String, Value>,
}

/// One of an option's fixed values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Choice {
    pub(super) name: String,
    #[serde(default)]
    pub(super) name_localizations: Localised,
    pub(super) value: String,
}

fn chat_input() -> u8 {
    1
}

/// Where commands are registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Everywhere,
    /// In one server. Discord then keeps no contexts.
    Server,
}

/// Every command of the catalogue.
pub(super) fn of_catalogue(scope: Scope) -> Vec<Registered> {
    let registered = |command| registered(command, scope);
    COMMANDS.iter().map(registered).collect()
}

fn registered(command: &'static Command, scope: Scope) -> Registered {
    let everywhere = scope == Scope::Everywhere;
    Registered {
        name: command.name.to_owned(),
        name_localizations: None,
        kind: chat_input(),
        description: cut(command.does, LONGEST),
        description_localizations: None,
        options: options::of(command).map(offered).collect(),
        default_member_permissions: for_whom(command.verb).map(|needed| needed.bits().to_string()),
        contexts: everywhere.then(|| contexts(command.verb)),
        integration_types: everywhere.then(|| vec![0]),
    }
}

fn offered(option: options::Spoken) -> Offered {
    let (kind, choices, autocomplete) = match option.kind {
        Kind::Text { choices } => (3, choices, false),
        Kind::Typed => (3, Vec::new(), true),
        Kind::Number => (4, Vec::new(), false),
        Kind::YesNo => (5, Vec::new(), false),
        Kind::Person => (6, Vec::new(), false),
    };
    Offered {
        kind,
        name: option.name,
        name_localizations: None,
        description: cut(&option.help, LONGEST),
        description_localizations: None,
        required: option.required,
        choices,
        autocomplete,
        more: BTreeMap::new(),
    }
}

/// What is for those who run a server is of no use in direct messages.
fn contexts(verb: Verb) -> Vec<u8> {
    match for_whom(verb) {
        Some(_) => vec![0],
        None => vec![0, 1],
    }
}

/// What is for those who run a server is shown to nobody else, unless the server says so.
fn for_whom(verb: Verb) -> Option<Permissions> {
    match verb {
        Verb::Place | Verb::Doctor => Some(Permissions::MANAGE_GUILD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_is_within_discords_bounds() {
        let name = |name: &str| {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            (1..=32).contains(&name.len()) && name.chars().all(plain)
        };
        let text = |text: &str| (1..=100).contains(&text.chars().count());
        let commands = of_catalogue(Scope::Everywhere);
        assert!(commands.len() <= 100);
        for command in &commands {
            assert!(
                name(&command.name) && text(&command.description),
                "{}",
                command.name
            );
            assert!(command.options.len() <= 25, "{}", command.name);
            let required: Vec<bool> = command
                .options
                .iter()
                .map(|option| option.required)
                .collect();
            assert!(required.is_sorted_by(|a, b| a >= b), "{}", command.name);
            let mut names = BTreeSet::new();
            let mut whole = command.name.len() + command.description.len();
            for option in &command.options {
                let at = format!("{} {}", command.name, option.name);
                assert!(name(&option.name) && text(&option.description), "{at}");
                assert!(names.insert(&option.name), "{at} twice");
                assert!(option.choices.len() <= 25, "{at}");
                assert!(option.choices.is_empty() || !option.autocomplete, "{at}");
                whole += option.name.len() + option.description.len();
                for choice in &option.choices {
                    assert!(text(&choice.name) && text(&choice.value), "{at}");
                    whole += choice.name.len() + choice.value.len();
                }
            }
            assert!(whole <= 8_000, "{} has {whole} characters", command.name);
        }
    }

    #[test]
    fn r17_no_option_has_bounds_of_discords_own() {
        for command in of_catalogue(Scope::Everywhere) {
            for option in command.options {
                assert!(option.more.is_empty(), "{} {}", command.name, option.name);
            }
        }
    }

    #[test]
    fn r40_every_command_is_there_in_direct_messages_too() {
        for command in of_catalogue(Scope::Everywhere) {
            // What runs a server has no use there.
            let expected = match command.default_member_permissions {
                Some(_) => vec![0],
                None => vec![0, 1],
            };
            assert_eq!(command.contexts, Some(expected), "{}", command.name);
        }
    }

    #[test]
    fn what_is_for_those_who_run_a_server_is_so_registered() {
        let manage = Some("32".to_owned());
        for command in of_catalogue(Scope::Everywhere) {
            let expected = match command.name.as_str() {
                "place" | "doctor" => manage.clone(),
                _ => None,
            };
            assert_eq!(
                command.default_member_permissions, expected,
                "{}",
                command.name
            );
        }
    }

    #[test]
    fn the_registration_of_new() {
        let new = of_catalogue(Scope::Everywhere)
            .into_iter()
            .find(|command| command.name == "new");
        let options = new.unwrap().options;
        let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
        assert_eq!(names[0], "game");
        for name in ["with", "with-2", "with-3", "corner", "quiet"] {
            assert!(names.contains(&name), "{name} is not in {names:?}");
        }
        assert!(!names.contains(&"options"));
    }
}
