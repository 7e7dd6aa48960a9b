//! Kinds of pieces, sets of them, and how they step (RULES.md G4, G5).

/// The most kinds of pieces any game has.
pub const MOST_KINDS: usize = 8;

/// A kind of piece by its place in its game's list: the first is the King, the last the pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub(super) u8);

impl KindId {
    /// The King of every game.
    pub const KING: KindId = KindId(0);

    /// The place in the game's list of kinds.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);
    /// Every kind.
    pub const ALL: Kinds = Kinds(u8::MAX);

    /// The set of the kinds at these places of the game's list.
    #[must_use]
    pub const fn of(places: &[u8]) -> Kinds {
        let mut set = 0;
        let mut at = 0;
        while at < places.len() {
            set |= 1 << places[at];
            at += 1;
        }
        Kinds(set)
    }

    /// The set of one kind.
    #[must_use]
    #[inline]
    pub const fn one(kind: KindId) -> Kinds {
        Kinds(1 << kind.0)
    }

    /// Whether the kind is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, kind: KindId) -> bool {
        self.0 >> kind.0 & 1 == 1
    }

    /// Both sets together.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// This set less another.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    /// Whether there is no kind in the set.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds are in the set.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The kinds, in the order of the game's list.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = KindId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let kind = KindId(u8::try_from(left.trailing_zeros()).ok()?);
            if left == 0 {
                return None;
            }
            left &= left - 1;
            Some(kind)
        })
    }
}

impl FromIterator<KindId> for Kinds {
    fn from_iter<I: IntoIterator<Item = KindId>>(kinds: I) -> Kinds {
        kinds
            .into_iter()
            .fold(Kinds::NONE, |set, kind| set.with(Kinds::one(kind)))
    }
}

/// How a kind of piece moves (G4, G5; the Gaja's ways by CG2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One step in the eight directions.
    King,
    /// Slides along ranks and files.
    Rook,
    /// Slides along diagonals.
    Bishop,
    /// The (1,2) leap.
    Knight,
    /// Leaps exactly two squares diagonally.
    Alfil,
    /// Leaps exactly two squares along rank or file.
    Dabbaba,
    /// One step diagonally.
    Fers,
    /// One step straight forward or diagonally.
    Silver,
    /// Rook and bishop.
    Queen,
    /// Rook and alfil.
    Infanta,
    /// Rook and knight.
    Marshal,
    /// Knight and alfil.
    Kangaroo,
    /// One step straight forward; captures one step diagonally forward.
    Pawn,
}

const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Step {
    /// Steps and leaps that nothing blocks, as (files, ranks) of an army that marches up the board.
    #[must_use]
    pub fn leaps(self) -> Vec<(i8, i8)> {
        let twice = |steps: [(i8, i8); 4]| steps.map(|(file, rank)| (2 * file, 2 * rank));
        match self {
            Step::King => [DIAGONAL, STRAIGHT].concat(),
            Step::Knight | Step::Marshal => KNIGHT.to_vec(),
            Step::Alfil | Step::Infanta => twice(DIAGONAL).to_vec(),
            Step::Dabbaba => twice(STRAIGHT).to_vec(),
            Step::Fers => DIAGONAL.to_vec(),
            Step::Silver => [&DIAGONAL[..], &[(0, 1)]].concat(),
            Step::Kangaroo => [&KNIGHT[..], &twice(DIAGONAL)].concat(),
            Step::Pawn => vec![(1, 1), (-1, 1)], // its captures
            Step::Rook | Step::Bishop | Step::Queen => Vec::new(),
        }
    }

    /// Whether it slides along ranks and files.
    #[must_use]
    pub const fn slides_straight(self) -> bool {
        matches!(
            self,
            Step::Rook | Step::Queen | Step::Infanta | Step::Marshal
        )
    }

    /// Whether it slides along diagonals.
    #[must_use]
    pub const fn slides_diagonally(self) -> bool {
        matches!(self, Step::Bishop | Step::Queen)
    }
}
