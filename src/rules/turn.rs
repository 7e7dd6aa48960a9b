//! Making moves and passing the turn on, in the order of effects of RULES.md G7.

use super::bits::Bits;
use super::dice::{Dice, Roll};
use super::effect::{Effect, Witness};
use super::game::{Game, Made, PositionOf};
use super::generate;
use super::info::Info;
use super::kind::KindId;
use super::past::Past;
use super::position::{CellMove, Man, Phase, Position, Reason};
use super::seat::Armies;

/// Makes a legal move.
#[inline]
pub fn play<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    m: CellMove,
    past: &mut Past<G::Bits>,
    w: &mut Witness,
) {
    let field = game.field();
    let Some(man) = p.man(m.from) else { return };
    let victim = p.man(m.to);
    let made = Made {
        army: man.army,
        kind: man.kind,
        from: m.from,
        to: m.to,
        victim,
    };
    let die = game.dice().and_then(|rule| {
        p.dice
            .take(|die| rule.allows[usize::from(die)].has(man.kind))
    });
    w.see(|| Effect::Moved {
        seat: G::INFO.seats[man.army],
        kind: man.kind,
        from: field.square(m.from),
        to: field.square(m.to),
        die,
    });
    p.lift(m.from, man);
    if let Some(victim) = victim {
        capture(game, p, &made, m.to, victim, w);
    }
    p.put(m.to, man);
    if victim.is_some() || man.kind == field.pawn() {
        p.quiet = 0;
        p.stirred = true;
    } else if die.is_none() {
        p.quiet = p.quiet.saturating_add(1); // without dice the move is the whole turn, also if it ends the game
    }
    game.arrived(p, &made, w);
    if let Some(kind) = m.promotion {
        promote(game, p, m.to, man, kind, false, w);
    } else if man.kind == field.pawn() && field.far_edge(man.army).has(m.to) {
        p.waiting.push(m.to);
        w.see(|| Effect::Waits {
            seat: G::INFO.seats[man.army],
            at: field.square(m.to),
        });
    }
    game.settled(p, &made, w);
    if let Some(end) = game.ended(p, &made, w) {
        return finish(p, end.reason, end.winners, G::INFO, w);
    }
    let more = game.dice().is_some_and(|rule| {
        rule.left(&p.dice) > 0 && generate::any(game, p, p.mover, generate::allowed(game, p))
    });
    if !more {
        end_turn(game, p, past, w);
    }
}

/// Takes a piece off the board for the army that has made a move.
pub fn capture<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    made: &Made,
    at: u8,
    victim: Man,
    w: &mut Witness,
) {
    p.lift(at, victim);
    if !p.waiting.is_empty() {
        p.waiting.remove(at);
    }
    w.see(|| Effect::Captured {
        by: G::INFO.seats[usize::from(p.command[made.army])],
        seat: G::INFO.seats[victim.army],
        kind: victim.kind,
        at: game.field().square(at),
        dead: game.is_dead(p, victim.army),
    });
    game.captured(p, made, victim, w);
}

/// Makes a pawn a piece of another kind.
pub fn promote<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    at: u8,
    pawn: Man,
    kind: KindId,
    waited: bool,
    w: &mut Witness,
) {
    p.lift(at, pawn);
    p.put(at, Man { kind, ..pawn });
    game.promoted(p, pawn.army, kind);
    w.see(|| Effect::Promoted {
        seat: G::INFO.seats[pawn.army],
        at: game.field().square(at),
        kind,
        waited,
    });
}

/// Throws the dice: the turn's moves are due, or the turn is over at once.
pub fn roll<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    roll: &Roll,
    past: &mut Past<G::Bits>,
    w: &mut Witness,
) {
    p.dice = Dice::from(roll);
    p.phase = Phase::Move;
    game.rolled(p);
    if !generate::any(game, p, p.mover, generate::allowed(game, p)) {
        w.see(|| Effect::Unplayable {
            seat: G::INFO.seats[p.mover],
        });
        end_turn(game, p, past, w);
    }
}

/// Ends the turn, which counts as one, and finds who is next.
#[inline]
pub fn end_turn<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    past: &mut Past<G::Bits>,
    w: &mut Witness,
) {
    if !p.stirred && game.dice().is_some() {
        p.quiet = p.quiet.saturating_add(1);
    }
    pass_on(game, p, true, past, w);
}

/// Gives the turn to the next army that has one.
fn pass_on<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    counted: bool,
    past: &mut Past<G::Bits>,
    w: &mut Witness,
) {
    let last = p.mover;
    p.stirred = false;
    p.dice = Dice::NONE;
    let armies = G::INFO.seats.len();
    let next = (1..=armies)
        .map(|step| (last + step) % armies)
        .find(|&army| game.has_turn(p, army));
    let reason = match next {
        None => Some(Reason::Quiet), // CJ8
        Some(next) => {
            p.mover = next;
            p.phase = if G::INFO.dice.is_some() {
                Phase::Roll
            } else {
                Phase::Move
            };
            if G::REPEATS && past.third(p) {
                Some(Reason::Repetition)
            } else if counted {
                game.worn_out(p)
            } else {
                None
            }
        }
    };
    if let Some(reason) = reason {
        p.mover = last;
        let winners = game.winners(p);
        finish(p, reason, winners, G::INFO, w);
    }
}

/// The player of a seat leaves the game, on turn or not (G9).
pub fn resign<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    army: usize,
    past: &mut Past<G::Bits>,
    w: &mut Witness,
) {
    p.resigned.insert(army);
    if let Some(end) = game.left(p, army, w) {
        return finish(p, end.reason, end.winners, G::INFO, w);
    }
    if usize::from(p.command[p.mover]) != army {
        if G::REPEATS && past.third(p) {
            let winners = game.winners(p);
            finish(p, Reason::Repetition, winners, G::INFO, w);
        }
    } else if G::INFO.dice.is_some() && p.phase == Phase::Move {
        end_turn(game, p, past, w);
    } else {
        pass_on(game, p, false, past, w);
    }
}

/// Ends the game.
pub fn finish<B: Bits>(
    p: &mut Position<B>,
    reason: Reason,
    winners: Armies,
    info: &Info,
    w: &mut Witness,
) {
    p.finish(reason, winners);
    w.see(|| Effect::Over {
        reason,
        winners: winners.iter().map(|army| info.seats[army]).collect(),
    });
}

/// The players with the most points (G10).
#[must_use]
pub fn leaders(scores: &[i32]) -> Armies {
    let most = scores.iter().max();
    (0..scores.len())
        .filter(|&army| Some(&scores[army]) == most)
        .collect()
}
