//! Maha Chatukanga (RULES.md section 2).

use super::effect::Witness;
use super::field::Field;
use super::game::{Game, Made, PositionOf};
use super::info::{Info, Kind};
use super::kind::{Kinds, Step};
use super::mate::{self, WHITE_AND_BLACK};
use super::options::Options;
use super::position::{End, Reason};
use super::seat::Seat;
use super::shape::Shape;

const INFANTA: u8 = 4;
const MARSHAL: u8 = 5;
const KANGAROO: u8 = 6;

static INFO: Info = Info {
    key: "maha-chatukanga",
    id: "MC",
    name: "Maha Chatukanga",
    synonyms: &["maha", "maha chaturanga"],
    seats: Seat::TWO,
    armies: WHITE_AND_BLACK,
    kinds: &[
        Kind {
            letter: 'K',
            name: "King",
            synonyms: &["raja"],
            step: Step::King,
            worth: 0,
        },
        Kind {
            letter: 'R',
            name: "Rook",
            synonyms: &["chariot", "ratha"],
            step: Step::Rook,
            worth: 0,
        },
        Kind {
            letter: 'N',
            name: "Knight",
            synonyms: &["horse", "ashva"],
            step: Step::Knight,
            worth: 0,
        },
        Kind {
            letter: 'E',
            name: "Elephant",
            synonyms: &["alfil", "gaja"],
            step: Step::Alfil,
            worth: 0,
        },
        Kind {
            letter: 'I',
            name: "Infanta",
            synonyms: &["princess"],
            step: Step::Infanta,
            worth: 0,
        },
        Kind {
            letter: 'M',
            name: "Marshal",
            synonyms: &["marshall", "chancellor"],
            step: Step::Marshal,
            worth: 0,
        },
        Kind {
            letter: 'G',
            name: "Kangaroo",
            synonyms: &["roo"],
            step: Step::Kangaroo,
            worth: 0,
        },
        Kind {
            letter: 'P',
            name: "Pawn",
            synonyms: &["soldier", "padati"],
            step: Step::Pawn,
            worth: 0,
        },
    ],
    shape: Shape {
        files: 10,
        ranks: 10,
        corner: 0,
    },
    dice: None,
    points: false,
    partners: false,
    claims: false,
    commands: false,
    brings_back: false,
    counts_bare: false,
    options: &[],
};

/// The game, which has no options.
#[derive(Debug)]
pub struct MahaChatukanga {
    field: Field<u128>,
}

impl Game for MahaChatukanga {
    type Bits = u128;
    const INFO: &'static Info = &INFO;
    const ROYAL: bool = true; // MC3
    const REPEATS: bool = true; // MC3

    fn with(_: &Options) -> MahaChatukanga {
        MahaChatukanga {
            field: Field::new(&INFO),
        }
    }

    fn field(&self) -> &Field<u128> {
        &self.field
    }

    fn array(&self) -> String {
        // MC1
        mate::board_of_letters("r8r/1neikmgen1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NEIKMGEN1/R8R")
    }

    fn promotes(&self, _: &PositionOf<Self>, _: usize, to: u8) -> Kinds {
        // MC2: a and j compounds of the Rook, b and i of the Knight, c and h of the Elephant.
        match self.field.square(to).file() {
            0 | 9 => Kinds::of(&[INFANTA, MARSHAL]),
            1 | 8 => Kinds::of(&[MARSHAL, KANGAROO]),
            2 | 7 => Kinds::of(&[INFANTA, KANGAROO]),
            _ => Kinds::of(&[INFANTA, MARSHAL, KANGAROO]),
        }
    }

    fn ended(&self, p: &mut PositionOf<Self>, made: &Made, _: &mut Witness) -> Option<End> {
        mate::ended(self, p, made) // MC3
    }

    fn left(&self, _: &mut PositionOf<Self>, army: usize, _: &mut Witness) -> Option<End> {
        Some(mate::resigned(army)) // G9
    }

    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason> {
        mate::worn_out(p) // MC3
    }
}
