//! Rooms in which something is being done that is not begun twice.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use matrix_sdk::ruma::{OwnedRoomId, RoomId};

/// The rooms in which it is being done.
#[derive(Debug, Default)]
pub(super) struct Busy {
    rooms: Arc<Mutex<HashSet<OwnedRoomId>>>,
}

/// While this is held, the room is busy.
#[derive(Debug)]
pub(super) struct Doing {
    rooms: Arc<Mutex<HashSet<OwnedRoomId>>>,
    room: OwnedRoomId,
}

impl Busy {
    /// Begins in a room; `None` where it is being done already.
    pub(super) fn begin(&self, room: &RoomId) -> Option<Doing> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.insert(room.to_owned()).then(|| Doing {
            rooms: Arc::clone(&self.rooms),
            room: room.to_owned(),
        })
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.remove(&self.room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::room_id;

    #[test]
    fn r92_what_is_said_twice_is_begun_once_until_it_ends() {
        let busy = Busy::default();
        let (a, b) = (room_id!("!a:a.org"), room_id!("!b:a.org"));
        let doing = busy.begin(a);
        assert!(doing.is_some() && busy.begin(a).is_none());
        assert!(busy.begin(b).is_some());
        drop(doing);
        assert!(busy.begin(a).is_some());
    }
}
