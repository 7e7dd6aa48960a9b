//! Messages in channels.

use serde_json::{Value, json};
use twilight_model::guild::Permissions;

use super::draft::{changed, drafted, house_rules};
use super::{Answer, Asked, id};
use crate::body::Body;
use crate::bounds;
use crate::channel::{Channel, ChannelKind};
use crate::message::Message;
use crate::refusal::Refusal;
use crate::snowflake::now;
use crate::world::World;

/// An hour in milliseconds: after it a message can be edited only so often.
const HOUR: u64 = 60 * 60 * 1000;
/// How often.
const LATE_EDITS: u32 = 3;

/// A channel that the bot sees.
pub(super) fn seen(world: &World, channel: u64) -> Result<&Channel, Refusal> {
    let known = world
        .channels
        .get(&channel)
        .ok_or_else(Refusal::unknown_channel)?;
    let in_guild = known
        .guild
        .is_none_or(|guild| world.guilds.get(&guild).is_some_and(|guild| guild.has_bot));
    if !in_guild || !known.may.contains(Permissions::VIEW_CHANNEL) {
        return Err(Refusal::missing_access());
    }
    Ok(known)
}

pub(super) fn route(world: &mut World, asked: &Asked<'_>, channel: u64, rest: &[&str]) -> Answer {
    match (asked.method, rest) {
        ("GET", []) => {
            seen(world, channel)?;
            Ok(Some(world.channel_json(channel)))
        }
        ("PATCH", []) => {
            let known = seen(world, channel)?;
            if known.is_archived() && asked.json()?["archived"] != false {
                return Err(Refusal::archived());
            }
            Err(Refusal::missing_permissions())
        }
        ("POST", ["messages"]) => send(world, asked, channel),
        ("GET", ["messages"]) => history(world, asked, channel),
        ("GET", ["messages", message]) => {
            let message = found(world, channel, id(message)?)?;
            Ok(Some(world.message_json(message)))
        }
        ("PATCH", ["messages", message]) => edit(world, asked, channel, id(message)?),
        ("DELETE", ["messages", message]) => {
            let message = found(world, channel, id(message)?)?;
            if message.author != world.bot.id {
                return Err(Refusal::missing_permissions());
            }
            let message = message.id;
            world.delete_message(message);
            Ok(None)
        }
        ("POST", ["typing"]) => seen(world, channel).map(|_| None),
        _ => Err(Refusal::no_such_route()),
    }
}

fn found(world: &World, channel: u64, message: u64) -> Result<&Message, Refusal> {
    seen(world, channel)?;
    let known = world.messages.get(&message);
    known
        .filter(|message| message.channel == channel && message.only.is_none())
        .ok_or_else(Refusal::unknown_message)
}

/// Whether the bot may send this there.
fn allowed(world: &World, channel: u64, body: &Body) -> Result<(), Refusal> {
    let known = seen(world, channel)?;
    let needed = match known.kind {
        ChannelKind::Forum => return Err(Refusal::not_a_text_channel()),
        ChannelKind::Thread { .. } => Permissions::SEND_MESSAGES_IN_THREADS,
        ChannelKind::Text => Permissions::SEND_MESSAGES,
        ChannelKind::Direct { with } => {
            return match world
                .users
                .get(&with)
                .is_some_and(|user| user.takes_messages)
            {
                true => Ok(()),
                false => Err(Refusal::cannot_message_user()),
            };
        }
    };
    if !known.may.contains(needed)
        || (!body.files.is_empty() && !known.may.contains(Permissions::ATTACH_FILES))
    {
        return Err(Refusal::missing_permissions());
    }
    Ok(())
}

fn send(world: &mut World, asked: &Asked<'_>, channel: u64) -> Answer {
    allowed(world, channel, asked.body)?;
    let json = asked.json()?;
    bounds::message(json, &asked.body.files).map_err(|what| Refusal::invalid_body(&what))?;
    let nonce = match &json["nonce"] {
        Value::Null => None,
        Value::String(nonce) => Some(nonce.clone()),
        other => Some(other.to_string()),
    };
    // Discord looks for the nonce among all that its author sent of late, in whatever channel.
    if let Some(nonce) = &nonce
        && json["enforce_nonce"] == true
        && !world.nonces_forgotten
        && let Some(known) = world.nonces.get(nonce)
        && let Some(known) = world.messages.get(known)
    {
        return Ok(Some(world.message_json(known)));
    }
    let mut message = drafted(world, channel, json, asked.body)?;
    if message.content.is_empty() && message.files.is_empty() && message.embeds == json!([]) {
        return Err(Refusal::empty_message());
    }
    house_rules(world, json, &message.content);
    if world
        .channels
        .get(&channel)
        .is_some_and(Channel::is_archived)
    {
        // Only sending reopens a thread.
        world.archive(channel, false);
    }
    if let Some(nonce) = &nonce {
        world.nonces.insert(nonce.clone(), message.id);
    }
    message.nonce = nonce;
    let answer = world.message_json(&message);
    keep(world, message);
    Ok(Some(answer))
}

fn edit(world: &mut World, asked: &Asked<'_>, channel: u64, id: u64) -> Answer {
    let message = found(world, channel, id)?;
    if message.author != world.bot.id {
        return Err(Refusal::other_author());
    }
    if world
        .channels
        .get(&channel)
        .is_some_and(Channel::is_archived)
    {
        return Err(Refusal::archived());
    }
    if now().saturating_sub(message.at) > HOUR {
        if message.late_edits >= LATE_EDITS {
            return Err(Refusal::edited_too_often());
        }
        if let Some(message) = world.messages.get_mut(&id) {
            message.late_edits += 1;
        }
    }
    let known = world.channels.get(&channel);
    if !asked.body.files.is_empty()
        && !known.is_some_and(|known| known.may.contains(Permissions::ATTACH_FILES))
    {
        return Err(Refusal::missing_permissions());
    }
    changed(world, id, asked.json()?, asked.body)
}

/// Keeps a message that is sent, and tells the bot of its own message as Discord does.
pub(super) fn keep(world: &mut World, message: Message) {
    let guild = world.guild_of(message.channel);
    let mut json = world.message_json(&message);
    if let Some(guild) = guild {
        json["guild_id"] = json!(guild.to_string());
    }
    let public = message.only.is_none();
    world.messages.insert(message.id, message);
    if public {
        let intent = if guild.is_some() { 1 << 9 } else { 1 << 12 };
        world.dispatch("MESSAGE_CREATE", json, guild, intent);
    }
}

/// The newest messages. Without Read Message History there are none; the nonce is not told again.
fn history(world: &mut World, asked: &Asked<'_>, channel: u64) -> Answer {
    let known = seen(world, channel)?;
    if !known.may.contains(Permissions::READ_MESSAGE_HISTORY) {
        return Ok(Some(json!([])));
    }
    let number = |name| asked.query(name).and_then(|text| text.parse::<u64>().ok());
    let limit = number("limit").unwrap_or(50);
    if !(1..=100).contains(&limit) {
        return Err(Refusal::invalid_body("limit"));
    }
    let (before, after) = (
        number("before").unwrap_or(u64::MAX),
        number("after").unwrap_or(0),
    );
    let posts = world.posts(channel);
    let newest = posts
        .into_iter()
        .rev()
        .filter(|message| message.id < before && message.id > after)
        .take(usize::try_from(limit).unwrap_or(100));
    let told = newest.map(|message| {
        let mut json = world.message_json(message);
        if let Some(json) = json.as_object_mut() {
            json.remove("nonce");
        }
        json
    });
    Ok(Some(json!(told.collect::<Vec<Value>>())))
}
