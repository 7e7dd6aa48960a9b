//! The squares of a board, and its four sides.

use crate::error::RenderError;

/// (file, rank), both from zero, counted from the corner at the left hand of South.
pub type Square = (u8, u8);

/// The most files or ranks a board may have.
pub const MAX_LINES: u8 = 16;

/// A board of rectangular outline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    /// Number of files.
    pub files: u8,
    /// Number of ranks.
    pub ranks: u8,
    /// Places within the outline that are no squares.
    pub holes: Vec<Square>,
    /// Squares with a faint cross, for instance where a King's throne is.
    pub marked: Vec<Square>,
}

/// A side of the board, named after the seat there, in the order in which play passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Below rank 1.
    South,
    /// Left of file a.
    West,
    /// Above the last rank.
    North,
    /// Right of the last file.
    East,
}

impl Board {
    /// A board without holes.
    pub const fn new(files: u8, ranks: u8) -> Self {
        Self {
            files,
            ranks,
            holes: Vec::new(),
            marked: Vec::new(),
        }
    }

    /// The cross: `lines` by `lines` without its four corners of `corner` by `corner`.
    pub fn cross(lines: u8, corner: u8) -> Self {
        let far = lines.saturating_sub(corner);
        let outer = |line: u8| line < corner || line >= far;
        let holes = (0..lines)
            .flat_map(|rank| (0..lines).map(move |file| (file, rank)))
            .filter(|&(file, rank)| outer(file) && outer(rank))
            .collect();
        Self {
            holes,
            ..Self::new(lines, lines)
        }
    }

    /// Whether `at` is a square of this board.
    pub fn has(&self, at: Square) -> bool {
        at.0 < self.files && at.1 < self.ranks && !self.holes.contains(&at)
    }

    /// How many files and ranks the empty corners have, the least of the four; zero on a full board.
    pub(crate) fn empty_corner(&self) -> u8 {
        let (files, ranks) = (self.files, self.ranks);
        let empty = |size: u8| {
            (0..size).all(|rank| {
                (0..size).all(|file| {
                    [
                        (file, rank),
                        (files - 1 - file, rank),
                        (file, ranks - 1 - rank),
                        (files - 1 - file, ranks - 1 - rank),
                    ]
                    .iter()
                    .all(|&at| !self.has(at))
                })
            })
        };
        (1..=files.min(ranks) / 2)
            .take_while(|&size| empty(size))
            .last()
            .unwrap_or(0)
    }

    /// Whether its size can be drawn.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let lines = 1..=MAX_LINES;
        if lines.contains(&self.files) && lines.contains(&self.ranks) {
            Ok(())
        } else {
            Err(RenderError::BoardSize {
                files: self.files,
                ranks: self.ranks,
            })
        }
    }

    /// Refuses what is no square of this board.
    pub(crate) fn require(&self, at: Square) -> Result<(), RenderError> {
        if self.has(at) {
            Ok(())
        } else {
            Err(RenderError::NoSquare(at))
        }
    }
}

impl Side {
    /// Every side, in the order in which play passes (clockwise).
    pub const ALL: [Self; 4] = [Self::South, Self::West, Self::North, Self::East];

    /// Quarter turns clockwise from South.
    pub(crate) const fn turns(self) -> usize {
        self as usize
    }
}
