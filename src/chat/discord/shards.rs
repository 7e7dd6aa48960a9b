//! The shards, in a room of their own.
//!
//! When a connection is reset and the gateway cannot be reached at once, serenity 0.12 goes on reading from the dead connection
//! without a pause until the next heartbeat is due, some 40 s: a thread is kept busy, and all that shares its runtime stands
//! still. So the shards have a runtime of their own, and such a shard is ended and begun anew.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serenity::all::{OnlineStatus, ShardId, ShardManager};
use serenity::client::{Client, ClientBuilder};
use serenity::gateway::{ConnectionStage, GatewayError};
use serenity::http::Http;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::connection::{FINISHING, api, http_client, intents, stopped};
use super::doors::Doors;
use super::gateway::Gateway;
use super::{Discord, DiscordError, unreadable};

/// How long the shards may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// How often it is looked. Serenity notes that a shard is connecting only when it has failed to: what succeeds is noted when
/// it is done.
const EVERY: Duration = Duration::from_secs(1);

/// How long Discord may take to greet a shard.
const GREETING: Duration = Duration::from_secs(30);

/// How long shards may be away before it is told: a new session takes some five seconds.
const SILENT: Duration = Duration::from_secs(15);

/// The runtime in which the gateway is read.
pub(super) struct Room(Option<Runtime>);

impl Room {
    pub(super) fn open() -> Result<Room, DiscordError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("discord-gateway")
            .enable_all()
            .build();
        runtime
            .map(|runtime| Room(Some(runtime)))
            .map_err(|_| DiscordError::Client)
    }

    /// Serenity's client, which reads the gateway at this address.
    pub(super) async fn client(
        &self,
        discord: &Arc<Discord>,
        doors: &Doors,
        gateway: String,
    ) -> Option<Client> {
        // Connections belong to the runtime they were made in: so an HTTP client of its own, with which serenity only looks
        // for the gateway.
        let http = http_client(discord.settings.extra_ca.as_deref()).ok()?;
        let http = api(&discord.settings, http);
        let handler = Gateway::new(Arc::clone(discord), doors.clone());
        let intents = intents(&discord.settings);
        let building = self.0.as_ref()?.spawn(async move {
            let builder = ClientBuilder::new_with_http(http, intents).event_handler(handler);
            let client = builder.await.ok()?;
            // Serenity falls back on the public service when it finds no gateway; a set address must never lead there.
            *client.ws_url.lock().await = gateway;
            Some(client)
        });
        building.await.ok().flatten()
    }

    /// Runs the shards until the program stops or Discord refuses the bot for good.
    pub(super) async fn run(
        &self,
        discord: &Arc<Discord>,
        mut client: Client,
        count: u32,
        stop: &mut watch::Receiver<bool>,
        doors: &Doors,
    ) -> Result<(), DiscordError> {
        let Some(runtime) = &self.0 else {
            return Ok(());
        };
        let manager = Arc::clone(&client.shard_manager);
        let looking = look_after(Arc::clone(&manager), Arc::clone(&discord.http), count);
        let mut running = runtime.spawn(async move { client.start_shards(count).await });
        let outcome = tokio::select! {
            ended = &mut running => match ended {
                Ok(Err(error)) => Err(refused(error)),
                Ok(Ok(())) => Ok(()),
                Err(broken) => Err(DiscordError::Gateway(broken.to_string())),
            },
            lacking = looking => Err(lacking),
            () = stopped(stop) => Ok(()),
        };
        let goodbye = tokio::time::timeout(GOODBYE, manager.shutdown_all());
        let (finished, _) = tokio::join!(doors.close(FINISHING), goodbye);
        if !finished {
            tracing::warn!(
                "discord: a command was still being carried out when the program stopped"
            );
        }
        outcome
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A stuck shard would never be waited out.
            runtime.shutdown_background();
        }
    }
}

