//! All that is in our Discord.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use serde_json::{Value, json};
use twilight_model::guild::Permissions;

use crate::channel::{Channel, ChannelKind, EVERYTHING};
use crate::faults::Faults;
use crate::gateway::Gateway;
use crate::interaction::Interaction;
use crate::message::Message;
use crate::people::User;
use crate::snowflake::Snowflakes;

/// A server.
#[derive(Debug, Clone)]
pub struct Guild {
    /// Its id.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Who is in it.
    pub members: BTreeSet<u64>,
    /// Whether the bot is in it.
    pub has_bot: bool,
    /// Whether it is out of order.
    pub unavailable: bool,
    /// A field of its description that is no longer what it should be (R10).
    pub odd: Option<(String, Value)>,
}

/// A request that arrived, and what came of it.
#[derive(Debug, Clone)]
pub struct Call {
    /// `GET` and so on.
    pub method: String,
    /// Behind `/api/v10`.
    pub path: String,
    /// What was sent, files apart.
    pub body: Option<Value>,
    /// The answer's number; none where the connection was cut before anything was done.
    pub status: Option<u16>,
    /// The code of Discord's error, 0 without one.
    pub code: u32,
    /// When it arrived.
    pub at: Instant,
}

/// Everything there is.
#[derive(Debug)]
pub struct World {
    /// The bot's account.
    pub bot: User,
    /// Everybody.
    pub users: BTreeMap<u64, User>,
    /// All servers.
    pub guilds: BTreeMap<u64, Guild>,
    /// All channels, threads and direct messages.
    pub channels: BTreeMap<u64, Channel>,
    /// All messages that were not deleted, also those for one person alone.
    pub messages: BTreeMap<u64, Message>,
    /// All interactions.
    pub interactions: BTreeMap<u64, Interaction>,
    /// The registered commands, by server or for everywhere.
    pub commands: BTreeMap<Option<u64>, Vec<Value>>,
    /// All requests, in order.
    pub calls: Vec<Call>,
    /// What Discord would have refused: each fails the test.
    pub refused: Vec<String>,
    /// Whether a repeated send is no longer known by its nonce.
    pub nonces_forgotten: bool,
    /// How many shards the bot is told to run.
    pub shards: u32,
    /// The last interaction as it was told, to be told again.
    pub last_told: Option<(u64, Value, Option<u64>)>,
    pub(crate) token: String,
    pub(crate) nonces: HashMap<String, u64>,
    pub(crate) gateway: Gateway,
    pub(crate) faults: Faults,
    ids: Snowflakes,
}

/// Adds what is in another object.
pub(crate) fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

impl World {
    pub(crate) fn new() -> World {
        let mut ids = Snowflakes::default();
        let bot = User {
            id: ids.next(),
            name: "ashtapada".to_owned(),
            display: "Ashtapada".to_owned(),
            nick: None,
            bot: true,
            takes_messages: false,
            powers: EVERYTHING,
        };
        World {
            users: BTreeMap::from([(bot.id, bot.clone())]),
            // A token of the right form, with nothing behind it.
            token: format!("MTA0.Double.{:x}", bot.id),
            bot,
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            messages: BTreeMap::new(),
            interactions: BTreeMap::new(),
            commands: BTreeMap::new(),
            calls: Vec::new(),
            refused: Vec::new(),
            nonces_forgotten: false,
            shards: 1,
            last_told: None,
            nonces: HashMap::new(),
            gateway: Gateway::default(),
            faults: Faults::default(),
            ids,
        }
    }

    pub(crate) fn id(&mut self) -> u64 {
        self.ids.next()
    }

    /// The bot's token.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Notes what Discord would have refused.
    pub(crate) fn refuse(&mut self, what: impl Into<String>) {
        self.refused.push(what.into());
    }

    /// A person who takes messages from the bot.
    pub fn add_user(&mut self, name: &str) -> u64 {
        let id = self.id();
        let user = User {
            id,
            name: name.to_owned(),
            display: name.to_owned(),
            nick: None,
            bot: false,
            takes_messages: true,
            powers: Permissions::VIEW_CHANNEL | Permissions::SEND_MESSAGES,
        };
        self.users.insert(id, user);
        for guild in self.guilds.values_mut() {
            guild.members.insert(id);
        }
        id
    }

    /// A server with the bot in it; the bot is told if it is connected.
    pub fn add_guild(&mut self, name: &str) -> u64 {
        let id = self.id();
        let guild = Guild {
            id,
            name: name.to_owned(),
            members: self.users.keys().copied().collect(),
            has_bot: true,
            unavailable: false,
            odd: None,
        };
        self.guilds.insert(id, guild);
        self.tell_guild(id);
        id
    }

    /// A channel in which the bot may do everything.
    pub fn add_channel(&mut self, guild: u64, kind: ChannelKind, name: &str) -> u64 {
        let id = self.id();
        self.put_channel(Channel {
            id,
            guild: Some(guild),
            kind,
            name: name.to_owned(),
            may: EVERYTHING,
        });
        id
    }

