//! Which drawing a kind of piece has: by how it moves, and for some by what its game calls it.

use crate::rules::{Info, KindId, Step};
use render::Shape;

/// The drawing of a kind of piece.
pub(super) fn shape(info: &Info, kind: KindId) -> Shape {
    let kind = info.kind(kind);
    match kind.step {
        Step::King => Shape::King,
        Step::Rook => rook(kind.name),
        Step::Bishop => Shape::Bishop,
        Step::Knight => Shape::Horse,
        Step::Alfil | Step::Dabbaba | Step::Silver => alfil(kind.name),
        Step::Fers => Shape::Counsellor,
        Step::Queen => Shape::Queen,
        Step::Infanta => Shape::Infanta,
        Step::Marshal => Shape::Marshal,
        Step::Kangaroo => Shape::Kangaroo,
        Step::Pawn => Shape::Pawn,
    }
}

/// The piece that slides straight is a chariot, an elephant or a ship by its name.
fn rook(name: &str) -> Shape {
    match name {
        "Elephant" => Shape::Elephant,
        "Sailboat" => Shape::Boat,
        "Ratha" => Shape::Chariot,
        _ => Shape::Tower,
    }
}

/// The piece that leaps two squares is an elephant, or a boat in the games that call it so (PC's Bishop is the old Boat).
fn alfil(name: &str) -> Shape {
    match name {
        "Boat" | "Bishop" => Shape::Boat,
        _ => Shape::Elephant,
    }
}
