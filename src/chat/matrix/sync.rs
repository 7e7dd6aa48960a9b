//! The sync loop: what comes is handed to the rooms' tasks, and how far it has been carried out is noted.
//!
//! The SDK keeps a token of its own, which it saves before anything is carried out. After a kill it may be ahead of what was
//! carried out; then what is between is read without the SDK ([`super::catch_up`]).

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::RoomState;
use matrix_sdk::config::{SyncSettings, SyncToken};
use matrix_sdk::ruma::api::client::filter::FilterDefinition;
use matrix_sdk::ruma::api::client::sync::sync_events::v3::Filter;
use matrix_sdk::store::StateStoreDataKey;
use matrix_sdk::sync::{SyncResponse, Timeline};
use tokio::sync::watch;
use tokio::time::Instant;

use super::connection::{FINISHING, Waiting, stopped};
use super::lanes::{self, Batch, Gap};
use super::refusal::{self, Refusal};
use super::since::{self, Haste, Since};
use super::{Matrix, MatrixError, catch_up, identity, invitations, rooms, undecrypted, upgrade};

/// How long the server waits for something to happen.
const POLL: Duration = Duration::from_secs(30);

/// The same while keys are waited for, which may be in the backup.
const IMPATIENT: Duration = Duration::from_secs(5);

/// For how long a server may repeat its answers of before, after everything was asked for anew: Synapse keeps them for two
/// minutes, each by the token it was asked with.
const REPEATING: Duration = Duration::from_secs(300);

/// How many events of a room one sync brings at most (Synapse allows 100).
pub(super) const LIMIT: u32 = 100;

/// How many syncs may be unfinished before no more are asked for.
const UNFINISHED: usize = 100;

/// Hears what is said until the program stops.
pub(super) async fn run(
    matrix: Arc<Matrix>,
    mut stop: watch::Receiver<bool>,
) -> Result<(), MatrixError> {
    let running = tokio::select! {
        running = hear(&matrix, Waiting::new(stop.clone())) => running,
        () = stopped(&mut stop) => Ok(()),
    };
    matrix.lanes.close();
    if tokio::time::timeout(FINISHING, matrix.lanes.finished())
        .await
        .is_err()
    {
        tracing::warn!(
            "matrix: a command was still being carried out; it comes again at the next start"
        );
    }
    if let Err(error) = matrix.progress.note(&matrix.club, Haste::Now).await {
        tracing::error!("matrix: what was carried out cannot be noted: {error}");
    }
    running
}

async fn hear(matrix: &Arc<Matrix>, mut waiting: Waiting) -> Result<(), MatrixError> {
    let Some(mut from) = begin(matrix, &mut waiting).await? else {
        return Ok(());
    };
    identity::settle(matrix).await;
    tracing::info!("matrix: ready as {}", matrix.me);
    look_around(matrix).await?;
    let mut heard_until = from.heard_until;
    let mut anew_at = Instant::now();
    let mut begun = false;
    loop {
        let token = SyncToken::Specific(from.token.clone());
        let poll = if !begun {
            Duration::ZERO
        } else if matrix.undecrypted.is_empty() {
            POLL
        } else {
            IMPATIENT
        };
        let Some(response) = synced(matrix, token, poll, &mut waiting).await? else {
            return Ok(());
        };
        let response = match response {
            Synced::Response(response) => *response,
            // Everything anew: what is not newer than what was heard is passed over.
            Synced::TokenUnknown => {
                let at = matrix.progress.at();
                let Some(begun) = anew(matrix, at, &mut waiting).await? else {
                    return Ok(());
                };
                from.token = begun;
                (heard_until, anew_at) = (at, Instant::now());
                continue;
            }
        };
        let next = response.next_batch.clone();
        hand_out(matrix, response, Some(from.token), heard_until).await?;
        from.token = next;
        if !begun {
            matrix.begun.notify_one();
            begun = true;
        }
        if anew_at.elapsed() > REPEATING {
            heard_until = 0;
        }
        undecrypted::again(matrix).await;
        matrix.progress.at_most(UNFINISHED).await;
    }
}

