//! A game in progress of a known kind: what stands behind every [`Play`](super::play::Play).

use std::sync::Arc;

use super::bits::Bits;
use super::dice::Roll;
use super::effect::{Effect, Witness};
use super::event::{Event, Move, Outcome, Piece, Refused};
use super::game::{Game, PositionOf};
use super::generate;
use super::info::Info;
use super::kind::{KindId, Kinds};
use super::load::{self, SetupError};
use super::mate;
use super::notation::move_text;
use super::options::Options;
use super::past::Past;
use super::perft::{self, Leaves};
use super::play::{AnyPlay, Play};
use super::position::{CellMove, Phase, Reason};
use super::seat::{Armies, Seat};
use super::setup::{Over, Setup, State};
use super::square::Square;
use super::turn;
use super::why::{Unmoved, WhyNot};
use super::why_not::{unmoved, why_not};

/// How a registry makes games in progress of its kinds.
pub(super) struct Maker {
    pub(super) info: &'static Info,
    pub(super) make: fn(&Options, Option<&Setup>) -> Result<Play, SetupError>,
}

impl Maker {
    /// The maker of a game.
    pub(super) const fn of<G: Game>() -> Maker {
        Maker {
            info: G::INFO,
            make: Match::<G>::make,
        }
    }
}

/// One game in progress of a known kind.
struct Match<G: Game> {
    game: Arc<G>,
    position: PositionOf<G>,
    past: Past<G::Bits>,
}

impl<G: Game> Match<G> {
    fn make(options: &Options, setup: Option<&Setup>) -> Result<Play, SetupError> {
        let game = G::with(options);
        let position = match setup {
            Some(setup) => load::load(&game, setup)?,
            None => {
                let first = G::INFO.seats.first().copied();
                load::load(
                    &game,
                    &Setup {
                        board: game.array(),
                        mover: first,
                        ..Setup::default()
                    },
                )?
            }
        };
        let mut past = Past::remembered();
        if G::REPEATS {
            past.third(&position);
        }
        Ok(Play(Box::new(Match {
            game: Arc::new(game),
            position,
            past,
        })))
    }

    fn square(&self, cell: u8) -> Square {
        self.game.field().square(cell)
    }

    fn army(&self, seat: Seat) -> Option<usize> {
        G::INFO.has_seat(seat).then(|| seat.index())
    }

    fn cell_moves(&self) -> Vec<CellMove> {
        let mut moves = Vec::new();
        generate::list(&*self.game, &self.position, &mut moves);
        moves
    }

    fn to_move(&self, m: CellMove) -> Move {
        Move {
            from: self.square(m.from),
            to: self.square(m.to),
            promotion: m.promotion,
        }
    }

    /// The legal move meant: a promotion need not be named where there is only one.
    fn find(&self, m: Move) -> Result<CellMove, Refused> {
        let illegal = |why| Refused::Illegal(m, why);
        if let Some(why) = self.why_not(m) {
            return Err(illegal(why));
        }
        let fits = |found: &CellMove| {
            let found = self.to_move(*found);
            found.from == m.from
                && found.to == m.to
                && (m.promotion.is_none() || m.promotion == found.promotion)
        };
        let none = WhyNot::Empty(m.from);
        self.cell_moves()
            .into_iter()
            .find(fits)
            .ok_or_else(|| illegal(none))
    }

    fn out(&self) -> Armies {
        (0..G::INFO.seats.len())
            .filter(|&army| !self.game.in_play(&self.position, army))
            .collect()
    }

    fn happen(&mut self, event: &Event, w: &mut Witness) -> Result<(), Refused> {
        let game = Arc::clone(&self.game);
        let dice = game.dice();
        let phase = self.position.phase;
        let (p, past) = (&mut self.position, &mut self.past);
        match event {
            Event::Roll(roll) => {
                let rule = dice.ok_or(Refused::NoDice)?;
                if phase != Phase::Roll {
                    return Err(Refused::HasRolled);
                }
                if roll.faces().len() != rule.thrown {
                    return Err(Refused::DiceCount {
                        wanted: rule.thrown,
                        found: roll.faces().len(),
                    });
                }
                turn::roll(&*game, p, roll, past, w);
            }
            Event::Move(m) => {
                let found = self.find(*m)?;
                turn::play(&*game, &mut self.position, found, &mut self.past, w);
            }
            Event::Pass => {
                dice.ok_or(Refused::NoDice)?;
                if phase == Phase::Roll {
                    return Err(Refused::MustRoll);
                }
                turn::end_turn(&*game, p, past, w);
            }
            Event::Resign(seat) | Event::Timeout(seat) => {
                if matches!(event, Event::Timeout(_)) && !G::INFO.claims {
                    return Err(Refused::NoTimeouts);
                }
                let army = self
                    .army(*seat)
                    .filter(|&army| game.in_play(&self.position, army));
                let army = army.ok_or(Refused::NotInPlay(*seat))?;
                turn::resign(&*game, &mut self.position, army, &mut self.past, w);
            }
            Event::Claim => {
                if !G::INFO.claims {
                    return Err(Refused::NoClaims);
                }
                if !game.claim(p, w) {
                    return Err(Refused::NotAhead);
                }
                let winners = game.winners(p);
                turn::finish(p, Reason::Claim, winners, G::INFO, w);
            }
            Event::Agree => {
                let winners = game.winners(p);
                turn::finish(p, Reason::Agreement, winners, G::INFO, w);
            }
        }
        Ok(())
    }
}

