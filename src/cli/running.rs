//! The bot on the platforms whose credentials are configured, until it is told to stop.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use super::failure::Failure;
use super::house::House;
use crate::club::Club;
use crate::command::words;
use crate::config::Config;
use crate::store::StoreError;

/// How often it is looked what time has brought about.
const TICK: Duration = Duration::from_secs(60);

/// How often it is looked whether the store still takes what is to be kept.
const LOOK: Duration = Duration::from_secs(10);

/// Runs until SIGINT or SIGTERM, or until an adapter cannot go on.
pub(super) fn run(config: &Config, dice: Option<&Path>) -> Result<(), Failure> {
    refuse_what_cannot_run(config)?;
    if !config.discord.is_on() {
        return Err(Failure::NothingToRun);
    }
    let house = House::open(config, dice)?;
    let ended = house.runtime.block_on(adapters(config, &house.club));
    let closed = house.close();
    ended.and(closed)
}

/// An adapter with credentials that this program cannot run is refused, rather than left silent.
fn refuse_what_cannot_run(config: &Config) -> Result<(), Failure> {
    if config.discord.is_on() && !cfg!(feature = "discord") {
        return Err(Failure::NotBuilt("discord"));
    }
    match (config.matrix.is_on(), cfg!(feature = "matrix")) {
        (false, _) => Ok(()),
        (true, false) => Err(Failure::NotBuilt("matrix")),
        (true, true) => Err(Failure::NotYet("matrix")),
    }
}

async fn adapters(config: &Config, club: &Arc<Club>) -> Result<(), Failure> {
    let (stop, stopping) = watch::channel(false);
    // Before anything is taken: a signal that comes early must not be lost.
    let asked = asked_to_stop()?;
    let ticking = tokio::spawn(tick(Arc::clone(club)));
    let mut discord = std::pin::pin!(discord(config, club, stopping));
    let ended = tokio::select! {
        ended = &mut discord => ended,
        stopped = store_stops(club) => {
            stop.send_replace(true);
            discord.await.and(Err(stopped.into()))
        }
        () = asked => {
            tracing::info!("stopping: what was begun is finished");
            stop.send_replace(true);
            discord.await
        }
    };
    ticking.abort();
    ended
}

#[cfg(feature = "discord")]
async fn discord(
    config: &Config,
    club: &Arc<Club>,
    stop: watch::Receiver<bool>,
) -> Result<(), Failure> {
    use crate::chat::discord::{self, Settings};

    let given = &config.discord;
    let settings = Settings {
        token: given.token.clone(),
        api_url: Some(given.api_url.clone()).filter(|url| !url.is_empty()),
        extra_ca: Some(given.extra_ca.clone()).filter(|path| !path.as_os_str().is_empty()),
        test_guild: given.server(),
        message_content: given.message_content,
        // The setting was checked to be one of the themes.
        theme: given.theme.parse().unwrap_or_default(),
    };
    let club = Arc::clone(club);
    // In a task of its own, so that a fault in it does not take the program's own end with it.
    let running = tokio::spawn(discord::run(settings, club, stop));
    running.await.map_err(|_| Failure::BrokeOff("discord"))??;
    Ok(())
}

#[cfg(not(feature = "discord"))]
async fn discord(_: &Config, _: &Arc<Club>, _: watch::Receiver<bool>) -> Result<(), Failure> {
    Err(Failure::NotBuilt("discord"))
}

/// Resolves when the store takes nothing more until the program is started anew: then it is to be started anew.
async fn store_stops(club: &Club) -> StoreError {
    loop {
        tokio::time::sleep(LOOK).await;
        if let Err(error @ (StoreError::Stopped(_) | StoreError::Closed)) =
            club.store().sync().await
        {
            return error;
        }
    }
}

/// Brings about what time does, by the club's own clock.
async fn tick(club: Arc<Club>) {
    let mut minutes = tokio::time::interval(TICK);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        minutes.tick().await;
        if let Err(error) = club.tick(&words::posts).await {
            tracing::error!("tables that nobody joined were not all closed: {error}");
        }
    }
}

/// Resolves when the program is asked to stop, by SIGINT (Ctrl-C) or SIGTERM.
#[cfg(unix)]
fn asked_to_stop() -> Result<impl Future<Output = ()>, Failure> {
    use signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::Runtime)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::Runtime)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn asked_to_stop() -> Result<impl Future<Output = ()>, Failure> {
    Ok(async {
        // Where Ctrl-C cannot be heard, the program runs until it is ended.
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
