//! Why the adapter cannot run. Nothing here holds the token.

use std::path::PathBuf;

/// Why the adapter ended, or did not begin.
#[derive(Debug, thiserror::Error)]
pub enum DiscordError {
    /// 401, or close code 4004.
    #[error(
        "Discord does not accept the token; copy it anew from the Discord developer portal (your application, Bot, Reset Token) into discord.token or DISCORD_TOKEN"
    )]
    Token,
    /// Close code 4014.
    #[error(
        "Discord does not let this bot read ordinary messages; switch “Message Content Intent” on in the Discord developer portal (your application, Bot, Privileged Gateway Intents), or set discord.message_content = false"
    )]
    MessageContent,
    /// The file with the certificate authority cannot be read.
    #[error("discord.extra_ca: cannot read {}: {cause}", path.display())]
    ExtraCa {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file holds no certificate that can be used.
    #[error("discord.extra_ca: {} is no PEM file with a certificate", .0.display())]
    NoCertificate(PathBuf),
    /// The HTTP client cannot be made.
    #[error("the HTTP client for Discord cannot be made")]
    Client,
    /// The bot is in more servers than it was when it started.
    #[error(
        "the bot is in so many servers by now that it needs more connections to Discord; start it anew"
    )]
    MoreShards,
    /// What posts messages has broken.
    #[error(
        "a fault in the program stopped the posting of messages; what waits is posted when it is started anew"
    )]
    Poster,
    /// The gateway refused for another reason that will not pass.
    #[error("Discord's gateway refuses the bot: {0}")]
    Gateway(String),
}
