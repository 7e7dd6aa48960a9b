//! The bot on the platforms whose credentials are configured, until it is told to stop.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use super::arguments::RunArguments;
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
pub(super) fn run(config: &Config, given: &RunArguments) -> Result<(), Failure> {
    refuse_what_cannot_run(config)?;
    if !config.discord.is_on() && !config.matrix.is_on() {
        return Err(Failure::NothingToRun);
    }
    let house = House::open(config, given.dice.as_deref(), given.accept_loss)?;
    let adapters = adapters(config, &house, given.new_device);
    let ended = house.runtime.block_on(adapters);
    let closed = house.close();
    ended.and(closed)
}

/// An adapter with credentials that this program cannot run is refused, rather than left silent.
fn refuse_what_cannot_run(config: &Config) -> Result<(), Failure> {
    if config.discord.is_on() && !cfg!(feature = "discord") {
        return Err(Failure::NotBuilt("discord"));
    }
    if config.matrix.is_on() && !cfg!(feature = "matrix") {
        return Err(Failure::NotBuilt("matrix"));
    }
    Ok(())
}

async fn adapters(config: &Config, house: &House, new_device: bool) -> Result<(), Failure> {
    let club = &house.club;
    let (stop, stopping) = watch::channel(false);
    // Before anything is taken: a signal that comes early must not be lost.
    let asked = asked_to_stop()?;
    let ticking = tokio::spawn(tick(Arc::clone(club)));
    // The first that cannot go on takes the other with it: a bot that is half there is noticed too late.
    let discord = stopping_both(&stop, discord(config, club, stopping.clone()));
    let matrix = stopping_both(&stop, matrix(config, house, new_device, stopping));
    let mut both = std::pin::pin!(async {
        let (discord, matrix) = tokio::join!(discord, matrix);
        discord.and(matrix)
    });
    let ended = tokio::select! {
        ended = &mut both => ended,
        stopped = store_stops(club) => {
            stop.send_replace(true);
            both.await.and(Err(stopped.into()))
        }
        () = asked => {
            tracing::info!("stopping: what was begun is finished");
            stop.send_replace(true);
            both.await
        }
    };
    ticking.abort();
    ended
}

/// Runs an adapter; its failure is logged, and stops all.
async fn stopping_both(
    stop: &watch::Sender<bool>,
    adapter: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    let ended = adapter.await;
    if let Err(failure) = &ended {
        tracing::error!("stopping: {failure}");
        stop.send_replace(true);
    }
    ended
}

#[cfg(feature = "discord")]
async fn discord(
    config: &Config,
    club: &Arc<Club>,
    stop: watch::Receiver<bool>,
) -> Result<(), Failure> {
    use crate::chat::discord::{self, Settings};

    if !config.discord.is_on() {
        return Ok(());
    }
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
    // Credentials for it were refused before.
    Ok(())
}

#[cfg(feature = "matrix")]
async fn matrix(
    config: &Config,
    house: &House,
    new_device: bool,
    stop: watch::Receiver<bool>,
) -> Result<(), Failure> {
    use crate::chat::matrix::{self, Settings};

    if !config.matrix.is_on() {
        return Ok(());
    }
    let given = &config.matrix;
    let settings = Settings {
        homeserver: given.homeserver.trim().to_owned(),
        user: given.user.trim().to_owned(),
        password: given.password.clone(),
        access_token: given.access_token.clone(),
        recovery_key: given.recovery_key.clone(),
        device_name: given.device_name.clone(),
        prefix: given.prefix.clone(),
        // The settings were checked to be one of the themes, and servers and accounts.
        theme: given.theme.parse().unwrap_or_default(),
        invited_by: given
            .inviters()
            .filter_map(|name| name.parse().ok())
            .collect(),
        largest_room: given.largest_room,
        away: Duration::from_secs(given.away_minutes.saturating_mul(60)),
        folder: house.folder.clone(),
        new_device,
    };
    let club = Arc::clone(&house.club);
    let key = house.key.clone();
    // In a task of its own, as above.
    let running = tokio::spawn(async move { matrix::run(settings, club, &key, stop).await });
    running.await.map_err(|_| Failure::BrokeOff("matrix"))??;
    Ok(())
}

#[cfg(not(feature = "matrix"))]
async fn matrix(_: &Config, _: &House, _: bool, _: watch::Receiver<bool>) -> Result<(), Failure> {
    // Credentials for it were refused before.
    Ok(())
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
