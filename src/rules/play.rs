//! One game in progress, of any of the games: the face of the rules for everything above them.

use std::sync::Arc;

use super::dice::Roll;
use super::effect::Effect;
use super::game::{Game, PositionOf};
use super::generate;
use super::info::Info;
use super::kind::KindId;
use super::load::{self, SetupError};
use super::options::{OptionError, Options};
use super::perft::{self, Leaves};
use super::position::{CellMove, Phase, Position, Reason};
use super::seat::{Armies, Seat};
use super::setup::{Over, Setup, State};
use super::square::Square;
use super::turn::{self, History};
use super::why::{WhyNot, why_not};

/// A move by squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached.
    pub to: Square,
    /// What a pawn becomes there; it need not be named where there is only one choice.
    pub promotion: Option<KindId>,
}

/// Something that happens in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The mover throws the dice.
    Roll(Roll),
    /// The mover moves a piece.
    Move(Move),
    /// The mover gives up the rest of the roll (G6).
    Pass,
    /// A player resigns, on turn or not (G9).
    Resign(Seat),
    /// A player's time has run out (CJ7; elsewhere the table decides what that means).
    Timeout(Seat),
    /// The player to move claims the win (CJ10).
    Claim,
    /// All players still in the game agree to end it (G8).
    Agree,
}

/// Why an event is refused. A refused event changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The game is over.
    Over,
    /// The dice must be thrown first.
    MustRoll,
    /// The dice have been thrown.
    HasRolled,
    /// The game has no dice: nothing to throw, and no passing.
    NoDice,
    /// A roll has another number of dice.
    DiceCount {
        /// What the game throws.
        wanted: usize,
        /// What was thrown.
        found: usize,
    },
    /// The move is not legal.
    Illegal(Move, WhyNot),
    /// The game has no such seat, or its player is out.
    NotInPlay(Seat),
    /// This game has no claims (CJ10).
    NoClaims,
    /// The claimant is not far enough ahead (CJ10).
    NotAhead,
    /// Clocks are the table's matter in this game.
    NoTimeouts,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// Who won; nobody is a draw.
    pub winners: Vec<Seat>,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands.
    pub at: Square,
    /// Its army.
    pub seat: Seat,
    /// What it is.
    pub kind: KindId,
    /// Whether it is a dead piece (CJ6).
    pub dead: bool,
    /// Whether it is a waiting pawn (PC7, FH6).
    pub waiting: bool,
}

/// One game in progress.
pub struct Play(Box<dyn AnyPlay>);

impl Clone for Play {
    fn clone(&self) -> Play {
        Play(self.0.boxed())
    }
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Play")
            .field("game", &self.info().key)
            .field("setup", &self.setup())
            .finish()
    }
}

/// What a [`Play`] does, whatever its game.
trait AnyPlay: Send + Sync {
    fn boxed(&self) -> Box<dyn AnyPlay>;
    fn info(&self) -> &'static Info;
    fn phase(&self) -> Phase;
    fn mover(&self) -> Seat;
    fn commander(&self, seat: Seat) -> Seat;
    fn in_play(&self, seat: Seat) -> bool;
    fn apply(&mut self, event: &Event) -> Result<Vec<Effect>, Refused>;
    fn legal(&self) -> Vec<Move>;
    fn why_not(&self, m: Move) -> Option<WhyNot>;
    fn dice_thrown(&self) -> usize;
    fn unused(&self) -> Vec<u8>;
    fn outcome(&self) -> Option<Outcome>;
    fn scores(&self) -> Option<Vec<i32>>;
    fn pieces(&self) -> Vec<Piece>;
    fn checked(&self) -> Vec<Square>;
    fn state(&self) -> State;
    fn setup(&self) -> Setup;
    fn perft(&self, dice: &[Roll], depth: usize, leaves: Leaves) -> u64;
}

/// How a registry makes games in progress of its kinds.
pub(super) struct Maker {
    pub(super) info: &'static Info,
    make: fn(&Options, Option<&Setup>) -> Result<Play, SetupError>,
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

impl Play {
    /// A game from its own array.
    ///
    /// # Errors
    /// If something must be drawn first (PC1).
    pub fn new(info: &'static Info, options: &Options) -> Result<Play, OptionError> {
        if let Some((key, _)) = options.undrawn(info) {
            return Err(OptionError::NotDrawn { key });
        }
        // Every array of every game loads: a test holds that.
        make(info, options, None).map_err(|_| OptionError::NotDrawn { key: "array" })
    }

