//! What is done with an interaction's token after the first response.

use serde_json::{Value, json};

use super::draft::{changed, drafted};
use super::messages::keep;
use super::{Answer, Asked, id};
use crate::refusal::Refusal;
use crate::world::World;

pub(super) fn route(world: &mut World, asked: &Asked<'_>, token: &str, rest: &[&str]) -> Answer {
    let mut all = world.interactions.values();
    let known = all.find(|known| known.token == token).cloned();
    let known = known.ok_or_else(Refusal::unknown_webhook)?;
    if !known.alive() {
        return Err(Refusal::invalid_webhook_token());
    }
    // Before the first response there is no webhook.
    let first = known.first_kind.ok_or_else(Refusal::unknown_webhook)?;
    let message = match rest {
        [] if asked.method == "POST" => return followup(world, asked, &known),
        ["messages", "@original"] => match first {
            6 | 7 => known.source,
            _ => known.original,
        }
        .filter(|message| world.messages.contains_key(message))
        .ok_or_else(Refusal::unknown_message)?,
        ["messages", message] => {
            let message = id(message)?;
            let own = known.followups.contains(&message) || known.original == Some(message);
            if !own {
                return Err(Refusal::unknown_message());
            }
            message
        }
        _ => return Err(Refusal::no_such_route()),
    };
    if let Some(json) = &asked.body.json {
        quiet(world, json);
    }
    match asked.method {
        "GET" => {
            let message = world
                .messages
                .get(&message)
                .ok_or_else(Refusal::unknown_message)?;
            Ok(Some(world.message_json(message)))
        }
        "PATCH" => changed(world, message, asked.json()?, asked.body),
        "DELETE" => {
            world
                .messages
                .remove(&message)
                .ok_or_else(Refusal::unknown_message)?;
            if let Some(known) = world.interactions.get_mut(&known.id)
                && known.original == Some(message)
            {
                known.original = None;
                known.original_deleted = true;
            }
            Ok(None)
        }
        _ => Err(Refusal::no_such_route()),
    }
}

/// What we ask of ourselves: an answer for one person alone says that it notifies nobody, or whom.
fn quiet(world: &mut World, json: &Value) {
    if json["content"].is_string() && json["allowed_mentions"]["parse"] != json!([]) {
        world.refuse(format!("an answer that may notify anybody: {json}"));
    }
}

/// A further message. The first one after a deferred response takes its place, and is as private as that was.
fn followup(world: &mut World, asked: &Asked<'_>, known: &crate::Interaction) -> Answer {
    let json = asked.json()?;
    quiet(world, json);
    let thinking = known.original.filter(|original| {
        world
            .messages
            .get(original)
            .is_some_and(|message| message.thinking)
    });
    if let Some(original) = thinking {
        return changed(world, original, json, asked.body);
    }
    let mut message = drafted(world, known.channel, json, asked.body)?;
    if message.content.is_empty() && message.files.is_empty() {
        return Err(Refusal::empty_message());
    }
    let ephemeral = json["flags"].as_u64().unwrap_or(0) & 64 != 0;
    message.only = ephemeral.then_some(known.user);
    message.interaction = Some(known.id);
    let (told, made) = (world.message_json(&message), message.id);
    keep(world, message);
    if let Some(known) = world.interactions.get_mut(&known.id) {
        known.followups.push(made);
    }
    Ok(Some(told))
}
