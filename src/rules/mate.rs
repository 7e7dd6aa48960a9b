//! How games of two armies around a King end: mate, stalemate, the bare King, and long quiet (CG5–CG7, CG9, MC3).

use super::bits::Bits;
use super::game::{Game, Made, PositionOf};
use super::generate;
use super::info::{Army, Colour};
use super::kind::{KindId, Kinds};
use super::position::{End, Position, Reason};
use super::seat::Armies;

/// White below, Black above.
pub const WHITE_AND_BLACK: &[Army] = &[
    Army {
        name: "White",
        letter: 'w',
        colour: Colour::White,
        forward: (0, 1),
    },
    Army {
        name: "Black",
        letter: 'b',
        colour: Colour::Black,
        forward: (0, -1),
    },
];

/// Plies without a capture or a pawn move that draw the game (CG9).
const QUIET_PLIES: u16 = 140;

/// A board text of `vectors/README.md` from the letters usual for two armies, White's capital.
#[must_use]
pub fn board_of_letters(letters: &str) -> String {
    let cells = |rank: &str| {
        let mut cells: Vec<String> = Vec::new();
        let mut empty = String::new();
        for letter in rank.chars() {
            if letter.is_ascii_digit() {
                empty.push(letter);
                continue;
            }
            if !empty.is_empty() {
                cells.push(std::mem::take(&mut empty));
            }
            let army = if letter.is_ascii_uppercase() {
                'w'
            } else {
                'b'
            };
            cells.push(format!("{army}{}", letter.to_ascii_uppercase()));
        }
        if !empty.is_empty() {
            cells.push(empty);
        }
        cells.join(",")
    };
    letters.split('/').map(cells).collect::<Vec<_>>().join("/")
}

/// Whether the army has a legal move.
#[inline]
pub fn can_move<G: Game>(game: &G, p: &PositionOf<G>, army: usize) -> bool {
    generate::any(game, p, army, Kinds::ALL)
}

/// Whether the army's King is attacked.
pub fn in_check<G: Game>(game: &G, p: &PositionOf<G>, army: usize) -> bool {
    let king = p.men(army, KindId::KING).lowest();
    !generate::attackers(game.field(), p, king, [army ^ 1].into_iter(), p.occupied()).is_empty()
}

/// Checkmate (CG5), the bare King (CG7) and stalemate (CG6), looked for in this order.
#[inline]
pub fn ended<G: Game>(game: &G, p: &mut PositionOf<G>, made: &Made) -> Option<End> {
    let (mover, other) = (made.army, made.army ^ 1);
    let bared = made.victim.is_some() && !p.armies[other].several();
    let stuck = !can_move(game, p, other);
    if stuck && in_check(game, p, other) {
        return Some(End {
            reason: Reason::Checkmate,
            winners: Armies::one(mover),
        });
    }
    if bared {
        let winners = if bares_back(game, p, mover) {
            Armies::NONE
        } else {
            Armies::one(mover)
        };
        return Some(End {
            reason: Reason::BareKing,
            winners,
        });
    }
    stuck.then(|| End {
        reason: Reason::Stalemate,
        winners: Armies::one(other),
    })
}

/// Whether the bared King could at once take the mover's last piece other than the King (CG7).
fn bares_back<G: Game>(game: &G, p: &PositionOf<G>, mover: usize) -> bool {
    let men = p.armies[mover] & !p.kinds[KindId::KING.index()];
    if men.is_empty() || men.several() {
        return false;
    }
    let mut answer = *p;
    answer.mover = mover ^ 1;
    let mut moves = Vec::new();
    generate::list(game, &answer, &mut moves);
    moves.iter().any(|m| men.has(m.to))
}

/// A resignation: the opponent wins (G9).
#[must_use]
pub fn resigned(army: usize) -> End {
    End {
        reason: Reason::Resignation,
        winners: Armies::one(army ^ 1),
    }
}

/// Too long without a capture or a pawn move (CG9).
#[must_use]
pub fn worn_out<B>(p: &Position<B>) -> Option<Reason> {
    (p.quiet >= QUIET_PLIES).then_some(Reason::Quiet)
}
