//! What people do and say, as the gateway tells the bot.

use std::time::Instant;

use serde_json::{Value, json};

use crate::interaction::{Interaction, Kind};
use crate::message::Message;
use crate::snowflake::now;
use crate::world::{World, mentioned, merge};

/// What came back to somebody who did something.
#[derive(Debug, Clone)]
pub struct Heard {
    /// The interaction.
    pub interaction: Interaction,
    /// What the caller alone sees of it, in order.
    pub replies: Vec<Message>,
}

impl Heard {
    /// All that was said to the caller alone.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .replies
            .iter()
            .map(|reply| reply.content.as_str())
            .collect();
        texts.join("\n")
    }

    /// The only reply, or the first one.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn reply(&self) -> &Message {
        self.replies.first().expect("a reply to the caller alone")
    }
}

impl World {
    /// What the caller alone has seen of an interaction so far.
    #[must_use]
    pub fn heard(&self, id: u64) -> Option<Heard> {
        let interaction = self.interactions.get(&id)?.clone();
        let made = interaction.original.iter().chain(&interaction.followups);
        let replies = made
            .filter_map(|id| self.messages.get(id))
            .cloned()
            .collect();
        Some(Heard {
            interaction,
            replies,
        })
    }

    /// The registered command of this name.
    fn registered(&self, guild: Option<u64>, name: &str) -> Value {
        let places = [guild, None];
        let mut all = places
            .iter()
            .filter_map(|place| self.commands.get(place))
            .flatten();
        all.find(|command| command["name"] == name)
            .cloned()
            .unwrap_or_else(|| panic!("no command /{name} is registered"))
    }

    /// Somebody chooses a command and fills in options; the last one is still being typed if `focused`.
    pub(crate) fn command(
        &mut self,
        user: u64,
        channel: u64,
        name: &str,
        given: &[(&str, String)],
        focused: bool,
    ) -> u64 {
        let guild = self.guild_of(channel);
        let command = self.registered(guild, name);
        let (mut options, mut people, mut members) = (Vec::new(), json!({}), json!({}));
        for (at, (key, value)) in given.iter().enumerate() {
            let mut known = command["options"].as_array().into_iter().flatten();
            let option = known
                .find(|option| option["name"] == *key)
                .unwrap_or_else(|| panic!("/{name} has no option {key}"));
            let typing = focused && at + 1 == given.len();
            let mut sent = json!({"name": key, "type": option["type"], "value": valued(option, value, typing)});
            if typing {
                sent["focused"] = json!(true);
            }
            if option["type"] == 6 {
                let who = value.parse().unwrap_or(0);
                people[value] = self.user_json(who);
                let mut member = self
                    .users
                    .get(&who)
                    .map_or(Value::Null, crate::User::member);
                if let Some(member) = member.as_object_mut() {
                    member.remove("user");
                }
                members[value] = member;
            }
            options.push(sent);
        }
        let mut data = json!({"id": command["id"], "name": name, "type": 1, "options": options});
        if people != json!({}) {
            data["resolved"] = json!({"users": people});
            if guild.is_some() {
                data["resolved"]["members"] = members;
            }
        }
        let kind = if focused {
            Kind::Autocomplete
        } else {
            Kind::Command
        };
        self.interact(kind, user, channel, data, None)
    }

    /// Somebody clicks a button, or chooses from a menu.
    ///
    /// # Panics
    /// When the message is not there.
    pub fn press(&mut self, user: u64, message: u64, custom_id: &str, values: &[String]) -> u64 {
        let Some(message) = self.messages.get(&message) else {
            panic!("a click on a message that is not there");
        };
        let channel = message.channel;
        let menu = message
            .selects()
            .iter()
            .any(|menu| menu.custom_id == custom_id);
        let mut data = json!({"custom_id": custom_id, "component_type": if menu { 3 } else { 2 }});
        if menu {
            data["values"] = json!(values);
        }
        let message = message.id;
        self.interact(Kind::Component, user, channel, data, Some(message))
    }

