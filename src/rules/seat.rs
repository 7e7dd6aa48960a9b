//! The chairs at a board (RULES.md G2) and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One army's chair. Two-player games have White and Black, four-player games the four quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// At the bottom; moves first.
    South,
    /// At the left; after South.
    West,
    /// At the top; after West.
    North,
    /// At the right; after North.
    East,
    /// At the bottom of a two-player game; moves first.
    White,
    /// At the top of a two-player game.
    Black,
}

impl Seat {
    /// The seats of a two-player game, in the order of play.
    pub const TWO: &'static [Seat] = &[Seat::White, Seat::Black];
    /// The seats of a four-player game, in the order of play (G2).
    pub const FOUR: &'static [Seat] = &[Seat::South, Seat::West, Seat::North, Seat::East];

    /// The seat's lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Seat::South => "south",
            Seat::West => "west",
            Seat::North => "north",
            Seat::East => "east",
            Seat::White => "white",
            Seat::Black => "black",
        }
    }

    /// The place of the seat in its game's order of play, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Seat::South | Seat::White => 0,
            Seat::West | Seat::Black => 1,
            Seat::North => 2,
            Seat::East => 3,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no seat.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no seat called “{0}”")]
pub struct UnknownSeat(pub String);

impl FromStr for Seat {
    type Err = UnknownSeat;

    fn from_str(text: &str) -> Result<Self, UnknownSeat> {
        Seat::FOUR
            .iter()
            .chain(Seat::TWO)
            .copied()
            .find(|seat| seat.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| UnknownSeat(text.to_owned()))
    }
}

/// A set of armies, each by its place in the order of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Armies(u8);

impl Armies {
    /// No army.
    pub const NONE: Armies = Armies(0);

    /// The first `n` armies: all of a game with `n` seats.
    #[must_use]
    pub const fn first(n: usize) -> Armies {
        Armies(((1u16 << n) - 1) as u8)
    }

    /// The set of one army.
    #[must_use]
    pub const fn one(army: usize) -> Armies {
        Armies(1 << army)
    }

    /// Whether the army is in the set.
    #[must_use]
    pub const fn has(self, army: usize) -> bool {
        self.0 >> army & 1 == 1
    }

    /// Puts an army into the set.
    pub fn insert(&mut self, army: usize) {
        self.0 |= 1 << army;
    }

    /// This set and another together.
    #[must_use]
    pub const fn with(self, other: Armies) -> Armies {
        Armies(self.0 | other.0)
    }

    /// This set less another.
    #[must_use]
    pub const fn without(self, other: Armies) -> Armies {
        Armies(self.0 & !other.0)
    }

    /// How many armies are in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The armies in the order of play.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let army = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (army < 8).then_some(army)
        })
    }
}

impl FromIterator<usize> for Armies {
    fn from_iter<I: IntoIterator<Item = usize>>(armies: I) -> Armies {
        let mut set = Armies::NONE;
        for army in armies {
            set.insert(army);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_reads_as_it_is_written() {
        for seat in Seat::FOUR.iter().chain(Seat::TWO) {
            assert_eq!(
                seat.to_string().to_uppercase().parse::<Seat>().as_ref(),
                Ok(seat)
            );
        }
        assert_eq!("up".parse::<Seat>(), Err(UnknownSeat("up".into())));
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set: Armies = [0, 3].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 3]);
        assert_eq!(
            Armies::first(4).without(set).iter().collect::<Vec<_>>(),
            [1, 2]
        );
    }
}
