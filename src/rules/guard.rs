//! Which moves keep the own King out of check (RULES.md CG3), for games of two armies.

use arrayvec::ArrayVec;

use super::bits::Bits;
use super::field::Field;
use super::generate::attackers;
use super::kind::{KindId, Kinds};
use super::position::Position;

/// What an army's moves must respect for its King's sake.
pub struct Guard<B> {
    enemy: usize,
    /// What is occupied, the King aside: it does not hide the cells behind it.
    without_king: B,
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
        let checkers = attackers(field, p, at, [enemy].into_iter(), occupied);
        let evasion = match (checkers.is_empty(), checkers.several()) {
            (true, _) => !B::NONE,
            (false, false) => checkers,
            (false, true) => B::NONE,
        };
        let mut guard = Guard {
            enemy,
            without_king: occupied & !king,
            evasion,
            pins: ArrayVec::new(),
        };
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

    /// Of a piece's targets, those that do not leave its King in check.
    #[inline(always)]
    pub fn safe(&self, field: &Field<B>, p: &Position<B>, kind: KindId, cell: u8, targets: B) -> B {
        if kind == KindId::KING {
            let attacked = |to: u8| {
                !attackers(field, p, to, [self.enemy].into_iter(), self.without_king).is_empty()
            };
            return targets
                .iter()
                .filter(|&to| attacked(to))
                .fold(targets, |safe, to| safe & !B::one(to));
        }
        match self.pins.iter().find(|(pinned, _)| *pinned == cell) {
            Some((_, line)) => targets & self.evasion & *line,
            None => targets & self.evasion,
        }
    }
}

#[inline]
fn sliders<B: Bits>(p: &Position<B>, army: usize, kinds: Kinds) -> B {
    kinds
        .iter()
        .fold(B::NONE, |all, kind| all | p.men(army, kind))
}
