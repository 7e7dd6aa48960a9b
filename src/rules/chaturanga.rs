//! Chaturanga (RULES.md section 1).

use super::effect::Witness;
use super::field::Field;
use super::game::{Game, Made, PositionOf};
use super::info::{Choices, Info, Kind, OptionInfo};
use super::kind::{KindId, Kinds, Step};
use super::mate::{self, WHITE_AND_BLACK};
use super::options::Options;
use super::position::{End, Reason};
use super::seat::{Armies, Seat};
use super::shape::Shape;

const MANTRI: KindId = KindId(1);
const GAJA: KindId = KindId(2);

static INFO: Info = Info {
    key: "chaturanga",
    id: "CG",
    name: "Chaturanga",
    synonyms: &["caturanga"],
    seats: Seat::TWO,
    armies: WHITE_AND_BLACK,
    kinds: &[
        Kind {
            letter: 'K',
            name: "Raja",
            synonyms: &["king", "rajah", "shah"],
            step: Step::King,
            worth: 0,
        },
        Kind {
            letter: 'F',
            name: "Mantri",
            synonyms: &["counsellor", "minister", "fers", "ferz", "vizier"],
            step: Step::Fers,
            worth: 0,
        },
        Kind {
            letter: 'E',
            name: "Gaja",
            synonyms: &["elephant", "hasti", "fil", "alfil"],
            step: Step::Alfil,
            worth: 0,
        },
        Kind {
            letter: 'N',
            name: "Ashva",
            synonyms: &["horse", "knight"],
            step: Step::Knight,
            worth: 0,
        },
        Kind {
            letter: 'R',
            name: "Ratha",
            synonyms: &["chariot", "rook"],
            step: Step::Rook,
            worth: 0,
        },
        Kind {
            letter: 'P',
            name: "Padati",
            synonyms: &["pawn", "soldier", "foot"],
            step: Step::Pawn,
            worth: 0,
        },
    ],
    shape: Shape {
        files: 8,
        ranks: 8,
        corner: 0,
    },
    dice: None,
    points: false,
    partners: false,
    claims: false,
    commands: false,
    brings_back: false,
    counts_bare: false,
    options: &[
        OptionInfo {
            key: "array",
            choices: Choices::Words(&["manasollasa", "al-adli"]),
            default: "manasollasa",
            help: "how the back row stands at the start",
        },
        OptionInfo {
            key: "gaja",
            choices: Choices::Words(&["alfil", "dabbaba", "silver"]),
            default: "alfil",
            help: "how the Gaja moves: two squares diagonally, two squares straight, or one step diagonally or forward",
        },
        OptionInfo {
            key: "ending",
            choices: Choices::Words(&["al-adli", "manasollasa"]),
            default: "al-adli",
            help: "al-adli: the stalemated player wins, and so does who bares the Raja; manasollasa: who cannot move loses",
        },
    ],
};

/// The game with its options.
#[derive(Debug)]
pub struct Chaturanga {
    field: Field<u64>,
    array: &'static str,
    no_move_loses: bool,
}

impl Game for Chaturanga {
    type Bits = u64;
    const INFO: &'static Info = &INFO;
    const ROYAL: bool = true; // CG3
    const REPEATS: bool = true; // CG9

    fn with(options: &Options) -> Chaturanga {
        let mut steps: Vec<Step> = INFO.kinds.iter().map(|kind| kind.step).collect();
        // CG2
        steps[GAJA.index()] = match options.get(&INFO, "gaja") {
            "dabbaba" => Step::Dabbaba,
            "silver" => Step::Silver,
            _ => Step::Alfil,
        };
        Chaturanga {
            field: Field::with_steps(&INFO, steps),
            // CG1
            array: match options.get(&INFO, "array") {
                "al-adli" => "ernfknre/pppppppp/8/8/8/8/PPPPPPPP/ERNFKNRE",
                _ => "rnefkenr/pppppppp/8/8/8/8/PPPPPPPP/RNEFKENR",
            },
            no_move_loses: options.get(&INFO, "ending") == "manasollasa",
        }
    }

    fn field(&self) -> &Field<u64> {
        &self.field
    }

    fn array(&self) -> String {
        mate::board_of_letters(self.array)
    }

    fn promotes(&self, _: &PositionOf<Self>, _: usize, _: u8) -> Kinds {
        Kinds::one(MANTRI) // CG4
    }

    fn ended(&self, p: &mut PositionOf<Self>, made: &Made, _: &mut Witness) -> Option<End> {
        if self.no_move_loses {
            // CG8
            let stuck = !mate::can_move(self, p, made.army ^ 1);
            return stuck.then(|| End {
                reason: Reason::NoMove,
                winners: Armies::one(made.army),
            });
        }
        mate::ended(self, p, made) // CG5, CG6, CG7
    }

    fn left(&self, _: &mut PositionOf<Self>, army: usize, _: &mut Witness) -> Option<End> {
        Some(mate::resigned(army)) // G9
    }

    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason> {
        mate::worn_out(p) // CG9
    }
}
