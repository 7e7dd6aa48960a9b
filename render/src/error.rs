//! What can be wrong with a description.

use crate::scene::{MAX_SEATS, WIDTHS};
use crate::squares::{MAX_LINES, Square};

/// Why a [`Scene`](crate::Scene) cannot be drawn. Squares are (file, rank), counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The width asked for is out of bounds.
    #[error("a picture may be {low} to {high} pixels wide, not {0}", low = WIDTHS.start(), high = WIDTHS.end())]
    Width(u32),
    /// The board has no squares, or too many lines.
    #[error("a board has 1 to {MAX_LINES} files and ranks, not {files} by {ranks}")]
    BoardSize {
        /// Files asked for.
        files: u8,
        /// Ranks asked for.
        ranks: u8,
    },
    /// A piece or a mark lies on no square of the board.
    #[error("file {file}, rank {rank} (from 0) is no square of this board", file = .0.0, rank = .0.1)]
    NoSquare(Square),
    /// Two pieces on one square.
    #[error("two pieces on file {file}, rank {rank} (from 0)", file = .0.0, rank = .0.1)]
    Crowded(Square),
    /// The panel has more seats than there is room for.
    #[error("a panel has room for {MAX_SEATS} seats, not {0}")]
    Seats(usize),
    /// More dice than any game throws.
    #[error("a panel has room for 3 dice, not {0}")]
    Dice(usize),
    /// A face no die has.
    #[error("a die has no face {0}")]
    Face(u8),
    /// The PNG writer failed.
    #[error("the picture could not be encoded")]
    Encoding,
}
