//! Chaturaji by points (RULES.md section 5).

use super::bits::Bits;
use super::effect::{Effect, Points, Witness};
use super::field::Field;
use super::game::{Game, Made, PositionOf};
use super::generate;
use super::info::{Army, Colour, Info, Kind};
use super::kind::{KindId, Kinds, Step};
use super::options::Options;
use super::position::{End, MOST_ARMIES, Man, Position, Reason};
use super::quarters;
use super::seat::{Armies, Seat};
use super::shape::Shape;
use super::turn;

const SAILBOAT: KindId = KindId(3);

/// Points for a King, also a dead one (CJ3, CJ7).
const KING_WORTH: i32 = 3;
/// What a pawn may come to be worth (CJ4, CJ11).
const PAWN_HOPES: i32 = 5;
/// Turns in a row without a capture or a pawn move that end the game (CJ12).
const QUIET_TURNS: u16 = 200;

static INFO: Info = Info {
    key: "chaturaji",
    id: "CJ",
    name: "Chaturaji",
    synonyms: &["chaturaji by points"],
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
    // CJ3
    kinds: &[
        Kind {
            letter: 'K',
            name: "King",
            synonyms: &["raja"],
            step: Step::King,
            worth: 3,
        },
        Kind {
            letter: 'B',
            name: "Bishop",
            synonyms: &["elephant"],
            step: Step::Bishop,
            worth: 5,
        },
        Kind {
            letter: 'N',
            name: "Knight",
            synonyms: &["horse"],
            step: Step::Knight,
            worth: 3,
        },
        Kind {
            letter: 'S',
            name: "Sailboat",
            synonyms: &["boat", "rook", "ship"],
            step: Step::Rook,
            worth: 5,
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
        files: 8,
        ranks: 8,
        corner: 0,
    },
    dice: None,
    points: true,
    partners: false,
    claims: true,
    commands: false,
    brings_back: false,
    counts_bare: false,
    options: &[],
};

/// The game, which has no options.
#[derive(Debug)]
pub struct Chaturaji {
    field: Field<u64>,
}

impl Game for Chaturaji {
    type Bits = u64;
    const INFO: &'static Info = &INFO;
    const REPEATS: bool = true; // CJ12

    fn with(_: &Options) -> Chaturaji {
        Chaturaji {
            field: Field::new(&INFO),
        }
    }

    fn field(&self) -> &Field<u64> {
        &self.field
    }

    fn array(&self) -> String {
        quarters::board(&INFO, "SNBK") // CJ1
    }

    fn prepare(&self, p: &mut PositionOf<Self>) {
        // CJ6: who has no King is out.
        let kingless: Armies = (0..MOST_ARMIES)
            .filter(|&army| p.men(army, KindId::KING).is_empty())
            .collect();
        p.resigned = p.resigned.with(kingless);
    }

    fn in_play(&self, p: &PositionOf<Self>, army: usize) -> bool {
        !p.resigned.has(army)
    }

    fn has_turn(&self, p: &PositionOf<Self>, army: usize) -> bool {
        !p.resigned.has(army) && generate::any(self, p, army, Kinds::ALL) // CJ6, CJ8
    }

    fn is_dead(&self, p: &PositionOf<Self>, army: usize) -> bool {
        p.resigned.has(army) // CJ6, CJ7
    }

    fn captured(&self, p: &mut PositionOf<Self>, made: &Made, victim: Man, w: &mut Witness) {
        // CJ3, CJ6, CJ7
        let points = match (p.resigned.has(victim.army), victim.kind) {
            (true, KindId::KING) => KING_WORTH,
            (true, _) => 0,
            (false, kind) => i32::from(INFO.kind(kind).worth),
        };
        score(p, made.army, points, Points::Capture, w);
        if victim.kind == KindId::KING {
            p.resigned.insert(victim.army); // CJ6
        }
    }

    #[inline]
    fn promotes(&self, _: &PositionOf<Self>, _: usize, _: u8) -> Kinds {
        Kinds::one(SAILBOAT) // CJ4
    }

    fn settled(&self, p: &mut PositionOf<Self>, made: &Made, w: &mut Witness) {
        // CJ5
        let checks = self.kings_newly_attacked(p, made);
        match checks {
            2 => score(p, made.army, 1, Points::Checks(checks), w),
            3 => score(p, made.army, 5, Points::Checks(checks), w),
            _ => {}
        }
    }

    fn ended(&self, p: &mut PositionOf<Self>, _: &Made, w: &mut Witness) -> Option<End> {
        let kings = p.kinds[KindId::KING.index()].count();
        if kings <= 1 {
            return Some(by_points(p, Reason::KingsCaptured)); // CJ9
        }
        self.few_left(p, w)
    }

    fn left(&self, p: &mut PositionOf<Self>, _: usize, w: &mut Witness) -> Option<End> {
        self.few_left(p, w)
    }

    fn worn_out(&self, p: &PositionOf<Self>) -> Option<Reason> {
        (p.quiet >= QUIET_TURNS).then_some(Reason::Quiet) // CJ12
    }

    fn winners(&self, p: &PositionOf<Self>) -> Armies {
        turn::leaders(&p.scores) // CJ13
    }

    fn claim(&self, p: &mut PositionOf<Self>, w: &mut Witness) -> bool {
        // CJ10
        let (claimant, kings) = (p.mover, p.kinds[KindId::KING.index()]);
        let ahead = |rival: usize| {
            let gain = if p.resigned.has(rival) {
                0
            } else {
                KING_WORTH * (kings & !p.armies[rival]).count() as i32
            };
            p.scores[claimant] > p.scores[rival] + gain
        };
        if !(0..MOST_ARMIES).filter(|&army| army != claimant).all(ahead) {
            return false;
        }
        let points = KING_WORTH * (kings & !p.armies[claimant]).count() as i32;
        score(p, claimant, points, Points::DeadKings, w);
        true
    }
}

impl Chaturaji {
    /// CJ5: how many Kings of active players other than the mover are attacked, by an active player other than their
    /// owner, from where that player did not attack them before. Such attacks come from the piece that moved, or
    /// slide over the cell it left.
    #[inline]
    fn kings_newly_attacked(&self, p: &Position<u64>, made: &Made) -> u32 {
        let occupied = p.occupied();
        let kind = p.man(made.to).map_or(made.kind, |man| man.kind);
        let attacked = self.field.attacks(made.army, kind, made.to, occupied);
        let active = Armies::first(MOST_ARMIES).without(p.resigned);
        let kings = active
            .without(Armies::one(made.army))
            .iter()
            .filter(|&owner| {
                let king = p.men(owner, KindId::KING);
                king.meets(attacked)
                    || self.is_uncovered(
                        p,
                        king.lowest(),
                        made.from,
                        active.without(Armies::one(owner)),
                    )
            });
        kings.count() as u32
    }

    /// Whether one of the armies attacks the King by a slide over the cell just left.
    #[inline]
    fn is_uncovered(&self, p: &Position<u64>, king: u8, left: u8, by: Armies) -> bool {
        let way = self
            .field
            .ways()
            .find(|&(way, _)| self.field.ray(king, way).has(left));
        let Some((way, kinds)) = way else {
            return false;
        };
        match self.field.first(king, way, p.occupied()) {
            Some(slider) if !self.field.ray(slider, way).has(left) => p
                .man(slider)
                .is_some_and(|man| by.has(man.army) && kinds.has(man.kind)),
            _ => false,
        }
    }

    /// CJ9 when at most one player is active, and CJ11.
    fn few_left(&self, p: &mut Position<u64>, w: &mut Witness) -> Option<End> {
        let active = Armies::first(MOST_ARMIES).without(p.resigned);
        match active.len() {
            0 => Some(by_points(p, Reason::LastPlayer)),
            1 => {
                for last in active.iter() {
                    let dead = (p.kinds[KindId::KING.index()] & !p.armies[last]).count();
                    score(p, last, KING_WORTH * dead as i32, Points::DeadKings, w);
                }
                Some(by_points(p, Reason::LastPlayer))
            }
            2 if is_decided(p) => Some(by_points(p, Reason::Decided)),
            _ => None, // with three or more active players someone else has no limit
        }
    }
}

fn by_points(p: &Position<u64>, reason: Reason) -> End {
    End {
        reason,
        winners: turn::leaders(&p.scores),
    }
}

fn score(p: &mut Position<u64>, army: usize, points: i32, why: Points, w: &mut Witness) {
    if points > 0 {
        p.scores[army] += points;
        w.see(|| Effect::Scored {
            seat: INFO.seats[army],
            points,
            why,
        });
    }
}

/// CJ11 with two active players, each of whom faces one active enemy King.
fn is_decided(p: &Position<u64>) -> bool {
    let most: [i32; MOST_ARMIES] = std::array::from_fn(|player| {
        if p.resigned.has(player) {
            return p.scores[player];
        }
        let others = (0..MOST_ARMIES).filter(|&army| army != player);
        p.scores[player] + others.map(|army| worth_at_most(p, army)).sum::<i32>()
    });
    (0..MOST_ARMIES).any(|leader| {
        (0..MOST_ARMIES).all(|other| other == leader || p.scores[leader] > most[other])
    })
}

fn worth_at_most(p: &Position<u64>, army: usize) -> i32 {
    if p.resigned.has(army) {
        return KING_WORTH * p.men(army, KindId::KING).count() as i32;
    }
    let worth = |(id, kind): (KindId, &Kind)| {
        let each = if kind.step == Step::Pawn {
            PAWN_HOPES
        } else {
            i32::from(kind.worth)
        };
        each * p.men(army, id).count() as i32
    };
    INFO.kind_ids().map(worth).sum()
}