impl<G: Game> AnyPlay for Match<G> {
    fn boxed(&self) -> Box<dyn AnyPlay> {
        Box::new(Match {
            game: Arc::clone(&self.game),
            position: self.position,
            past: self.past.clone(),
        })
    }

    fn info(&self) -> &'static Info {
        G::INFO
    }

    fn phase(&self) -> Phase {
        self.position.phase
    }

    fn mover(&self) -> Seat {
        G::INFO.seats[self.position.mover]
    }

    fn commander(&self, seat: Seat) -> Seat {
        self.army(seat).map_or(seat, |army| {
            G::INFO.seats[usize::from(self.position.command[army])]
        })
    }

    fn in_play(&self, seat: Seat) -> bool {
        self.army(seat)
            .is_some_and(|army| self.game.in_play(&self.position, army))
    }

    fn apply(&mut self, event: &Event) -> Result<Vec<Effect>, Refused> {
        if self.position.phase == Phase::Over {
            return Err(Refused::Over);
        }
        let before = self.out();
        let mut w = Witness::listening();
        self.happen(event, &mut w)?;
        let mut effects = w.told();
        // Told just before the end of the game, if it has ended.
        let at = effects
            .iter()
            .position(|effect| matches!(effect, Effect::Over { .. }))
            .unwrap_or(effects.len());
        let gone = self.out().without(before).iter().map(|army| Effect::Out {
            seat: G::INFO.seats[army],
        });
        effects.splice(at..at, gone);
        Ok(effects)
    }

    fn legal(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self
            .cell_moves()
            .into_iter()
            .map(|m| self.to_move(m))
            .collect();
        moves.sort_unstable();
        moves
    }

    fn unmoved(&self, kinds: Kinds) -> Option<Unmoved> {
        let rule = self.game.dice()?;
        Some(unmoved(rule, self.position.dice.faces(), kinds))
    }

    fn why_not(&self, m: Move) -> Option<WhyNot> {
        why_not(&*self.game, &self.position, m.from, m.to, m.promotion)
    }

    fn dice_thrown(&self) -> usize {
        self.game.dice().map_or(0, |rule| rule.thrown)
    }

    fn unused(&self) -> Vec<u8> {
        self.position.dice.faces().to_vec()
    }

    fn outcome(&self) -> Option<Outcome> {
        let end = self.position.end?;
        Some(Outcome {
            reason: end.reason,
            winners: end.winners.iter().map(|army| G::INFO.seats[army]).collect(),
        })
    }

    fn scores(&self) -> Option<Vec<i32>> {
        G::INFO
            .points
            .then(|| self.position.scores[..G::INFO.seats.len()].to_vec())
    }

    fn piece_at(&self, at: Square) -> Option<Piece> {
        let cell = self.game.field().cell(at)?;
        let man = self.position.man(cell)?;
        Some(Piece {
            at,
            seat: G::INFO.seats[man.army],
            kind: man.kind,
            dead: self.game.is_dead(&self.position, man.army),
            waiting: self.position.waiting.cells().contains(&cell),
        })
    }

    fn pieces(&self) -> Vec<Piece> {
        let squares = G::INFO.shape.squares();
        squares.filter_map(|at| self.piece_at(at)).collect()
    }

    fn checked(&self) -> Vec<Square> {
        if !G::ROYAL {
            return Vec::new();
        }
        let p = &self.position;
        let checked = (0..2).filter(|&army| mate::in_check(&*self.game, p, army));
        checked
            .map(|army| self.square(p.men(army, KindId::KING).lowest()))
            .collect()
    }

    fn state(&self) -> State {
        let p = &self.position;
        let seats = G::INFO.seats;
        let mut legal: Vec<String> = self
            .legal()
            .into_iter()
            .map(|m| move_text(G::INFO, m))
            .collect();
        legal.sort_unstable();
        State {
            board: load::board(&*self.game, p),
            phase: match p.phase {
                Phase::Roll => "roll",
                Phase::Move => "move",
                Phase::Over => "over",
            }
            .to_owned(),
            mover: seats[p.mover],
            dice: p.dice.faces().to_vec(),
            legal,
            scores: self.scores(),
            command: G::INFO
                .commands
                .then(|| seats.iter().map(|&seat| self.commander(seat)).collect()),
            out: self.out().iter().map(|army| seats[army]).collect(),
            waiting: (!p.waiting.is_empty()).then(|| {
                p.waiting
                    .cells()
                    .iter()
                    .map(|&cell| self.square(cell).to_string())
                    .collect()
            }),
            bare: G::INFO.counts_bare.then_some(p.bare),
            quiet: (!G::INFO.counts_bare).then_some(p.quiet),
            over: self.outcome().map(|outcome| Over {
                reason: outcome.reason.word().to_owned(),
                winners: outcome.winners,
            }),
        }
    }

    fn setup(&self) -> Setup {
        load::dump(&*self.game, &self.position)
    }

    fn perft(&self, dice: &[Roll], depth: usize, leaves: Leaves) -> u64 {
        perft::count(&*self.game, &self.position, dice, depth, leaves)
    }
}