    fn interact(
        &mut self,
        kind: Kind,
        user: u64,
        channel: u64,
        data: Value,
        source: Option<u64>,
    ) -> u64 {
        let id = self.id();
        let token = format!("interaction-token-{id}");
        let guild = self.guild_of(channel);
        let may = self
            .channels
            .get(&channel)
            .map_or(0, |channel| channel.may.bits());
        let mut payload = json!({
            "id": id.to_string(), "application_id": self.bot.id.to_string(), "type": kind.number(), "token": token, "version": 1,
            "channel_id": channel.to_string(), "channel": self.channel_json(channel), "data": data, "locale": "en-GB",
            "app_permissions": may.to_string(), "entitlements": [], "attachment_size_limit": 10_485_760,
        });
        let person = self.users.get(&user).cloned();
        let person = person.unwrap_or_else(|| panic!("nobody has the id {user}"));
        merge(
            &mut payload,
            match guild {
                Some(guild) => json!({
                    "guild_id": guild.to_string(), "guild_locale": "en-GB", "member": person.member(), "context": 0,
                    "guild": {"id": guild.to_string(), "locale": "en-GB", "features": []},
                    "authorizing_integration_owners": {"0": guild.to_string()},
                }),
                None => json!({
                    "user": person.json(), "context": 1, "authorizing_integration_owners": {"0": "0"},
                }),
            },
        );
        if let Some(message) = source.and_then(|source| self.messages.get(&source)) {
            payload["message"] = self.message_json(message);
        }
        self.interactions.insert(
            id,
            Interaction {
                id,
                user,
                channel,
                first_after: None,
                first_kind: None,
                choices: None,
                refused: Vec::new(),
                original: None,
                original_deleted: false,
                followups: Vec::new(),
                kind,
                token,
                sent: Instant::now(),
                dead: false,
                ephemeral: false,
                source,
            },
        );
        self.last_told = Some((id, payload.clone(), guild));
        self.dispatch("INTERACTION_CREATE", payload, guild, 0);
        id
    }

    /// Tells the last interaction once more (R07), as if it had not been answered yet if `unanswered`.
    pub fn tell_again(&mut self, unanswered: bool) {
        let Some((id, payload, guild)) = self.last_told.clone() else {
            return;
        };
        if let Some(known) = self.interactions.get_mut(&id)
            && unanswered
        {
            known.first_kind = None;
            known.first_after = None;
            known.original = None;
            known.sent = Instant::now();
        }
        self.dispatch("INTERACTION_CREATE", payload, guild, 0);
    }

    /// Lets an interaction's token die before its time.
    pub fn kill_token(&mut self, id: u64) {
        if let Some(known) = self.interactions.get_mut(&id) {
            known.dead = true;
        }
    }

    /// Somebody writes a message. What it says is told to the bot only where Discord would: with the intent, in direct messages,
    /// or when the bot is mentioned.
    pub fn say(&mut self, user: u64, channel: u64, content: &str) -> u64 {
        let id = self.id();
        let guild = self.guild_of(channel);
        let message = Message {
            id,
            channel,
            author: user,
            content: content.to_owned(),
            components: json!([]),
            attachments: Vec::new(),
            files: Vec::new(),
            pings: mentioned(content),
            nonce: None,
            at: now(),
            edits: 0,
            only: None,
            interaction: None,
            thinking: false,
            embeds: json!([]),
            late_edits: 0,
        };
        let told =
            guild.is_none() || message.pings.contains(&self.bot.id) || self.content_is_sent();
        let mut json = self.message_json(&message);
        if !told {
            json["content"] = json!("");
        }
        if let Some(guild) = guild {
            json["guild_id"] = json!(guild.to_string());
            json["member"] = self
                .users
                .get(&user)
                .map_or(Value::Null, crate::User::member);
            if let Some(member) = json["member"].as_object_mut() {
                member.remove("user");
            }
        }
        self.messages.insert(id, message);
        let intent = if guild.is_some() { 1 << 9 } else { 1 << 12 };
        self.dispatch("MESSAGE_CREATE", json, guild, intent);
        id
    }

    /// A message grows older by so many milliseconds.
    pub fn age(&mut self, message: u64, millis: u64) {
        if let Some(message) = self.messages.get_mut(&message) {
            message.at = message.at.saturating_sub(millis);
        }
    }
}

/// A value as the option's kind has it. One that is not among the choices cannot be sent, as in Discord.
fn valued(option: &Value, value: &str, typing: bool) -> Value {
    let choices = option["choices"].as_array();
    if let Some(choices) = choices
        && !choices.is_empty()
        && !typing
    {
        let text = |choice: &Value| {
            choice["value"]
                .as_str()
                .map_or_else(|| choice["value"].to_string(), str::to_owned)
        };
        let known = choices.iter().any(|choice| text(choice) == value);
        assert!(known, "{value} is no choice of {option}");
    }
    match option["type"].as_u64() {
        Some(4) if !typing => json!(value.parse::<i64>().unwrap_or(0)),
        Some(5) => json!(value == "yes" || value == "true"),
        Some(10) if !typing => json!(value.parse::<f64>().unwrap_or(0.0)),
        _ => json!(value),
    }
}
