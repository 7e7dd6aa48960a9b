//! Why a move is not legal.

use super::bits::Bits;
use super::game::{Game, PositionOf};
use super::generate;
use super::kind::{KindId, Kinds};
use super::mate;
use super::position::{CellMove, Man, Phase};
use super::seat::Seat;
use super::square::Square;

/// The reason why a move cannot be played.
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
        /// The square.
        at: Square,
        /// The army it belongs to.
        seat: Seat,
        /// What it is.
        kind: KindId,
        /// The army to move.
        mover: Seat,
    },
    /// A waiting pawn cannot move (PC7, FH6).
    Waiting(Square),
    /// No unused die moves this kind of piece.
    Die {
        /// The piece.
        kind: KindId,
        /// Where it stands.
        at: Square,
        /// The unused dice.
        dice: Vec<u8>,
    },
    /// The target holds a piece that may not be captured: the own army's, one under the same command, the partner's King.
    Spared {
        /// The target.
        at: Square,
        /// Whose piece it is.
        seat: Seat,
        /// What it is.
        kind: KindId,
        /// The army to move.
        mover: Seat,
    },
    /// The piece does not move that way, or something stands in between.
    CannotReach {
        /// The piece.
        kind: KindId,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// The own King would be in check (CG3).
    Check {
        /// From where.
        from: Vec<Square>,
        /// Whether it is in check now.
        already: bool,
    },
    /// The pawn must become something else than was named.
    Promotion {
        /// What it can become.
        choices: Vec<KindId>,
    },
    /// A promotion was named where none happens.
    NoPromotion,
}

/// Why the move from one square to another is not legal; `None` if it is.
pub(super) fn why_not<G: Game>(
    game: &G,
    p: &PositionOf<G>,
    from: Square,
    to: Square,
    promotion: Option<KindId>,
) -> Option<WhyNot> {
    match p.phase {
        Phase::Over => return Some(WhyNot::Over),
        Phase::Roll => return Some(WhyNot::MustRoll),
        Phase::Move => {}
    }
    let field = game.field();
    let (Some(start), Some(end)) = (field.cell(from), field.cell(to)) else {
        return Some(WhyNot::NoSquare(if field.cell(from).is_none() {
            from
        } else {
            to
        }));
    };
    let seats = G::INFO.seats;
    let Some(man) = p.man(start) else {
        return Some(WhyNot::Empty(from));
    };
    if man.army != p.mover {
        return Some(WhyNot::NotTheirs {
            at: from,
            seat: seats[man.army],
            kind: man.kind,
            mover: seats[p.mover],
        });
    }
    if p.waiting.cells().contains(&start) {
        return Some(WhyNot::Waiting(from));
    }
    if !generate::allowed(game, p).has(man.kind) {
        return Some(WhyNot::Die {
            kind: man.kind,
            at: from,
            dice: p.dice.faces().to_vec(),
        });
    }
    let mut legal = Vec::new();
    generate::list(game, p, &mut legal);
    let fitting: Vec<&CellMove> = legal
        .iter()
        .filter(|m| (m.from, m.to) == (start, end))
        .collect();
    if !fitting.is_empty() {
        return wrong_promotion(&fitting, promotion);
    }
    if let Some(victim) = p
        .man(end)
        .filter(|_| game.spared(p, p.mover).has(end) && start != end)
    {
        return Some(WhyNot::Spared {
            at: to,
            seat: seats[victim.army],
            kind: victim.kind,
            mover: seats[p.mover],
        });
    }
    if !reaches(game, p, man, start, end) {
        return Some(WhyNot::CannotReach {
            kind: man.kind,
            from,
            to,
        });
    }
    Some(check(game, p, man, start, end))
}

fn wrong_promotion(fitting: &[&CellMove], named: Option<KindId>) -> Option<WhyNot> {
    let choices: Kinds = fitting.iter().filter_map(|m| m.promotion).collect();
    match named {
        Some(_) if choices.is_empty() => Some(WhyNot::NoPromotion),
        Some(kind) if !choices.has(kind) => Some(WhyNot::Promotion {
            choices: choices.iter().collect(),
        }),
        None if choices.len() > 1 => Some(WhyNot::Promotion {
            choices: choices.iter().collect(),
        }),
        _ => None,
    }
}

/// Whether the piece moves like that, its King and the dice left aside.
fn reaches<G: Game>(game: &G, p: &PositionOf<G>, man: Man, start: u8, end: u8) -> bool {
    let field = game.field();
    let occupied = p.occupied();
    let attacks = field.attacks(man.army, man.kind, start, occupied).has(end);
    if man.kind != field.pawn() {
        return attacks;
    }
    if occupied.has(end) {
        attacks
    } else {
        field.push(man.army, start).has(end)
    }
}

fn check<G: Game>(game: &G, p: &PositionOf<G>, man: Man, start: u8, end: u8) -> WhyNot {
    let mut after = *p;
    after.lift(start, man);
    if let Some(victim) = p.man(end) {
        after.lift(end, victim);
    }
    after.put(end, man);
    let king = after.men(p.mover, KindId::KING).lowest();
    let from = generate::attackers(
        game.field(),
        &after,
        king,
        [p.mover ^ 1].into_iter(),
        after.occupied(),
    );
    WhyNot::Check {
        from: from.iter().map(|cell| game.field().square(cell)).collect(),
        already: mate::in_check(game, p, p.mover),
    }
}