/// Where the loop goes on from.
struct From {
    token: String,
    /// What is not newer than this moment was heard before, while the server may repeat syncs.
    heard_until: u64,
}

/// Gets to where the loop goes on from. `None` when the program stops meanwhile.
async fn begin(matrix: &Arc<Matrix>, waiting: &mut Waiting) -> Result<Option<From>, MatrixError> {
    let noted = since::noted(&matrix.club).await?;
    let of_sdk = sdk_token(matrix).await?;
    if let Some(noted) = &noted {
        matrix.progress.go_on(noted);
    }
    let on = |token| From {
        token,
        heard_until: 0,
    };
    let after = |token, noted: &Since| From {
        token,
        heard_until: noted.at,
    };
    Ok(match (noted, of_sdk) {
        // The very first: what was said before is not for the bot (R91).
        (None, None) => first(matrix, waiting).await?.map(on),
        // A new device of an account that was heard before.
        (Some(noted), None) => {
            let token = anew(matrix, noted.at, waiting).await?;
            token.map(|token| after(token, &noted))
        }
        (Some(noted), Some(ahead)) if noted.token != ahead => {
            match catch_up::between(matrix, &noted, waiting).await? {
                catch_up::Caught::Up => Some(on(ahead)),
                catch_up::Caught::TokenUnknown => {
                    let token = anew(matrix, noted.at, waiting).await?;
                    token.map(|token| after(token, &noted))
                }
                catch_up::Caught::Stopped => None,
            }
        }
        (_, Some(token)) => Some(on(token)),
    })
}

/// The first sync of an account: nothing in it is heard, but invitations are answered.
async fn first(matrix: &Arc<Matrix>, waiting: &mut Waiting) -> Result<Option<String>, MatrixError> {
    let Some(Synced::Response(response)) =
        synced(matrix, SyncToken::NoToken, Duration::ZERO, waiting).await?
    else {
        return Ok(None);
    };
    for room in matrix.client.joined_rooms() {
        rooms::settle(matrix, &room).await?;
    }
    matrix.progress.open(response.next_batch.clone(), 0);
    matrix.progress.note(&matrix.club, Haste::Now).await?;
    Ok(Some(response.next_batch))
}

/// A sync of everything, of which only what is newer than `at` is heard.
async fn anew(
    matrix: &Arc<Matrix>,
    at: u64,
    waiting: &mut Waiting,
) -> Result<Option<String>, MatrixError> {
    tracing::warn!(
        "matrix: everything is read anew; what is not newer than what was heard is passed over"
    );
    let Some(Synced::Response(response)) =
        synced(matrix, SyncToken::NoToken, Duration::ZERO, waiting).await?
    else {
        return Ok(None);
    };
    let next = response.next_batch.clone();
    hand_out(matrix, *response, None, at).await?;
    Ok(Some(next))
}

/// Invitations that wait (R103), upgrades that were missed (R100), rooms that everybody left meanwhile, or the bot.
async fn look_around(matrix: &Arc<Matrix>) -> Result<(), MatrixError> {
    for room in matrix.client.invited_rooms() {
        invitations::answer(matrix, room);
    }
    for room in matrix.client.joined_rooms() {
        upgrade::look(matrix, &room).await;
        rooms::look_alone(matrix, &room).await;
    }
    for room in matrix.client.rooms() {
        if matches!(room.state(), RoomState::Left | RoomState::Banned) {
            rooms::look_left(matrix, room.room_id()).await?;
        }
    }
    Ok(())
}

enum Synced {
    Response(Box<SyncResponse>),
    /// The server does not know the token (M_UNKNOWN_POS).
    TokenUnknown,
}

