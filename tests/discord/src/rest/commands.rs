//! The registration of commands.

use serde_json::{Value, json};

use super::{Answer, Asked, id};
use crate::bounds;
use crate::refusal::Refusal;
use crate::world::{World, merge};

/// Most commands of one application in one place.
const MOST: usize = 100;

pub(super) fn route(world: &mut World, asked: &Asked<'_>) -> Answer {
    let (guild, rest) = match asked.parts.as_slice() {
        ["applications", _, "guilds", guild, "commands", rest @ ..] => {
            let guild = id(guild)?;
            if !world.guilds.get(&guild).is_some_and(|guild| guild.has_bot) {
                return Err(Refusal::missing_access());
            }
            (Some(guild), rest)
        }
        ["applications", _, "commands", rest @ ..] => (None, rest),
        _ => return Err(Refusal::no_such_route()),
    };
    match (asked.method, rest) {
        ("GET", []) => Ok(Some(json!(
            world.commands.get(&guild).cloned().unwrap_or_default()
        ))),
        ("POST", []) => put(world, guild, asked.json()?.clone()),
        ("PUT", []) => {
            let given = asked.json()?.as_array().cloned().unwrap_or_default();
            world.commands.remove(&guild);
            for command in given {
                put(world, guild, command)?;
            }
            Ok(Some(json!(
                world.commands.get(&guild).cloned().unwrap_or_default()
            )))
        }
        ("PATCH", [command]) => {
            let mut whole = found(world, guild, command)?;
            merge(&mut whole, asked.json()?.clone());
            put(world, guild, whole)
        }
        ("DELETE", [command]) => {
            found(world, guild, command)?;
            let all = world.commands.entry(guild).or_default();
            all.retain(|known| known["id"] != *command);
            Ok(None)
        }
        ("GET", [command]) => Ok(Some(found(world, guild, command)?)),
        _ => Err(Refusal::no_such_route()),
    }
}

fn found(world: &World, guild: Option<u64>, id: &str) -> Result<Value, Refusal> {
    let mut all = world.commands.get(&guild).into_iter().flatten();
    let known = all.find(|known| known["id"] == id).cloned();
    known.ok_or_else(Refusal::unknown_command)
}

/// A command takes the place of the one with its name and kind.
fn put(world: &mut World, guild: Option<u64>, given: Value) -> Answer {
    bounds::command(&given).map_err(|what| Refusal::invalid_body(&what))?;
    let fresh = world.id().to_string();
    let mut whole = json!({
        "id": fresh, "application_id": world.bot.id.to_string(), "version": fresh, "type": 1, "description": "",
        "default_member_permissions": null, "nsfw": false, "name_localizations": null, "description_localizations": null,
        "options": [],
    });
    match guild {
        Some(guild) => merge(
            &mut whole,
            json!({"guild_id": guild.to_string(), "contexts": null, "integration_types": [0]}),
        ),
        None => merge(
            &mut whole,
            json!({"contexts": null, "integration_types": [0], "dm_permission": true}),
        ),
    }
    merge(&mut whole, given);
    normalize(&mut whole);
    whole["version"] = json!(fresh);
    let all = world.commands.entry(guild).or_default();
    let same =
        |known: &&mut Value| known["name"] == whole["name"] && known["type"] == whole["type"];
    match all.iter_mut().find(same) {
        Some(known) => {
            whole["id"] = known["id"].clone();
            *known = whole.clone();
        }
        None => all.push(whole.clone()),
    }
    if all.len() > MOST {
        return Err(Refusal::invalid_body("more than 100 commands"));
    }
    Ok(Some(whole))
}

/// Discord leaves out what is as it is anyway, and writes permissions as texts.
fn normalize(command: &mut Value) {
    if let Some(number) = command["default_member_permissions"].as_u64() {
        command["default_member_permissions"] = json!(number.to_string());
    }
    for option in command["options"].as_array_mut().into_iter().flatten() {
        if let Some(option) = option.as_object_mut() {
            option.retain(|_, value| !value.is_null() && *value != false && *value != json!([]));
        }
    }
}
