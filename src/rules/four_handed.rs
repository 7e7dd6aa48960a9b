//! Four-Handed Chess, Chaturaji with dice (RULES.md section 4).

use super::bits::Bits;
use super::dice::DiceRule;
use super::effect::{Effect, Witness};
use super::field::Field;
use super::game::{Game, Made, PositionOf};
use super::info::{Army, Choices, Colour, Info, Kind, OptionInfo};
use super::kind::{KindId, Kinds, Step};
use super::options::Options;
use super::position::{End, MOST_ARMIES, Man, Reason};
use super::quarters;
use super::reserve;
use super::seat::{Armies, Seat};
use super::shape::Shape;
use super::square::Square;
use super::throne::{self, Thrones};
use super::turn;

const KING: u8 = 0;
const ELEPHANT: u8 = 1;
const HORSE: u8 = 2;
const BOAT: u8 = 3;
const PAWN: u8 = 4;

static INFO: Info = Info {
    key: "four-handed",
    id: "FH",
    name: "Four-Handed Chess",
    synonyms: &["four-handed chess", "chaturaji with dice"],
    seats: Seat::FOUR,
    armies: &[
        Army {
            name: "Red",
            letter: 'r',
            colour: Colour::Red,
            forward: (0, 1),
        },
        Army {
            name: "Yellow",
            letter: 'y',
            colour: Colour::Yellow,
            forward: (1, 0),
        },
        Army {
            name: "Green",
            letter: 'g',
            colour: Colour::Green,
            forward: (0, -1),
        },
        Army {
            name: "Black",
            letter: 'k',
            colour: Colour::Black,
            forward: (-1, 0),
        },
    ],
    // FH4
    kinds: &[
        Kind {
            letter: 'K',
            name: "King",
            synonyms: &["raja"],
            step: Step::King,
            worth: 5,
        },
        Kind {
            letter: 'E',
            name: "Elephant",
            synonyms: &["rook", "gaja", "hasti"],
            step: Step::Rook,
            worth: 4,
        },
        Kind {
            letter: 'H',
            name: "Horse",
            synonyms: &["knight", "ashva"],
            step: Step::Knight,
            worth: 3,
        },
        Kind {
            letter: 'B',
            name: "Boat",
            synonyms: &["nauka", "ship", "alfil"],
            step: Step::Alfil,
            worth: 2,
        },
        Kind {
            letter: 'P',
            name: "Pawn",
            synonyms: &["soldier", "padati"],
            step: Step::Pawn,
            worth: 1,
        },
    ],
    shape: Shape {
        files: 8,
        ranks: 8,
        corner: 0,
    },
    // FH2
    dice: Some(DiceRule {
        thrown: 2,
        played: 2,
        allows: [
            Kinds::NONE,
            Kinds::of(&[PAWN, KING]),
            Kinds::of(&[BOAT]),
            Kinds::of(&[HORSE]),
            Kinds::of(&[ELEPHANT]),
            Kinds::of(&[PAWN, KING]),
            Kinds::of(&[ELEPHANT]),
        ],
    }),
    points: true,
    partners: false,
    claims: false,
    commands: true,
    brings_back: true,
    counts_bare: false,
    options: &[
        OptionInfo {
            key: "corner",
            choices: Choices::Words(&["king", "boat"]),
            default: "king",
            help: "which piece stands in the corner: King, Elephant, Horse, Boat from there, or the other way round",
        },
        OptionInfo {
            key: "quiet",
            choices: Choices::Number {
                least: 20,
                most: 1000,
            },
            default: "100",
            help: "turns in a row without a capture or a pawn move that end the game",
        },
    ],
};

/// The game with its options.
#[derive(Debug)]
pub struct FourHanded {
    field: Field<u64>,
    back_row: &'static str,
    thrones: [u8; MOST_ARMIES],
    lines: [KindId; 8],
    quiet: u32,
}

impl Game for FourHanded {
    type Bits = u64;
    const INFO: &'static Info = &INFO;

    fn with(options: &Options) -> FourHanded {
        // FH1
        let back_row = if options.get(&INFO, "corner") == "boat" {
            "BHEK"
        } else {
            "KEHB"
        };
        let king = (0..)
            .zip(back_row.chars())
            .find(|(_, letter)| *letter == 'K')
            .map_or(0, |(file, _)| file);
        // FH5: on the lines of the far half stand the kinds of the army opposite, seen from here.
        let kind = |letter| INFO.kind_of_letter(letter).unwrap_or(KindId::KING);
        let near = back_row.chars().map(kind);
        let mut lines = [KindId::KING; 8];
        for (line, kind) in lines.iter_mut().zip(near.clone().chain(near.rev())) {
            *line = kind;
        }
        FourHanded {
            field: Field::new(&INFO),
            back_row,
            thrones: std::array::from_fn(|army| {
                INFO.shape
                    .cell(quarters::seen_by(INFO.shape, army, Square::new(king, 0)))
            }),
            lines,
            quiet: options.number(&INFO, "quiet").unwrap_or(100),
        }
    }

