//! The note `matrix/last/<code>/<room>` or `matrix/last/<code>/<room>/<thread>`: the newest event about a table in a place.

use matrix_sdk::ruma::OwnedEventId;
use serde::{Deserialize, Serialize};

use crate::ids::{Place, TableCode};
use crate::store::PostId;

/// The newest event about a table in a room or thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Newest {
    pub(super) event: OwnedEventId,
    /// The id in the outbox of the message it was: one that is noted was posted, also where the outbox does not know it yet.
    pub(super) post: PostId,
}

impl Newest {
    /// Whether a message of the outbox about the table was posted in the place: it, or a later one, since they go in order.
    pub(super) fn has_seen(&self, id: PostId) -> bool {
        self.post >= id
    }
}

/// The key of the note.
pub(super) fn key(code: TableCode, place: &Place) -> String {
    match &place.thread {
        Some(thread) => format!("matrix/last/{code}/{}/{thread}", place.room),
        None => format!("matrix/last/{code}/{}", place.room),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Platform;
    use matrix_sdk::ruma::event_id;

    /// Notes are read by later programs, so their keys and forms must not change by accident.
    #[test]
    fn the_stored_form() {
        let newest = Newest {
            event: event_id!("$new").to_owned(),
            post: PostId::from((3, 1)),
        };
        let stored = serde_json::to_value(&newest).unwrap();
        assert_eq!(stored.to_string(), r#"{"event":"$new","post":[3,1]}"#);
        assert_eq!(serde_json::from_value::<Newest>(stored).unwrap(), newest);
        let code: TableCode = "K7Q2F".parse().unwrap();
        let thread = Place::thread(Platform::Matrix, "!a:b", "$root");
        assert_eq!(key(code, &thread), "matrix/last/K7Q2F/!a:b/$root");
        assert_eq!(key(code, &thread.whole_room()), "matrix/last/K7Q2F/!a:b");
    }

    #[test]
    fn r67_what_was_posted_is_not_posted_again() {
        let newest = Newest {
            event: event_id!("$new").to_owned(),
            post: PostId::from((3, 1)),
        };
        let seen = [(3, 0), (3, 1), (3, 2), (4, 0)].map(|id| newest.has_seen(PostId::from(id)));
        assert_eq!(seen, [true, true, false, false]);
    }
}
