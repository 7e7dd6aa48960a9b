//! First responses to interactions.

use serde_json::{Value, json};

use super::draft::{changed, drafted};
use super::messages::keep;
use super::{Answer, Asked};
use crate::bounds;
use crate::interaction::{FIRST, Kind};
use crate::refusal::Refusal;
use crate::world::World;

/// The flag of a message for one person alone.
const EPHEMERAL: u64 = 64;

pub(super) fn callback(world: &mut World, asked: &Asked<'_>, id: u64, token: &str) -> Answer {
    let json = asked.json()?.clone();
    bounds::response(&json).map_err(|what| Refusal::invalid_body(&what))?;
    let known = world
        .interactions
        .get_mut(&id)
        .filter(|known| known.token == token);
    let known = known.ok_or_else(Refusal::unknown_interaction)?;
    let after = known.sent.elapsed();
    if after > FIRST || known.dead {
        known.refused.push(10062);
        return Err(Refusal::unknown_interaction());
    }
    if known.first_kind.is_some() {
        known.refused.push(40060);
        return Err(Refusal::acknowledged());
    }
    let number = json["type"].as_u64().unwrap_or(0);
    let data = json["data"].clone();
    let fitting = matches!(
        (known.kind, number),
        (Kind::Command, 4 | 5 | 9) | (Kind::Component, 4 | 5 | 6 | 7 | 9) | (Kind::Autocomplete, 8)
    );
    if !fitting {
        let what = format!(
            "response {number} to an interaction of the kind {:?}",
            known.kind
        );
        return Err(Refusal::invalid_body(&what));
    }
    let (user, channel, source) = (known.user, known.channel, known.source);
    let ephemeral = data["flags"].as_u64().unwrap_or(0) & EPHEMERAL != 0;
    match number {
        4 | 5 => {
            let mut message = drafted(world, channel, &data, asked.body)?;
            message.only = ephemeral.then_some(user);
            message.thinking = number == 5;
            message.interaction = Some(id);
            let original = message.id;
            keep(world, message);
            answer(world, id, |known| known.original = Some(original));
        }
        7 => {
            changed(
                world,
                source.ok_or_else(Refusal::unknown_message)?,
                &data,
                asked.body,
            )?;
        }
        8 => {
            let choices = data["choices"].as_array().into_iter().flatten();
            let choices = choices
                .map(|choice| {
                    let name = choice["name"].as_str().unwrap_or_default();
                    (name.to_owned(), choice["value"].clone())
                })
                .collect();
            answer(world, id, |known| known.choices = Some(choices));
        }
        _ => {}
    }
    answer(world, id, |known| {
        known.first_after = Some(after);
        known.first_kind = Some(number);
        known.ephemeral = ephemeral;
    });
    match asked.query("with_response") {
        Some("true") => Ok(Some(json!({
            "interaction": {"id": id.to_string(), "type": 2},
            "resource": Value::Null,
        }))),
        _ => Ok(None),
    }
}

fn answer(world: &mut World, id: u64, note: impl FnOnce(&mut crate::Interaction)) {
    if let Some(known) = world.interactions.get_mut(&id) {
        note(known);
    }
}
