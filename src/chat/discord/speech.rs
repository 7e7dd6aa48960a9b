//! Who does something, where, and what they and the bot may do there.

use serenity::all::{CommandInteraction, ComponentInteraction};
use serenity::model::Permissions;
use serenity::model::channel::{ChannelType, PartialChannel};
use serenity::model::guild::Member;
use serenity::model::id::{ChannelId, GuildId, UserId};
use serenity::model::user::User;

use crate::club::{Caller, Club, ClubError};
use crate::ids::{Cause, PersonId, Place, Platform};

/// Somebody who does something in a place.
#[derive(Debug, Clone)]
pub(super) struct Speech {
    /// The interaction's or message's id.
    pub(super) id: u64,
    pub(super) user: UserId,
    /// What they are called everywhere; nicknames differ from server to server.
    pub(super) name: String,
    pub(super) bot: bool,
    pub(super) place: Place,
    /// The channel, or the thread itself.
    pub(super) channel: ChannelId,
    /// None in a direct message.
    pub(super) guild: Option<GuildId>,
    /// What they may do there.
    pub(super) may: Permissions,
    /// What the bot may do there, as far as it was told.
    pub(super) bot_may: Option<Permissions>,
}

impl Speech {
    /// Of a slash command, or of one being typed.
    pub(super) fn of_command(command: &CommandInteraction) -> Speech {
        Speech {
            id: command.id.get(),
            bot_may: command.app_permissions,
            ..Speech::by(
                &command.user,
                command.member.as_deref(),
                command.guild_id,
                place(command.channel.as_ref(), command.channel_id),
                command.channel_id,
            )
        }
    }

    /// Of a pressed button or a chosen line of a menu.
    pub(super) fn of_component(component: &ComponentInteraction) -> Speech {
        Speech {
            id: component.id.get(),
            bot_may: component.app_permissions,
            ..Speech::by(
                &component.user,
                component.member.as_ref(),
                component.guild_id,
                place(component.channel.as_ref(), component.channel_id),
                component.channel_id,
            )
        }
    }

    /// Of an ordinary message.
    pub(super) fn of_message(
        id: u64,
        author: &User,
        guild: Option<GuildId>,
        place: Place,
        channel: ChannelId,
    ) -> Speech {
        Speech {
            id,
            ..Speech::by(author, None, guild, place, channel)
        }
    }

    fn by(
        user: &User,
        member: Option<&Member>,
        guild: Option<GuildId>,
        place: Place,
        channel: ChannelId,
    ) -> Speech {
        let may = member.and_then(|member| member.permissions);
        Speech {
            id: 0,
            user: user.id,
            name: name_of(user).to_owned(),
            bot: user.bot,
            place,
            channel,
            guild,
            may: may.unwrap_or_else(Permissions::empty),
            bot_may: None,
        }
    }

    /// Whether it happens in a thread.
    pub(super) fn in_thread(&self) -> bool {
        self.place.thread.is_some()
    }

    /// The person behind the account, made known if need be, as one who asks for something.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn caller(
        &self,
        club: &Club,
        expects: Option<u64>,
    ) -> Result<Caller, ClubError> {
        let account = self.user.to_string();
        let person = club
            .meet(Platform::Discord, &account, &self.name, self.bot)
            .await?;
        Ok(self.called(person, expects))
    }

    /// As one who asks for something, if the person is known already.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn known_caller(&self, club: &Club) -> Result<Option<Caller>, ClubError> {
        let account = self.user.to_string();
        let store = club.store();
        let person = store.person_by_account(Platform::Discord, &account).await?;
        Ok(person.map(|person| self.called(person.id, None)))
    }

    fn called(&self, person: PersonId, expects: Option<u64>) -> Caller {
        let runs = Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR;
        let moderates = Permissions::MANAGE_MESSAGES | Permissions::ADMINISTRATOR;
        Caller {
            direct: self.guild.is_none(),
            server: self.guild.map(|guild| guild.to_string()),
            runs_place: self.may.intersects(runs),
            moderates: self.may.intersects(moderates),
            cause: Some(Cause::new(Platform::Discord, self.id)),
            expects,
            ..Caller::new(person, self.place.clone())
        }
    }
}

/// What somebody is called: the name they chose for all of Discord, else the account's.
pub(super) fn name_of(user: &User) -> &str {
    user.global_name.as_deref().unwrap_or(&user.name)
}

/// A thread is a place within its channel.
pub(super) fn place(channel: Option<&PartialChannel>, id: ChannelId) -> Place {
    let parent = channel
        .filter(|channel| is_thread(channel.kind))
        .and_then(|channel| channel.parent_id);
    match parent {
        Some(parent) => Place::thread(Platform::Discord, parent.to_string(), id.to_string()),
        None => Place::room(Platform::Discord, id.to_string()),
    }
}

/// Whether a channel of this kind is a thread, or a post in a forum, which is one too.
pub(super) fn is_thread(kind: ChannelType) -> bool {
    matches!(
        kind,
        ChannelType::PublicThread | ChannelType::PrivateThread | ChannelType::NewsThread
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn channel(kind: u8, parent: Option<&str>) -> PartialChannel {
        let channel = json!({"id": "30", "type": kind, "parent_id": parent});
        serde_json::from_value(channel).unwrap()
    }

    #[test]
    fn r41_a_thread_is_within_its_channel_and_a_category_holds_no_threads() {
        let in_thread = place(Some(&channel(11, Some("20"))), ChannelId::new(30));
        assert_eq!(in_thread, Place::thread(Platform::Discord, "20", "30"));
        // The parent of a text channel is its category.
        let in_channel = place(Some(&channel(0, Some("20"))), ChannelId::new(30));
        assert_eq!(in_channel, Place::room(Platform::Discord, "30"));
        assert_eq!(place(None, ChannelId::new(30)), in_channel);
    }
}
