//! What befalls servers, channels, threads and messages; the bot is told of it.

use serde_json::json;
use twilight_model::guild::Permissions;

use crate::channel::ChannelKind;
use crate::world::World;

impl World {
    /// Takes a server away: out of order for a while, or the bot is thrown out.
    pub fn lose_guild(&mut self, id: u64, unavailable: bool) {
        let Some(guild) = self.guilds.get_mut(&id) else {
            return;
        };
        guild.unavailable = unavailable;
        guild.has_bot = unavailable;
        let mut json = json!({"id": id.to_string()});
        if unavailable {
            json["unavailable"] = json!(true);
        }
        self.dispatch("GUILD_DELETE", json, Some(id), 1);
    }

    /// Changes what the bot may do in a channel and its threads, and tells it.
    pub fn allow(&mut self, channel: u64, may: Permissions) {
        let mut changed = Vec::new();
        for place in self.channels.values_mut() {
            if place.id == channel || place.parent() == Some(channel) {
                place.may = may;
                changed.push((place.id, place.guild));
            }
        }
        for (id, guild) in changed {
            if id == channel {
                let json = self.channel_json(id);
                self.dispatch("CHANNEL_UPDATE", json, guild, 1);
            }
        }
    }

    /// Deletes a channel or thread with all in it, and tells the bot.
    pub fn delete_channel(&mut self, id: u64) {
        let json = self.channel_json(id);
        let Some(channel) = self.channels.remove(&id) else {
            return;
        };
        self.messages.retain(|_, message| message.channel != id);
        let event = if channel.is_thread() {
            "THREAD_DELETE"
        } else {
            "CHANNEL_DELETE"
        };
        self.dispatch(event, json, channel.guild, 1);
    }

    /// Deletes a message, and tells the bot.
    pub fn delete_message(&mut self, id: u64) {
        let Some(message) = self.messages.remove(&id) else {
            return;
        };
        let guild = self.guild_of(message.channel);
        let mut json = json!({"id": id.to_string(), "channel_id": message.channel.to_string()});
        if let Some(guild) = guild {
            json["guild_id"] = json!(guild.to_string());
        }
        self.dispatch("MESSAGE_DELETE", json, guild, 1 << 9);
    }

    /// Archives a thread as a week without a message does.
    pub fn archive(&mut self, thread: u64, archived: bool) {
        let Some(channel) = self.channels.get_mut(&thread) else {
            return;
        };
        let guild = channel.guild;
        if let ChannelKind::Thread { archived: is, .. } = &mut channel.kind {
            *is = archived;
        }
        let json = self.channel_json(thread);
        self.dispatch("THREAD_UPDATE", json, guild, 1);
    }
}
