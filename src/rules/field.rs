//! A board with what the armies can reach on it, worked out once.

use super::bits::Bits;
use super::info::Info;
use super::kind::{KindId, Kinds, MOST_KINDS, Step};
use super::shape::Shape;
use super::square::Square;

/// The directions of slides; the first half leads to cells of higher number.
const DIRECTIONS: [(i8, i8); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (1, -1),
];
const STRAIGHT: [usize; 4] = [0, 1, 4, 5];
const DIAGONAL: [usize; 4] = [2, 3, 6, 7];

/// The tables of one board and one set of pieces.
#[derive(Debug)]
pub struct Field<B> {
    shape: Shape,
    steps: Vec<Step>,
    rays: Vec<[B; 8]>,
    leaps: Vec<[B; MOST_KINDS]>,
    leapers: Vec<[B; MOST_KINDS]>,
    pushes: Vec<B>,
    far_edges: Vec<B>,
    straight: Kinds,
    diagonal: Kinds,
}

impl<B: Bits> Field<B> {
    /// The tables of a game whose kinds step as its list says.
    #[must_use]
    pub fn new(info: &Info) -> Field<B> {
        Field::with_steps(info, info.kinds.iter().map(|kind| kind.step).collect())
    }

    /// The tables of a game in which the kinds step as told, in the order of its list.
    #[must_use]
    pub fn with_steps(info: &Info, steps: Vec<Step>) -> Field<B> {
        let shape = info.shape;
        let cells = usize::from(shape.files) * usize::from(shape.ranks);
        let armies = info.armies.len();
        let those = |test: fn(Step) -> bool| -> Kinds {
            (0..)
                .map(KindId)
                .zip(&steps)
                .filter(|&(_, &step)| test(step))
                .map(|(kind, _)| kind)
                .collect()
        };
        let mut field = Field {
            shape,
            straight: those(Step::slides_straight),
            diagonal: those(Step::slides_diagonally),
            rays: vec![[B::NONE; 8]; cells],
            leaps: vec![[B::NONE; MOST_KINDS]; cells * armies],
            leapers: vec![[B::NONE; MOST_KINDS]; cells * armies],
            pushes: vec![B::NONE; cells * armies],
            far_edges: vec![B::NONE; armies],
            steps,
        };
        for square in shape.squares() {
            let cell = usize::from(shape.cell(square));
            for (ray, &direction) in field.rays[cell].iter_mut().zip(&DIRECTIONS) {
                let line = std::iter::successors(shape.step(square, direction), |&at| {
                    shape.step(at, direction)
                });
                *ray = line.fold(B::NONE, |ray, at| ray | B::one(shape.cell(at)));
            }
            for (army, about) in info.armies.iter().enumerate() {
                field.add_army(army, about.forward, square);
            }
        }
        field
    }

    fn add_army(&mut self, army: usize, forward: (i8, i8), square: Square) {
        let cell = usize::from(self.shape.cell(square));
        // A step drawn for an army that marches up, turned to this army's way.
        let turned = |(file, rank): (i8, i8)| {
            (
                file * forward.1 + rank * forward.0,
                rank * forward.1 - file * forward.0,
            )
        };
        for (kind, step) in self.steps.iter().enumerate() {
            for to in step
                .leaps()
                .into_iter()
                .filter_map(|leap| self.shape.step(square, turned(leap)))
            {
                let to = self.shape.cell(to);
                let cells = self.rays.len();
                self.leaps[army * cells + cell][kind] |= B::one(to);
                self.leapers[army * cells + usize::from(to)][kind] |= B::one(cell as u8);
            }
        }
        match self.shape.step(square, forward) {
            Some(to) => self.pushes[army * self.rays.len() + cell] = B::one(self.shape.cell(to)),
            None => self.far_edges[army] |= B::one(cell as u8),
        }
    }

    /// The board's outline.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The square of a cell.
    #[must_use]
    pub fn square(&self, cell: u8) -> Square {
        self.shape.square(cell)
    }

