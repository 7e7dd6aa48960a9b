//! From a SETUP to a position, with everything checked, and back.

use super::bits::Bits;
use super::board_text::{self, BoardTextError};
use super::dice::Dice;
use super::game::{Game, PositionOf};
use super::generate;
use super::kind::KindId;
use super::mate;
use super::position::{Man, Phase, Position};
use super::seat::{Armies, Seat};
use super::setup::Setup;
use super::square::Square;

/// Points that no game comes near; more could not be counted safely.
const MOST_POINTS: u32 = 1_000_000;
/// Pieces that an army may have in reserve: as many as it may have had.
const MOST_RESERVE: usize = 32;

/// Why a SETUP cannot be played from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The board text cannot be read.
    #[error(transparent)]
    Board(#[from] BoardTextError),
    /// A piece stands where the board has no square.
    #[error("“{piece}” stands on {at}, which is no square of this board")]
    NoSquare {
        /// The piece's text.
        piece: String,
        /// Where.
        at: Square,
    },
    /// Letters that are no piece of the game.
    #[error("“{0}” is no piece of this game")]
    Piece(String),
    /// A seat that the game does not have.
    #[error("this game has no seat {0}")]
    Seat(Seat),
    /// No seat to move is named.
    #[error("the mover is missing")]
    Mover,
    /// The mover has resigned or has nothing to move.
    #[error("{0} cannot be the mover: that player is out")]
    MoverOut(Seat),
    /// A list that must have one entry a seat.
    #[error("“{0}” needs one entry for every seat")]
    Entries(&'static str),
    /// A field that the game has no use for.
    #[error("“{0}” has no meaning in this game")]
    Field(&'static str),
    /// Points beyond any game's.
    #[error("{0} points are more than any game has")]
    Points(i32),
    /// A command that no throne gives (FH8).
    #[error("{0} can be under its own command or under its ally's only")]
    Command(Seat),
    /// More pieces in a reserve than an army ever had.
    #[error("there are too many pieces in the reserve of {0}")]
    FullReserve(Seat),
    /// The position is the end of a game.
    #[error("in this position the game is over already")]
    Over,
    /// Too many dice, or none where some are needed.
    #[error("{0} dice cannot be left of a roll")]
    Dice(usize),
    /// A letter of the reserve that is no piece.
    #[error("“{0}” in the reserve is no piece that can be brought back")]
    Reserve(char),
    /// A waiting square without a pawn on its far edge.
    #[error("no pawn waits on {0}")]
    NotWaiting(String),
    /// A pawn on its far edge that is not listed as waiting.
    #[error("the pawn on {0} stands on its far edge and is not listed as waiting")]
    PawnOnEdge(Square),
    /// An army has more Kings than the game allows, or none where it needs one.
    #[error("{seat} has {}", if *count == 0 { "no King".to_owned() } else { format!("{count} Kings") })]
    Kings {
        /// The army's seat.
        seat: Seat,
        /// Its Kings.
        count: u32,
    },
    /// The player who is not to move is in check.
    #[error("{0} is in check but not to move")]
    Check(Seat),
    /// Nothing can be played.
    #[error("there is no legal move in this position")]
    NoMove,
}

/// Reads a SETUP.
pub(super) fn load<G: Game>(game: &G, setup: &Setup) -> Result<PositionOf<G>, SetupError> {
    let info = G::INFO;
    let mut p = Position::empty(if game.dice().is_some() {
        Phase::Roll
    } else {
        Phase::Move
    });
    place(game, &mut p, &setup.board)?;
    p.mover = army::<G>(setup.mover.ok_or(SetupError::Mover)?)?;
    if let Some(roll) = &setup.dice {
        let rule = game.dice().ok_or(SetupError::Field("dice"))?;
        p.dice = Dice::from(roll);
        if roll.faces().len() > rule.thrown || rule.left(&p.dice) == 0 {
            return Err(SetupError::Dice(roll.faces().len()));
        }
        p.phase = Phase::Move;
    }
    if let Some(scores) = &setup.scores {
        let into = p
            .scores
            .get_mut(..info.seats.len())
            .filter(|_| info.points)
            .ok_or(SetupError::Field("scores"))?;
        if scores.len() != into.len() {
            return Err(SetupError::Entries("scores"));
        }
        if let Some(&points) = scores
            .iter()
            .find(|points| points.unsigned_abs() > MOST_POINTS)
        {
            return Err(SetupError::Points(points));
        }
        into.copy_from_slice(scores);
    }
    if let Some(command) = &setup.command {
        if !info.commands {
            return Err(SetupError::Field("command"));
        }
        if command.len() != info.seats.len() {
            return Err(SetupError::Entries("command"));
        }
        for (of, (commander, seat)) in p.command.iter_mut().zip(command).enumerate() {
            let by = army::<G>(*seat)?;
            if by != of && by != of ^ 2 {
                return Err(SetupError::Command(info.seats[of]));
            }
            *commander = by as u8;
        }
    }
    refuse(
        "king_returned",
        !setup.king_returned.is_empty() && !info.brings_back,
    )?;
    refuse(
        "kings_taken",
        !setup.kings_taken.is_empty() && !info.commands,
    )?;
    refuse("bare", setup.bare.is_some() && !info.counts_bare)?;
    p.resigned = armies::<G>(&setup.out)?;
    p.king_returned = armies::<G>(&setup.king_returned)?;
    for (seat, taken) in &setup.kings_taken {
        p.kings_taken[army::<G>(*seat)?] = armies::<G>(taken)?;
    }
    for (seat, letters) in &setup.reserve {
        if letters.chars().count() > MOST_RESERVE {
            return Err(SetupError::FullReserve(*seat));
        }
        for letter in letters.chars() {
            let kind = info
                .kind_of_letter(letter)
                .filter(|&kind| info.brings_back && kind != game.field().pawn());
            let kept =
                &mut p.reserve[army::<G>(*seat)?][kind.ok_or(SetupError::Reserve(letter))?.index()];
            *kept = kept.saturating_add(1);
        }
    }
    wait(game, &mut p, &setup.waiting)?;
    p.bare = setup.bare.unwrap_or_default();
    p.quiet = setup.quiet;
    game.prepare(&mut p);
    check(game, &p)?;
    Ok(p)
}

/// Refuses a field that the game has no use for.
fn refuse(field: &'static str, given: bool) -> Result<(), SetupError> {
    if given {
        Err(SetupError::Field(field))
    } else {
        Ok(())
    }
}

fn army<G: Game>(seat: Seat) -> Result<usize, SetupError> {
    if G::INFO.has_seat(seat) {
        Ok(seat.index())
    } else {
        Err(SetupError::Seat(seat))
    }
}

fn armies<G: Game>(seats: &[Seat]) -> Result<Armies, SetupError> {
    seats.iter().map(|&seat| army::<G>(seat)).collect()
}

fn place<G: Game>(game: &G, p: &mut PositionOf<G>, board: &str) -> Result<(), SetupError> {
    let shape = G::INFO.shape;
    for (file, rank, text) in board_text::read(board, shape.files, shape.ranks)? {
        let at = Square::new(file, rank);
        let man = man::<G>(text).ok_or_else(|| SetupError::Piece(text.to_owned()))?;
        let cell = game.field().cell(at).ok_or_else(|| SetupError::NoSquare {
            piece: text.to_owned(),
            at,
        })?;
        p.put(cell, man);
    }
    Ok(())
}

fn man<G: Game>(text: &str) -> Option<Man> {
    let mut letters = text.chars();
    let (colour, kind) = (letters.next()?, letters.next()?);
    let army = G::INFO
        .armies
        .iter()
        .position(|army| army.letter == colour)?;
    Some(Man {
        army,
        kind: G::INFO.kind_of_letter(kind)?,
    })
}

fn wait<G: Game>(game: &G, p: &mut PositionOf<G>, waiting: &[String]) -> Result<(), SetupError> {
    let field = game.field();
    let on_edge = |p: &PositionOf<G>, cell| {
        p.man(cell)
            .is_some_and(|man| man.kind == field.pawn() && field.far_edge(man.army).has(cell))
    };
    for text in waiting {
        let cell = text.parse().ok().and_then(|square| field.cell(square));
        let cell = cell.filter(|&cell| {
            G::INFO.brings_back && on_edge(p, cell) && !p.waiting.cells().contains(&cell)
        });
        p.waiting
            .push(cell.ok_or_else(|| SetupError::NotWaiting(text.clone()))?);
    }
    if !G::INFO.brings_back {
        return Ok(()); // a pawn set up on its far edge just stands there
    }
    let forgotten = p
        .occupied()
        .iter()
        .find(|&cell| on_edge(p, cell) && !p.waiting.cells().contains(&cell));
    forgotten.map_or(Ok(()), |cell| {
        Err(SetupError::PawnOnEdge(field.square(cell)))
    })
}

/// What must hold of every position that is played from.
fn check<G: Game>(game: &G, p: &PositionOf<G>) -> Result<(), SetupError> {
    for (army, &seat) in G::INFO.seats.iter().enumerate() {
        let count = p.men(army, KindId::KING).count();
        if count > 1 || (G::ROYAL && count == 0) {
            return Err(SetupError::Kings { seat, count });
        }
    }
    let seat = G::INFO.seats[p.mover];
    if G::ROYAL && mate::in_check(game, p, p.mover ^ 1) {
        return Err(SetupError::Check(G::INFO.seats[p.mover ^ 1]));
    }
    // In the middle of a turn a count may have run out: it is the end of the turn that ends the game (PC10).
    let between_turns = p.phase == Phase::Roll || game.dice().is_none();
    if between_turns && game.worn_out(p).is_some() {
        return Err(SetupError::Over);
    }
    if p.phase == Phase::Move && !generate::any(game, p, p.mover, generate::allowed(game, p)) {
        return Err(SetupError::NoMove);
    }
    if game.has_turn(p, p.mover) {
        Ok(())
    } else {
        Err(SetupError::MoverOut(seat))
    }
}

/// The board text of a position.
pub(super) fn board<G: Game>(game: &G, p: &PositionOf<G>) -> String {
    let shape = G::INFO.shape;
    let cell = |square| {
        let man = p.man(game.field().cell(square)?)?;
        Some(format!(
            "{}{}",
            G::INFO.armies[man.army].letter,
            G::INFO.kind(man.kind).letter
        ))
    };
    let ranks = (0..shape.ranks).rev();
    board_text::write(ranks.map(|rank| {
        (0..shape.files)
            .map(|file| cell(Square::new(file, rank)))
            .collect()
    }))
}

/// The SETUP of a position.
pub(super) fn dump<G: Game>(game: &G, p: &PositionOf<G>) -> Setup {
    let seats = G::INFO.seats;
    let by_army = || seats.iter().enumerate();
    let of = |armies: Armies| armies.iter().map(|army| seats[army]).collect::<Vec<Seat>>();
    let letters = |army: usize| -> String {
        let kept = G::INFO.kind_ids();
        kept.map(|(id, kind)| {
            kind.letter
                .to_string()
                .repeat(usize::from(p.reserve[army][id.index()]))
        })
        .collect()
    };
    let scores = p.scores[..seats.len()].to_vec();
    let command: Vec<Seat> = by_army()
        .map(|(army, _)| seats[usize::from(p.command[army])])
        .collect();
    Setup {
        board: board(game, p),
        mover: seats.get(p.mover).copied(),
        dice: super::dice::Roll::new(p.dice.faces())
            .ok()
            .filter(|_| p.phase == Phase::Move),
        scores: (scores.iter().any(|&points| points != 0)).then_some(scores),
        command: (command != seats).then_some(command),
        out: of(p.resigned),
        reserve: by_army()
            .map(|(army, &seat)| (seat, letters(army)))
            .filter(|(_, kept)| !kept.is_empty())
            .collect(),
        king_returned: of(p.king_returned),
        kings_taken: by_army()
            .map(|(army, &seat)| (seat, of(p.kings_taken[army])))
            .filter(|(_, taken)| !taken.is_empty())
            .collect(),
        waiting: p
            .waiting
            .cells()
            .iter()
            .map(|&cell| game.field().square(cell).to_string())
            .collect(),
        bare: (p.bare != [None; 2]).then_some(p.bare),
        quiet: p.quiet,
    }
}
