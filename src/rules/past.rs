//! The positions a game has seen, for the games in which their return ends it (CG9, CJ12).

use super::bits::Bits;
use super::kind::MOST_KINDS;
use super::position::{MOST_ARMIES, Position};
use super::seat::Armies;

/// The positions since the last capture or pawn move.
#[derive(Clone, Debug)]
pub struct Past<B>(Option<Vec<Seen<B>>>);

/// What makes two positions the same: the board, the mover, and who is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen<B> {
    armies: [B; MOST_ARMIES],
    kinds: [B; MOST_KINDS],
    mover: usize,
    out: Armies,
}

impl<B: Bits> Past<B> {
    /// A past that is remembered, still empty.
    #[must_use]
    pub const fn remembered() -> Past<B> {
        Past(Some(Vec::new()))
    }

    /// A past of which nothing is remembered: no position ever returns.
    #[must_use]
    pub const fn forgotten() -> Past<B> {
        Past(None)
    }

    /// Notes a position and tells whether this is its third occurrence.
    #[inline]
    pub fn third(&mut self, p: &Position<B>) -> bool {
        self.0.as_mut().is_some_and(|past| note(past, p))
    }
}

fn note<B: Bits>(past: &mut Vec<Seen<B>>, p: &Position<B>) -> bool {
    if p.quiet == 0 {
        past.clear(); // nothing before a capture or a pawn move can return
    }
    let seen = Seen {
        armies: p.armies,
        kinds: p.kinds,
        mover: p.mover,
        out: p.resigned,
    };
    past.push(seen);
    past.iter().filter(|&&earlier| earlier == seen).count() >= 3
}
