//! What Discord documents as right and as too much, checked with the independent types of `twilight` and a table of our own.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use twilight_model::application::command::{Command, CommandOption, CommandOptionType};
use twilight_model::channel::message::{AllowedMentions, Component, Embed};
use twilight_model::gateway::payload::outgoing::{Identify, Resume};
use twilight_model::http::attachment::Attachment;
use twilight_model::http::interaction::InteractionResponse;

use crate::body::File;

/// Longest content of a bot's message. The OpenAPI file allows 4,000; bots have 2,000.
const CONTENT: usize = 2000;
/// Longest nonce.
const NONCE: usize = 25;
/// Most files of a message.
const FILES: usize = 10;
/// Most bytes of a file where nobody pays for more.
const FILE_BYTES: usize = 10 * 1024 * 1024;
/// Longest alt text.
const ALT: usize = 1024;
/// Longest name of a thread.
const THREAD_NAME: usize = 100;
/// After so many minutes a thread may be archived.
const ARCHIVED_AFTER: [u64; 4] = [60, 1440, 4320, 10080];
/// The first bytes of a PNG file.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

type Told = Result<(), String>;

fn read<T: DeserializeOwned>(what: &str, value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| format!("{what}: twilight cannot read {value}: {error}"))
}

fn at_most(what: &str, most: usize, has: usize) -> Told {
    if has <= most {
        Ok(())
    } else {
        Err(format!("{what}: {has}, at most {most}"))
    }
}

/// The parts of a message that have bounds, whether it is new or an edit.
pub(crate) fn message(json: &Value, files: &[File]) -> Told {
    let content = json["content"].as_str().unwrap_or_default();
    // Discord counts characters, as twilight does.
    at_most("content", CONTENT, content.chars().count())?;
    twilight_validate::message::content(content).map_err(|error| error.to_string())?;
    if !json["components"].is_null() {
        components(&json["components"])?;
    }
    if !json["embeds"].is_null() {
        let embeds: Vec<Embed> = read("embeds", &json["embeds"])?;
        twilight_validate::message::embeds(&embeds).map_err(|error| error.to_string())?;
    }
    if !json["allowed_mentions"].is_null() {
        allowed_mentions(&json["allowed_mentions"])?;
    }
    if let Some(nonce) = json["nonce"].as_str() {
        at_most("nonce", NONCE, nonce.chars().count())?;
    }
    attachments(json, files)
}

fn components(json: &Value) -> Told {
    let components: Vec<Component> = read("components", json)?;
    twilight_validate::message::components(&components, false)
        .map_err(|error| error.to_string())?;
    let mut ids = Vec::new();
    for row in &components {
        let Component::ActionRow(row) = row else {
            return Err("a component outside of a row".to_owned());
        };
        for part in &row.components {
            let id = match part {
                Component::Button(button) => {
                    if button.label.is_none() && button.emoji.is_none() {
                        return Err("a button with nothing on it".to_owned());
                    }
                    button.custom_id.clone()
                }
                Component::SelectMenu(menu) => {
                    let options = menu.options.as_deref().unwrap_or_default();
                    let mut values: Vec<&str> =
                        options.iter().map(|option| option.value.as_str()).collect();
                    if values.is_empty() {
                        return Err("a menu without choices".to_owned());
                    }
                    values.sort_unstable();
                    values.dedup();
                    if values.len() < options.len() {
                        return Err("a menu with the same value twice".to_owned());
                    }
                    Some(menu.custom_id.clone())
                }
                _ => None,
            };
            if let Some(id) = id {
                // Discord measures in characters; ours are to stay within as many bytes.
                at_most("custom_id", 100, id.len())?;
                if ids.contains(&id) {
                    return Err(format!("the custom_id {id} twice in a message"));
                }
                ids.push(id);
            }
        }
    }
    Ok(())
}

fn allowed_mentions(json: &Value) -> Told {
    let allowed: AllowedMentions = read("allowed_mentions", json)?;
    at_most("users of allowed_mentions", 100, allowed.users.len())?;
    if !allowed.users.is_empty() && json["parse"].to_string().contains("users") {
        return Err("allowed_mentions: `parse` of users and `users` exclude each other".to_owned());
    }
    Ok(())
}

