//! Fair dice: every roll of a table follows from its secret, its code, its players' contributions and the roll's number.
//!
//! Bytes come from HMAC-SHA256(key = secret, message = `code|contribution1,contribution2,…|n|block`), block = 0, 1, ….
//! Roll `n` (from 1) skips bytes of 252 and more and takes each other one modulo 6, plus 1. `n` = 0 is the drawn order
//! of the Partnership game's back row: bytes of 240 and more are skipped, the first other one counts modulo 24.

use std::fmt;
use std::num::NonZeroU32;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::hex32::Hex32;
use super::secret::Secret;
use crate::ids::{PersonId, TableCode};
use crate::rules::{MOST_DICE, Roll};

/// What a player adds to the dice: SHA-256(person's number ‖ id of the message they joined by ‖ their word).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Contribution(pub Hex32);

/// Why a roll cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiceError {
    /// A roll has one to three dice.
    #[error("a roll has one to three dice, not {0}")]
    Count(usize),
    /// None of the blocks that are looked at holds enough usable bytes; this does not happen (less than 1 in 2⁴⁰⁰).
    #[error("the dice gave no usable bytes")]
    Exhausted,
}

/// How many blocks of 32 bytes are looked at for one roll at most, so that the work is bounded (R70).
const BLOCKS: u32 = 16;

impl Contribution {
    /// The contribution of a person (number in decimal digits) who joined by this message, with a word of their own.
    pub fn of(person: PersonId, message: &str, word: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(person.to_string());
        hash.update(message);
        hash.update(word);
        Self(Hex32::new(hash.finalize().into()))
    }
}

impl fmt::Display for Contribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The fair dice of one table.
#[derive(Debug)]
pub struct FairDice<'a> {
    secret: &'a Secret,
    prefix: String,
}

impl<'a> FairDice<'a> {
    /// The dice of table `code`, with its players' contributions in the order of their seats.
    pub fn new(secret: &'a Secret, code: TableCode, contributions: &[Contribution]) -> Self {
        let contributions: Vec<String> = contributions.iter().map(ToString::to_string).collect();
        Self {
            secret,
            prefix: format!("{code}|{}", contributions.join(",")),
        }
    }

    /// Roll number `n`.
    ///
    /// # Errors
    /// [`DiceError::Count`] when no game throws so many dice.
    pub fn roll(&self, n: NonZeroU32, dice: usize) -> Result<Roll, DiceError> {
        if !(1..=MOST_DICE).contains(&dice) {
            return Err(DiceError::Count(dice));
        }
        let faces: Vec<u8> = self
            .bytes(n.get())
            .filter(|byte| *byte < 252)
            .map(|byte| byte % 6 + 1)
            .take(dice)
            .collect();
        if faces.len() < dice {
            return Err(DiceError::Exhausted);
        }
        Roll::new(&faces).map_err(|_| DiceError::Count(dice))
    }

    /// The drawn order (0–23) of the Partnership game's back row: roll number 0.
    pub fn order(&self) -> Result<u8, DiceError> {
        self.bytes(0)
            .find(|byte| *byte < 240)
            .map(|byte| byte % 24)
            .ok_or(DiceError::Exhausted)
    }

    fn bytes(&self, n: u32) -> impl Iterator<Item = u8> {
        (0..BLOCKS).flat_map(move |block| self.block(n, block))
    }

