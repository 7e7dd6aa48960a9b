//! Settings of a server or room, and which server a room belongs to. Both are notes of the store.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shelf::Lockable;
use super::{Caller, Club, ClubError};
use crate::ids::Place;
use crate::rules;
use crate::store::Commit;
use crate::table::EntryError;

/// What is set for a server or room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceSettings {
    /// The key of the game that is opened when none is named.
    pub default_game: Option<&'static str>,
    /// Whether each table gets a thread of its own.
    pub threads: bool,
    /// The rooms in which new tables may be opened; everywhere when there are none.
    pub channels: Vec<String>,
    /// The theme of pictures, by its name.
    pub theme: Option<String>,
    /// What commands begin with beside `/`; on Matrix only.
    pub prefix: Option<String>,
}

/// What is to be set; what is not said stays as it is. A setting that is to be none is taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The key of the game that is opened when none is named.
    pub default_game: Option<Option<&'static str>>,
    /// Whether each table gets a thread of its own.
    pub threads: Option<bool>,
    /// The rooms in which new tables may be opened; none for everywhere.
    pub channels: Option<Vec<String>>,
    /// The theme of pictures, by its name.
    pub theme: Option<Option<String>>,
    /// What commands begin with beside `/`; on Matrix only.
    pub prefix: Option<Option<String>>,
}

/// The stored form of settings.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    v: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_game: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    threads: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    channels: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    theme: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prefix: Option<String>,
}

impl PlaceSettings {
    /// The version of the stored form that this program writes.
    pub const VERSION: u64 = 1;

    /// Reads stored settings of this or an earlier version. A game that there is no more is none.
    ///
    /// # Errors
    /// When they are from a later version, or damaged.
    pub fn read(stored: &Value) -> Result<Self, EntryError> {
        match stored.get("v").and_then(Value::as_u64) {
            Some(v) if v > Self::VERSION => return Err(EntryError::Newer(v)),
            _ => {}
        }
        let kept = Kept::deserialize(stored);
        let kept = kept.map_err(|error| EntryError::Damaged(error.to_string()))?;
        let game = kept.default_game.as_deref();
        Ok(Self {
            default_game: game.and_then(rules::game).map(|info| info.key),
            threads: kept.threads,
            channels: kept.channels,
            theme: kept.theme,
            prefix: kept.prefix,
        })
    }

    /// The stored form.
    pub fn stored(&self) -> Value {
        serde_json::json!(Kept {
            v: Self::VERSION,
            default_game: self.default_game.map(str::to_owned),
            threads: self.threads,
            channels: self.channels.clone(),
            theme: self.theme.clone(),
            prefix: self.prefix.clone(),
        })
    }

    /// With what is to be set otherwise.
    fn arranged(self, wanted: &Arrangement) -> Self {
        Self {
            default_game: wanted.default_game.unwrap_or(self.default_game),
            threads: wanted.threads.unwrap_or(self.threads),
            channels: wanted.channels.clone().unwrap_or(self.channels),
            theme: wanted.theme.clone().unwrap_or(self.theme),
            prefix: wanted.prefix.clone().unwrap_or(self.prefix),
        }
    }
}

impl Club {
    /// The settings found by [`Caller::home`]; those of the beginning where nothing was set.
    ///
    /// # Errors
    /// When the store fails, or a newer program wrote them.
    pub async fn settings(&self, home: &str) -> Result<PlaceSettings, ClubError> {
        let key = format!("place/{home}");
        match self.store.note(&key).await? {
            Some(stored) => {
                PlaceSettings::read(&stored).map_err(|why| ClubError::UnreadableNote { key, why })
            }
            None => Ok(PlaceSettings::default()),
        }
    }

    /// The settings of a place in which a table is, or was, played.
    ///
    /// # Errors
    /// As [`Club::settings`].
    pub async fn settings_at(&self, place: &Place) -> Result<PlaceSettings, ClubError> {
        self.settings(&self.home_of(place).await?).await
    }

    /// Sets what is wanted for the caller's server or room, and gives all that is set then. Setting the same again
    /// changes nothing, so nothing depends on the cause.
    ///
    /// # Errors
    /// When the caller does not run the place, the store fails, or a newer program wrote the settings.
    pub async fn arrange(
        &self,
        caller: &Caller,
        wanted: &Arrangement,
    ) -> Result<PlaceSettings, ClubError> {
        if !caller.runs_place {
            return Err(ClubError::NotRunning);
        }
        let home = caller.home();
        let _settings = self.locks.lock(Lockable::Settings).await;
        let before = self.settings(&home).await?;
        let after = before.clone().arranged(wanted);
        if after != before {
            let mut commit = Commit::new(self.clock.now(), None);
            let note = (format!("place/{home}"), Some(after.stored()));
            commit.notes.push(note);
            self.store.commit(commit).await?;
        }
        Ok(after)
    }

    /// Whether a new table may be opened in the caller's room.
    pub(super) async fn check_channels(&self, caller: &Caller) -> Result<(), ClubError> {
        let channels = self.settings(&caller.home()).await?.channels;
        if channels.is_empty() || channels.contains(&caller.place.room) {
            return Ok(());
        }
        let platform = caller.place.platform;
        let room = |room| Place::room(platform, room);
        Err(ClubError::OtherChannels(
            channels.into_iter().map(room).collect(),
        ))
    }

    /// What the settings of a place are found by, as [`Caller::home`]: its server, where it was noted when a table came
    /// there, else its room.
    pub(super) async fn home_of(&self, place: &Place) -> Result<String, ClubError> {
        let noted = self.store.note(&home_note(place)).await?;
        let home = noted.as_ref().and_then(Value::as_str);
        let room = || format!("{}:{}", place.platform, place.room);
        Ok(home.map_or_else(room, str::to_owned))
    }
}

/// The note that says to which server a place belongs.
pub(super) fn home_note(place: &Place) -> String {
    format!("home/{}", place.whole_room())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_form_of_settings() {
        let all = PlaceSettings {
            default_game: Some("chaturaji"),
            threads: true,
            channels: vec!["17".to_owned()],
            theme: Some("dark".to_owned()),
            prefix: Some("?".to_owned()),
        };
        insta::assert_json_snapshot!([all.stored(), PlaceSettings::default().stored()]);
        assert_eq!(PlaceSettings::read(&all.stored()), Ok(all));
    }

    #[test]
    fn settings_of_a_newer_program_are_not_guessed_at() {
        let newer = serde_json::json!({"v": 2});
        assert_eq!(PlaceSettings::read(&newer), Err(EntryError::Newer(2)));
        let damaged = PlaceSettings::read(&serde_json::json!({"v": 1, "threads": "often"}));
        assert!(matches!(damaged, Err(EntryError::Damaged(_))));
    }
}
