//! Four equal armies, each the one before turned by a quarter turn clockwise (RULES.md G3).

use super::info::Info;
use super::shape::Shape;
use super::square::Square;

/// A square turned about the middle of a square board, a quarter turn clockwise.
#[must_use]
pub fn turned(shape: Shape, square: Square) -> Square {
    Square::new(square.rank(), shape.files - 1 - square.file())
}

/// The square seen by an army as South sees `square`.
#[must_use]
pub fn seen_by(shape: Shape, army: usize, square: Square) -> Square {
    (0..army).fold(square, |square, _| turned(shape, square))
}

/// The board text with a back row of these letters, corner to centre, for every army, and pawns before it (G3).
#[must_use]
pub fn board(info: &Info, back_row: &str) -> String {
    let shape = info.shape;
    let pawn = info.kinds.last().map_or('P', |kind| kind.letter);
    let mut cells = vec![vec![None; usize::from(shape.files)]; usize::from(shape.ranks)];
    for (army, about) in info.armies.iter().enumerate() {
        for (file, letter) in (0..).zip(back_row.chars()) {
            for (rank, letter) in [(0, letter), (1, pawn)] {
                let at = seen_by(shape, army, Square::new(file, rank));
                cells[usize::from(at.rank())][usize::from(at.file())] =
                    Some(format!("{}{letter}", about.letter));
            }
        }
    }
    super::board_text::write(cells.into_iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g3_corners_go_round_clockwise() {
        let shape = Shape {
            files: 8,
            ranks: 8,
            corner: 0,
        };
        let corners: Vec<String> = (0..4)
            .map(|army| seen_by(shape, army, Square::new(0, 0)).to_string())
            .collect();
        assert_eq!(corners, ["a1", "a8", "h8", "h1"]);
        assert_eq!(seen_by(shape, 1, Square::new(1, 1)).to_string(), "b7");
    }
}
