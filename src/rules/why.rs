//! Why a move is not legal, with what could be done instead.

use super::event::{Move, Piece};
use super::kind::{KindId, Step};
use super::seat::Seat;
use super::square::Square;

/// The reason why a move cannot be played. `can` has the squares that the piece can legally go to, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The game is over.
    Over,
    /// The dice must be thrown first.
    MustRoll,
    /// The board has no such square.
    NoSquare(Square),
    /// Nothing stands there.
    Empty(Square),
    /// The piece is of an army that is not to move.
    NotTheirs {
        /// The piece.
        piece: Piece,
        /// The army to move.
        mover: Seat,
    },
    /// A waiting pawn cannot move (PC7, FH6).
    Waiting {
        /// Where it waits.
        at: Square,
        /// What it becomes as soon as one of its army is captured: kinds of which there is one to be captured.
        becomes: Vec<KindId>,
    },
    /// No unused die moves this kind of piece.
    Die {
        /// The piece.
        kind: KindId,
        /// Where it stands.
        at: Square,
        /// What the dice move instead.
        dice: Unmoved,
    },
    /// A piece in between, or one of the own army on the target; before a pawn, any piece.
    InTheWay {
        /// The piece that should move.
        piece: Piece,
        /// The one that is in the way.
        by: Piece,
        /// Where the piece can go.
        can: Vec<Square>,
    },
    /// The target holds another army's piece that may not be captured: one under the same command, the partner's King.
    Spared {
        /// The piece that should move.
        piece: Piece,
        /// The one that may not be captured.
        victim: Piece,
        /// Where the piece can go.
        can: Vec<Square>,
    },
    /// A pawn goes diagonally only to capture, and there is nothing (G5).
    NothingToTake {
        /// The pawn.
        piece: Piece,
        /// The empty square.
        to: Square,
        /// Where the pawn can go.
        can: Vec<Square>,
    },
    /// The piece does not move that way, whatever stands on the board.
    CannotReach {
        /// The piece.
        piece: Piece,
        /// How it moves with the options of this game.
        step: Step,
        /// Where it can go.
        can: Vec<Square>,
    },
    /// The own King would be in check (CG3).
    Check {
        /// The piece that should move.
        piece: Piece,
        /// The pieces that would give check.
        from: Vec<Piece>,
        /// Where the piece can go.
        can: Vec<Square>,
        /// Every legal move, if the King is in check now.
        meets: Vec<Move>,
    },
    /// The pawn must become something else than was named.
    Promotion {
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
        /// What it can become.
        choices: Vec<KindId>,
    },
    /// A promotion was named where none happens.
    NoPromotion {
        /// The square left.
        from: Square,
        /// The square reached.
        to: Square,
        /// It is a pawn that will wait there, since there is nothing to bring back (PC7, FH6).
        waits: bool,
    },
}

/// What the unused dice move, where they do not move a piece that should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmoved {
    /// Each face that lies there, ascending, with the kinds it moves.
    pub moves: Vec<(u8, Vec<KindId>)>,
    /// The faces that would move the piece.
    pub needs: Vec<u8>,
}
