//! Partnership Chaturanga (RULES.md section 3).

use super::bits::Bits;
use super::dice::DiceRule;
use super::effect::Witness;
use super::field::Field;
use super::game::{Game, Made, PositionOf};
use super::info::{Army, Choices, Colour, Info, Kind, OptionInfo};
use super::kind::{KindId, Kinds, Step};
use super::options::Options;
use super::position::{End, Man, Position, Reason};
use super::quarters;
use super::reserve;
use super::seat::{Armies, Seat};
use super::shape::Shape;

/// Rolls against bare Kings (PC10).
const BARE_ROLLS: u8 = 20;

const KING: u8 = 0;
const ROOK: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const PAWN: u8 = 4;

/// PC2
const ALLOWS: [Kinds; 7] = [
    Kinds::NONE,
    Kinds::of(&[KING, PAWN]),
    Kinds::of(&[BISHOP]),
    Kinds::of(&[KNIGHT]),
    Kinds::of(&[ROOK]),
    Kinds::of(&[KING, PAWN]),
    Kinds::NONE,
];

static INFO: Info = Info {
    key: "partnership",
    id: "PC",
    name: "Partnership Chaturanga",
    synonyms: &["partnership chaturanga", "partners"],
    seats: Seat::FOUR,
    armies: &[
        Army {
            name: "White",
            letter: 'w',
            colour: Colour::White,
            forward: (0, 1),
        },
        Army {
            name: "Red",
            letter: 'r',
            colour: Colour::Red,
            forward: (1, 0),
        },
        Army {
            name: "Black",
            letter: 'k',
            colour: Colour::Black,
            forward: (0, -1),
        },
        Army {
            name: "Green",
            letter: 'g',
            colour: Colour::Green,
            forward: (-1, 0),
        },
    ],
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
            letter: 'B',
            name: "Bishop",
            synonyms: &["boat", "alfil"],
            step: Step::Alfil,
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
        files: 8,
        ranks: 8,
        corner: 0,
    },
    dice: Some(DiceRule {
        thrown: 2,
        played: 2,
        allows: ALLOWS,
    }),
    points: false,
    partners: true,
    claims: false,
    commands: false,
    brings_back: true,
    counts_bare: true,
    options: &[
        OptionInfo {
            key: "setup",
            choices: Choices::Words(&["standard", "random"]),
            default: "standard",
            help: "the pieces from the corner to the centre: Bishop, Knight, Rook, King, or one of the 24 orders, drawn",
        },
        OptionInfo {
            key: "dice",
            choices: Choices::Words(&["two", "three"]),
            default: "two",
            help: "three: three dice are thrown, any two of them may be played",
        },
        OptionInfo {
            key: "order",
            choices: Choices::Drawn {
                with: "setup",
                value: "random",
                count: 24,
            },
            default: "0",
            help: "the order drawn for setup=random",
        },
    ],
};

/// The game with its options.
#[derive(Debug)]
pub struct Partnership {
    field: Field<u64>,
    back_row: String,
    dice: DiceRule,
}

/// One of the orders of B K N R, counted lexicographically from 0 (PC1).
fn order(number: u32) -> String {
    let mut letters = vec!['B', 'K', 'N', 'R'];
    let mut number = number as usize;
    [6, 2, 1, 1]
        .into_iter()
        .map(|block: usize| {
            let letter = letters.remove((number / block).min(letters.len() - 1));
            number %= block;
            letter
        })
        .collect()
}

/// The side of an army: 0 for South and North, 1 for West and East.
fn side(army: usize) -> usize {
    army & 1
}

fn side_armies(side: usize) -> Armies {
    Armies::one(side).with(Armies::one(side + 2))
}

impl Game for Partnership {
    type Bits = u64;
    const INFO: &'static Info = &INFO;

