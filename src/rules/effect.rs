//! What a move brings about, told while it is made to whoever wants to know.

use super::kind::KindId;
use super::position::Reason;
use super::seat::Seat;
use super::square::Square;

/// One thing that happened, in the order of RULES.md G7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A piece moved.
    Moved {
        /// Its army.
        seat: Seat,
        /// Its kind before any promotion.
        kind: KindId,
        /// The square left.
        from: Square,
        /// The square reached.
        to: Square,
        /// The die it used.
        die: Option<u8>,
    },
    /// A piece was captured.
    Captured {
        /// The commander of the capturing army.
        by: Seat,
        /// The army of the captured piece.
        seat: Seat,
        /// What it was.
        kind: KindId,
        /// Where it stood.
        at: Square,
        /// Whether it was a dead piece (CJ6).
        dead: bool,
    },
    /// Points were won.
    Scored {
        /// By whom.
        seat: Seat,
        /// How many.
        points: i32,
        /// What for.
        why: Points,
    },
    /// A Boat Triumph (FH7): the captures follow.
    Triumph {
        /// Whose Boat completed it.
        seat: Seat,
    },
    /// A pawn was promoted.
    Promoted {
        /// Its army.
        seat: Seat,
        /// Where it stands.
        at: Square,
        /// What it became.
        kind: KindId,
        /// Whether it had waited for it.
        waited: bool,
    },
    /// A pawn waits on the far edge (PC7, FH6).
    Waits {
        /// Its army.
        seat: Seat,
        /// Where it stands.
        at: Square,
    },
    /// A King claimed a throne (FH8).
    Throne {
        /// The commander of the King.
        seat: Seat,
        /// Whose throne it was.
        of: Seat,
        /// Whether that army is now under the claimant's command.
        command: bool,
    },
    /// A player is out of the game.
    Out {
        /// Who.
        seat: Seat,
    },
    /// A roll allows no move.
    Unplayable {
        /// Whose roll it was.
        seat: Seat,
    },
    /// The game is over.
    Over {
        /// Why.
        reason: Reason,
        /// Who won; nobody is a draw.
        winners: Vec<Seat>,
    },
}

/// What points were won for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// Capturing a piece.
    Capture,
    /// Checking this many Kings (CJ5).
    Checks(u32),
    /// Dead Kings at the end of the game (CJ9, CJ10).
    DeadKings,
    /// All three other Kings (FH9).
    Perfect,
}

/// Who is told the effects while a move is made.
#[derive(Debug)]
pub struct Witness(Option<Vec<Effect>>);

impl Witness {
    /// Nobody listens: effects are not even made.
    #[must_use]
    pub const fn nobody() -> Witness {
        Witness(None)
    }

    /// Somebody who remembers everything.
    #[must_use]
    pub const fn listening() -> Witness {
        Witness(Some(Vec::new()))
    }

    /// Hears of an effect.
    #[inline(always)]
    pub fn see(&mut self, effect: impl FnOnce() -> Effect) {
        if let Some(seen) = &mut self.0 {
            seen.push(effect());
        }
    }

    /// What was heard, in its order.
    #[must_use]
    pub fn told(self) -> Vec<Effect> {
        self.0.unwrap_or_default()
    }
}