fn refused(error: serenity::Error) -> DiscordError {
    match error {
        serenity::Error::Gateway(GatewayError::InvalidAuthentication) => DiscordError::Token,
        serenity::Error::Gateway(GatewayError::DisallowedGatewayIntents) => {
            DiscordError::MessageContent
        }
        other => DiscordError::Gateway(other.to_string()),
    }
}

/// Looks after all shards, until one needs what cannot be given while the program runs.
async fn look_after(manager: Arc<ShardManager>, http: Arc<Http>, count: u32) -> DiscordError {
    let mut since: HashMap<ShardId, Instant> = HashMap::new();
    let mut silence = Silence::default();
    loop {
        tokio::time::sleep(EVERY).await;
        unreadable::tell();
        silence.note(connected(&manager).await, count, Instant::now());
        let unconnected = unconnected(&manager).await;
        since.retain(|shard, _| unconnected.contains_key(shard));
        for (shard, stage) in unconnected {
            let waited = since.entry(shard).or_insert_with(Instant::now).elapsed();
            let enough = match stage {
                ConnectionStage::Connecting => EVERY,
                _ => GREETING,
            };
            if waited < enough {
                continue;
            }
            since.remove(&shard);
            if stage != ConnectionStage::Connecting && needs_more(&http, count).await {
                return DiscordError::MoreShards;
            }
            begin_anew(&manager, shard).await;
        }
    }
}

/// Whether something is amiss between the bot and the gateway, and whether that was told.
#[derive(Default)]
struct Silence {
    since: Option<Instant>,
    told: bool,
}

impl Silence {
    /// Tells, once each, that shards have not been connected for a while, and that they are again.
    fn note(&mut self, connected: usize, count: u32, now: Instant) {
        if usize::try_from(count).is_ok_and(|count| connected >= count) {
            if self.told {
                tracing::info!("discord: connected to the gateway again");
            }
            *self = Silence::default();
            return;
        }
        let since = *self.since.get_or_insert(now);
        // Serenity starts one every five seconds.
        let patience = SILENT.saturating_mul(count);
        if !self.told && now.duration_since(since) >= patience {
            self.told = true;
            tracing::warn!(
                "discord: {connected} of {count} shards are connected to the gateway; it is tried again and again"
            );
        }
    }
}

async fn connected(manager: &ShardManager) -> usize {
    let runners = manager.runners.lock().await;
    let stages = runners.values().map(|runner| runner.stage);
    stages
        .filter(|stage| *stage == ConnectionStage::Connected)
        .count()
}

/// Whether the bot is in more servers by now than so many shards may serve (close codes 4010 and 4011, which serenity keeps to
/// itself).
async fn needs_more(http: &Http, count: u32) -> bool {
    http.get_bot_gateway()
        .await
        .is_ok_and(|gateway| gateway.shards > count)
}

async fn unconnected(manager: &ShardManager) -> HashMap<ShardId, ConnectionStage> {
    let runners = manager.runners.lock().await;
    runners
        .iter()
        .map(|(shard, runner)| (*shard, runner.stage))
        .filter(|(_, stage)| *stage != ConnectionStage::Connected)
        .collect()
}

async fn begin_anew(manager: &ShardManager, shard: ShardId) {
    tracing::warn!("discord: shard {shard} has lost its connection and is begun anew");
    if let Some(runner) = manager.runners.lock().await.get(&shard) {
        // What is sent over a dead connection ends the runner that holds it. (To be told to end, it would wait for the
        // other side's goodbye, for ever.)
        runner.runner_tx.set_presence(None, OnlineStatus::Online);
    }
    tokio::time::sleep(EVERY).await;
    // Its end is not to be waited for.
    manager.shutdown_finished(shard);
    manager.restart(shard).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_that_stays_away_is_told_once() {
        let mut silence = Silence::default();
        let start = Instant::now();
        silence.note(0, 1, start);
        silence.note(0, 1, start + SILENT / 2);
        assert!(!silence.told);
        silence.note(0, 1, start + SILENT);
        assert!(silence.told);
        silence.note(1, 1, start + SILENT * 2);
        assert!(!silence.told && silence.since.is_none());
    }
}
