//! Who is behind a mention: Discord sends the accounts along that a command names.

use std::collections::HashMap;

use async_trait::async_trait;
use serenity::all::CommandDataResolved;
use serenity::model::id::{GuildId, UserId};

use super::permissions;
use super::poster::Poster;
use super::speech::{Speech, name_of};
use crate::command::run::{Directory, Guest, Lacking};

/// The accounts that came with one interaction, and what the bot may do where it came from.
pub(super) struct Present<'a> {
    guests: HashMap<UserId, Guest>,
    lacking: Vec<Lacking>,
    /// Who knows the channels, and of which server they are to be.
    channels: Option<(&'a Poster, GuildId)>,
}

impl<'a> Present<'a> {
    /// With a command; `threads` says whether tables are to have threads of their own there.
    pub(super) fn of(
        resolved: &CommandDataResolved,
        speech: &Speech,
        threads: bool,
        poster: &'a Poster,
    ) -> Present<'a> {
        Present {
            guests: guests(resolved, speech.guild),
            lacking: lacking(speech, threads),
            channels: speech.guild.map(|guild| (poster, guild)),
        }
    }

    /// With a button, which names nobody.
    pub(super) fn nobody(speech: &Speech, threads: bool) -> Present<'a> {
        Present {
            guests: HashMap::new(),
            lacking: lacking(speech, threads),
            channels: None,
        }
    }
}

fn guests(resolved: &CommandDataResolved, guild: Option<GuildId>) -> HashMap<UserId, Guest> {
    // R46: who has left the server is sent as an account without a member.
    let is_there = |id: &UserId| guild.is_none() || resolved.members.contains_key(id);
    let present = resolved.users.iter().filter(|(id, _)| is_there(id));
    present
        .map(|(id, user)| {
            let guest = Guest {
                account: id.to_string(),
                name: name_of(user).to_owned(),
                bot: user.bot,
            };
            (*id, guest)
        })
        .collect()
}

/// In a direct message there is nothing to permit.
fn lacking(speech: &Speech, threads: bool) -> Vec<Lacking> {
    match (speech.guild, speech.bot_may) {
        (Some(_), Some(may)) => permissions::lacking(may, speech.in_thread(), threads),
        (Some(_), None) | (None, _) => Vec::new(),
    }
}

#[async_trait]
impl Directory for Present<'_> {
    async fn find(&self, account: &str) -> Option<Guest> {
        let id: u64 = account.parse().ok().filter(|id| *id > 0)?;
        self.guests.get(&UserId::new(id)).cloned()
    }

    /// A channel's mention holds its id; by name alone none is known. One of another server, or none at all, would
    /// leave no place where tables may be opened.
    async fn room(&self, named: &str) -> Option<String> {
        let id: u64 = named.parse().ok()?;
        let (poster, guild) = self.channels?;
        (poster.server_of(id) == Some(guild.get())).then(|| id.to_string())
    }

    async fn lacking(&self) -> Vec<Lacking> {
        self.lacking.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn only_channels_of_the_server_are_rooms() {
        let poster = Poster::default();
        poster.guild(1, [17]);
        poster.guild(2, [27]);
        let present = Present {
            guests: HashMap::new(),
            lacking: Vec::new(),
            channels: Some((&poster, GuildId::new(1))),
        };
        assert_eq!(present.room("17").await.as_deref(), Some("17"));
        for named in ["27", "5", "general", "0", ""] {
            assert_eq!(present.room(named).await, None, "{named}");
        }
    }

    #[tokio::test]
    async fn r46_who_has_left_the_server_is_nobody_there() {
        let user = |id: &str, name: &str| json!({"id": id, "username": name, "global_name": null, "discriminator": "0", "avatar": null});
        let member = json!({
            "roles": [], "joined_at": "2021-01-01T00:00:00.000000+00:00", "deaf": false, "mute": false,
            "pending": false, "permissions": "0"
        });
        let resolved: CommandDataResolved = serde_json::from_value(json!({
            "users": {"5": user("5", "cy"), "6": user("6", "di")},
            "members": {"5": member},
        }))
        .unwrap();
        let in_server = guests(&resolved, Some(GuildId::new(1)));
        assert_eq!(in_server.len(), 1);
        assert_eq!(in_server[&UserId::new(5)].name, "cy");
        let in_private = guests(&resolved, None);
        assert_eq!(in_private.len(), 2);
    }
}