    /// A game from a position.
    ///
    /// # Errors
    /// Says what is wrong with the position.
    pub fn from_setup(
        info: &'static Info,
        options: &Options,
        setup: &Setup,
    ) -> Result<Play, SetupError> {
        make(info, options, Some(setup))
    }

    /// The game's card.
    #[must_use]
    pub fn info(&self) -> &'static Info {
        self.0.info()
    }

    /// What is due.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.0.phase()
    }

    /// The seat of the army whose turn it is, or was when the game ended.
    #[must_use]
    pub fn mover(&self) -> Seat {
        self.0.mover()
    }

    /// The seat whose player must act: the commander of the mover's army (FH8).
    #[must_use]
    pub fn player(&self) -> Seat {
        self.commander(self.mover())
    }

    /// The seat that commands an army (FH8).
    #[must_use]
    pub fn commander(&self, seat: Seat) -> Seat {
        self.0.commander(seat)
    }

    /// Whether the player of a seat is still in the game; false for seats that the game does not have.
    #[must_use]
    pub fn in_play(&self, seat: Seat) -> bool {
        self.0.in_play(seat)
    }

    /// Lets an event happen and tells its effects in their order.
    ///
    /// # Errors
    /// Says why the event cannot happen; then nothing has changed.
    pub fn apply(&mut self, event: &Event) -> Result<Vec<Effect>, Refused> {
        self.0.apply(event)
    }

    /// Every legal move, sorted.
    #[must_use]
    pub fn legal(&self) -> Vec<Move> {
        self.0.legal()
    }

    /// Why a move is not legal; `None` if it is.
    #[must_use]
    pub fn why_not(&self, m: Move) -> Option<WhyNot> {
        self.0.why_not(m)
    }

    /// How many dice a roll of this game has, 0 if it has none.
    #[must_use]
    pub fn dice_thrown(&self) -> usize {
        self.0.dice_thrown()
    }

    /// The dice of this turn not yet used, ascending.
    #[must_use]
    pub fn unused(&self) -> Vec<u8> {
        self.0.unused()
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// The points in the order of play, in games with points.
    #[must_use]
    pub fn scores(&self) -> Option<Vec<i32>> {
        self.0.scores()
    }

    /// Every piece on the board, by square.
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        self.0.pieces()
    }

    /// The squares of Kings in check, in games that know check (CG3).
    #[must_use]
    pub fn checked(&self) -> Vec<Square> {
        self.0.checked()
    }

    /// Everything a player sees.
    #[must_use]
    pub fn state(&self) -> State {
        self.0.state()
    }

    /// The position as it can be loaded again.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.0.setup()
    }

    /// Counts the sequences of exactly `depth` moves; each roll takes the next of `dice`, from the first again after
    /// the last (`vectors/README.md`).
    #[must_use]
    pub fn perft(&self, dice: &[Roll], depth: usize, leaves: Leaves) -> u64 {
        self.0.perft(dice, depth, leaves)
    }

    /// The text of a move: the squares and, for a promotion, `=` and the letter.
    #[must_use]
    pub fn text(&self, m: Move) -> String {
        move_text(self.info(), m)
    }
}

/// The text of a move: the squares and, for a promotion, `=` and the letter.
#[must_use]
pub fn move_text(info: &Info, m: Move) -> String {
    match m.promotion {
        Some(kind) => format!("{}{}={}", m.from, m.to, info.kind(kind).letter),
        None => format!("{}{}", m.from, m.to),
    }
}

/// A text that is not two squares and, perhaps, `=` and a piece's letter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no move in records' notation")]
pub struct NotAMoveText(pub String);

/// Reads the text of a move as records hold it.
///
/// # Errors
/// If the text is anything else.
pub fn parse_move(info: &Info, text: &str) -> Result<Move, NotAMoveText> {
    let no = || NotAMoveText(text.to_owned());
    let (squares, promotion) = match text.split_once('=') {
        Some((squares, letter)) => {
            let mut letters = letter.chars();
            let kind = letters
                .next()
                .and_then(|letter| info.kind_of_letter(letter));
            (
                squares,
                Some(kind.filter(|_| letters.next().is_none()).ok_or_else(no)?),
            )
        }
        None => (text, None),
    };
    let second = squares
        .char_indices()
        .skip(1)
        .find(|(_, c)| c.is_ascii_lowercase())
        .map(|(at, _)| at);
    let (from, to) = squares
        .split_at_checked(second.ok_or_else(no)?)
        .ok_or_else(no)?;
    let square = |text: &str| text.parse::<Square>().map_err(|_| no());
    Ok(Move {
        from: square(from)?,
        to: square(to)?,
        promotion,
    })
}

