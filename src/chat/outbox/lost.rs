//! Places that take no messages any more: who is to be told of it, each once.
//!
//! The note `<platform>/lost/<room>` or `<platform>/lost/<room>/<thread>` keeps whom it was told.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::keep;
use crate::club::Club;
use crate::ids::{PersonId, Place, TableCode};

/// Who was told that a place takes no messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    told: Vec<PersonId>,
}

/// Who has to act at each of the tables, or its host, unless they were told of this place before. It is noted that they are
/// told now, so that nobody is told twice.
pub(in crate::chat) async fn whom_to_tell(
    club: &Club,
    place: &Place,
    tables: &[TableCode],
) -> Vec<(PersonId, TableCode)> {
    let mut told = told(club, place).await.unwrap_or_default();
    let mut to_tell = Vec::new();
    for code in tables {
        let Ok(table) = club.load(*code).await else {
            continue;
        };
        let person = table.on_turn_now().unwrap_or_else(|| table.host());
        if !told.told.contains(&person) {
            told.told.push(person);
            to_tell.push((person, *code));
        }
    }
    if to_tell.is_empty() {
        return to_tell;
    }
    if let Err(error) = keep(club, vec![note(place, Some(&told))]).await {
        tracing::error!("whom the loss of {place} was told to cannot be noted: {error}");
        return Vec::new();
    }
    to_tell
}

/// A place takes messages: whoever was told otherwise may be told again the next time.
pub(in crate::chat) async fn found(club: &Club, place: &Place) {
    if told(club, place).await.is_some()
        && let Err(error) = keep(club, vec![note(place, None)]).await
    {
        tracing::error!("that {place} is there again cannot be noted: {error}");
    }
}

async fn told(club: &Club, place: &Place) -> Option<Told> {
    let key = key(place);
    let stored = club
        .store()
        .note(&key)
        .await
        .inspect_err(|error| tracing::error!("the note {key} cannot be read: {error}"))
        .ok()??;
    serde_json::from_value(stored)
        .inspect_err(|error| tracing::warn!("the note {key} cannot be understood: {error}"))
        .ok()
}

fn note(place: &Place, told: Option<&Told>) -> (String, Option<Value>) {
    (key(place), told.map(|told| json!(told)))
}

fn key(place: &Place) -> String {
    let platform = place.platform;
    match &place.thread {
        Some(thread) => format!("{platform}/lost/{}/{thread}", place.room),
        None => format!("{platform}/lost/{}", place.room),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Platform;

    /// Notes are read by later programs, so their keys and forms must not change by accident.
    #[test]
    fn the_stored_form() {
        let thread = Place::thread(Platform::Discord, "99", "100");
        let told = Told {
            told: vec![PersonId(4)],
        };
        let (key, value) = note(&thread, Some(&told));
        assert_eq!(key, "discord/lost/99/100");
        assert_eq!(value.unwrap().to_string(), r#"{"told":[4]}"#);
        assert_eq!(
            note(&thread.whole_room(), None),
            ("discord/lost/99".to_owned(), None)
        );
    }
}
