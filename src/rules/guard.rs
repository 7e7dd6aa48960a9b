//! Which moves keep the own King out of check (RULES.md CG3), for games of two armies.

use arrayvec::ArrayVec;

use super::bits::Bits;
use super::field::Field;
use super::generate::attackers;
use super::kind::{KindId, Kinds};
use super::position::Position;

/// What an army's moves must respect for its King's sake.
pub struct Guard<B> {
    danger: B,
    evasion: B,
    pins: ArrayVec<(u8, B), 8>,
}

impl<B: Bits> Guard<B> {
    /// The guard of an army's King against the other army.
    #[inline]
    pub fn new(field: &Field<B>, p: &Position<B>, army: usize, occupied: B) -> Guard<B> {
        let king = p.men(army, KindId::KING);
        let enemy = army ^ 1;
        let at = king.lowest();
        let mut guard = Guard {
            danger: danger(field, p, enemy, occupied & !king),
            evasion: !B::NONE,
            pins: ArrayVec::new(),
        };
        if guard.danger.meets(king) {
            let checkers = attackers(field, p, at, [enemy].into_iter(), occupied);
            guard.evasion = if checkers.several() {
                B::NONE
            } else {
                checkers
            };
        }
        for (way, kinds) in field.ways() {
            let sliders = sliders(p, enemy, kinds) & field.ray(at, way);
            if sliders.is_empty() {
                continue;
            }
            let Some(first) = field.first(at, way, occupied) else {
                continue;
            };
            let between = |to: u8| field.ray(at, way) & !field.ray(to, way);
            if sliders.has(first) {
                // The only check: besides capturing the slider, stepping in between meets it.
                if guard.evasion == B::one(first) {
                    guard.evasion = between(first);
                }
            } else if p.armies[army].has(first) {
                match field.first(first, way, occupied) {
                    Some(second) if sliders.has(second) => {
                        guard.pins.push((first, between(second)))
                    }
                    _ => {}
                }
            }
        }
        guard
    }

    /// The cells that a piece may go to without leaving its King in check.
    #[inline(always)]
    pub fn allowed(&self, kind: KindId, cell: u8) -> B {
        if kind == KindId::KING {
            return !self.danger;
        }
        match self.pins.iter().find(|(pinned, _)| *pinned == cell) {
            Some((_, line)) => self.evasion & *line,
            None => self.evasion,
        }
    }
}

#[inline]
fn sliders<B: Bits>(p: &Position<B>, army: usize, kinds: Kinds) -> B {
    kinds
        .iter()
        .fold(B::NONE, |all, kind| all | p.men(army, kind))
}

/// Everything an army attacks.
#[inline]
fn danger<B: Bits>(field: &Field<B>, p: &Position<B>, army: usize, occupied: B) -> B {
    let mut attacked = B::NONE;
    for kind in (0..=field.pawn().0).map(KindId) {
        for cell in p.men(army, kind).iter() {
            attacked |= field.attacks(army, kind, cell, occupied);
        }
    }
    attacked
}
