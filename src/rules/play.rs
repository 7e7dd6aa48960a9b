//! One game in progress, of any of the games: the face of the rules for everything above them.

use super::dice::Roll;
use super::effect::Effect;
use super::event::{Event, Move, Outcome, Piece, Refused};
use super::info::Info;
use super::kind::Kinds;
use super::load::SetupError;
use super::notation::move_text;
use super::options::{OptionError, Options};
use super::perft::Leaves;
use super::position::Phase;
use super::seat::Seat;
use super::setup::{Setup, State};
use super::square::Square;
use super::why::{Unmoved, WhyNot};

/// One game in progress.
pub struct Play(pub(super) Box<dyn AnyPlay>);

impl Clone for Play {
    fn clone(&self) -> Play {
        Play(self.0.boxed())
    }
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Play")
            .field("game", &self.info().key)
            .field("setup", &self.setup())
            .finish()
    }
}

/// What a [`Play`] does, whatever its game.
pub(super) trait AnyPlay: Send + Sync {
    fn boxed(&self) -> Box<dyn AnyPlay>;
    fn info(&self) -> &'static Info;
    fn phase(&self) -> Phase;
    fn mover(&self) -> Seat;
    fn commander(&self, seat: Seat) -> Seat;
    fn in_play(&self, seat: Seat) -> bool;
    fn apply(&mut self, event: &Event) -> Result<Vec<Effect>, Refused>;
    fn legal(&self) -> Vec<Move>;
    fn why_not(&self, m: Move) -> Option<WhyNot>;
    fn unmoved(&self, kinds: Kinds) -> Option<Unmoved>;
    fn dice_thrown(&self) -> usize;
    fn unused(&self) -> Vec<u8>;
    fn outcome(&self) -> Option<Outcome>;
    fn scores(&self) -> Option<Vec<i32>>;
    fn piece_at(&self, at: Square) -> Option<Piece>;
    fn pieces(&self) -> Vec<Piece>;
    fn checked(&self) -> Vec<Square>;
    fn state(&self) -> State;
    fn setup(&self) -> Setup;
    fn perft(&self, dice: &[Roll], depth: usize, leaves: Leaves) -> u64;
}

impl Play {
    /// A game from its own array.
    ///
    /// # Errors
    /// If something must be drawn first (PC1).
    pub fn new(info: &'static Info, options: &Options) -> Result<Play, OptionError> {
        if let Some((key, _)) = options.undrawn(info) {
            return Err(OptionError::NotDrawn { key });
        }
        // Every array of every game loads: a test holds that.
        make(info, options, None).map_err(|_| OptionError::NotDrawn { key: "array" })
    }

    /// A game from a position.
    ///
    /// # Errors
    /// Says what is wrong with the position.
    pub fn from_setup(
        info: &'static Info,
        options: &Options,
        setup: &Setup,
    ) -> Result<Play, SetupError> {
        make(info, options, Some(setup))
    }

    /// The game's card.
    #[must_use]
    pub fn info(&self) -> &'static Info {
        self.0.info()
    }

    /// What is due.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.0.phase()
    }

    /// The seat of the army whose turn it is, or was when the game ended.
    #[must_use]
    pub fn mover(&self) -> Seat {
        self.0.mover()
    }

    /// The seat whose player must act: the commander of the mover's army (FH8).
    #[must_use]
    pub fn player(&self) -> Seat {
        self.commander(self.mover())
    }

    /// The seat that commands an army (FH8).
    #[must_use]
    pub fn commander(&self, seat: Seat) -> Seat {
        self.0.commander(seat)
    }

    /// Whether the player of a seat is still in the game; false for seats that the game does not have.
    #[must_use]
    pub fn in_play(&self, seat: Seat) -> bool {
        self.0.in_play(seat)
    }

    /// Lets an event happen and tells its effects in their order.
    ///
    /// # Errors
    /// Says why the event cannot happen; then nothing has changed.
    pub fn apply(&mut self, event: &Event) -> Result<Vec<Effect>, Refused> {
        self.0.apply(event)
    }

    /// Every legal move, sorted.
    #[must_use]
    pub fn legal(&self) -> Vec<Move> {
        self.0.legal()
    }

    /// Why a move is not legal; `None` if it is.
    #[must_use]
    pub fn why_not(&self, m: Move) -> Option<WhyNot> {
        self.0.why_not(m)
    }

    /// What the unused dice move instead of some kinds of pieces; nothing in games without dice.
    #[must_use]
    pub fn unmoved(&self, kinds: Kinds) -> Option<Unmoved> {
        self.0.unmoved(kinds)
    }

    /// How many dice a roll of this game has, 0 if it has none.
    #[must_use]
    pub fn dice_thrown(&self) -> usize {
        self.0.dice_thrown()
    }

    /// The dice of this turn not yet used, ascending.
    #[must_use]
    pub fn unused(&self) -> Vec<u8> {
        self.0.unused()
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// The points in the order of play, in games with points.
    #[must_use]
    pub fn scores(&self) -> Option<Vec<i32>> {
        self.0.scores()
    }

    /// The piece on a square, if the board has the square and a piece stands there.
    #[must_use]
    pub fn piece_at(&self, at: Square) -> Option<Piece> {
        self.0.piece_at(at)
    }

    /// Every piece on the board, by square.
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        self.0.pieces()
    }

    /// The squares of Kings in check, in games that know check (CG3).
    #[must_use]
    pub fn checked(&self) -> Vec<Square> {
        self.0.checked()
    }

    /// Everything a player sees.
    #[must_use]
    pub fn state(&self) -> State {
        self.0.state()
    }

    /// The position as it can be loaded again.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.0.setup()
    }

    /// Counts the sequences of exactly `depth` moves; each roll takes the next of `dice`, from the first again after
    /// the last (`vectors/README.md`).
    #[must_use]
    pub fn perft(&self, dice: &[Roll], depth: usize, leaves: Leaves) -> u64 {
        self.0.perft(dice, depth, leaves)
    }

    /// The text of a move: the squares and, for a promotion, `=` and the letter.
    #[must_use]
    pub fn text(&self, m: Move) -> String {
        move_text(self.info(), m)
    }
}

fn make(info: &'static Info, options: &Options, setup: Option<&Setup>) -> Result<Play, SetupError> {
    match super::MAKERS
        .iter()
        .find(|maker| std::ptr::eq(maker.info, info))
    {
        Some(maker) => (maker.make)(options, setup),
        None => Err(SetupError::Field("game")),
    }
}
