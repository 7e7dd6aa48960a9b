//! The Matrix adapter: commands, reactions and pictures in rooms, threads and direct messages, encrypted or not.
//!
//! What people do comes with the adapter's own sync loop ([`sync`]) and is handed to one task a room ([`lanes`]), in order. What
//! everybody is told comes from the outbox. How far the syncs have been carried out is a note of the store ([`since`]), so that
//! nothing is lost and nothing done twice when the program is killed.

mod account;
mod backfill;
mod busy;
mod catch_up;
mod connection;
mod directory;
mod error;
mod health;
mod hearing;
mod identity;
mod invitations;
mod lanes;
mod login;
mod members;
mod notes;
mod pause;
mod poster;
mod powers;
mod refusal;
mod rooms;
mod sending;
mod session;
mod since;
mod sync;
mod timeline;
mod undecrypted;
mod upgrade;
mod words;
mod writing;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Client;
use matrix_sdk::ruma::OwnedUserId;
use tokio::sync::{Notify, watch};

pub use error::MatrixError;
pub use invitations::{Inviter, NoInviter};

use self::busy::Busy;
use self::health::Health;
use self::hearing::Hearing;
use self::lanes::Lanes;
use self::poster::Poster;
use self::since::Progress;
use self::undecrypted::Undecrypted;
use crate::club::Club;
use crate::config::Secret;
use crate::picture::Easel;
use crate::table::SealingKey;
use render::Theme;

/// How the adapter is to be.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The homeserver's address, or its server name.
    pub homeserver: String,
    /// The bot's MXID or the part of it before the colon; empty with an access token, which knows it.
    pub user: String,
    /// The account's password, for the first login; empty: none.
    pub password: Secret,
    /// An access token in place of the password; empty: none.
    pub access_token: Secret,
    /// The recovery key, with which a device that was logged in by token is verified; empty: none.
    pub recovery_key: Secret,
    /// What the device is called.
    pub device_name: String,
    /// What a command begins with where a room has no other, beside `/`.
    pub prefix: String,
    /// The colours of pictures where a room has no others.
    pub theme: Theme,
    /// Whose invitations are accepted; everybody's when there are none.
    pub invited_by: Vec<Inviter>,
    /// The most members of a room that is joined; 0: no limit.
    pub largest_room: u64,
    /// How old a command may be that is still carried out unasked; zero: any.
    pub away: Duration,
    /// The data folder.
    pub folder: PathBuf,
    /// Whether to log in as a new device, whatever is there.
    pub new_device: bool,
}

/// What the parts of the adapter share.
struct Matrix {
    club: Arc<Club>,
    client: Client,
    easel: Easel,
    settings: Settings,
    /// Who the bot is.
    me: OwnedUserId,
    poster: Poster,
    hearing: Hearing,
    /// Rung when the first sync has been taken in: what is known of the rooms is not of before the start.
    begun: Notify,
    /// What `doctor` tells.
    health: Health,
    lanes: Lanes,
    /// How far the syncs have been carried out.
    progress: Progress,
    undecrypted: Undecrypted,
    /// Rooms whose invitations are being answered.
    invitations: Busy,
    /// Rooms that were upgraded and are being followed.
    upgrades: Busy,
    /// Held while the tables of an upgraded room are moved.
    moving: tokio::sync::Mutex<()>,
    /// Rooms in which the bot may be alone.
    alone: Busy,
}

impl Matrix {
    fn new(club: Arc<Club>, client: Client, settings: Settings, me: OwnedUserId) -> Matrix {
        Matrix {
            club,
            client,
            easel: Easel::default(),
            settings,
            me,
            poster: Poster::default(),
            hearing: Hearing::default(),
            begun: Notify::new(),
            health: Health::default(),
            lanes: Lanes::default(),
            progress: Progress::default(),
            undecrypted: Undecrypted::default(),
            invitations: Busy::default(),
            upgrades: Busy::default(),
            moving: tokio::sync::Mutex::default(),
            alone: Busy::default(),
        }
    }
}

/// Lets people play on Matrix until `stop` says so (or its sender is gone): then nothing more is taken, and what runs is
/// finished.
///
/// # Errors
/// When the homeserver refuses the login, or the crypto store and the session do not belong together. Faults that may pass are
/// waited out.
pub async fn run(
    settings: Settings,
    club: Arc<Club>,
    key: &SealingKey,
    stop: watch::Receiver<bool>,
) -> Result<(), MatrixError> {
    connection::run(settings, club, key, stop).await
}
