//! What `doctor` tells about the adapter itself.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::{OwnedRoomId, RoomId};
use tokio::time::Instant;

use super::Matrix;
use super::powers::{self, Power};
use super::words::house as words;
use crate::command::run::Lacking;

/// For how long a wait that the server asked for is told.
const LIMITED: Duration = Duration::from_secs(3600);

/// For how long it is told that something could not be decrypted.
const UNREADABLE: Duration = Duration::from_secs(24 * 3600);

/// What is not as it should be, by what has been met since the start.
#[derive(Debug, Default)]
pub(super) struct Health {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Until when the server made the bot wait, the last time.
    limited: Option<Instant>,
    /// When something could not be decrypted last, by room.
    unreadable: HashMap<OwnedRoomId, Instant>,
    key_conflict: bool,
    /// Whether the device is verified and its keys backed up; `None` before that was looked at.
    device: Option<(bool, bool)>,
}

impl Health {
    /// The server made the bot wait that long (M_LIMIT_EXCEEDED).
    pub(super) fn limited(&self, wait: Duration) {
        let mut known = self.known();
        let until = Instant::now() + wait;
        known.limited = known.limited.max(Some(until));
    }

    /// Something in a room could not be decrypted in time.
    pub(super) fn unreadable(&self, room: &RoomId) {
        let now = Instant::now();
        self.known().unreadable.insert(room.to_owned(), now);
    }

    /// R107.
    pub(super) fn key_conflict(&self) {
        self.known().key_conflict = true;
    }

    /// Whether the device is verified, and whether its keys are backed up.
    pub(super) fn device(&self, verified: bool, backed_up: bool) {
        self.known().device = Some((verified, backed_up));
    }

    /// What is lacking in a room.
    pub(super) async fn lacking(&self, matrix: &Matrix, room: &Room) -> Vec<Lacking> {
        super::identity::look(matrix);
        let power = powers::power(room, &matrix.me).await;
        let encrypted = room.encryption_state().is_encrypted();
        self.told(room.room_id(), power, encrypted)
    }

    fn told(&self, room: &RoomId, power: Power, encrypted: bool) -> Vec<Lacking> {
        let known = self.known();
        let recently = |moment: Option<Instant>, within: Duration| {
            moment.is_some_and(|moment| moment.elapsed() < within)
        };
        let unreadable = known.unreadable.get(room).copied();
        let (verified, backed_up) = known.device.unwrap_or((true, true));
        [
            (!power.may_send(), words::POWER),
            (recently(unreadable, UNREADABLE), words::UNREADABLE),
            (encrypted && !verified, words::UNVERIFIED),
            (encrypted && !backed_up, words::NO_BACKUP),
            (recently(known.limited, LIMITED), words::LIMITED),
            (known.key_conflict, words::KEY_CONFLICT),
        ]
        .into_iter()
        .filter_map(|(is, lacking)| is.then_some(lacking))
        .collect()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::room_id;

    fn told(health: &Health, power: Power, encrypted: bool) -> Vec<&'static str> {
        let told = health.told(room_id!("!a:a.org"), power, encrypted);
        told.into_iter().map(|lacking| lacking.name).collect()
    }

    #[test]
    fn nothing_is_lacking_at_first() {
        let health = Health::default();
        assert!(told(&health, Power::ALL, true).is_empty());
    }

    #[test]
    fn without_power_no_game_is_opened() {
        let health = Health::default();
        let lacking = health.told(room_id!("!a:a.org"), Power::NONE, false);
        assert_eq!(lacking, [words::POWER]);
        assert!(lacking[0].needed);
    }

    #[tokio::test(start_paused = true)]
    async fn what_could_not_be_decrypted_is_told_for_a_day_in_its_room() {
        let health = Health::default();
        health.unreadable(room_id!("!a:a.org"));
        health.unreadable(room_id!("!b:a.org"));
        assert_eq!(told(&health, Power::ALL, true), [words::UNREADABLE.name]);
        tokio::time::advance(UNREADABLE).await;
        assert!(told(&health, Power::ALL, true).is_empty());
    }

    #[test]
    fn a_device_that_is_not_verified_is_told_in_encrypted_rooms() {
        let health = Health::default();
        health.device(false, true);
        assert_eq!(told(&health, Power::ALL, true), [words::UNVERIFIED.name]);
        assert!(told(&health, Power::ALL, false).is_empty());
    }

    #[test]
    fn keys_without_a_backup_are_told_in_encrypted_rooms() {
        let health = Health::default();
        health.device(true, false);
        assert_eq!(told(&health, Power::ALL, true), [words::NO_BACKUP.name]);
        assert!(told(&health, Power::ALL, false).is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn waits_are_told_for_an_hour_after_their_end() {
        let health = Health::default();
        health.limited(Duration::from_secs(60));
        health.limited(Duration::from_secs(1));
        tokio::time::advance(LIMITED + Duration::from_secs(59)).await;
        assert_eq!(told(&health, Power::ALL, false), [words::LIMITED.name]);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(told(&health, Power::ALL, false).is_empty());
    }

    #[test]
    fn r107_a_conflict_of_one_time_keys_is_told_everywhere() {
        let health = Health::default();
        health.key_conflict();
        assert_eq!(told(&health, Power::ALL, false), [words::KEY_CONFLICT.name]);
    }
}
