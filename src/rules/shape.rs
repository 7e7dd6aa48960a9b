//! The outline of a board: its size, and corners that are no squares.

use super::square::Square;

/// A board of `files` × `ranks` squares, without a square block of cells at each corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many files.
    pub files: u8,
    /// How many ranks.
    pub ranks: u8,
    /// The side of the missing corners: 0 for a whole board.
    pub corner: u8,
}

impl Shape {
    /// Whether the board has the square.
    #[must_use]
    pub const fn has(&self, square: Square) -> bool {
        let (file, rank) = (square.file(), square.rank());
        file < self.files && rank < self.ranks && {
            let beside = file < self.corner || file >= self.files - self.corner;
            let above = rank < self.corner || rank >= self.ranks - self.corner;
            !(beside && above)
        }
    }

    /// Every square, rank by rank from `a1`.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.ranks)
            .flat_map(move |rank| (0..self.files).map(move |file| Square::new(file, rank)))
            .filter(move |&square| self.has(square))
    }

    /// The square some files and ranks away, if the board has it.
    #[must_use]
    pub fn step(&self, from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
        let to = Square::new(
            from.file().checked_add_signed(files)?,
            from.rank().checked_add_signed(ranks)?,
        );
        self.has(to).then_some(to)
    }

    /// The number of a square's cell, missing corners counted; only for squares of the board.
    #[must_use]
    #[inline]
    pub const fn cell(&self, square: Square) -> u8 {
        square.rank() * self.files + square.file()
    }

    /// The square of a cell.
    #[must_use]
    #[inline]
    pub const fn square(&self, cell: u8) -> Square {
        Square::new(cell % self.files, cell / self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_has_no_corners() {
        let cross = Shape {
            files: 14,
            ranks: 14,
            corner: 3,
        };
        assert_eq!(cross.squares().count(), 160);
        assert!(!cross.has(Square::new(2, 11)) && cross.has(Square::new(3, 13)));
        assert!(
            cross
                .squares()
                .all(|square| cross.square(cross.cell(square)) == square)
        );
        assert_eq!(cross.step(Square::new(3, 0), (-1, 0)), None);
    }
}
