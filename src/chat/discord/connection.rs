//! Reaching Discord: the HTTP client, waiting for the API, the shards, and the way out.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serenity::http::{Http, HttpBuilder};
use serenity::model::gateway::{BotGateway, GatewayIntents};
use tokio::sync::watch;

use super::doors::Doors;
use super::poster::Poster;
use super::response;
use super::shards::Room;
use super::{Discord, DiscordError, Settings};
use crate::chat::address::without_password;
pub(super) use crate::chat::stopping::stopped;
use crate::club::Club;
use crate::picture::Easel;

/// How long one request may take. Pictures are small.
const REQUEST: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(10);

/// Where the API is unless another address is set.
const PUBLIC: &str = "https://discord.com";

/// The pauses between attempts to reach the API: doubled from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long what runs may take to finish when the program stops.
pub(super) const FINISHING: Duration = Duration::from_secs(5);

pub(super) async fn run(
    settings: Settings,
    club: Arc<Club>,
    mut stop: watch::Receiver<bool>,
) -> Result<(), DiscordError> {
    if !settings
        .token
        .reveal()
        .trim()
        .bytes()
        .all(|byte| byte.is_ascii_graphic())
    {
        // It could not even be sent.
        return Err(DiscordError::Token);
    }
    let client = http_client(settings.extra_ca.as_deref())?;
    let http = Arc::new(api(&settings, client));
    let Some(gateway) = reached(&http, &settings, &mut stop).await? else {
        return Ok(());
    };
    let discord = Arc::new(Discord {
        club,
        http,
        easel: Easel::default(),
        settings,
        me: OnceLock::new(),
        poster: Poster::default(),
    });
    let doors = Doors::default();
    // A runtime of its own for the shards: one that is stuck must hold up nothing else.
    let room = Room::open()?;
    let building = room.client(&discord, &doors, gateway.url).await;
    let client = building.ok_or(DiscordError::Client)?;
    let (ended, ending) = watch::channel(false);
    let mut posting = tokio::spawn({
        let discord = Arc::clone(&discord);
        async move { discord.poster.run(Arc::clone(&discord), ending).await }
    });
    let shards = gateway.shards.max(1);
    let outcome = tokio::select! {
        outcome = room.run(&discord, client, shards, &mut stop, &doors) => outcome,
        // It ends when it is told to, and that is not yet.
        _ = &mut posting => return Err(DiscordError::Poster),
    };
    ended.send_replace(true);
    if tokio::time::timeout(FINISHING, posting).await.is_err() {
        tracing::warn!(
            "discord: a message was still being posted; it is looked for at the next start"
        );
    }
    outcome
}

/// None of these is privileged but the last, which is asked for only when it is wanted.
pub(super) fn intents(settings: &Settings) -> GatewayIntents {
    let plain =
        GatewayIntents::GUILDS | GatewayIntents::GUILD_MESSAGES | GatewayIntents::DIRECT_MESSAGES;
    match settings.message_content {
        true => plain | GatewayIntents::MESSAGE_CONTENT,
        false => plain,
    }
}

/// The client for all requests. A proxy in the environment (`HTTPS_PROXY`) is used by itself.
pub(super) fn http_client(extra_ca: Option<&Path>) -> Result<reqwest::Client, DiscordError> {
    let mut builder = reqwest::Client::builder()
        .use_rustls_tls()
        .timeout(REQUEST)
        .connect_timeout(CONNECT);
    if let Some(path) = extra_ca {
        let pem = std::fs::read(path).map_err(|cause| DiscordError::ExtraCa {
            path: path.to_owned(),
            cause,
        })?;
        let none = || DiscordError::NoCertificate(path.to_owned());
        let certificates = reqwest::Certificate::from_pem_bundle(&pem).map_err(|_| none())?;
        if certificates.is_empty() {
            return Err(none());
        }
        for certificate in certificates {
            builder = builder.add_root_certificate(certificate);
        }
    }
    builder.build().map_err(|_| DiscordError::Client)
}

/// With an address of its own (way A) serenity's rate limiter must be off: its path knows no other address than the public
/// service's.
pub(super) fn api(settings: &Settings, client: reqwest::Client) -> Http {
    let builder = HttpBuilder::new(settings.token.reveal()).client(client);
    match &settings.api_url {
        Some(url) => builder.proxy(url).ratelimiter_disabled(true).build(),
        None => builder.build(),
    }
}

/// Asks for the gateway until it is told; `None` when the program stops before.
async fn reached(
    http: &Http,
    settings: &Settings,
    stop: &mut watch::Receiver<bool>,
) -> Result<Option<BotGateway>, DiscordError> {
    let mut pause = FIRST_PAUSE;
    loop {
        let answer = tokio::select! {
            answer = http.get_bot_gateway() => answer,
            () = stopped(stop) => return Ok(None),
        };
        let error = match answer {
            Ok(gateway) if gateway.session_start_limit.remaining == 0 => {
                // One more would cost the token.
                let reset = Duration::from_millis(gateway.session_start_limit.reset_after);
                tracing::warn!(
                    "discord: the bot was started too often today; it goes on in {} min",
                    reset.as_secs().div_ceil(60)
                );
                tokio::select! {
                    () = tokio::time::sleep(reset.max(FIRST_PAUSE)) => continue,
                    () = stopped(stop) => return Ok(None),
                }
            }
            Ok(gateway) => return Ok(Some(gateway)),
            Err(error) => error,
        };
        if response::status(&error) == Some(401) {
            return Err(DiscordError::Token);
        }
        let address = without_password(settings.api_url.as_deref().unwrap_or(PUBLIC));
        tracing::warn!(
            "discord: {address} cannot be reached ({}); the next try is in {} s",
            response::reason(&error),
            pause.as_secs()
        );
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stopped(stop) => return Ok(None),
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Secret;
    use render::Theme;

    fn settings() -> Settings {
        Settings {
            token: Secret::from("MTA0.very.secret".to_owned()),
            api_url: Some("http://127.0.0.1:9".to_owned()),
            extra_ca: None,
            test_guild: None,
            message_content: false,
            theme: Theme::Light,
        }
    }

    #[test]
    fn the_token_is_in_no_debug_output() {
        let settings = settings();
        let client = http_client(None).unwrap();
        let http = api(&settings, client);
        let shown = format!("{settings:?} {http:?}");
        assert!(!shown.contains("very.secret"), "{shown}");
    }

    #[test]
    fn no_intent_is_privileged_unless_it_is_asked_for() {
        let mut settings = settings();
        assert!(!intents(&settings).intersects(GatewayIntents::privileged()));
        settings.message_content = true;
        assert!(intents(&settings).contains(GatewayIntents::MESSAGE_CONTENT));
    }

    #[test]
    fn a_set_address_is_the_only_one_that_is_asked() {
        let http = api(&settings(), http_client(None).unwrap());
        assert_eq!(http.proxy.as_deref(), Some("http://127.0.0.1:9"));
        // With it, serenity would ask the public service.
        assert!(http.ratelimiter.is_none());
    }

    #[test]
    fn a_file_without_a_certificate_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        assert!(matches!(
            http_client(Some(&file)),
            Err(DiscordError::ExtraCa { .. })
        ));
        std::fs::write(&file, "no certificate").unwrap();
        assert!(matches!(
            http_client(Some(&file)),
            Err(DiscordError::NoCertificate(_))
        ));
    }
}
