//! Finding out why a move is not legal.

use super::bits::Bits;
use super::dice::DiceRule;
use super::event::{Move, Piece};
use super::game::{Game, PositionOf};
use super::generate;
use super::kind::{KindId, Kinds};
use super::mate;
use super::position::{CellMove, Man, Phase};
use super::square::Square;
use super::why::{Unmoved, WhyNot};

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
    let (start, end) = match (field.cell(from), field.cell(to)) {
        (Some(start), Some(end)) => (start, end),
        (None, _) => return Some(WhyNot::NoSquare(from)),
        (_, None) => return Some(WhyNot::NoSquare(to)),
    };
    let Some(man) = p.man(start) else {
        return Some(WhyNot::Empty(from));
    };
    if man.army != p.mover {
        return Some(WhyNot::NotTheirs {
            piece: piece(game, p, start, man),
            mover: G::INFO.seats[p.mover],
        });
    }
    if p.waiting.cells().contains(&start) {
        return Some(WhyNot::Waiting {
            at: from,
            becomes: awaited(game, p, start, man.army),
        });
    }
    if let Some(rule) = game.dice()
        && !generate::allowed(game, p).has(man.kind)
    {
        return Some(WhyNot::Die {
            kind: man.kind,
            at: from,
            dice: unmoved(rule, p.dice.faces(), Kinds::one(man.kind)),
        });
    }
    let mut legal = Vec::new();
    generate::list(game, p, &mut legal);
    let fitting: Vec<CellMove> = legal
        .iter()
        .copied()
        .filter(|m| (m.from, m.to) == (start, end))
        .collect();
    if !fitting.is_empty() {
        let waits = man.kind == field.pawn() && field.far_edge(man.army).has(end);
        return wrong_promotion(&fitting, promotion, (from, to), waits);
    }
    Some(unreached(game, p, man, (start, end), &legal))
}

/// What the unused dice move instead of some kinds.
pub(super) fn unmoved(rule: &DiceRule, dice: &[u8], kinds: Kinds) -> Unmoved {
    let mut faces = dice.to_vec();
    faces.dedup();
    let moved = |face: u8| rule.allows.get(usize::from(face)).copied();
    let moves = faces.into_iter().map(|face| {
        let kinds = moved(face).unwrap_or_default();
        (face, kinds.iter().collect())
    });
    let needs = (1..=6).filter(|&face| {
        let allowed = moved(face).unwrap_or_default();
        kinds.iter().any(|kind| allowed.has(kind))
    });
    Unmoved {
        moves: moves.collect(),
        needs: needs.collect(),
    }
}

fn wrong_promotion(
    fitting: &[CellMove],
    named: Option<KindId>,
    (from, to): (Square, Square),
    waits: bool,
) -> Option<WhyNot> {
    let choices: Kinds = fitting.iter().filter_map(|m| m.promotion).collect();
    let must_be = || {
        Some(WhyNot::Promotion {
            from,
            to,
            choices: choices.iter().collect(),
        })
    };
    match named {
        Some(_) if choices.is_empty() => Some(WhyNot::NoPromotion { from, to, waits }),
        Some(kind) if !choices.has(kind) => must_be(),
        None if choices.len() > 1 => must_be(),
        _ => None,
    }
}

/// Why a piece that the dice move has no legal move from `start` to `end`.
fn unreached<G: Game>(
    game: &G,
    p: &PositionOf<G>,
    man: Man,
    (start, end): (u8, u8),
    legal: &[CellMove],
) -> WhyNot {
    let field = game.field();
    let moved = piece(game, p, start, man);
    let mut can: Vec<Square> = legal
        .iter()
        .filter(|m| m.from == start)
        .map(|m| field.square(m.to))
        .collect();
    can.sort_unstable();
    can.dedup();
    let pawn = man.kind == field.pawn();
    let on_empty = field.attacks(man.army, man.kind, start, G::Bits::NONE);
    let ahead = pawn && field.push(man.army, start).has(end);
    if !on_empty.has(end) && !ahead {
        return WhyNot::CannotReach {
            piece: moved,
            step: field.step(man.kind),
            can,
        };
    }
    let standing = p.man(end);
    if pawn && !ahead && standing.is_none() {
        return WhyNot::NothingToTake {
            piece: moved,
            to: field.square(end),
            can,
        };
    }
    let occupied = p.occupied();
    let attacked = field.attacks(man.army, man.kind, start, occupied).has(end);
    if !attacked && !ahead {
        // A slide that is stopped on its way.
        let between = |way: usize| {
            let line = field.ray(start, way).has(end);
            field.first(start, way, occupied).filter(|_| line)
        };
        let stopper = field.ways().find_map(|(way, _)| between(way));
        if let Some((cell, other)) = stopper.and_then(|cell| Some((cell, p.man(cell)?))) {
            let by = piece(game, p, cell, other);
            return WhyNot::InTheWay {
                piece: moved,
                by,
                can,
            };
        }
    }
    if let Some(other) = standing {
        let there = piece(game, p, end, other);
        if ahead || other.army == man.army {
            return WhyNot::InTheWay {
                piece: moved,
                by: there,
                can,
            };
        }
        if game.spared(p, p.mover).has(end) {
            return WhyNot::Spared {
                piece: moved,
                victim: there,
                can,
            };
        }
    }
    let already = mate::in_check(game, p, p.mover);
    let all = legal.iter().filter(|_| already).map(|m| Move {
        from: field.square(m.from),
        to: field.square(m.to),
        promotion: m.promotion,
    });
    let mut meets: Vec<Move> = all.collect();
    meets.sort_unstable();
    WhyNot::Check {
        piece: moved,
        from: checking(game, p, man, start, end),
        can,
        meets,
    }
}

/// The pieces that give check after a move.
fn checking<G: Game>(game: &G, p: &PositionOf<G>, man: Man, start: u8, end: u8) -> Vec<Piece> {
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
    from.iter()
        .filter_map(|cell| Some(piece(game, &after, cell, after.man(cell)?)))
        .collect()
}

/// The kinds for which a pawn waits: which one of its army's pieces on the board would bring back, were it captured.
fn awaited<G: Game>(game: &G, p: &PositionOf<G>, cell: u8, army: usize) -> Vec<KindId> {
    let captured = |kind: KindId| {
        let mut after = *p;
        let kept = &mut after.reserve[army][kind.index()];
        *kept = kept.saturating_add(1);
        game.promotes(&after, army, cell).has(kind)
    };
    let kinds = G::INFO.kind_ids().map(|(kind, _)| kind);
    kinds
        .filter(|&kind| kind != game.field().pawn() && !p.men(army, kind).is_empty())
        .filter(|&kind| captured(kind))
        .collect()
}

fn piece<G: Game>(game: &G, p: &PositionOf<G>, cell: u8, man: Man) -> Piece {
    Piece {
        at: game.field().square(cell),
        seat: G::INFO.seats[man.army],
        kind: man.kind,
        dead: game.is_dead(p, man.army),
        waiting: p.waiting.cells().contains(&cell),
    }
}
