//! Telling players that the room of their table takes no messages any more: each once, where there is a direct message.

use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::UserId;
use matrix_sdk::ruma::events::room::member::MembershipState;
use sha2::{Digest, Sha256};

use super::desk::Desk;
use crate::chat::matrix::pause::Pauses;
use crate::chat::matrix::sending::{self, Fault, Relation};
use crate::chat::matrix::words::posting::{self, Loss};
use crate::chat::matrix::writing::{self, Part};
use crate::chat::matrix::{Matrix, members};
use crate::chat::outbox::lost::whom_to_tell;
use crate::club::{Clock, SystemClock};
use crate::command::message::Message;
use crate::ids::{PersonId, Place, Platform, TableCode};

/// How often it is tried.
const TRIES: u32 = 6;
/// The longest pause between tries, unless the server asks for a longer one.
const LONGEST: Duration = Duration::from_secs(60);

/// Tells who has to act at each of the tables, or its host, unless they were told of this place.
pub(super) async fn tell(desk: &Desk, place: &Place, loss: Loss, tables: &[TableCode]) {
    let matrix = &*desk.matrix;
    for (person, code) in whom_to_tell(&matrix.club, place, tables).await {
        let Some(room) = talk_with(matrix, person, place).await else {
            tracing::info!(
                "matrix: person {person} has no direct message to be told of {place} in"
            );
            continue;
        };
        let here = Place::room(Platform::Matrix, room.room_id().as_str());
        let text = posting::lost(code, loss, person);
        let message = Message::everyone(here, text);
        // Whom it is told is noted before, so this is sent once; the same may be lost again later.
        let now = SystemClock.now().0;
        let txn = format!("ashtapada-lost-{}-{now}", hash(code, place, person));
        for (number, part) in writing::lay(matrix, &message).await.iter().enumerate() {
            let txn = format!("{txn}-{number}");
            if let Err(fault) = sent(desk, &room, part, &txn).await {
                tracing::info!("matrix: person {person} was not told of {place}: {fault:?}");
            }
        }
    }
}

/// Sends it, and again while that may help, some times.
async fn sent(desk: &Desk, room: &Room, part: &Part, txn: &str) -> Result<(), Fault> {
    let mut pauses = Pauses::up_to(LONGEST);
    let mut tries = 0;
    loop {
        let sent = sending::send(&desk.matrix, room, Relation::default(), part, txn).await;
        let Err(Fault::Again(asked)) = sent else {
            return sent.map(|_| ());
        };
        tries += 1;
        if tries == TRIES || !desk.outbox.paused(pauses.next(asked)).await {
            return Err(Fault::Again(asked));
        }
    }
}

fn hash(code: TableCode, place: &Place, person: PersonId) -> String {
    let hash = Sha256::digest(format!("{code}|{place}|{person}"));
    hex::encode(hash).chars().take(24).collect()
}

/// The room in which the bot and a person are by themselves, other than the lost one.
async fn talk_with(matrix: &Matrix, person: PersonId, lost: &Place) -> Option<Room> {
    let person = matrix.club.person(person).await.ok()?;
    let accounts = person.accounts.iter();
    let mut own = accounts.filter(|account| account.platform == Platform::Matrix);
    let user = <&UserId>::try_from(own.next()?.account.as_str()).ok()?;
    let rooms = matrix.client.joined_rooms().into_iter();
    for room in rooms.filter(|room| room.room_id().as_str() != lost.room) {
        if let Ok(Some(member)) = room.get_member_no_sync(user).await
            && *member.membership() == MembershipState::Join
            && members::active(&room).await == 2
        {
            return Some(room);
        }
    }
    None
}
