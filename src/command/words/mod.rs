//! The one place where what happened, and what was refused, becomes sentences.

mod alt;
mod board;
mod doctor;
mod ending;
mod fairness;
mod gathering;
mod happened;
pub(super) mod help;
mod illegal;
mod look_alikes;
mod names;
mod offers;
mod picks;
mod placing;
mod played;
mod refusal;
mod stage;
mod stale;
mod status;
mod trouble;
mod turn;
mod unchanged;
mod unreadable;

pub use alt::{LONGEST, alt, caption};
pub use board::{Cell, TextBoard, board};
pub use fairness::{broken, verdict};
pub use happened::{happened, posts};
pub use offers::answers;
pub use refusal::refused;

pub(super) use refusal::Asked;

pub(super) use doctor::{cannot_play, doctor, not_yours};
pub(super) use ending::ending;
pub(super) use fairness::fairness;
pub(super) use gathering::twin;
pub(super) use help::{all, one};
pub(super) use look_alikes::look_alikes;
pub(super) use names::army;
pub(super) use picks::{becomes_label, piece_label, target_label};
pub(super) use placing::{no_game, no_room, no_setting, nobody, settings};
pub(super) use stage::{finished, not_begun_yet};
pub(super) use stale::{done_before, old_board, played_already, refused_before};
pub(super) use status::{status, table_line, tables};
pub(super) use trouble::trouble;
pub(super) use turn::{listed, whose_turn};
pub(super) use unchanged::unchanged;
pub(super) use unreadable::no_such_piece;

use super::message::{Message, PictureRef};
use crate::ids::PersonId;
use crate::rules::Seat;
use crate::table::Table;

/// The message with the table's board, seen from a seat, or from the side of the player to move. Nothing is added before the
/// game has begun.
pub(super) fn board_of(mut message: Message, table: &Table, from: Option<Seat>) -> Message {
    if let Some(play) = table.play() {
        message.picture = Some(PictureRef::Board {
            table: table.code(),
            version: table.version(),
            from: from.unwrap_or_else(|| play.player()),
        });
        message.alt = alt(table);
    }
    message
}

/// The seat from whose side a person sees the board: their own, if they have one.
pub(super) fn side_of(table: &Table, person: PersonId) -> Option<Seat> {
    let mut seats = table.seats_of(person);
    let first = seats.next()?;
    // Who holds several sees the side of the player to move.
    seats.next().is_none().then_some(first)
}
