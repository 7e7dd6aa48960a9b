//! The Discord adapter: commands, buttons and pictures in servers and direct messages.
//!
//! What people do arrives as interactions ([`gateway`]), is acknowledged at once ([`responder`]) and carried out
//! ([`slash`], [`component`], [`hand`], [`offer`]). What everybody is told comes from the outbox and is posted by channel with
//! the bot's own token ([`poster`]), so that a dead interaction loses nothing (R01, R02).

mod autocomplete;
mod component;
mod connection;
mod custom_id;
mod directory;
mod doors;
mod error;
mod gateway;
mod hand;
mod layout;
mod markdown;
mod menu;
mod offer;
mod permissions;
mod poster;
mod registration;
mod reply;
mod responder;
mod response;
mod seen;
mod sending;
mod shards;
mod slash;
mod speech;
mod talk;
mod threads;
mod words;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serenity::http::Http;
use serenity::model::id::UserId;
use tokio::sync::watch;

pub use error::DiscordError;

use self::poster::Poster;
use crate::club::Club;
use crate::config::Secret;
use crate::picture::Easel;
use render::Theme;

/// How the adapter is to be.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The bot's token.
    pub token: Secret,
    /// Another address of the API than Discord's own, without `/api`.
    pub api_url: Option<String>,
    /// A PEM file with one more certificate authority to trust.
    pub extra_ca: Option<PathBuf>,
    /// The server in which commands are registered; none: everywhere.
    pub test_guild: Option<u64>,
    /// Whether ordinary messages are read, so that bare moves are understood.
    pub message_content: bool,
    /// The colours of pictures where a place has no others.
    pub theme: Theme,
}

/// What the parts of the adapter share.
struct Discord {
    club: Arc<Club>,
    http: Arc<Http>,
    easel: Easel,
    settings: Settings,
    /// Who the bot is; known once the gateway has greeted it.
    me: OnceLock<Me>,
    poster: Poster,
}

/// The bot's own account.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Me {
    id: UserId,
    name: String,
}

/// Lets people play on Discord until `stop` says so (or its sender is gone): then nothing more is taken, and what runs is
/// finished.
///
/// # Errors
/// When Discord refuses the token or an intent, or the certificate authority's file cannot be read. Faults that may pass
/// are waited out.
pub async fn run(
    settings: Settings,
    club: Arc<Club>,
    stop: watch::Receiver<bool>,
) -> Result<(), DiscordError> {
    connection::run(settings, club, stop).await
}
