//! People and bots.

use serde_json::{Value, json};
use twilight_model::guild::Permissions;

/// An account.
#[derive(Debug, Clone)]
pub struct User {
    /// Its id.
    pub id: u64,
    /// Its name, unique in Discord.
    pub name: String,
    /// What it is called everywhere.
    pub display: String,
    /// What it is called in servers.
    pub nick: Option<String>,
    /// Whether it is a bot.
    pub bot: bool,
    /// Whether it takes direct messages from the bot.
    pub takes_messages: bool,
    /// What it may do in servers.
    pub powers: Permissions,
}

impl User {
    pub(crate) fn json(&self) -> Value {
        json!({
            "id": self.id.to_string(), "username": self.name, "discriminator": "0", "global_name": self.display,
            "avatar": null, "bot": self.bot, "system": false, "public_flags": 0, "flags": 0,
        })
    }

    /// As a member of a server.
    pub(crate) fn member(&self) -> Value {
        json!({
            "user": self.json(), "nick": self.nick, "avatar": null, "banner": null, "roles": [],
            "joined_at": "2024-01-01T00:00:00.000000+00:00", "premium_since": null, "deaf": false, "mute": false, "flags": 0,
            "pending": false, "permissions": self.powers.bits().to_string(), "communication_disabled_until": null,
        })
    }
}
