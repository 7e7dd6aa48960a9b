//! What stands on the board and all else that a turn needs: a value that is copied, not shared.

use super::bits::Bits;
use super::dice::Dice;
use super::kind::{KindId, MOST_KINDS};
use super::seat::Armies;

/// The most armies any game has.
pub const MOST_ARMIES: usize = 4;
/// The most cells that are a far edge of some army (XH3).
pub const MOST_WAITING: usize = 56;

/// What is due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The mover must throw the dice.
    Roll,
    /// The mover must move.
    Move,
    /// The game has ended.
    Over,
}

/// How a game ended (`vectors/README.md`), in the order in which ends by one move are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// FH9.
    Perfect,
    /// CG5.
    Checkmate,
    /// CG7.
    BareKing,
    /// CG6.
    Stalemate,
    /// CG8.
    NoMove,
    /// PC8, CJ9.
    KingsCaptured,
    /// FH10.
    LastKing,
    /// FH10.
    OneCommand,
    /// G11, CJ9.
    LastPlayer,
    /// CJ11.
    Decided,
    /// PC10.
    BareCount,
    /// CG9, CJ12.
    Repetition,
    /// CG9, FH10, CJ8, CJ12.
    Quiet,
    /// CJ10.
    Claim,
    /// G8.
    Agreement,
    /// G9, PC11.
    Resignation,
}

impl Reason {
    /// The word of records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Perfect => "perfect",
            Reason::Checkmate => "checkmate",
            Reason::BareKing => "bare-king",
            Reason::Stalemate => "stalemate",
            Reason::NoMove => "no-move",
            Reason::KingsCaptured => "kings-captured",
            Reason::LastKing => "last-king",
            Reason::OneCommand => "one-command",
            Reason::LastPlayer => "last-player",
            Reason::Decided => "decided",
            Reason::BareCount => "bare-count",
            Reason::Repetition => "repetition",
            Reason::Quiet => "quiet",
            Reason::Claim => "claim",
            Reason::Agreement => "agreement",
            Reason::Resignation => "resignation",
        }
    }
}

/// The end of a game: why, and who won. Nobody is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Why it ended.
    pub reason: Reason,
    /// Who won.
    pub winners: Armies,
}

/// A move by cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellMove {
    /// The cell left.
    pub from: u8,
    /// The cell reached.
    pub to: u8,
    /// What a pawn becomes there.
    pub promotion: Option<KindId>,
}

/// An army's piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Its army.
    pub army: usize,
    /// Its kind.
    pub kind: KindId,
}

/// The cells of waiting pawns, longest waiting first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    cells: [u8; MOST_WAITING],
    len: u8,
}

impl Queue {
    /// Nobody waits.
    pub const EMPTY: Queue = Queue {
        cells: [0; MOST_WAITING],
        len: 0,
    };

    /// The cells, longest waiting first.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..usize::from(self.len).min(MOST_WAITING)]
    }

    /// Whether nobody waits.
    #[must_use]
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a cell at the end. Every cell waits at most once, so there is room for all.
    pub fn push(&mut self, cell: u8) {
        debug_assert!(!self.cells().contains(&cell));
        self.cells[usize::from(self.len)] = cell;
        self.len += 1;
    }

    /// Takes a cell out, if it is in.
    pub fn remove(&mut self, cell: u8) {
        if let Some(at) = self.cells().iter().position(|&waiting| waiting == cell) {
            self.cells.copy_within(at + 1.., at);
            self.len -= 1;
            self.cells[usize::from(self.len)] = 0;
        }
    }
}

/// A position in play. Games use of it what their rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    /// The cells of each army.
    pub armies: [B; MOST_ARMIES],
    /// The cells of each kind.
    pub kinds: [B; MOST_KINDS],
    /// The army that moves.
    pub mover: usize,
    /// What is due.
    pub phase: Phase,
    /// Dice of this turn not yet used.
    pub dice: Dice,
    /// How it ended, in phase `Over`.
    pub end: Option<End>,
    /// Whether this turn has seen a capture or a pawn move.
    pub stirred: bool,
    /// Plies (CG9) or turns (FH10, CJ12) since the last capture or pawn move.
    pub quiet: u16,
    /// Players who have resigned; in CJ also those whose King was captured or whose time ran out.
    pub resigned: Armies,
    /// Points.
    pub scores: [i32; MOST_ARMIES],
    /// Who commands each army (FH8).
    pub command: [u8; MOST_ARMIES],
    /// Pieces captured and not yet brought back, by army and kind (PC6, FH5, XH3).
    pub reserve: [[u8; MOST_KINDS]; MOST_ARMIES],
    /// Armies that have brought back a King (PC6).
    pub king_returned: Armies,
    /// Whose Kings each commander has captured (FH9).
    pub kings_taken: [Armies; MOST_ARMIES],
    /// Rolls left against each side's bare Kings (PC10).
    pub bare: [Option<u8>; 2],
    /// Waiting pawns, longest first (PC7, FH6).
    pub waiting: Queue,
}

impl<B: Bits> Position<B> {
    /// An empty board with the first army to move.
    #[must_use]
    pub fn empty(phase: Phase) -> Position<B> {
        Position {
            armies: [B::NONE; MOST_ARMIES],
            kinds: [B::NONE; MOST_KINDS],
            mover: 0,
            phase,
            dice: Dice::NONE,
            end: None,
            stirred: false,
            quiet: 0,
            resigned: Armies::NONE,
            scores: [0; MOST_ARMIES],
            command: [0, 1, 2, 3],
            reserve: [[0; MOST_KINDS]; MOST_ARMIES],
            king_returned: Armies::NONE,
            kings_taken: [Armies::NONE; MOST_ARMIES],
            bare: [None; 2],
            waiting: Queue::EMPTY,
        }
    }

    /// All occupied cells.
    #[must_use]
    #[inline(always)]
    pub fn occupied(&self) -> B {
        (self.armies[0] | self.armies[1]) | (self.armies[2] | self.armies[3])
    }

    /// The cells of one army's pieces of one kind.
    #[must_use]
    #[inline(always)]
    pub fn men(&self, army: usize, kind: KindId) -> B {
        self.armies[army] & self.kinds[kind.index()]
    }

    /// All cells of several armies.
    #[must_use]
    #[inline]
    pub fn of_armies(&self, armies: Armies) -> B {
        armies
            .iter()
            .fold(B::NONE, |cells, army| cells | self.armies[army])
    }

    /// The piece on a cell.
    #[must_use]
    #[inline]
    pub fn man(&self, cell: u8) -> Option<Man> {
        let bit = B::one(cell);
        let army = self.armies.iter().position(|army| army.meets(bit))?;
        let kind = self.kinds.iter().position(|kind| kind.meets(bit))?;
        Some(Man {
            army,
            kind: KindId(kind as u8),
        })
    }

    /// Puts a piece on an empty cell.
    #[inline]
    pub fn put(&mut self, cell: u8, man: Man) {
        self.armies[man.army] |= B::one(cell);
        self.kinds[man.kind.index()] |= B::one(cell);
    }

    /// Takes the piece off its cell.
    #[inline]
    pub fn lift(&mut self, cell: u8, man: Man) {
        self.armies[man.army] &= !B::one(cell);
        self.kinds[man.kind.index()] &= !B::one(cell);
    }

    /// Ends the game.
    pub fn finish(&mut self, reason: Reason, winners: Armies) {
        self.phase = Phase::Over;
        self.end = Some(End { reason, winners });
    }
}
