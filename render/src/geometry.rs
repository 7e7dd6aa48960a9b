//! Where squares and their labels are, seen from any side.

use crate::area::Area;
use crate::squares::{Board, Side, Square};

/// A board on the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    bottom: Side,
    files: u8,
    ranks: u8,
    /// Columns and rows as seen.
    pub(crate) columns: u8,
    pub(crate) rows: u8,
    /// Side of a square in pixels.
    pub(crate) square: i32,
    /// Left upper corner of the board.
    pub(crate) left: i32,
    pub(crate) top: i32,
    /// Width and height of board and margins.
    pub(crate) extent: i32,
}

impl View {
    pub(crate) fn new(board: &Board, bottom: Side, width: u32) -> Self {
        let (files, ranks) = (board.files, board.ranks);
        let (columns, rows) = match bottom {
            Side::South | Side::North => (files, ranks),
            Side::West | Side::East => (ranks, files),
        };
        let lines = u32::from(columns.max(rows));
        // margins of half a square; wider where labels have two figures and squares are small
        let tenths = 10 * lines
            + match lines {
                ..10 => 10,
                10 => 12,
                _ => 16,
            };
        let square = (10 * width / tenths) as i32;
        let extent = width as i32;
        let left = (extent - i32::from(columns) * square) / 2;
        let top = (extent - i32::from(rows) * square) / 2;
        Self {
            bottom,
            files,
            ranks,
            columns,
            rows,
            square,
            left,
            top,
            extent,
        }
    }

    /// Width of the lesser margin.
    pub(crate) fn margin(&self) -> i32 {
        self.left.min(self.top)
    }

    /// Column from the left and row from the top.
    pub(crate) fn place(&self, (file, rank): Square) -> (u8, u8) {
        match self.bottom {
            Side::South => (file, self.ranks - 1 - rank),
            Side::West => (self.ranks - 1 - rank, self.files - 1 - file),
            Side::North => (self.files - 1 - file, rank),
            Side::East => (rank, file),
        }
    }

    pub(crate) fn area(&self, at: Square) -> Area {
        let (column, row) = self.place(at);
        Area::square(
            self.left + i32::from(column) * self.square,
            self.top + i32::from(row) * self.square,
            self.square,
        )
    }

    /// Where a home side is seen.
    pub(crate) fn seen(&self, home: Side) -> Seen {
        match (home.turns() + 4 - self.bottom.turns()) % 4 {
            0 => Seen::Below,
            1 => Seen::Left,
            2 => Seen::Above,
            _ => Seen::Right,
        }
    }

    /// What is written above and below a column.
    pub(crate) fn column_label(&self, column: u8) -> String {
        match self.bottom {
            Side::South => file_label(column),
            Side::West => rank_label(self.ranks - 1 - column),
            Side::North => file_label(self.files - 1 - column),
            Side::East => rank_label(column),
        }
    }

    /// What is written beside a row.
    pub(crate) fn row_label(&self, row: u8) -> String {
        match self.bottom {
            Side::South => rank_label(self.ranks - 1 - row),
            Side::West => file_label(self.files - 1 - row),
            Side::North => rank_label(row),
            Side::East => file_label(row),
        }
    }
}

/// A side of the board as seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    Below,
    Left,
    Above,
    Right,
}

fn file_label(file: u8) -> String {
    char::from(b'a' + file).to_string()
}

fn rank_label(rank: u8) -> String {
    (rank + 1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_sees_its_own_corner_at_its_left_hand() {
        let board = Board::new(8, 10);
        let own = [
            (Side::South, (0, 0)),
            (Side::West, (0, 9)),
            (Side::North, (7, 9)),
            (Side::East, (7, 0)),
        ];
        for (side, corner) in own {
            let view = View::new(&board, side, 720);
            assert_eq!(view.place(corner), (0, view.rows - 1), "{side:?}");
        }
    }

    #[test]
    fn labels_name_the_squares_they_stand_at() {
        let board = Board::new(8, 10);
        for side in Side::ALL {
            let view = View::new(&board, side, 720);
            for (file, rank) in [(0, 0), (7, 9), (2, 6), (5, 1)] {
                let (column, row) = view.place((file, rank));
                let mut labels = [view.column_label(column), view.row_label(row)];
                labels.sort();
                assert_eq!(labels, [rank_label(rank), file_label(file)], "{side:?}");
            }
        }
    }

    #[test]
    fn the_bottom_side_is_seen_below_and_play_passes_clockwise() {
        let view = View::new(&Board::new(8, 8), Side::West, 720);
        assert_eq!(
            [Side::West, Side::North, Side::East, Side::South].map(|side| view.seen(side)),
            [Seen::Below, Seen::Left, Seen::Above, Seen::Right]
        );
    }

    #[test]
    fn squares_of_eight_lines_are_eighty_pixels_at_720() {
        assert_eq!(View::new(&Board::new(8, 8), Side::South, 720).square, 80);
        assert_eq!(View::new(&Board::new(10, 10), Side::South, 720).square, 64);
        assert_eq!(View::new(&Board::cross(14, 3), Side::South, 720).square, 46);
    }
}
