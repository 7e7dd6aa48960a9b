//! Moves as people read them.

use super::pattern::kind_at;
use crate::kind::KindId;
use crate::square::Square;
use crate::{Move, Play};

/// The name and square of a piece: “Horse on b1”.
#[must_use]
pub fn piece(play: &Play, kind: KindId, at: Square) -> String {
    format!("{} on {at}", play.info().kind(kind).name)
}

/// A legal move in long notation with piece names: “Horse b1–c3”, “Pawn a7×b8 = Mantri”.
#[must_use]
pub fn long(play: &Play, m: Move) -> String {
    let info = play.info();
    let name = kind_at(play, m.from).map_or("piece", |kind| info.kind(kind).name);
    let dash = if kind_at(play, m.to).is_some() {
        '×'
    } else {
        '–'
    };
    let promotion = m
        .promotion
        .map(|kind| format!(" = {}", info.kind(kind).name))
        .unwrap_or_default();
    format!("{name} {}{dash}{}{promotion}", m.from, m.to)
}

/// The letter of the piece that moves, for short notation.
pub(super) fn letter(play: &Play, m: Move) -> char {
    kind_at(play, m.from).map_or('?', |kind| play.info().kind(kind).letter)
}
