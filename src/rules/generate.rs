//! The legal moves of a position: listed, counted, or just whether there is one.

use std::ops::ControlFlow;

use super::bits::Bits;
use super::field::Field;
use super::game::{Game, PositionOf};
use super::guard::Guard;
use super::kind::{KindId, Kinds};
use super::position::{CellMove, Phase, Position};

/// Calls `each` with every piece of the army that can move, its kind, and the cells it can legally reach.
#[inline(always)]
fn reach<G: Game, T>(
    game: &G,
    p: &PositionOf<G>,
    army: usize,
    allowed: Kinds,
    mut each: impl FnMut(u8, KindId, G::Bits) -> ControlFlow<T>,
) -> ControlFlow<T> {
    let field = game.field();
    let occupied = p.occupied();
    let free = !game.spared(p, army);
    let waiting = p
        .waiting
        .cells()
        .iter()
        .fold(G::Bits::NONE, |set, &cell| set | G::Bits::one(cell));
    let guard = if G::ROYAL {
        Some(Guard::new(field, p, army, occupied))
    } else {
        None
    };
    // The King last: its moves take longest to try, and most often another piece has one.
    for kind in (0..G::INFO.kinds.len() as u8).rev().map(KindId) {
        if !allowed.has(kind) {
            continue;
        }
        let pawns = kind == field.pawn();
        let men = if pawns {
            p.men(army, kind) & !waiting
        } else {
            p.men(army, kind)
        };
        for cell in men.iter() {
            let attacked = field.attacks(army, kind, cell, occupied);
            let mut targets = if pawns {
                (attacked & occupied & free) | (field.push(army, cell) & !occupied)
            } else {
                attacked & free
            };
            if let Some(guard) = &guard {
                targets = guard.safe(field, p, kind, cell, targets);
            }
            if !targets.is_empty() {
                each(cell, kind, targets)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The kinds that may move now: those the unused dice allow, or all.
#[inline]
pub fn allowed<G: Game>(game: &G, p: &PositionOf<G>) -> Kinds {
    match game.dice() {
        Some(rule) => rule.allowed(&p.dice),
        None => Kinds::ALL,
    }
}

/// Appends every legal move of the position.
pub fn list<G: Game>(game: &G, p: &PositionOf<G>, moves: &mut Vec<CellMove>) {
    if p.phase != Phase::Move {
        return;
    }
    let field = game.field();
    let far_edge = field.far_edge(p.mover);
    let _: ControlFlow<()> = reach(game, p, p.mover, allowed(game, p), |from, kind, targets| {
        for to in targets.iter() {
            let promotions = if kind == field.pawn() && far_edge.has(to) {
                game.promotes(p, p.mover, to)
            } else {
                Kinds::NONE
            };
            if promotions.is_empty() {
                moves.push(CellMove {
                    from,
                    to,
                    promotion: None,
                });
            } else {
                moves.extend(promotions.iter().map(|kind| CellMove {
                    from,
                    to,
                    promotion: Some(kind),
                }));
            }
        }
        ControlFlow::Continue(())
    });
}

/// How many legal moves the position has.
pub fn count<G: Game>(game: &G, p: &PositionOf<G>) -> u64 {
    if p.phase != Phase::Move {
        return 0;
    }
    let field = game.field();
    let far_edge = field.far_edge(p.mover);
    let mut moves = 0;
    let _: ControlFlow<()> = reach(game, p, p.mover, allowed(game, p), |_, kind, targets| {
        moves += targets.count();
        if kind == field.pawn() && targets.meets(far_edge) {
            for to in (targets & far_edge).iter() {
                moves += game.promotes(p, p.mover, to).len().saturating_sub(1);
            }
        }
        ControlFlow::Continue(())
    });
    u64::from(moves)
}

/// Whether the army has a legal move with pieces of the allowed kinds.
pub fn any<G: Game>(game: &G, p: &PositionOf<G>, army: usize, allowed: Kinds) -> bool {
    reach(game, p, army, allowed, |_, _, _| ControlFlow::Break(())).is_break()
}

/// The cells from which the armies in `by` attack a cell; `occupied` cells block slides.
#[inline]
pub fn attackers<B: Bits>(
    field: &Field<B>,
    p: &Position<B>,
    cell: u8,
    by: impl Iterator<Item = usize>,
    occupied: B,
) -> B {
    let (straight, diagonal) = field.sliders();
    let on_lines = if straight.is_empty() {
        B::NONE
    } else {
        field.straight(cell, occupied)
    };
    let on_diagonals = if diagonal.is_empty() {
        B::NONE
    } else {
        field.diagonal(cell, occupied)
    };
    let mut found = B::NONE;
    for army in by {
        let mut seen = B::NONE;
        for kind in (0..=field.pawn().0).map(KindId) {
            let mut from = field.leapers(army, kind, cell);
            if straight.has(kind) {
                from |= on_lines;
            }
            if diagonal.has(kind) {
                from |= on_diagonals;
            }
            seen |= from & p.kinds[kind.index()];
        }
        found |= seen & p.armies[army];
    }
    found
}
