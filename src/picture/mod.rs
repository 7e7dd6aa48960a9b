//! From a table's board to a picture: what the rules know, said in shapes, colours and marks.

mod easel;
mod guide;
mod shapes;

pub use easel::{Easel, EaselError};
pub use guide::guide_png;

use crate::rules::{Colour, KindId, Piece, Play, Seat, Shape as Outline, Square, parse_move};
use crate::table::Table;
use render::{Board, Die, Layout, Mark, Panel, PieceState, Placed, Scene, SeatLine, Side, Theme};

/// How a picture is to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The seat whose side is at the bottom.
    pub from: Seat,
    /// The colours.
    pub theme: Theme,
    /// Whether names and scores stand beside the board.
    pub layout: Layout,
}

/// What is to be seen of a table's board; `None` before the game has begun. `name` tells what the person on a seat is
/// called, if somebody sits there.
pub fn scene(table: &Table, look: Look, name: impl Fn(Seat) -> Option<String>) -> Option<Scene> {
    let play = table.play()?;
    let mut scene = position(play, look);
    scene.board.marked = thrones(table);
    scene.marks.extend(last_moves(table));
    scene.panel = Panel {
        title: format!("{} {}", table.code(), table.info().name),
        seats: seats(table, name),
        dice: dice(table),
        note: String::new(),
    };
    Some(scene)
}

/// A position by itself: the board, the pieces, and Kings in check.
fn position(play: &Play, look: Look) -> Scene {
    let info = play.info();
    let mut scene = Scene::new(board(info.shape));
    scene.bottom = side(look.from);
    scene.theme = look.theme;
    scene.layout = look.layout;
    let pieces = play.pieces().into_iter();
    scene.pieces = pieces.map(|piece| placed(play, &piece)).collect();
    scene.marks = play
        .checked()
        .into_iter()
        .map(|king| Mark::Check(at(king)))
        .collect();
    scene
}

fn placed(play: &Play, piece: &Piece) -> Placed {
    let info = play.info();
    Placed {
        at: at(piece.at),
        shape: shapes::shape(info, piece.kind),
        colour: colour(info.army(piece.seat).colour),
        home: side(piece.seat),
        state: match (piece.dead, piece.waiting) {
            (true, _) => PieceState::Dead,
            (false, true) => PieceState::Waiting,
            (false, false) if stands_idle(play, piece.seat) => PieceState::Idle,
            (false, false) => PieceState::Live,
        },
    }
}

/// Where the Kings began, in games in which a throne can be claimed (FH8).
fn thrones(table: &Table) -> Vec<render::Square> {
    let commanded = table
        .play()
        .is_some_and(|play| play.state().command.is_some());
    if !commanded {
        return Vec::new();
    }
    let Ok(array) = Play::new(table.info(), table.options()) else {
        return Vec::new();
    };
    let kings = array
        .pieces()
        .into_iter()
        .filter(|piece| piece.kind == KindId::KING);
    kings.map(|king| at(king.at)).collect()
}

fn board(outline: Outline) -> Board {
    let mut board = Board::new(outline.files, outline.ranks);
    board.holes = (0..outline.files)
        .flat_map(|file| (0..outline.ranks).map(move |rank| Square::new(file, rank)))
        .filter(|square| !outline.has(*square))
        .map(at)
        .collect();
    board
}

/// Whether an army stands unmoving because its player has resigned (G9, FH8).
fn stands_idle(play: &Play, seat: Seat) -> bool {
    play.outcome().is_none() && !play.in_play(play.commander(seat))
}

/// The last move in rings, and the moves since the player to move had the last turn as arrows.
fn last_moves(table: &Table) -> Vec<Mark> {
    let Some(game) = table.game() else {
        return Vec::new();
    };
    let info = table.info();
    let mover = game.play.mover();
    let mut marks = Vec::new();
    let played = game.last_moves().rev().map_while(|(seat, text)| {
        let moved = parse_move(info, text).ok()?;
        Some((seat, moved))
    });
    for (index, (seat, moved)) in played.enumerate() {
        if index == 0 {
            marks.extend([Mark::LastFrom(at(moved.from)), Mark::LastTo(at(moved.to))]);
        } else if seat == mover || index > MOST_ARROWS || info.seats.len() == 2 {
            break;
        } else {
            marks.push(Mark::Earlier {
                from: at(moved.from),
                to: at(moved.to),
                colour: colour(info.army(seat).colour),
            });
        }
    }
    marks
}

/// The most arrows of earlier moves: three opponents with two dice each, less the last move.
const MOST_ARROWS: usize = 5;

fn seats(table: &Table, name: impl Fn(Seat) -> Option<String>) -> Vec<SeatLine> {
    let info = table.info();
    let play = table.play();
    let over = play.is_none_or(|play| play.outcome().is_some());
    let scores = play.and_then(Play::scores);
    info.seats
        .iter()
        .map(|seat| {
            let army = info.army(*seat);
            SeatLine {
                name: name(*seat).unwrap_or_else(|| army.name.to_owned()),
                fallback: army.name.to_owned(),
                colour: colour(army.colour),
                king: shapes::shape(info, KindId::KING),
                home: side(*seat),
                score: scores
                    .as_ref()
                    .and_then(|scores| scores.get(seat.index()))
                    .map(i32::to_string),
                to_move: !over && play.is_some_and(|play| play.mover() == *seat),
                out: play.is_some_and(|play| !play.in_play(*seat)),
            }
        })
        .collect()
}

/// The dice of this turn, those that have been played marked as used.
fn dice(table: &Table) -> Vec<Die> {
    let Some(game) = table.game() else {
        return Vec::new();
    };
    let mut left = game.play.unused();
    let thrown = game
        .thrown
        .as_ref()
        .map_or_else(|| left.clone(), |thrown| thrown.dice.faces().to_vec());
    thrown
        .into_iter()
        .map(|face| {
            let unused = left.iter().position(|other| *other == face);
            if let Some(place) = unused {
                left.remove(place);
            }
            Die {
                face,
                used: unused.is_none(),
            }
        })
        .collect()
}

fn at(square: Square) -> render::Square {
    (square.file(), square.rank())
}

/// The side of the board at which a seat is.
fn side(seat: Seat) -> Side {
    match seat {
        Seat::South | Seat::White => Side::South,
        Seat::West => Side::West,
        Seat::North | Seat::Black => Side::North,
        Seat::East => Side::East,
    }
}

fn colour(colour: Colour) -> render::Colour {
    match colour {
        Colour::White => render::Colour::White,
        Colour::Black => render::Colour::Black,
        Colour::Red => render::Colour::Red,
        Colour::Yellow => render::Colour::Yellow,
        Colour::Green => render::Colour::Green,
        Colour::Blue => render::Colour::Blue,
    }
}

#[cfg(test)]
mod tests;
