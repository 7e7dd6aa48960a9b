//! Who asks, and what they may do beside the players.

use super::{Action, Caller, Club, ClubError};
use crate::ids::{PersonId, Place};
use crate::table::Table;

impl Caller {
    /// Somebody in a place, with nothing else known or allowed.
    pub fn new(person: PersonId, place: Place) -> Self {
        Self {
            person,
            place,
            direct: false,
            server: None,
            runs_place: false,
            moderates: false,
            expects: None,
            cause: None,
        }
    }

    /// What the settings of the place are found by: its server, or the room where it has none.
    pub fn home(&self) -> String {
        let platform = self.place.platform;
        match &self.server {
            Some(server) => format!("{platform}:{server}"),
            None => format!("{platform}:{}", self.place.room),
        }
    }

    /// The id of the message that the caller asks by.
    pub(super) fn message(&self) -> String {
        self.cause
            .as_ref()
            .map(|cause| cause.0.clone())
            .unwrap_or_default()
    }
}

impl Club {
    /// Whether the caller may do this at the table as one who moderates where it is played. To bring a table out of a
    /// place that is gone, it is enough to moderate the server.
    pub(super) async fn moderates(
        &self,
        caller: &Caller,
        table: &Table,
        action: &Action,
    ) -> Result<bool, ClubError> {
        if !(caller.runs_place || caller.moderates) {
            return Ok(false);
        }
        if table.is_played_in(&caller.place) {
            return Ok(true);
        }
        match (action, table.place_of(caller.person)) {
            (Action::Here, Some(place)) if caller.server.is_some() => {
                Ok(self.home_of(place).await? == caller.home())
            }
            _ => Ok(false),
        }
    }
}
