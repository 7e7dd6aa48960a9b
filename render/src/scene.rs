//! The description of a picture.

use std::ops::RangeInclusive;

use crate::error::RenderError;
use crate::shape::{Colour, Shape};
use crate::squares::{Board, Side, Square};
use crate::theme::Theme;

/// Widths in pixels a board may be drawn at.
pub const WIDTHS: RangeInclusive<u32> = 240..=1440;
/// The most seats a panel has room for.
pub const MAX_SEATS: usize = 4;
const MAX_DICE: usize = 3;

/// All that is to be seen in one picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scene {
    /// The squares.
    pub board: Board,
    /// The side at the bottom. The board is turned, the pieces never are.
    pub bottom: Side,
    /// The colours.
    pub theme: Theme,
    /// Width of the board with its margins, in pixels, within [`WIDTHS`]; the height of the picture too.
    pub width: u32,
    /// Where names, scores and dice go.
    pub layout: Layout,
    /// The pieces, at most one a square.
    pub pieces: Vec<Placed>,
    /// What is pointed out on the board.
    pub marks: Vec<Mark>,
    /// Names, scores, dice.
    pub panel: Panel,
}

/// The form of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The board and its margins. Dice go into the corners of the frame; where a board has empty corners (the
    /// cross), seats and dice go there.
    Square,
    /// Three to two, with a panel at the right.
    Wide,
}

/// A piece on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed {
    /// Its square.
    pub at: Square,
    /// Its shape.
    pub shape: Shape,
    /// Its army's colour.
    pub colour: Colour,
    /// Its army's home side, which its seat tab points to.
    pub home: Side,
    /// Its state.
    pub state: PieceState,
}

/// Whether a piece can act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PieceState {
    /// As usual.
    Live,
    /// Out of the game but still in the way: a flat silhouette.
    Dead,
    /// A pawn that waits to be promoted: with an hourglass.
    Waiting,
    /// Of an army that stands unmoving: with a pause sign.
    Idle,
}

/// Something pointed out on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Where the last move began: tint and dashed ring.
    LastFrom(Square),
    /// Where the last move ended: tint and full ring.
    LastTo(Square),
    /// A move before the last: a thin arrow.
    Earlier {
        /// Where it began.
        from: Square,
        /// Where it ended.
        to: Square,
        /// The army that made it.
        colour: Colour,
    },
    /// A piece under attack that must not be: red ring and `!`.
    Check(Square),
    /// The piece chosen: tint and brackets.
    Select(Square),
    /// A square the chosen piece can go to: a dot, or corners about a piece.
    Target(Square),
}

/// What stands beside the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Panel {
    /// A heading, for instance the game and its code; some 40 letters fit, in two lines if need be.
    pub title: String,
    /// The seats in playing order, at most [`MAX_SEATS`].
    pub seats: Vec<SeatLine>,
    /// The dice thrown, at most three.
    pub dice: Vec<Die>,
    /// A line or two below all else.
    pub note: String,
}

/// One seat in the panel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SeatLine {
    /// Who sits there; drawn [as it can be spelled](crate::spelled), shortened to the room there is.
    pub name: String,
    /// The seat's own name: written before names that are spelled alike, and for one that cannot be spelled.
    pub fallback: String,
    /// The army's colour.
    pub colour: Colour,
    /// The shape of the army's King.
    pub king: Shape,
    /// The army's home side: which empty corner of the cross is its own.
    pub home: Side,
    /// The score, if the game has one.
    pub score: Option<String>,
    /// Whether this seat is on turn.
    pub to_move: bool,
    /// Whether this seat is out of the game.
    pub out: bool,
}

/// A die as thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Die {
    /// 1 to 6.
    pub face: u8,
    /// Whether it has been played.
    pub used: bool,
}

impl Scene {
    /// An empty board, South at the bottom, in the default theme and size.
    pub fn new(board: Board) -> Self {
        Self {
            board,
            bottom: Side::South,
            theme: Theme::default(),
            width: 720,
            layout: Layout::Square,
            pieces: Vec::new(),
            marks: Vec::new(),
            panel: Panel::default(),
        }
    }

    /// Whether this can be drawn.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        if !WIDTHS.contains(&self.width) {
            return Err(RenderError::Width(self.width));
        }
        self.board.check()?;
        let mut taken = vec![false; usize::from(self.board.files) * usize::from(self.board.ranks)];
        for piece in &self.pieces {
            self.board.require(piece.at)?;
            let place =
                usize::from(piece.at.1) * usize::from(self.board.files) + usize::from(piece.at.0);
            if std::mem::replace(&mut taken[place], true) {
                return Err(RenderError::Crowded(piece.at));
            }
        }
        for mark in &self.marks {
            match *mark {
                Mark::LastFrom(at)
                | Mark::LastTo(at)
                | Mark::Check(at)
                | Mark::Select(at)
                | Mark::Target(at) => {
                    self.board.require(at)?;
                }
                Mark::Earlier { from, to, .. } => {
                    self.board.require(from)?;
                    self.board.require(to)?;
                }
            }
        }
        self.panel.check()
    }
}

impl Placed {
    /// A live piece.
    pub const fn new(at: Square, shape: Shape, colour: Colour, home: Side) -> Self {
        Self {
            at,
            shape,
            colour,
            home,
            state: PieceState::Live,
        }
    }
}

impl Panel {
    fn check(&self) -> Result<(), RenderError> {
        if self.seats.len() > MAX_SEATS {
            return Err(RenderError::Seats(self.seats.len()));
        }
        if self.dice.len() > MAX_DICE {
            return Err(RenderError::Dice(self.dice.len()));
        }
        match self.dice.iter().find(|die| !(1..=6).contains(&die.face)) {
            Some(die) => Err(RenderError::Face(die.face)),
            None => Ok(()),
        }
    }
}
