//! Four-Handed Chess on the cross board (RULES.md section 6).

use super::bits::Wide;
use super::dice::DiceRule;
use super::effect::Witness;
use super::field::Field;
use super::game::{Game, Made, PositionOf};
use super::info::{Army, Choices, Colour, Info, Kind, OptionInfo};
use super::kind::{KindId, Kinds, Step};
use super::options::Options;
use super::position::{End, MOST_ARMIES, Man, Reason};
use super::reserve;
use super::seat::{Armies, Seat};
use super::shape::Shape;
use super::throne::{self, Thrones};
use super::turn;

const KING: u8 = 0;
const QUEEN: u8 = 1;
const ROOK: u8 = 2;
const BISHOP: u8 = 3;
const KNIGHT: u8 = 4;
const PAWN: u8 = 5;

/// XH1
const ARRAY: &str = "3,yR,yN,yB,yK,yQ,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/\
bB,bP,10,gP,gB/bK,bP,10,gP,gQ/bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/\
3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rQ,rK,rB,rN,rR,3";

static INFO: Info = Info {
    key: "four-handed-cross",
    id: "XH",
    name: "Four-Handed Chess on the cross board",
    synonyms: &["cross", "cross board"],
    seats: Seat::FOUR,
    armies: &[
        Army {
            name: "Red",
            letter: 'r',
            colour: Colour::Red,
            forward: (0, 1),
        },
        Army {
            name: "Blue",
            letter: 'b',
            colour: Colour::Blue,
            forward: (1, 0),
        },
        Army {
            name: "Yellow",
            letter: 'y',
            colour: Colour::Yellow,
            forward: (0, -1),
        },
        Army {
            name: "Green",
            letter: 'g',
            colour: Colour::Green,
            forward: (-1, 0),
        },
    ],
    // XH2
    kinds: &[
        Kind {
            letter: 'K',
            name: "King",
            synonyms: &["raja"],
            step: Step::King,
            worth: 5,
        },
        Kind {
            letter: 'Q',
            name: "Queen",
            synonyms: &["lady"],
            step: Step::Queen,
            worth: 6,
        },
        Kind {
            letter: 'R',
            name: "Rook",
            synonyms: &["chariot", "castle"],
            step: Step::Rook,
            worth: 4,
        },
        Kind {
            letter: 'B',
            name: "Bishop",
            synonyms: &[],
            step: Step::Bishop,
            worth: 2,
        },
        Kind {
            letter: 'N',
            name: "Knight",
            synonyms: &["horse"],
            step: Step::Knight,
            worth: 3,
        },
        Kind {
            letter: 'P',
            name: "Pawn",
            synonyms: &["soldier"],
            step: Step::Pawn,
            worth: 1,
        },
    ],
    shape: Shape {
        files: 14,
        ranks: 14,
        corner: 3,
    },
    // XH2
    dice: Some(DiceRule {
        thrown: 2,
        played: 2,
        allows: [
            Kinds::NONE,
            Kinds::of(&[PAWN, KING]),
            Kinds::of(&[BISHOP]),
            Kinds::of(&[KNIGHT]),
            Kinds::of(&[ROOK]),
            Kinds::of(&[PAWN, KING]),
            Kinds::of(&[QUEEN]),
        ],
    }),
    points: true,
    partners: false,
    claims: false,
    commands: true,
    brings_back: true,
    counts_bare: false,
    options: &[OptionInfo {
        key: "quiet",
        choices: Choices::Number {
            least: 20,
            most: 1000,
        },
        default: "100",
        help: "turns in a row without a capture or a pawn move that end the game",
    }],
};

/// The game with its options.
#[derive(Debug)]
pub struct FourHandedCross {
    field: Field<Wide>,
    thrones: [u8; MOST_ARMIES],
    quiet: u32,
}

impl Game for FourHandedCross {
    type Bits = Wide;
    const INFO: &'static Info = &INFO;

    fn with(options: &Options) -> FourHandedCross {
        FourHandedCross {
            field: Field::new(&INFO),
            // Where XH1 puts the Kings: h1, a8, g14 and n7.
            thrones: [(7, 0), (0, 7), (6, 13), (13, 6)]
                .map(|(file, rank)| INFO.shape.cell(super::square::Square::new(file, rank))),
            quiet: options.number(&INFO, "quiet").unwrap_or(100),
        }
    }

    fn field(&self) -> &Field<Wide> {
        &self.field
    }

    fn array(&self) -> String {
        ARRAY.to_owned()
    }

    fn in_play(&self, p: &PositionOf<Self>, army: usize) -> bool {
        throne::in_play(p, army) // XH4
    }

    #[inline]
    fn has_turn(&self, p: &PositionOf<Self>, army: usize) -> bool {
        throne::has_turn(p, army) // XH4
    }

    #[inline]
    fn spared(&self, p: &PositionOf<Self>, army: usize) -> Wide {
        throne::spared(p, army) // XH4
    }

    fn captured(&self, p: &mut PositionOf<Self>, made: &Made, victim: Man, w: &mut Witness) {
        throne::captured(self, p, made, victim, w); // XH2, XH4
    }

    #[inline]
    fn promotes(&self, p: &PositionOf<Self>, army: usize, _: u8) -> Kinds {
        reserve::kinds(p, army) // XH3
    }

    fn promoted(&self, p: &mut PositionOf<Self>, army: usize, kind: KindId) {
        reserve::take(p, army, kind);
    }

    fn settled(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) {
        throne::entered(self, p, made, w); // XH4
        if made.victim.is_some() {
            reserve::release(self, p, w); // XH3
        }
    }

    fn ended(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) -> Option<End> {
        throne::ended(self, p, made, w) // XH4
    }

    fn left(&self, p: &mut PositionOf<Self>, _: usize, _: &mut Witness) -> Option<End> {
        throne::last_player(self, p) // G11
    }

    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason> {
        (u32::from(p.quiet) >= self.quiet).then_some(Reason::Quiet) // XH4
    }

    fn winners(&self, p: &PositionOf<Self>) -> Armies {
        turn::leaders(&p.scores) // G10
    }
}

impl Thrones for FourHandedCross {
    const PERFECT: i32 = 111; // XH4

    fn thrones(&self) -> [u8; MOST_ARMIES] {
        self.thrones
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    #[test]
    fn xh1_thrones_are_where_the_kings_start() {
        let game = FourHandedCross::with(&Options::default());
        let kings: Vec<String> = Wide::iter(
            game.thrones
                .iter()
                .fold(Wide::NONE, |set, &cell| set | Wide::one(cell)),
        )
        .map(|cell| game.field.square(cell).to_string())
        .collect();
        assert_eq!(kings, ["h1", "n7", "a8", "g14"]);
    }
}