    fn with(options: &Options) -> Partnership {
        let drawn = options.get(&INFO, "setup") == "random";
        // PC3
        let thrown = if options.get(&INFO, "dice") == "three" {
            3
        } else {
            2
        };
        Partnership {
            field: Field::new(&INFO),
            // PC1
            back_row: if drawn {
                order(options.number(&INFO, "order").unwrap_or(0))
            } else {
                "BNRK".to_owned()
            },
            dice: DiceRule {
                thrown,
                played: 2,
                allows: ALLOWS,
            },
        }
    }

    fn field(&self) -> &Field<u64> {
        &self.field
    }

    fn dice(&self) -> Option<&DiceRule> {
        Some(&self.dice)
    }

    fn array(&self) -> String {
        quarters::board(&INFO, &self.back_row)
    }

    fn prepare(&self, p: &mut PositionOf<Self>) {
        count_bare(p);
    }

    #[inline]
    fn spared(&self, p: &PositionOf<Self>, army: usize) -> u64 {
        p.armies[army] | p.men(army ^ 2, KindId::KING) // PC4
    }

    #[inline]
    fn promotes(&self, p: &PositionOf<Self>, army: usize, _: u8) -> Kinds {
        let kept = reserve::kinds(p, army); // PC6
        if p.king_returned.has(army) {
            kept.without(Kinds::one(KindId::KING))
        } else {
            kept
        }
    }

    fn captured(&self, p: &mut PositionOf<Self>, _: &Made, victim: Man, _: &mut Witness) {
        reserve::keep(self, p, victim);
    }

    fn promoted(&self, p: &mut PositionOf<Self>, army: usize, kind: KindId) {
        reserve::take(p, army, kind);
        if kind == KindId::KING {
            p.king_returned.insert(army); // PC6
        }
    }

    fn settled(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) {
        if made.victim.is_some() {
            reserve::release(self, p, w); // PC7
        }
    }

    fn ended(&self, p: &mut PositionOf<Self>, made: &Made, _: &mut Witness) -> Option<End> {
        let (ours, theirs) = (
            side_armies(side(made.army)),
            side_armies(1 - side(made.army)),
        );
        // PC8
        if !p.of_armies(theirs).meets(p.kinds[KindId::KING.index()]) {
            return Some(End {
                reason: Reason::KingsCaptured,
                winners: ours,
            });
        }
        made.victim?; // only who loses a piece can be deserted, or be left with Kings
        let end = self.deserted(p);
        if end.is_none() {
            count_bare(p);
        }
        end
    }

    fn left(&self, p: &mut PositionOf<Self>, _: usize, _: &mut Witness) -> Option<End> {
        self.deserted(p)
    }

    fn rolled(&self, p: &mut PositionOf<Self>) {
        // PC10: a roll by the opponents of the bare side
        let against = 1 - side(p.mover);
        p.bare[against] = p.bare[against].map(|rolls| rolls.saturating_sub(1));
    }

    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason> {
        p.bare.contains(&Some(0)).then_some(Reason::BareCount) // PC10
    }
}

impl Partnership {
    /// PC11: a side without players has lost.
    fn deserted(&self, p: &Position<u64>) -> Option<End> {
        let gone =
            (0..2).find(|&side| side_armies(side).iter().all(|army| !self.in_play(p, army)))?;
        Some(End {
            reason: Reason::Resignation,
            winners: side_armies(1 - gone),
        })
    }
}

/// PC10: starts the count against a side that has nothing but Kings.
fn count_bare(p: &mut Position<u64>) {
    for side in 0..2 {
        if p.bare[side].is_none() && reserve::only_kings(p, p.of_armies(side_armies(side))) {
            p.bare[side] = Some(BARE_ROLLS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pc1_orders_are_lexicographic() {
        assert_eq!(order(0), "BKNR");
        assert_eq!(order(1), "BKRN");
        assert_eq!(order(6), "KBNR");
        assert_eq!(order(23), "RNKB");
    }
}
