//! Sets of squares: one bit a square, in a word as wide as the board needs.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A set of squares by index. Boards of up to 64, 128 and 256 cells have words of their own.
pub trait Bits:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
{
    /// The empty set.
    const NONE: Self;
    /// The set of one square.
    fn one(cell: u8) -> Self;
    /// Whether no square is in the set.
    fn is_empty(self) -> bool;
    /// How many squares are in the set.
    fn count(self) -> u32;
    /// The square with the lowest index; any value if the set is empty.
    fn lowest(self) -> u8;
    /// The square with the highest index; any value if the set is empty.
    fn highest(self) -> u8;
    /// The set without its lowest square.
    fn rest(self) -> Self;

    /// Whether the square is in the set.
    #[inline(always)]
    fn has(self, cell: u8) -> bool {
        self.meets(Self::one(cell))
    }

    /// Whether the sets have a square in common.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    fn several(self) -> bool {
        !self.rest().is_empty()
    }

    /// The squares, lowest first.
    #[inline(always)]
    fn iter(self) -> Cells<Self> {
        Cells(self)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Cells<B>(B);

impl<B: Bits> Iterator for Cells<B> {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.rest();
        Some(cell)
    }
}

macro_rules! word {
    ($word:ty) => {
        impl Bits for $word {
            const NONE: Self = 0;

            #[inline(always)]
            fn one(cell: u8) -> Self {
                1 << cell
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn highest(self) -> u8 {
                (<$word>::BITS - 1).wrapping_sub(self.leading_zeros()) as u8
            }
            #[inline(always)]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

word!(u64);
word!(u128);

/// A set of up to 256 squares: the low half first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide(u128, u128);

impl BitAnd for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitand(self, other: Wide) -> Wide {
        Wide(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitor(self, other: Wide) -> Wide {
        Wide(self.0 | other.0, self.1 | other.1)
    }
}

impl BitXor for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitxor(self, other: Wide) -> Wide {
        Wide(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl Not for Wide {
    type Output = Wide;
    #[inline(always)]
    fn not(self) -> Wide {
        Wide(!self.0, !self.1)
    }
}

impl BitAndAssign for Wide {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Wide) {
        *self = *self & other;
    }
}

impl BitOrAssign for Wide {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Wide) {
        *self = *self | other;
    }
}

impl Bits for Wide {
    const NONE: Self = Wide(0, 0);

    #[inline(always)]
    fn one(cell: u8) -> Self {
        if cell < 128 {
            Wide(1 << cell, 0)
        } else {
            Wide(0, 1 << (cell - 128))
        }
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 | self.1 == 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count_ones() + self.1.count_ones()
    }
    #[inline(always)]
    fn lowest(self) -> u8 {
        if self.0 != 0 {
            self.0.lowest()
        } else {
            self.1.lowest().wrapping_add(128)
        }
    }
    #[inline(always)]
    fn highest(self) -> u8 {
        if self.1 != 0 {
            self.1.highest().wrapping_add(128)
        } else {
            self.0.highest()
        }
    }
    #[inline(always)]
    fn rest(self) -> Self {
        if self.0 != 0 {
            Wide(self.0.rest(), self.1)
        } else {
            Wide(0, self.1.rest())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds_what_was_put_in<B: Bits>(highest: u8) {
        let cells: Vec<u8> = (0..=highest).step_by(7).collect();
        let set = cells.iter().fold(B::NONE, |set, &cell| set | B::one(cell));
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.count() as usize, cells.len());
        assert_eq!(Some(&set.highest()), cells.last());
        assert!(set.several() && !B::one(5).several() && !B::NONE.several());
        assert!(set.has(7) && !set.has(8) && (!set).has(8));
    }

    #[test]
    fn sets_of_every_width() {
        holds_what_was_put_in::<u64>(63);
        holds_what_was_put_in::<u128>(127);
        holds_what_was_put_in::<Wide>(255);
    }
}