    fn block(&self, n: u32, block: u32) -> [u8; 32] {
        // HMAC fills a key shorter than the hash's block with zeros; done here, the key's length cannot be wrong.
        let mut key = zeroize::Zeroizing::new([0; 64]);
        key[..32].copy_from_slice(self.secret.bytes());
        let mut mac = Hmac::<Sha256>::new((&*key).into());
        mac.update(format!("{}|{n}|{block}", self.prefix).as_bytes());
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contributions() -> [Contribution; 2] {
        [
            Contribution::of(PersonId(1), "console:17", "lotus"),
            Contribution::of(PersonId(2), "console:18", ""),
        ]
    }

    fn roll(faces: &[u8]) -> Roll {
        Roll::new(faces).unwrap()
    }

    fn number(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    /// The secret 00 01 02 … 1f.
    fn counting() -> Secret {
        Secret::new(std::array::from_fn(|i| i as u8))
    }

    #[test]
    fn known_answers_computed_with_another_program() {
        // By Python's hashlib and hmac, following the page's words.
        let secret = counting();
        assert_eq!(
            secret.commitment().to_string(),
            "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
        );
        let given = contributions();
        assert_eq!(
            given.map(|one| one.to_string()),
            [
                "93c4c985d39fcedf85e7830eb393de3b964de12163a6e01fd7aca4b6c2238844",
                "aa6de038c482ab3318203642f0262d9b43f1925fd8000559681e485e33b3cc65",
            ]
        );
        // The README's example of a contribution.
        let readme = include_str!("../../README.md");
        let example = format!(
            "printf '%s%s%s' 1 console:17 lotus | sha256sum\n# {}\n",
            given[0]
        );
        assert!(readme.contains(&example), "{example}");
        let dice = FairDice::new(&secret, "K7Q2F".parse().unwrap(), &given);
        let rolls: Vec<_> = (1..=10).map(|n| dice.roll(number(n), 2)).collect();
        let expected = [
            [3, 1],
            [4, 1],
            [5, 2],
            [1, 6],
            [3, 6],
            [4, 4],
            [4, 4],
            [3, 2],
            [5, 6],
            [6, 3],
        ];
        assert_eq!(rolls, expected.map(|faces| Ok(roll(&faces))));
        assert_eq!(dice.roll(number(3), 3), Ok(roll(&[5, 2, 2])));
        // The second byte of roll 50 is 254 and skipped.
        assert_eq!(dice.roll(number(50), 2), Ok(roll(&[2, 1])));
        assert_eq!(dice.order(), Ok(8));
    }

    #[test]
    fn r76_a_roll_depends_on_nothing_but_its_number() {
        let secret = counting();
        let code = "K7Q2F".parse().unwrap();
        let early = FairDice::new(&secret, code, &contributions());
        let sixth = early.roll(number(6), 2);
        let later = FairDice::new(&secret, code, &contributions());
        assert_eq!(later.roll(number(6), 2), sixth);
        let other = FairDice::new(&secret, "K7Q2G".parse().unwrap(), &contributions());
        let all = |dice: &FairDice<'_>| -> Vec<Roll> {
            (1..20).map(|n| dice.roll(number(n), 2).unwrap()).collect()
        };
        assert_ne!(all(&other), all(&early));
    }

    #[test]
    fn r70_r71_the_number_of_dice_is_bounded() {
        let secret = counting();
        let dice = FairDice::new(&secret, "K7Q2F".parse().unwrap(), &[]);
        for count in [0, 4, usize::MAX] {
            assert_eq!(dice.roll(number(1), count), Err(DiceError::Count(count)));
        }
        let last = dice.roll(number(u32::MAX), 3);
        assert_eq!(last.map(|roll| roll.faces().len()), Ok(3));
    }

    #[test]
    fn r74_the_commitment_predicts_no_roll() {
        // Rolls worked out from the published commitment in place of the secret agree with the true ones no more
        // often than chance: 36 × 20 pairs of dice, of which about 20 agree.
        let mut agree = 0;
        for seed in 0..36 {
            let secret = Secret::new([seed; 32]);
            let guess = Secret::new(*secret.commitment().0.bytes());
            let code = "K7Q2F".parse().unwrap();
            let dice = FairDice::new(&secret, code, &contributions());
            let guessed = FairDice::new(&guess, code, &contributions());
            agree += (1..=20)
                .filter(|n| dice.roll(number(*n), 2) == guessed.roll(number(*n), 2))
                .count();
        }
        assert!((5..40).contains(&agree), "{agree} of 720");
    }

    #[test]
    fn all_faces_come_equally_often() {
        let secret = counting();
        let dice = FairDice::new(&secret, "K7Q2F".parse().unwrap(), &contributions());
        let mut counts = [0_u32; 6];
        for n in 1..=4000 {
            for face in dice.roll(number(n), 3).unwrap().faces() {
                counts[usize::from(*face) - 1] += 1;
            }
        }
        // 12,000 dice: 2,000 of each face, standard deviation 41.
        assert!(
            counts.iter().all(|count| (1830..2170).contains(count)),
            "{counts:?}"
        );
    }
}
