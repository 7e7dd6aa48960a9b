//! Channels, threads and direct messages.

use serde_json::{Value, json};
use twilight_model::guild::Permissions;

use crate::snowflake::iso;

/// What the bot may do where nothing is forbidden: all but running the server.
pub const EVERYTHING: Permissions = Permissions::all().difference(Permissions::ADMINISTRATOR);

/// What a channel is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChannelKind {
    /// An ordinary channel of a server.
    Text,
    /// A forum, in which there are only posts.
    Forum,
    /// Direct messages between the bot and somebody.
    Direct {
        /// Who.
        with: u64,
    },
    /// A thread, or a post of a forum.
    Thread {
        /// The channel it is in.
        parent: u64,
        /// Whether it is archived.
        archived: bool,
        /// Who began it.
        owner: u64,
    },
}

/// A place where messages are.
#[derive(Debug, Clone)]
pub struct Channel {
    /// Its id.
    pub id: u64,
    /// Its server, if it is in one.
    pub guild: Option<u64>,
    /// What it is.
    pub kind: ChannelKind,
    /// Its name.
    pub name: String,
    /// What the bot may do there.
    pub may: Permissions,
}

impl Channel {
    /// Whether it is a thread.
    #[must_use]
    pub fn is_thread(&self) -> bool {
        matches!(self.kind, ChannelKind::Thread { .. })
    }

    /// The channel around a thread.
    #[must_use]
    pub fn parent(&self) -> Option<u64> {
        match self.kind {
            ChannelKind::Thread { parent, .. } => Some(parent),
            ChannelKind::Text | ChannelKind::Forum | ChannelKind::Direct { .. } => None,
        }
    }

    /// Whether it is an archived thread.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        matches!(self.kind, ChannelKind::Thread { archived: true, .. })
    }

    /// As Discord describes it. `bot` is denied what it may not do by an overwrite of its own; `with` are the others of direct
    /// messages.
    pub(crate) fn json(&self, bot: u64, with: &[Value]) -> Value {
        let denied = (EVERYTHING - self.may).bits();
        let mut json = json!({
            "id": self.id.to_string(), "type": self.number(), "name": self.name, "last_message_id": null, "flags": 0,
        });
        let more = match &self.kind {
            ChannelKind::Text | ChannelKind::Forum => json!({
                "guild_id": self.guild.map(|guild| guild.to_string()), "position": 0, "parent_id": null, "topic": null, "nsfw": false,
                "rate_limit_per_user": 0,
                "permission_overwrites": [{"id": bot.to_string(), "type": 1, "allow": "0", "deny": denied.to_string()}],
            }),
            ChannelKind::Direct { .. } => json!({"recipients": with, "name": null}),
            ChannelKind::Thread {
                parent,
                archived,
                owner,
            } => json!({
                "guild_id": self.guild.map(|guild| guild.to_string()), "parent_id": parent.to_string(), "owner_id": owner.to_string(),
                "rate_limit_per_user": 0, "message_count": 1, "member_count": 1, "total_message_sent": 1,
                "thread_metadata": {
                    "archived": archived, "auto_archive_duration": 10080, "archive_timestamp": iso(crate::snowflake::now()),
                    "locked": false, "create_timestamp": iso(crate::snowflake::now()),
                },
            }),
        };
        crate::world::merge(&mut json, more);
        json
    }

    /// Discord's number of its kind.
    fn number(&self) -> u8 {
        match self.kind {
            ChannelKind::Text => 0,
            ChannelKind::Direct { .. } => 1,
            ChannelKind::Thread { .. } => 11,
            ChannelKind::Forum => 15,
        }
    }
}