/// One sync, tried until it succeeds. `None` when the program stops meanwhile.
async fn synced(
    matrix: &Matrix,
    token: SyncToken,
    poll: Duration,
    waiting: &mut Waiting,
) -> Result<Option<Synced>, MatrixError> {
    let anew = matches!(token, SyncToken::NoToken);
    loop {
        let settings = SyncSettings::new()
            .token(token.clone())
            .timeout(poll)
            .filter(Filter::FilterDefinition(filter()));
        let Some(answer) = waiting
            .unless_stopped(matrix.client.sync_once(settings))
            .await
        else {
            return Ok(None);
        };
        let error = match answer {
            Ok(response) => {
                waiting.over(&matrix.settings.homeserver);
                return Ok(Some(Synced::Response(Box::new(response))));
            }
            Err(error) => error,
        };
        let asked = match refusal::of(&error) {
            Refusal::Token => return Err(MatrixError::Token),
            Refusal::Account => return Err(MatrixError::Account(matrix.me.to_string())),
            Refusal::Again(asked) => {
                if let Some(asked) = asked {
                    matrix.health.limited(asked);
                }
                asked
            }
            Refusal::Other(400, said) if !anew => {
                tracing::warn!("matrix: the homeserver does not know how far it was read: {said}");
                return Ok(Some(Synced::TokenUnknown));
            }
            Refusal::Forbidden(_) | Refusal::Other(..) => {
                tracing::error!("matrix: the sync failed: {error}");
                None
            }
        };
        tracing::debug!("matrix: {error}");
        if !waiting.wait(&matrix.settings.homeserver, asked).await {
            return Ok(None);
        }
    }
}

/// What is asked for: as many events as the server gives, and all members from the beginning. Where members are loaded as they
/// speak, Synapse says with every message that its sender's devices have changed
/// (<https://github.com/element-hq/synapse/issues/6162>), of the bot's own messages too; then the SDK waits for keys while it
/// encrypts, up to five seconds in all rooms.
pub(super) fn filter() -> FilterDefinition {
    let mut filter = FilterDefinition::default();
    filter.room.timeline.limit = Some(LIMIT.into());
    filter
}

/// Hands what came to the rooms' tasks.
async fn hand_out(
    matrix: &Arc<Matrix>,
    response: SyncResponse,
    since: Option<String>,
    heard_until: u64,
) -> Result<(), MatrixError> {
    for room in response.rooms.invited.keys() {
        if let Some(room) = matrix.client.get_room(room) {
            invitations::answer(matrix, room);
        }
    }
    for room in response.rooms.left.keys() {
        rooms::left(matrix, room).await?;
    }
    let timelines = response
        .rooms
        .joined
        .into_iter()
        .map(|(room, update)| (room, update.timeline));
    let batches: Vec<Batch> = timelines
        .filter(|(_, timeline)| !timeline.events.is_empty() || timeline.limited)
        .filter_map(|(room, timeline)| {
            let room = matrix.client.get_room(&room)?;
            Some(batch(room, timeline, since.clone(), heard_until))
        })
        .collect();
    put_all(matrix, response.next_batch, batches).await
}

fn batch(
    room: matrix_sdk::Room,
    timeline: Timeline,
    since: Option<String>,
    heard_until: u64,
) -> Batch {
    let end = timeline.prev_batch.filter(|_| timeline.limited);
    Batch {
        sync: None,
        room,
        events: timeline.events,
        gap: end.map(|end| Gap { end, begin: since }),
        heard_until,
    }
}

/// Hands batches of one sync to their rooms' tasks.
pub(super) async fn put_all(
    matrix: &Arc<Matrix>,
    token: String,
    batches: Vec<Batch>,
) -> Result<(), MatrixError> {
    let number = matrix.progress.open(token, batches.len());
    if batches.is_empty() {
        matrix.progress.note(&matrix.club, Haste::Leisure).await?;
    }
    for mut batch in batches {
        batch.sync = Some(number);
        lanes::put(matrix, batch);
    }
    Ok(())
}

/// How far the SDK has taken in what was synced.
async fn sdk_token(matrix: &Matrix) -> Result<Option<String>, MatrixError> {
    let store = matrix.client.state_store();
    let kept = store.get_kv_data(StateStoreDataKey::SyncToken).await;
    let kept = kept.map_err(|error| MatrixError::Store {
        path: matrix.settings.folder.join("matrix"),
        what: error.to_string(),
    })?;
    Ok(kept.and_then(matrix_sdk::store::StateStoreDataValue::into_sync_token))
}
