//! What the gateway tells: interactions to answer, messages to read, and what happens to places.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serenity::all::{
    ChannelType, Guild, GuildChannel, GuildId, GuildMemberUpdateEvent, Interaction, Member,
    Message, PartialGuildChannel, Ready, Role, RoleId, UnavailableGuild,
};
use serenity::async_trait;
use serenity::client::{Context, EventHandler};

use tokio::runtime::Handle;

use super::doors::Doors;
use super::poster::Poster;
use super::seen::Seen;
use super::talk::Talk;
use super::{Discord, Me, autocomplete, component, permissions, registration, slash};

/// Takes the events of all shards, each in a task of its own, so that none holds up another. An event that serenity cannot
/// read is logged and passed over there (R10).
pub(super) struct Gateway {
    taken: Arc<Taken>,
    /// Where everything is done but the reading of the gateway, which may be stuck (see [`super::shards`]).
    hall: Handle,
}

/// What is done about the events.
struct Taken {
    discord: Arc<Discord>,
    doors: Doors,
    seen: Seen,
    talk: Talk,
    /// R11: Discord greets at every new session, and each shard.
    greeted: AtomicBool,
}

impl Gateway {
    /// Made in the runtime in which everything is to be done.
    pub(super) fn new(discord: Arc<Discord>, doors: Doors) -> Gateway {
        let taken = Taken {
            discord,
            doors,
            seen: Seen::default(),
            talk: Talk::default(),
            greeted: AtomicBool::new(false),
        };
        Gateway {
            taken: Arc::new(taken),
            hall: Handle::current(),
        }
    }

    fn poster(&self) -> &Poster {
        &self.taken.discord.poster
    }
}

impl Taken {
    /// An interaction is a reason to try again what could not be posted in its channel.
    fn note_place(&self, channel: u64, guild: Option<GuildId>) {
        if let Some(guild) = guild {
            self.discord.poster.seen(channel, guild.get());
        }
        self.discord.poster.reason_channel(channel);
    }

    async fn greet(&self, ready: Ready) {
        self.discord.http.set_application_id(ready.application.id);
        let me = Me {
            id: ready.user.id,
            name: ready.user.name.clone(),
        };
        let name = self.discord.me.get_or_init(|| me).name.clone();
        if self.greeted.swap(true, Ordering::SeqCst) {
            return;
        }
        // Not waiting for the servers' own events: one that cannot be read would hold up all (R10).
        registration::register(&self.discord).await;
        tracing::info!("discord: ready as {name}");
        let invitation = permissions::invitation(ready.application.id.get());
        tracing::info!("discord: servers invite it by {invitation}");
    }

    async fn answer(&self, interaction: Interaction, arrived: Instant) {
        let Some(_inside) = self.doors.enter() else {
            return;
        };
        if !self.seen.first(interaction.id().get()) {
            tracing::debug!("discord: interaction {} came again", interaction.id());
            return;
        }
        match interaction {
            Interaction::Command(command) => {
                self.note_place(command.channel_id.get(), command.guild_id);
                slash::answer(&self.discord, &command, arrived).await;
            }
            Interaction::Component(component) => {
                self.note_place(component.channel_id.get(), component.guild_id);
                component::answer(&self.discord, &component, arrived).await;
            }
            Interaction::Autocomplete(typing) => {
                autocomplete::answer(&self.discord, &typing, arrived).await;
            }
            // The bot opens no forms, and pings come over HTTP only.
            _ => {}
        }
    }

    async fn hear(&self, message: Message) {
        // Bots are not listened to, the bot itself least of all.
        let nobody = message.author.bot || message.webhook_id.is_some();
        if nobody || !self.talk.concerns(&self.discord, &message) {
            return;
        }
        let Some(_inside) = self.doors.enter() else {
            return;
        };
        if self.seen.first(message.id.get()) {
            self.talk.hear(&self.discord, &message).await;
        }
    }
}

#[async_trait]
impl EventHandler for Gateway {
    async fn ready(&self, _: Context, ready: Ready) {
        let taken = Arc::clone(&self.taken);
        self.hall.spawn(async move { taken.greet(ready).await });
    }

    async fn interaction_create(&self, _: Context, interaction: Interaction) {
        let arrived = Instant::now();
        let taken = Arc::clone(&self.taken);
        self.hall
            .spawn(async move { taken.answer(interaction, arrived).await });
    }

    async fn message(&self, _: Context, message: Message) {
        let taken = Arc::clone(&self.taken);
        self.hall.spawn(async move { taken.hear(message).await });
    }

    async fn guild_create(&self, _: Context, guild: Guild, _: Option<bool>) {
        let channels = guild.channels.keys().map(|id| id.get());
        let threads = guild.threads.iter().map(|thread| thread.id.get());
        self.poster().guild(guild.id.get(), channels.chain(threads));
    }

    async fn guild_delete(&self, _: Context, left: UnavailableGuild, _: Option<Guild>) {
        // R26: an outage of Discord's is no farewell.
        if !left.unavailable {
            tracing::info!("discord: removed from server {}", left.id);
            self.poster().gone_guild(left.id.get());
        }
    }

    async fn channel_update(&self, _: Context, _: Option<GuildChannel>, channel: GuildChannel) {
        // Permissions of a category are those of its channels.
        match channel.kind {
            ChannelType::Category => self.poster().reason_guild(channel.guild_id.get()),
            _ => self.poster().changed_channel(channel.id.get()),
        }
    }

    /// What comes after the greeting is known too, so that it can be named in settings.
    async fn channel_create(&self, _: Context, channel: GuildChannel) {
        self.poster().seen(channel.id.get(), channel.guild_id.get());
    }

    async fn thread_create(&self, _: Context, thread: GuildChannel) {
        self.poster().seen(thread.id.get(), thread.guild_id.get());
    }

    async fn category_create(&self, _: Context, category: GuildChannel) {
        self.poster().reason_guild(category.guild_id.get());
    }

    async fn thread_update(&self, _: Context, _: Option<GuildChannel>, thread: GuildChannel) {
        self.poster().reason_channel(thread.id.get());
    }

    async fn channel_delete(&self, _: Context, channel: GuildChannel, _: Option<Vec<Message>>) {
        self.poster().gone_channel(channel.id.get());
    }

    async fn thread_delete(
        &self,
        _: Context,
        thread: PartialGuildChannel,
        _: Option<GuildChannel>,
    ) {
        let parent = thread.parent_id.get();
        self.poster().gone_thread(parent, thread.id.get());
    }

    async fn guild_role_update(&self, _: Context, _: Option<Role>, role: Role) {
        self.poster().reason_guild(role.guild_id.get());
    }

    async fn guild_role_delete(&self, _: Context, guild: GuildId, _: RoleId, _: Option<Role>) {
        self.poster().reason_guild(guild.get());
    }

    async fn guild_member_update(
        &self,
        _: Context,
        _: Option<Member>,
        _: Option<Member>,
        event: GuildMemberUpdateEvent,
    ) {
        let me = self.taken.discord.me.get().map(|me| me.id);
        if me == Some(event.user.id) {
            self.poster().reason_guild(event.guild_id.get());
        }
    }
}
