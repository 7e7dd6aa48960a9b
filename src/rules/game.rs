//! What a game is: a card, a board, and its answers where games differ.
//!
//! The order in which a move takes effect is the same for all (RULES.md G7) and stands in [`turn`](super::turn);
//! a game says here what it does at each of its steps. What it does not mention, it does not do.

use super::bits::Bits;
use super::dice::DiceRule;
use super::effect::Witness;
use super::field::Field;
use super::info::Info;
use super::kind::{KindId, Kinds};
use super::options::Options;
use super::position::{End, Man, Position, Reason};
use super::seat::Armies;

/// The positions of a game.
pub type PositionOf<G> = Position<<G as Game>::Bits>;

/// A move that has been made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Whose piece moved.
    pub army: usize,
    /// Its kind before any promotion.
    pub kind: KindId,
    /// The cell it left.
    pub from: u8,
    /// The cell it reached.
    pub to: u8,
    /// What stood there.
    pub victim: Option<Man>,
}

/// The rules of one game with its options.
pub trait Game: Send + Sync + Sized + 'static {
    /// Sets of squares wide enough for the board.
    type Bits: Bits;

    /// The game's card.
    const INFO: &'static Info;

    /// Whether no move may leave the own King in check (CG3).
    const ROYAL: bool = false;

    /// Whether a position that comes for the third time ends the game (CG9, CJ12).
    const REPEATS: bool = false;

    /// The game with these options, which fit its card.
    fn with(options: &Options) -> Self;

    /// The board's tables.
    fn field(&self) -> &Field<Self::Bits>;

    /// How dice are used with these options.
    #[inline]
    fn dice(&self) -> Option<&DiceRule> {
        Self::INFO.dice.as_ref()
    }

    /// The array at the start, as a board text of `vectors/README.md`.
    fn array(&self) -> String;

    /// Completes a position that was set up.
    fn prepare(&self, _p: &mut PositionOf<Self>) {}

    /// Whether the player of this seat is still in the game.
    fn in_play(&self, p: &PositionOf<Self>, army: usize) -> bool {
        !p.resigned.has(army) && !p.armies[army].is_empty()
    }

    /// Whether the army gets turns.
    fn has_turn(&self, p: &PositionOf<Self>, army: usize) -> bool {
        self.in_play(p, army)
    }

    /// Whether the army's pieces are dead (CJ6).
    fn is_dead(&self, _p: &PositionOf<Self>, _army: usize) -> bool {
        false
    }

    /// The cells that the army's pieces may not capture on.
    #[inline]
    fn spared(&self, p: &PositionOf<Self>, army: usize) -> Self::Bits {
        p.armies[army]
    }

    /// What a pawn that reaches a cell of its far edge becomes, one of these; if there is none, it waits there.
    fn promotes(&self, p: &PositionOf<Self>, army: usize, to: u8) -> Kinds;

    /// A piece has been captured: points, and what else follows at once.
    fn captured(&self, _p: &mut PositionOf<Self>, _made: &Made, _victim: Man, _w: &mut Witness) {}

    /// A piece has moved to where it stands now, pawns not yet promoted (FH7).
    fn arrived(&self, _p: &mut PositionOf<Self>, _made: &Made, _w: &mut Witness) {}

    /// A pawn has become a piece of this kind.
    fn promoted(&self, _p: &mut PositionOf<Self>, _army: usize, _kind: KindId) {}

    /// The move's piece is what it is now (thrones, checks of several Kings).
    fn settled(&self, _p: &mut PositionOf<Self>, _made: &Made, _w: &mut Witness) {}

    /// Whether the move ends the game.
    fn ended(&self, _p: &mut PositionOf<Self>, _made: &Made, _w: &mut Witness) -> Option<End>;

    /// Whether the game ends because the player of this seat has just resigned.
    fn left(&self, p: &mut PositionOf<Self>, army: usize, w: &mut Witness) -> Option<End>;

    /// The dice have been thrown (PC10).
    fn rolled(&self, _p: &mut PositionOf<Self>) {}

    /// Whether the game ends because too much has passed without an event; `p.quiet` has been counted.
    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason>;

    /// Who has won a game that ends without anybody's doing.
    fn winners(&self, _p: &PositionOf<Self>) -> Armies {
        Armies::NONE
    }

    /// Whether the player to move may claim the win (CJ10); if so, the points are given.
    fn claim(&self, _p: &mut PositionOf<Self>, _w: &mut Witness) -> bool {
        false
    }
}
