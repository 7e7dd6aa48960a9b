//! Ordinary messages: a bare move in a table's thread (R83), and a hint to whoever mentions the bot (R19).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use serenity::model::channel::{Channel, Message};
use serenity::model::id::ChannelId;

use super::directory::Present;
use super::speech::{self, Speech};
use super::{Discord, reply, response, words};
use crate::chat::bare;
use crate::club::Caller;
use crate::ids::{Place, Platform, TableCode};

/// The pause between two hints in a channel.
const BETWEEN_HINTS: Duration = Duration::from_secs(60);
/// How many channels are remembered; then all are asked for anew.
const REMEMBERED: usize = 10_000;
/// What is remembered of places in which people talk.
#[derive(Default)]
pub(super) struct Talk {
    /// When somebody was last given a hint.
    hints: Mutex<HashMap<ChannelId, Instant>>,
    /// Threads with the channels they are in; none for what is no thread.
    threads: Mutex<HashMap<ChannelId, Option<ChannelId>>>,
}

impl Talk {
    /// Whether there may be anything to do about a message at all; most are people's own talk.
    pub(super) fn concerns(&self, discord: &Discord, message: &Message) -> bool {
        discord.settings.message_content || self.calls(discord, message)
    }

    pub(super) async fn hear(&self, discord: &Arc<Discord>, message: &Message) {
        if self.calls(discord, message) {
            self.hint(discord, message.channel_id).await;
            return;
        }
        let text = message.content.trim();
        if discord.settings.message_content && !text.is_empty() && text.len() <= bare::LONGEST {
            self.play(discord, message, text).await;
        }
    }

    /// Whether the message speaks to the bot: by a mention, or in a direct message, where commands are often sent as plain
    /// text. A reply to a board mentions the bot too, but not in the text.
    fn calls(&self, discord: &Discord, message: &Message) -> bool {
        if message.guild_id.is_none() {
            return true;
        }
        let Some(me) = discord.me.get() else {
            return false;
        };
        let mentions = [format!("<@{}>", me.id), format!("<@!{}>", me.id)];
        mentions.iter().any(|one| message.content.contains(one))
    }

    async fn hint(&self, discord: &Discord, channel: ChannelId) {
        if !self.is_hint_due(channel, Instant::now()) {
            return;
        }
        let body = json!({"content": words::HINT, "allowed_mentions": {"parse": []}});
        if let Err(error) = discord.http.send_message(channel, Vec::new(), &body).await {
            tracing::debug!(
                "discord: no hint in {channel}: {}",
                response::reason(&error)
            );
        }
    }

    fn is_hint_due(&self, channel: ChannelId, now: Instant) -> bool {
        let mut hints = self.hints.lock().unwrap_or_else(PoisonError::into_inner);
        hints.retain(|_, last| now.duration_since(*last) < BETWEEN_HINTS);
        match hints.contains_key(&channel) {
            true => false,
            false => hints.insert(channel, now).is_none(),
        }
    }

    /// R113: only in a table's own thread, only from the one on turn, only a legal move. All else is people's own talk.
    async fn play(&self, discord: &Arc<Discord>, message: &Message, text: &str) {
        let Some(guild) = message.guild_id else {
            return;
        };
        let Some(place) = self.thread(discord, message.channel_id).await else {
            return;
        };
        let speech = Speech::of_message(
            message.id.get(),
            &message.author,
            Some(guild),
            place.clone(),
            message.channel_id,
        );
        let caller = speech.known_caller(&discord.club).await.ok().flatten();
        let Some(caller) = caller else {
            return;
        };
        if let Some(code) = bare::table_of(&discord.club, &caller, &place, text).await {
            played(discord, &speech, &caller, code, text).await;
        }
    }

    /// The thread as a place; `None` when it is no thread.
    async fn thread(&self, discord: &Discord, channel: ChannelId) -> Option<Place> {
        let known = self.known(channel);
        let parent = match known {
            Some(parent) => parent?,
            None => self.asked(discord, channel).await?,
        };
        let (parent, thread) = (parent.to_string(), channel.to_string());
        Some(Place::thread(Platform::Discord, parent, thread))
    }

    fn known(&self, channel: ChannelId) -> Option<Option<ChannelId>> {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.get(&channel).copied()
    }

    async fn asked(&self, discord: &Discord, channel: ChannelId) -> Option<ChannelId> {
        let found = match discord.http.get_channel(channel).await {
            Ok(Channel::Guild(found)) => found,
            Ok(_) => return None,
            Err(error) => {
                tracing::debug!("discord: channel {channel}: {}", response::reason(&error));
                return None;
            }
        };
        let parent = found.parent_id.filter(|_| speech::is_thread(found.kind));
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.len() >= REMEMBERED {
            threads.clear();
        }
        threads.insert(channel, parent);
        parent
    }
}

async fn played(
    discord: &Arc<Discord>,
    speech: &Speech,
    caller: &Caller,
    code: TableCode,
    text: &str,
) {
    let Some(invocation) = bare::invocation(code, text) else {
        return;
    };
    let present = Present::nobody(speech, false);
    // What concerns the player alone cannot be said here; the move was legal a moment ago.
    let unsaid = reply::carried_out(discord, caller, &present, &invocation).await;
    for message in unsaid {
        tracing::debug!(
            "discord: not said to message {}: {:?}",
            speech.id,
            message.error
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r19_a_hint_is_given_once_a_minute_and_channel() {
        let talk = Talk::default();
        let (here, there, now) = (ChannelId::new(1), ChannelId::new(2), Instant::now());
        assert!(talk.is_hint_due(here, now) && !talk.is_hint_due(here, now));
        assert!(talk.is_hint_due(there, now));
        assert!(talk.is_hint_due(here, now + BETWEEN_HINTS));
    }
}
