//! What a message is made of, and how it is changed.

use serde_json::{Value, json};

use super::Answer;
use crate::body::Body;
use crate::bounds;
use crate::message::Message;
use crate::refusal::Refusal;
use crate::snowflake::now;
use crate::world::{World, mentioned, merge};

/// What we ask of ourselves: everything that is sent says whom it may notify, and that is exactly whom it mentions.
pub(super) fn house_rules(world: &mut World, json: &Value, content: &str) {
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
