//! Points by dice for commanders of armies: commands, thrones and their ends (FH3, FH4, FH8–FH11, G9, G11, XH4).

use super::bits::Bits;
use super::effect::{Effect, Points, Witness};
use super::game::{Game, Made, PositionOf};
use super::kind::KindId;
use super::position::{End, MOST_ARMIES, Man, Position, Reason};
use super::reserve;
use super::seat::Armies;
use super::turn::leaders;

/// What games with thrones say besides.
pub trait Thrones: Game {
    /// The cells on which the armies' Kings start.
    fn thrones(&self) -> [u8; MOST_ARMIES];

    /// The perfect score (FH9).
    const PERFECT: i32;
}

/// Who commands an army.
#[inline]
pub fn commander<B>(p: &Position<B>, army: usize) -> usize {
    usize::from(p.command[army]) % MOST_ARMIES
}

/// The cells of all armies under the command of a player.
#[inline]
pub fn commanded<B: Bits>(p: &Position<B>, player: usize) -> B {
    let under = |army: usize| {
        if commander(p, army) == player {
            p.armies[army]
        } else {
            B::NONE
        }
    };
    (under(0) | under(1)) | (under(2) | under(3))
}

/// FH11, G9: a player with pieces under command who has not resigned is in the game.
#[inline]
pub fn in_play<B: Bits>(p: &Position<B>, player: usize) -> bool {
    !p.resigned.has(player) && !commanded(p, player).is_empty()
}

/// FH11, G9: armies without a piece are skipped, and those whose commander has resigned.
#[inline]
pub fn has_turn<B: Bits>(p: &Position<B>, army: usize) -> bool {
    !p.resigned.has(commander(p, army)) && !p.armies[army].is_empty()
}

/// FH3, FH8: what is under the same command cannot be captured.
#[inline]
pub fn spared<B: Bits>(p: &Position<B>, army: usize) -> B {
    commanded(p, commander(p, army))
}

/// FH4: the commander scores what the captured piece is now.
pub fn captured<G: Game>(
    game: &G,
    p: &mut PositionOf<G>,
    made: &Made,
    victim: Man,
    w: &mut Witness,
) {
    let by = commander(p, made.army);
    let points = i32::from(G::INFO.kind(victim.kind).worth);
    p.scores[by] += points;
    w.see(|| Effect::Scored {
        seat: G::INFO.seats[by],
        points,
        why: Points::Capture,
    });
    reserve::keep(game, p, victim);
    if victim.kind == KindId::KING {
        p.kings_taken[by].insert(victim.army);
    }
}

/// FH8: a King that moves onto another army's throne.
pub fn entered<G: Thrones>(game: &G, p: &mut PositionOf<G>, made: &Made, w: &mut Witness) {
    if made.kind != KindId::KING {
        return;
    }
    let Some(of) = game.thrones().iter().position(|&throne| throne == made.to) else {
        return;
    };
    let claimant = commander(p, made.army);
    if of == made.army || commander(p, of) == claimant {
        return;
    }
    let command = of == made.army ^ 2;
    if command {
        p.command[of] = p.command[made.army];
    }
    let seats = G::INFO.seats;
    w.see(|| Effect::Throne {
        seat: seats[claimant],
        of: seats[of],
        command,
    });
}

/// FH9, FH10, G11, in the order in which they are looked for.
pub fn ended<G: Thrones>(
    game: &G,
    p: &mut PositionOf<G>,
    made: &Made,
    w: &mut Witness,
) -> Option<End> {
    if let Some(player) = (0..MOST_ARMIES).find(|&player| has_all_kings(p, player)) {
        let points = G::PERFECT - p.scores[player];
        p.scores[player] = G::PERFECT;
        w.see(|| Effect::Scored {
            seat: G::INFO.seats[player],
            points,
            why: Points::Perfect,
        });
        return Some(End {
            reason: Reason::Perfect,
            winners: Armies::one(player),
        });
    }
    let by_points = |reason| {
        Some(End {
            reason,
            winners: leaders(&p.scores),
        })
    };
    if !p.kinds[KindId::KING.index()].several() {
        return by_points(Reason::LastKing);
    }
    let ours = commanded(p, commander(p, made.army));
    if (p.occupied() & !ours).is_empty() {
        return by_points(Reason::OneCommand);
    }
    last_player(game, p)
}

/// FH9: the Kings of all others captured, and a King of the own army on the board.
#[inline]
fn has_all_kings<B: Bits>(p: &Position<B>, player: usize) -> bool {
    p.kings_taken[player].with(Armies::one(player)) == Armies::first(MOST_ARMIES)
        && !p.men(player, KindId::KING).is_empty()
}

/// G11: at most one player is left.
#[inline]
pub fn last_player<G: Game>(_: &G, p: &PositionOf<G>) -> Option<End> {
    let armies = (0..MOST_ARMIES).filter(|&army| !p.armies[army].is_empty());
    let players: Armies = armies.map(|army| commander(p, army)).collect();
    (players.without(p.resigned).len() <= 1).then(|| End {
        reason: Reason::LastPlayer,
        winners: leaders(&p.scores),
    })
}