fn make(info: &'static Info, options: &Options, setup: Option<&Setup>) -> Result<Play, SetupError> {
    match super::MAKERS
        .iter()
        .find(|maker| std::ptr::eq(maker.info, info))
    {
        Some(maker) => (maker.make)(options, setup),
        None => Err(SetupError::Field("game")),
    }
}

/// One game in progress of a known kind.
struct Match<G: Game> {
    game: Arc<G>,
    position: PositionOf<G>,
    past: Past<G::Bits>,
}

/// The positions since the last capture or pawn move.
#[derive(Clone)]
struct Past<B>(Vec<Seen<B>>);

/// What makes two positions the same (CG9, CJ12): the board, the mover, and who is in the game.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen<B> {
    armies: [B; super::position::MOST_ARMIES],
    kinds: [B; super::kind::MOST_KINDS],
    mover: usize,
    out: Armies,
}

impl<B: super::bits::Bits> History<B> for Past<B> {
    fn third(&mut self, p: &Position<B>) -> bool {
        if p.quiet == 0 {
            self.0.clear(); // nothing before a capture or a pawn move can return
        }
        let seen = Seen {
            armies: p.armies,
            kinds: p.kinds,
            mover: p.mover,
            out: p.resigned,
        };
        self.0.push(seen);
        self.0.iter().filter(|&&earlier| earlier == seen).count() >= 3
    }
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
        let mut past = Past(Vec::new());
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

    fn happen(&mut self, event: &Event, effects: &mut Vec<Effect>) -> Result<(), Refused> {
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
                turn::roll(&*game, p, roll, past, effects);
            }
            Event::Move(m) => {
                let found = self.find(*m)?;
                turn::play(&*game, &mut self.position, found, &mut self.past, effects);
            }
            Event::Pass => {
                dice.ok_or(Refused::NoDice)?;
                if phase == Phase::Roll {
                    return Err(Refused::MustRoll);
                }
                turn::end_turn(&*game, p, past, effects);
            }
            Event::Resign(seat) | Event::Timeout(seat) => {
                if matches!(event, Event::Timeout(_)) && !G::INFO.claims {
                    return Err(Refused::NoTimeouts);
                }
                let army = self
                    .army(*seat)
                    .filter(|&army| game.in_play(&self.position, army));
                let army = army.ok_or(Refused::NotInPlay(*seat))?;
                turn::resign(&*game, &mut self.position, army, &mut self.past, effects);
            }
            Event::Claim => {
                if !G::INFO.claims {
                    return Err(Refused::NoClaims);
                }
                if !game.claim(p, effects) {
                    return Err(Refused::NotAhead);
                }
                let winners = game.winners(p);
                turn::finish(p, Reason::Claim, winners, G::INFO, effects);
            }
            Event::Agree => {
                let winners = game.winners(p);
                turn::finish(p, Reason::Agreement, winners, G::INFO, effects);
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
        let mut effects = Vec::new();
        self.happen(event, &mut effects)?;
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

    fn pieces(&self) -> Vec<Piece> {
        let p = &self.position;
        let piece = |at: Square| {
            let cell = self.game.field().cell(at)?;
            let man = p.man(cell)?;
            let dead = self.game.is_dead(p, man.army);
            let waiting = p.waiting.cells().contains(&cell);
            Some(Piece {
                at,
                seat: G::INFO.seats[man.army],
                kind: man.kind,
                dead,
                waiting,
            })
        };
        G::INFO.shape.squares().filter_map(piece).collect()
    }

    fn checked(&self) -> Vec<Square> {
        if !G::ROYAL {
            return Vec::new();
        }
        let p = &self.position;
        let checked = (0..2).filter(|&army| super::mate::in_check(&*self.game, p, army));
        checked
            .map(|army| self.square(super::bits::Bits::lowest(p.men(army, KindId::KING))))
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