    /// The cell of a square, if the board has it.
    #[must_use]
    pub fn cell(&self, square: Square) -> Option<u8> {
        self.shape.has(square).then(|| self.shape.cell(square))
    }

    /// How a kind of piece moves.
    #[must_use]
    pub fn step(&self, kind: KindId) -> Step {
        self.steps[kind.index()]
    }

    /// The pawn of every game.
    #[must_use]
    #[inline]
    pub fn pawn(&self) -> KindId {
        KindId(self.steps.len() as u8 - 1)
    }

    /// The cells from which an army's pawns cannot go on (G3, XH3).
    #[must_use]
    #[inline]
    pub fn far_edge(&self, army: usize) -> B {
        self.far_edges[army]
    }

    /// Where a pawn steps without capturing.
    #[must_use]
    #[inline]
    pub fn push(&self, army: usize, cell: u8) -> B {
        self.pushes[army * self.rays.len() + usize::from(cell)]
    }

    /// What a piece attacks on a board where `occupied` cells block slides; of a pawn, its captures.
    #[must_use]
    #[inline]
    pub fn attacks(&self, army: usize, kind: KindId, cell: u8, occupied: B) -> B {
        let leaps = self.leaps[army * self.rays.len() + usize::from(cell)][kind.index()];
        match (self.straight.has(kind), self.diagonal.has(kind)) {
            (false, false) => leaps,
            (true, false) => leaps | self.straight(cell, occupied),
            (false, true) => leaps | self.diagonal(cell, occupied),
            (true, true) => leaps | self.straight(cell, occupied) | self.diagonal(cell, occupied),
        }
    }

    /// The cells from which a leaping piece of this army and kind attacks the cell.
    #[must_use]
    #[inline]
    pub fn leapers(&self, army: usize, kind: KindId, cell: u8) -> B {
        self.leapers[army * self.rays.len() + usize::from(cell)][kind.index()]
    }

    /// What is seen from a cell along its rank and file, up to the first occupied cell each way.
    #[must_use]
    #[inline]
    pub fn straight(&self, cell: u8, occupied: B) -> B {
        STRAIGHT
            .iter()
            .fold(B::NONE, |seen, &way| seen | self.seen(cell, way, occupied))
    }

    /// What is seen from a cell along its diagonals.
    #[must_use]
    #[inline]
    pub fn diagonal(&self, cell: u8, occupied: B) -> B {
        DIAGONAL
            .iter()
            .fold(B::NONE, |seen, &way| seen | self.seen(cell, way, occupied))
    }

    #[inline(always)]
    fn seen(&self, cell: u8, way: usize, occupied: B) -> B {
        let ray = self.rays[usize::from(cell)][way];
        match self.first(cell, way, occupied) {
            Some(block) => ray ^ self.rays[usize::from(block)][way],
            None => ray,
        }
    }

    /// The first occupied cell from a cell in one of the [ways](Self::ways).
    #[must_use]
    #[inline(always)]
    pub fn first(&self, cell: u8, way: usize, occupied: B) -> Option<u8> {
        let hit = self.rays[usize::from(cell)][way] & occupied;
        if hit.is_empty() {
            None
        } else if way < 4 {
            Some(hit.lowest())
        } else {
            Some(hit.highest())
        }
    }

    /// All cells from a cell to the board's edge in one way.
    #[must_use]
    #[inline(always)]
    pub fn ray(&self, cell: u8, way: usize) -> B {
        self.rays[usize::from(cell)][way]
    }

    /// The kinds that slide along ranks and files, and those that slide along diagonals.
    #[must_use]
    #[inline]
    pub fn sliders(&self) -> (Kinds, Kinds) {
        (self.straight, self.diagonal)
    }

    /// The ways in which some kind of this game slides, each with the kinds that slide that way.
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = (usize, Kinds)> {
        let straight = STRAIGHT.into_iter().map(|way| (way, self.straight));
        straight
            .chain(DIAGONAL.into_iter().map(|way| (way, self.diagonal)))
            .filter(|(_, kinds)| !kinds.is_empty())
    }
}