    pub(crate) fn put_channel(&mut self, channel: Channel) {
        let event = if channel.is_thread() {
            "THREAD_CREATE"
        } else {
            "CHANNEL_CREATE"
        };
        let guild = channel.guild;
        let id = channel.id;
        self.channels.insert(id, channel);
        if guild.is_some() {
            let json = self.channel_json(id);
            self.dispatch(event, json, guild, 1);
        }
    }

    /// The channel of direct messages with somebody.
    pub fn direct(&mut self, with: u64) -> u64 {
        let kind = ChannelKind::Direct { with };
        let known = self.channels.values().find(|channel| channel.kind == kind);
        if let Some(channel) = known {
            return channel.id;
        }
        let id = self.id();
        self.channels.insert(
            id,
            Channel {
                id,
                guild: None,
                kind,
                name: String::new(),
                may: EVERYTHING,
            },
        );
        id
    }

    pub(crate) fn channel_json(&self, id: u64) -> Value {
        let Some(channel) = self.channels.get(&id) else {
            return Value::Null;
        };
        let with = match channel.kind {
            ChannelKind::Direct { with } => vec![self.user_json(with)],
            _ => Vec::new(),
        };
        channel.json(self.bot.id, &with)
    }

    pub(crate) fn user_json(&self, id: u64) -> Value {
        self.users.get(&id).map_or(Value::Null, User::json)
    }

    pub(crate) fn message_json(&self, message: &Message) -> Value {
        let author = self.user_json(message.author);
        let mentioned = mentioned(&message.content);
        let mentions = mentioned
            .into_iter()
            .filter(|user| self.users.contains_key(user))
            .map(|user| self.user_json(user))
            .collect();
        message.json(&author, mentions, None)
    }

    /// The messages of a channel that everybody there sees, oldest first.
    #[must_use]
    pub fn posts(&self, channel: u64) -> Vec<&Message> {
        let here = |message: &&Message| message.channel == channel && message.only.is_none();
        self.messages.values().filter(here).collect()
    }

    /// The newest message of the bot in a channel that everybody there sees.
    #[must_use]
    pub fn last_post(&self, channel: u64) -> Option<&Message> {
        let mut posts = self.posts(channel).into_iter().rev();
        posts.find(|message| message.author == self.bot.id)
    }

    /// How many requests of this kind arrived; `*` stands for one part of the path.
    #[must_use]
    pub fn count(&self, pattern: &str) -> usize {
        let alike = |call: &&Call| crate::faults::fits(pattern, &call.method, &call.path);
        self.calls.iter().filter(alike).count()
    }

    /// Takes a server's description.
    pub(crate) fn guild_json(&self, id: u64) -> Value {
        let Some(guild) = self.guilds.get(&id) else {
            return Value::Null;
        };
        let of = |thread: bool| -> Vec<Value> {
            let mut all = self.channels.values();
            all.by_ref()
                .filter(|channel| channel.guild == Some(id) && channel.is_thread() == thread)
                .map(|channel| self.channel_json(channel.id))
                .collect()
        };
        let owner = guild.members.iter().find(|member| **member != self.bot.id);
        let members = vec![self.bot.member()];
        let mut json = json!({
            "id": id.to_string(), "name": guild.name, "icon": null, "splash": null, "discovery_splash": null,
            "owner_id": owner.copied().unwrap_or(self.bot.id).to_string(), "afk_channel_id": null, "afk_timeout": 300,
            "verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0,
            "roles": [{
                "id": id.to_string(), "name": "@everyone", "color": 0, "hoist": false, "position": 0,
                "permissions": EVERYTHING.bits().to_string(), "managed": false, "mentionable": false, "flags": 0,
                "icon": null, "unicode_emoji": null,
            }],
            "emojis": [], "features": [], "mfa_level": 0, "application_id": null, "system_channel_id": null,
            "system_channel_flags": 0, "rules_channel_id": null, "vanity_url_code": null, "description": null, "banner": null,
            "premium_tier": 0, "premium_subscription_count": 0, "preferred_locale": "en-GB", "public_updates_channel_id": null,
            "nsfw_level": 0, "stickers": [], "premium_progress_bar_enabled": false, "safety_alerts_channel_id": null,
            "joined_at": "2024-01-01T00:00:00.000000+00:00", "large": false, "unavailable": guild.unavailable,
            "member_count": guild.members.len(), "voice_states": [], "members": members, "channels": of(false),
            "threads": of(true), "presences": [], "stage_instances": [], "guild_scheduled_events": [],
        });
        if let Some((field, value)) = &guild.odd {
            json[field] = value.clone();
        }
        json
    }

    /// Tells the bot of a server.
    pub fn tell_guild(&mut self, id: u64) {
        let json = self.guild_json(id);
        self.dispatch("GUILD_CREATE", json, Some(id), 1);
    }

    pub(crate) fn guild_of(&self, channel: u64) -> Option<u64> {
        self.channels.get(&channel)?.guild
    }
}

/// The people whom a text mentions, each once.
pub(crate) fn mentioned(content: &str) -> Vec<u64> {
    let mut found = Vec::new();
    for part in content.split("<@").skip(1) {
        let id = part.trim_start_matches('!').split('>').next();
        if let Some(id) = id.and_then(|id| id.parse().ok())
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found
}
