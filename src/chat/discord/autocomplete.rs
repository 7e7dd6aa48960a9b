//! What can be typed, while it is typed: legal moves, tables, squares. An answer always comes in time, if need be an empty one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use serenity::all::{CommandDataOption, CommandDataOptionValue, CommandInteraction};

use super::menu::cut;
use super::response;
use super::speech::Speech;
use super::{Discord, registration, slash};
use crate::club::{Action, Caller, Clock, Sought, SystemClock};
use crate::command::catalogue::{self, Command, Takes, Verb};
use crate::command::complete;
use crate::ids::TableCode;
use crate::table::Table;

/// Within this the choices must be known; the rest of the three seconds is for the way.
const THINKING: Duration = Duration::from_secs(2);
/// Most choices, and their longest name and value in characters.
const MOST: usize = 25;
const LONGEST: usize = 100;

/// A choice: what is shown, and what is sent when it is chosen. Either can arrive (R14).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    name: String,
    value: String,
}

/// Answers with choices for what is being typed.
pub(super) async fn answer(discord: &Arc<Discord>, typing: &CommandInteraction, arrived: Instant) {
    let left = THINKING.saturating_sub(arrived.elapsed());
    let choices = tokio::time::timeout(left, choices(discord, typing)).await;
    let choices = choices.unwrap_or_else(|_| {
        tracing::warn!(
            "discord: choices for /{} were not ready in time",
            typing.data.name
        );
        Vec::new()
    });
    let choices: Vec<Value> = choices
        .into_iter()
        .take(MOST)
        .map(|choice| json!({"name": choice.name, "value": choice.value}))
        .collect();
    let body = json!({"type": 8, "data": {"choices": choices}});
    let sent = discord
        .http
        .create_interaction_response(typing.id, &typing.token, &body, Vec::new())
        .await;
    if let Err(error) = sent {
        // The next letter asks again.
        tracing::debug!(
            "discord: choices could not be sent: {}",
            response::reason(&error)
        );
    }
}

async fn choices(discord: &Discord, typing: &CommandInteraction) -> Vec<Choice> {
    let focused = typing.data.options.iter().find_map(focused);
    let (Some((name, typed)), Some(command)) = (focused, catalogue::command(&typing.data.name))
    else {
        return Vec::new();
    };
    let Some(option) = registration::option_behind(command, name) else {
        return Vec::new();
    };
    let speech = Speech::of_command(typing);
    match option.takes {
        Takes::Command => commands(typed),
        Takes::Table => tables(discord, &speech, typed).await,
        Takes::Moves => {
            let table = table(discord, &speech, command, typing).await;
            considered(table, typed, complete::moves).await
        }
        Takes::SquareOrPiece => {
            let table = table(discord, &speech, command, typing).await;
            considered(table, typed, complete::origins).await
        }
        other => {
            let begins = |choice: &&str| choice.starts_with(&typed.to_lowercase());
            let among = other.choices().into_iter();
            alike(among.filter(begins).map(str::to_owned).collect())
        }
    }
}

/// What fits, found where it holds up nobody: with dice there may be much to try.
async fn considered(
    table: Option<Arc<Table>>,
    typed: &str,
    fitting: fn(&Table, &str, usize) -> Vec<String>,
) -> Vec<Choice> {
    // No choice begins with more than a choice may have.
    let (Some(table), true) = (table, typed.chars().count() <= LONGEST) else {
        return Vec::new();
    };
    let typed = typed.to_owned();
    let found = tokio::task::spawn_blocking(move || fitting(&table, &typed, MOST)).await;
    alike(found.unwrap_or_default())
}

fn focused(option: &CommandDataOption) -> Option<(&str, &str)> {
    match &option.value {
        CommandDataOptionValue::Autocomplete { value, .. } => Some((&option.name, value)),
        _ => None,
    }
}

/// Choices that are called what they are. One that Discord would not take is left out: cut, it would be something else.
fn alike(values: Vec<String>) -> Vec<Choice> {
    values
        .into_iter()
        .filter(|value| (1..=LONGEST).contains(&value.chars().count()))
        .map(|value| Choice {
            name: value.clone(),
            value,
        })
        .collect()
}

fn commands(typed: &str) -> Vec<Choice> {
    let typed = typed.trim_start_matches('/').to_lowercase();
    let names = catalogue::COMMANDS.iter().map(|command| command.name);
    alike(
        names
            .filter(|name| name.starts_with(&typed))
            .map(str::to_owned)
            .collect(),
    )
}

async fn tables(discord: &Discord, speech: &Speech, typed: &str) -> Vec<Choice> {
    let Some(caller) = known(discord, speech).await else {
        return Vec::new();
    };
    let now = SystemClock.now();
    let found = complete::tables(&discord.club, &caller, typed, MOST, now).await;
    let choice = |(code, name): (TableCode, String)| Choice {
        // It begins with the code, so that it can be read when it comes in place of the value.
        name: match name.starts_with(&code.to_string()) {
            true => cut(&name, LONGEST),
            false => cut(&format!("{code}: {name}"), LONGEST),
        },
        value: code.to_string(),
    };
    found.unwrap_or_default().into_iter().map(choice).collect()
}

/// The table whose moves are asked for. R17: a sibling that is missing, or makes no sense, is no failure.
async fn table(
    discord: &Discord,
    speech: &Speech,
    command: &'static Command,
    typing: &CommandInteraction,
) -> Option<Arc<Table>> {
    let caller = known(discord, speech).await?;
    let texts = slash::texts(command, &typing.data.options);
    let named = texts.iter().find(|(key, _)| *key == "table");
    let named: Option<TableCode> = named.and_then(|(_, text)| text.parse().ok());
    let sought = match command.verb {
        Verb::Move => Sought::To(Action::Move {
            text: String::new(),
        }),
        _ => Sought::Moves,
    };
    discord.club.look(&caller, named, &sought).await.ok()
}

async fn known(discord: &Discord, speech: &Speech) -> Option<Caller> {
    speech.known_caller(&discord.club).await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r14_what_is_too_long_is_left_out_and_never_cut() {
        let long = "b1c3 ".repeat(30);
        let choices = alike(vec!["b1c3".to_owned(), long, String::new()]);
        assert_eq!(choices.len(), 1);
        assert_eq!(choices[0].name, choices[0].value);
    }

    #[test]
    fn commands_are_found_by_their_beginning() {
        let names: Vec<String> = commands("/mo").into_iter().map(|one| one.value).collect();
        assert_eq!(names, ["move", "moves"]);
    }
}
