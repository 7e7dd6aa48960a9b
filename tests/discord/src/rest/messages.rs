//! Messages in channels.

use serde_json::{Value, json};
use twilight_model::guild::Permissions;

use super::{Answer, Asked, id};
use crate::body::Body;
use crate::bounds;
use crate::channel::{Channel, ChannelKind};
use crate::message::Message;
use crate::refusal::Refusal;
use crate::snowflake::now;
use crate::world::{World, mentioned, merge};

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
    if let Some(nonce) = &nonce
        && json["enforce_nonce"] == true
        && !world.nonces_forgotten
        && let Some(known) = world.nonces.get(&(channel, nonce.clone()))
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
        world.nonces.insert((channel, nonce.clone()), message.id);
    }
    message.nonce = nonce;
    let answer = world.message_json(&message);
    keep(world, message);
    Ok(Some(answer))
}

/// What we ask of ourselves: everything that is sent says whom it may notify, and that is exactly whom it mentions.
fn house_rules(world: &mut World, json: &Value, content: &str) {
    let allowed = &json["allowed_mentions"];
    if allowed["parse"] != json!([]) {
        world.refuse(format!("a message that may notify anybody: {json}"));
        return;
    }
    let mut named: Vec<u64> = users(allowed);
    let mut written = mentioned(content);
    named.sort_unstable();
    written.sort_unstable();
    if named != written {
        world.refuse(format!(
            "mentions {written:?} and may notify {named:?}: {json}"
        ));
    }
}

fn users(allowed: &Value) -> Vec<u64> {
    let ids = allowed["users"].as_array().into_iter().flatten();
    ids.filter_map(|id| id.as_str().and_then(|id| id.parse().ok()).or(id.as_u64()))
        .collect()
}

/// Whom a text notifies.
fn pings(json: &Value, content: &str) -> Vec<u64> {
    let allowed = &json["allowed_mentions"];
    let anybody = allowed.is_null() || allowed["parse"].to_string().contains("users");
    let named = users(allowed);
    let mut notified = mentioned(content);
    notified.retain(|user| anybody || named.contains(user));
    notified
}

/// A message of the bot, not sent yet.
pub(super) fn drafted(
    world: &mut World,
    channel: u64,
    json: &Value,
    body: &Body,
) -> Result<Message, Refusal> {
    bounds::message(json, &body.files).map_err(|what| Refusal::invalid_body(&what))?;
    let content = json["content"].as_str().unwrap_or_default().to_owned();
    let mut message = Message {
        id: world.id(),
        channel,
        author: world.bot.id,
        pings: pings(json, &content),
        content,
        components: json!([]),
        attachments: Vec::new(),
        files: Vec::new(),
        nonce: None,
        at: now(),
        edits: 0,
        only: None,
        interaction: None,
        thinking: false,
        embeds: json!([]),
        late_edits: 0,
    };
    change(world, &mut message, json, body);
    Ok(message)
}

/// Lays what is given over a message. Without a list of attachments the old ones stay, and new ones come to them.
fn change(world: &mut World, message: &mut Message, json: &Value, body: &Body) {
    if let Some(content) = json["content"].as_str() {
        message.content = content.to_owned();
    }
    if json["components"].is_array() {
        message.components = json["components"].clone();
    }
    if json["embeds"].is_array() {
        message.embeds = json["embeds"].clone();
    }
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let listed: Vec<Value> = json["attachments"].as_array().cloned().unwrap_or_default();
    if json["attachments"].is_array() {
        let kept: Vec<String> = listed.iter().map(|item| text(&item["id"])).collect();
        let mut at = 0;
        while at < message.attachments.len() {
            if kept.contains(&text(&message.attachments[at]["id"])) {
                at += 1;
            } else {
                message.attachments.remove(at);
                message.files.remove(at);
            }
        }
    }
    for file in &body.files {
        let number = file.number.to_string();
        let about = listed.iter().find(|item| text(&item["id"]) == number);
        let id = world.id();
        let name = about
            .and_then(|about| about["filename"].as_str())
            .unwrap_or(&file.name);
        let url = format!("https://cdn.example/{id}/{name}");
        let mut described = json!({
            "id": id.to_string(), "filename": name, "size": file.content.len(), "url": url, "proxy_url": url,
        });
        if let Some(alt) = about.and_then(|about| about["description"].as_str()) {
            described["description"] = json!(alt);
        }
        if name.ends_with(".png") && file.content.len() >= 24 {
            let number = |at: usize| {
                let bytes = &file.content[at..at + 4];
                bytes
                    .iter()
                    .fold(0_u32, |number, byte| number << 8 | u32::from(*byte))
            };
            merge(
                &mut described,
                json!({"content_type": "image/png", "width": number(16), "height": number(20)}),
            );
        }
        message.attachments.push(described);
        message.files.push(file.content.clone());
    }
}

/// Changes a message with the bot's token or an interaction's.
pub(super) fn changed(world: &mut World, id: u64, json: &Value, body: &Body) -> Answer {
    bounds::message(json, &body.files).map_err(|what| Refusal::invalid_body(&what))?;
    let mut message = world
        .messages
        .get(&id)
        .cloned()
        .ok_or_else(Refusal::unknown_message)?;
    change(world, &mut message, json, body);
    message.edits += 1;
    message.thinking = false;
    let answer = world.message_json(&message);
    world.messages.insert(id, message);
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