    fn field(&self) -> &Field<u64> {
        &self.field
    }

    fn array(&self) -> String {
        quarters::board(&INFO, self.back_row)
    }

    fn in_play(&self, p: &PositionOf<Self>, army: usize) -> bool {
        throne::in_play(p, army) // FH11
    }

    #[inline]
    fn has_turn(&self, p: &PositionOf<Self>, army: usize) -> bool {
        throne::has_turn(p, army) // FH11
    }

    #[inline]
    fn spared(&self, p: &PositionOf<Self>, army: usize) -> u64 {
        throne::spared(p, army) // FH3
    }

    fn captured(&self, p: &mut PositionOf<Self>, made: &Made, victim: Man, w: &mut Witness) {
        throne::captured(self, p, made, victim, w); // FH4
    }

    #[inline]
    fn promotes(&self, p: &PositionOf<Self>, army: usize, to: u8) -> Kinds {
        // FH5, FH6
        let kind = self.lines[self.line(army, to)];
        if p.reserve[army][kind.index()] > 0 {
            Kinds::one(kind)
        } else {
            Kinds::NONE
        }
    }

    fn promoted(&self, p: &mut PositionOf<Self>, army: usize, kind: KindId) {
        reserve::take(p, army, kind);
    }

    fn arrived(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) {
        if made.kind == KindId(BOAT) {
            self.triumph(p, made, w);
        }
    }

    fn settled(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) {
        throne::entered(self, p, made, w); // FH8
        if p.stirred {
            reserve::release(self, p, w); // FH6
        }
    }

    fn ended(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) -> Option<End> {
        throne::ended(self, p, made, w) // FH9, FH10, G11
    }

    fn left(&self, p: &mut PositionOf<Self>, _: usize, _: &mut Witness) -> Option<End> {
        throne::last_player(self, p) // G11
    }

    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason> {
        (u32::from(p.quiet) >= self.quiet).then_some(Reason::Quiet) // FH10
    }

    fn winners(&self, p: &PositionOf<Self>) -> Armies {
        turn::leaders(&p.scores) // G10
    }
}

impl Thrones for FourHanded {
    const PERFECT: i32 = 54; // FH9

    fn thrones(&self) -> [u8; MOST_ARMIES] {
        self.thrones
    }
}

impl FourHanded {
    /// The line of a cell as its army counts them, from its left (FH5).
    #[inline]
    fn line(&self, army: usize, cell: u8) -> usize {
        let square = self.field.square(cell);
        usize::from(match army {
            0 => square.file(),
            1 => 7 - square.rank(),
            2 => 7 - square.file(),
            _ => square.rank(),
        })
    }

    /// FH7: 2×2 squares of four Boats, one of each army, that the moved Boat completes.
    fn triumph(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) {
        let shape = self.field.shape();
        let boats = p.kinds[usize::from(BOAT)];
        let at = self.field.square(made.to);
        let mut taken = 0;
        for (files, ranks) in [(1, 1), (1, -1), (-1, -1), (-1, 1)] {
            let corners = [(files, 0), (0, ranks), (files, ranks)].map(|step| shape.step(at, step));
            let [Some(a), Some(b), Some(c)] = corners else {
                continue;
            };
            let square = [a, b, c]
                .iter()
                .fold(u64::one(made.to), |set, &s| set | u64::one(shape.cell(s)));
            if (square & !boats).is_empty() && p.armies.iter().all(|army| army.meets(square)) {
                taken |= square;
            }
        }
        if taken.is_empty() {
            return;
        }
        w.see(|| Effect::Triumph {
            seat: INFO.seats[made.army],
        });
        let free = taken & !throne::spared(p, made.army);
        for cell in free.iter() {
            if let Some(victim) = p.man(cell) {
                turn::capture(self, p, made, cell, victim, w);
                p.quiet = 0;
                p.stirred = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fh5_lines_are_king_elephant_horse_boat_and_back_from_every_seat() {
        let game = FourHanded::with(&Options::default());
        for (army, left) in ["a8", "h8", "h1", "a1"].into_iter().enumerate() {
            let cell = game.field.cell(left.parse().unwrap()).unwrap();
            // The corner at the left of an army's far edge is a line's end.
            assert_eq!(game.line((army) % 4, cell), 0, "{left}");
        }
        let letters: String = game
            .lines
            .iter()
            .map(|&kind| INFO.kind(kind).letter)
            .collect();
        assert_eq!(letters, "KEHBBHEK");
    }
}
