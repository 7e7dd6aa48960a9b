//! What happens in a game, what is refused, and what stands on the board.

use super::dice::Roll;
use super::kind::KindId;
use super::position::Reason;
use super::seat::Seat;
use super::square::Square;
use super::why::WhyNot;

/// A move by squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached.
    pub to: Square,
    /// What a pawn becomes there; it need not be named where there is only one choice.
    pub promotion: Option<KindId>,
}

/// Something that happens in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The mover throws the dice.
    Roll(Roll),
    /// The mover moves a piece.
    Move(Move),
    /// The mover gives up the rest of the roll (G6).
    Pass,
    /// A player resigns, on turn or not (G9).
    Resign(Seat),
    /// A player's time has run out (CJ7; elsewhere the table decides what that means).
    Timeout(Seat),
    /// The player to move claims the win (CJ10).
    Claim,
    /// All players still in the game agree to end it (G8).
    Agree,
}

/// Why an event is refused. A refused event changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The game is over.
    Over,
    /// The dice must be thrown first.
    MustRoll,
    /// The dice have been thrown.
    HasRolled,
    /// The game has no dice: nothing to throw, and no passing.
    NoDice,
    /// A roll has another number of dice.
    DiceCount {
        /// What the game throws.
        wanted: usize,
        /// What was thrown.
        found: usize,
    },
    /// The move is not legal.
    Illegal(Move, WhyNot),
    /// The game has no such seat, or its player is out.
    NotInPlay(Seat),
    /// This game has no claims (CJ10).
    NoClaims,
    /// The claimant is not far enough ahead (CJ10).
    NotAhead,
    /// Clocks are the table's matter in this game.
    NoTimeouts,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// Who won; nobody is a draw.
    pub winners: Vec<Seat>,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands.
    pub at: Square,
    /// Its army.
    pub seat: Seat,
    /// What it is.
    pub kind: KindId,
    /// Whether it is a dead piece (CJ6).
    pub dead: bool,
    /// Whether it is a waiting pawn (PC7, FH6).
    pub waiting: bool,
}
