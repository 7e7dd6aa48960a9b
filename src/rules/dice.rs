//! Rolls, and the dice of a turn that are still to be used (RULES.md G6).

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::kind::Kinds;

/// The most dice any game throws at once.
pub const MOST_DICE: usize = 3;

/// How a game uses dice.
#[derive(Clone, Copy, Debug)]
pub struct DiceRule {
    /// How many are thrown.
    pub thrown: usize,
    /// How many of them may be played.
    pub played: usize,
    /// What each face allows to move; the entry of 0 is not used.
    pub allows: [Kinds; 7],
}

impl DiceRule {
    /// What a set of unused dice allows to move.
    #[must_use]
    #[inline]
    pub fn allowed(&self, dice: &Dice) -> Kinds {
        dice.faces().iter().fold(Kinds::NONE, |kinds, &die| {
            kinds.with(self.allows[usize::from(die & 7) % 7])
        })
    }

    /// How many of the unused dice may still be played.
    #[must_use]
    pub fn left(&self, dice: &Dice) -> usize {
        dice.faces().len().saturating_sub(self.thrown - self.played)
    }
}

/// Dice as thrown, each from 1 to 6.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Roll(ArrayVec<u8, MOST_DICE>);

/// Why numbers are no roll.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RollError {
    /// No dice, or more than any game throws.
    #[error("a roll has one to three dice, not {0}")]
    Count(usize),
    /// A number that no die shows.
    #[error("a die shows 1 to 6, not {0}")]
    Face(String),
}

impl Roll {
    /// A roll of these faces, in the order thrown.
    ///
    /// # Errors
    /// If there are none or more than three, or one is not from 1 to 6.
    pub fn new(faces: &[u8]) -> Result<Roll, RollError> {
        if let Some(face) = faces.iter().find(|face| !(1..=6).contains(*face)) {
            return Err(RollError::Face(face.to_string()));
        }
        match ArrayVec::try_from(faces) {
            Ok(dice) if !faces.is_empty() => Ok(Roll(dice)),
            _ => Err(RollError::Count(faces.len())),
        }
    }

    /// The faces, in the order thrown.
    #[must_use]
    pub fn faces(&self) -> &[u8] {
        &self.0
    }
}

impl TryFrom<Vec<u8>> for Roll {
    type Error = RollError;

    fn try_from(faces: Vec<u8>) -> Result<Roll, RollError> {
        Roll::new(&faces)
    }
}

impl From<Roll> for Vec<u8> {
    fn from(roll: Roll) -> Vec<u8> {
        roll.0.to_vec()
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faces: Vec<String> = self.0.iter().map(u8::to_string).collect();
        f.write_str(&faces.join(","))
    }
}

impl FromStr for Roll {
    type Err = RollError;

    /// Reads `3,5`.
    fn from_str(text: &str) -> Result<Roll, RollError> {
        let face = |part: &str| {
            part.trim()
                .parse::<u8>()
                .map_err(|_| RollError::Face(part.trim().to_owned()))
        };
        Roll::new(&text.split(',').map(face).collect::<Result<Vec<u8>, _>>()?)
    }
}

/// The dice of a turn not yet used, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dice {
    faces: [u8; MOST_DICE],
    len: u8,
}

impl Dice {
    /// No dice.
    pub const NONE: Dice = Dice {
        faces: [0; MOST_DICE],
        len: 0,
    };

    /// The faces, ascending.
    #[must_use]
    #[inline]
    pub fn faces(&self) -> &[u8] {
        &self.faces[..usize::from(self.len).min(MOST_DICE)]
    }

    /// Takes away the lowest die for which `fits` holds, and tells it (G6).
    #[inline]
    pub fn take(&mut self, fits: impl Fn(u8) -> bool) -> Option<u8> {
        let at = self.faces().iter().position(|&die| fits(die))?;
        let die = self.faces[at];
        self.faces.copy_within(at + 1.., at);
        self.len -= 1;
        self.faces[usize::from(self.len)] = 0;
        Some(die)
    }
}

impl From<&Roll> for Dice {
    fn from(roll: &Roll) -> Dice {
        let mut dice = Dice {
            faces: [0; MOST_DICE],
            len: roll.0.len() as u8,
        };
        dice.faces[..roll.0.len()].copy_from_slice(&roll.0);
        dice.faces[..roll.0.len()].sort_unstable();
        dice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_reads_as_it_is_written() {
        assert_eq!(
            "3, 5".parse::<Roll>().map(|r| r.to_string()).as_deref(),
            Ok("3,5")
        );
        assert_eq!("0,5".parse::<Roll>(), Err(RollError::Face("0".into())));
        assert_eq!("".parse::<Roll>(), Err(RollError::Face(String::new())));
        assert_eq!("1,1,1,1".parse::<Roll>(), Err(RollError::Count(4)));
    }

    #[test]
    fn the_lowest_die_that_fits_is_taken() {
        let mut dice = Dice::from(&Roll::new(&[6, 4, 1]).unwrap());
        assert_eq!(dice.faces(), [1, 4, 6]);
        assert_eq!(dice.take(|die| die >= 4), Some(4));
        assert_eq!(dice.faces(), [1, 6]);
        assert_eq!(dice.take(|die| die == 2), None);
    }
}
