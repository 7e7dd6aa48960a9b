//! Captured pieces that pawns can bring back, and pawns that wait for one (PC6, PC7, FH5, FH6, XH3).

use super::bits::Bits;
use super::effect::Witness;
use super::game::{Game, PositionOf};
use super::kind::{KindId, Kinds};
use super::position::{Man, Position};
use super::turn;

/// Puts a captured piece among those that may be brought back. Pawns are not brought back.
#[inline]
pub fn keep<G: Game>(game: &G, p: &mut PositionOf<G>, victim: Man) {
    if victim.kind != game.field().pawn() {
        let kept = &mut p.reserve[victim.army][victim.kind.index()];
        *kept = kept.saturating_add(1);
    }
}

/// The kinds an army can bring back.
#[inline]
pub fn kinds<B>(p: &Position<B>, army: usize) -> Kinds {
    let kept = p.reserve[army].iter().zip((0..).map(KindId));
    kept.filter(|(count, _)| **count > 0)
        .map(|(_, kind)| kind)
        .collect()
}

/// A piece of this kind has been brought back.
#[inline]
pub fn take<B>(p: &mut Position<B>, army: usize, kind: KindId) {
    let kept = &mut p.reserve[army][kind.index()];
    *kept = kept.saturating_sub(1);
}

/// Lets waiting pawns, longest waiting first, become what has become available.
#[inline]
pub fn release<G: Game>(game: &G, p: &mut PositionOf<G>, w: &mut Witness) {
    if p.waiting.is_empty() {
        return;
    }
    for &at in p.waiting.clone().cells() {
        let Some(pawn) = p.man(at) else { continue };
        if let Some(kind) = game.promotes(p, pawn.army, at).iter().next() {
            p.waiting.remove(at);
            turn::promote(game, p, at, pawn, kind, true, w);
        }
    }
}

/// Whether a side of armies has pieces, all of them Kings (PC10).
#[must_use]
#[inline]
pub fn only_kings<B: Bits>(p: &Position<B>, men: B) -> bool {
    !men.is_empty() && (men & !p.kinds[KindId::KING.index()]).is_empty()
}