fn attachments(json: &Value, files: &[File]) -> Told {
    at_most("files", FILES, files.len())?;
    let listed = json["attachments"].as_array();
    for file in files {
        at_most("bytes of a file", FILE_BYTES, file.content.len())?;
        if file.name.ends_with(".png") && !file.content.starts_with(PNG) {
            return Err(format!("{} is no PNG file", file.name));
        }
        let mut numbers = listed.into_iter().flatten();
        let number = json!(file.number.to_string());
        let known = |item: &Value| item["id"] == number || item["id"] == file.number;
        if listed.is_some() && !numbers.any(known) {
            return Err(format!("the file {} is not in `attachments`", file.name));
        }
    }
    let mut numbers: Vec<u64> = files.iter().map(|file| file.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < files.len() {
        return Err("two files with the same number".to_owned());
    }
    for item in listed.into_iter().flatten() {
        let alt = item["description"].as_str().unwrap_or_default();
        at_most("alt text", ALT, alt.chars().count())?;
        if item["filename"].is_string() {
            let mut plain = item.clone();
            // twilight takes the number as a number only; Discord also as a text.
            if let Some(id) = plain["id"].as_str().and_then(|id| id.parse::<u64>().ok()) {
                plain["id"] = json!(id);
            }
            let attachment: Attachment = read("attachments", &plain)?;
            twilight_validate::message::attachment(&attachment)
                .map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// A first response to an interaction.
pub(crate) fn response(json: &Value) -> Told {
    let mut plain = json.clone();
    // The files are checked with the message.
    if let Some(data) = plain["data"].as_object_mut() {
        data.remove("attachments");
    }
    let response: InteractionResponse = read("response", &plain)?;
    let Some(choices) = response.data.and_then(|data| data.choices) else {
        return Ok(());
    };
    at_most("choices", 25, choices.len())?;
    for choice in &choices {
        twilight_validate::command::choice(choice).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A command to be registered. Of a change only what it changes is there; `before` has the rest.
pub(crate) fn command(json: &Value) -> Result<(), String> {
    let mut whole = json!({"type": 1, "version": "1", "default_member_permissions": null});
    crate::world::merge(&mut whole, json.clone());
    let command: Command = read("command", &whole)?;
    twilight_validate::command::command(&command).map_err(|error| error.to_string())?;
    twilight_validate::command::options(&command.options).map_err(|error| error.to_string())?;
    command.options.iter().try_for_each(option)
}

/// What the documentation says of options beside what twilight checks.
fn option(option: &CommandOption) -> Told {
    let named = |what: &str| Err(format!("option {}: {what}", option.name));
    let choices = option.choices.as_deref().unwrap_or_default();
    if option.autocomplete == Some(true) && !choices.is_empty() {
        return named("choices and autocomplete exclude each other");
    }
    let may_complete = matches!(
        option.kind,
        CommandOptionType::String | CommandOptionType::Integer | CommandOptionType::Number
    );
    if !may_complete && (option.autocomplete == Some(true) || !choices.is_empty()) {
        return named("only texts and numbers have choices or autocomplete");
    }
    let mut names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < choices.len() {
        return named("two choices with the same name");
    }
    Ok(())
}

/// What is asked for when a thread is begun.
pub(crate) fn thread(json: &Value) -> Told {
    let name = json["name"].as_str().unwrap_or_default();
    if name.trim().is_empty() {
        return Err("a thread without a name".to_owned());
    }
    at_most("name of a thread", THREAD_NAME, name.chars().count())?;
    match json["auto_archive_duration"].as_u64() {
        Some(minutes) if !ARCHIVED_AFTER.contains(&minutes) => {
            Err(format!("auto_archive_duration: {minutes}"))
        }
        _ => Ok(()),
    }
}

/// How the bot says who it is. serenity writes `since` of the presence as an object where it should be a number or null, which
/// Discord overlooks; twilight knows a field of its own.
pub(crate) fn identify(json: &Value) -> Told {
    let mut plain = json.clone();
    if plain["d"]["presence"]["since"].is_object() {
        plain["d"]["presence"]["since"] = Value::Null;
    }
    crate::world::merge(&mut plain["d"], json!({"capabilities": 0}));
    read::<Identify>("IDENTIFY", &plain).map(|_| ())
}

/// How the bot says where it was.
pub(crate) fn resume(json: &Value) -> Told {
    read::<Resume>("RESUME", json).map(|_| ())
}
