//! Why a text is no move, told so that it can be put right.

use super::pattern::{self, From, Pattern, kind_at};
use crate::kind::{KindId, Kinds};
use crate::square::Square;
use crate::why::{Unmoved, WhyNot};
use crate::{Move, Piece, Play};

/// Why a text could not be read as moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is nothing to read.
    Empty,
    /// The text is longer than anybody's moves.
    TooLong {
        /// Its characters.
        count: usize,
    },
    /// The game is over.
    Over,
    /// The dice must be thrown first.
    MustRoll,
    /// Castling, which no game here has (G5).
    NoCastling {
        /// What was written.
        text: String,
    },
    /// No piece and square can be made out.
    NotAMove {
        /// What was written.
        text: String,
    },
    /// A move that is not legal.
    Illegal {
        /// What was written.
        text: String,
        /// The move that was meant.
        meant: Move,
        /// Why it is not legal.
        why: WhyNot,
    },
    /// No piece that the text can mean can go there.
    NoneCan {
        /// What was written.
        text: String,
        /// The kinds it can mean.
        kinds: Vec<KindId>,
        /// Where to.
        to: Square,
        /// Legal moves to that square, if any.
        others: Vec<Move>,
        /// Whether the army to move has such a piece.
        there: bool,
        /// What such pieces can do instead.
        can: Vec<Move>,
        /// What the unused dice move, if none of them moves such a piece.
        dice: Option<Box<Unmoved>>,
    },
    /// A piece that the game does not have, before what would else be a move.
    NoSuchPiece {
        /// What it was called.
        named: String,
    },
    /// The text can be read in several legal ways.
    Ambiguous {
        /// Each way, as the moves it makes.
        ways: Vec<Vec<Move>>,
        /// Whether there are more than are listed.
        more: bool,
    },
    /// The turn is over before the text is.
    TurnOver {
        /// The move that ended the turn.
        after: String,
        /// What was written behind it.
        rest: String,
    },
}

impl ReadError {
    /// How much an error tells: of several, the one that tells most is reported.
    pub(super) fn says(&self) -> u8 {
        match self {
            ReadError::Empty | ReadError::TooLong { .. } | ReadError::NotAMove { .. } => 0,
            ReadError::NoneCan { .. } | ReadError::NoSuchPiece { .. } => 1,
            ReadError::Over | ReadError::MustRoll | ReadError::NoCastling { .. } => 3,
            ReadError::Illegal { .. } | ReadError::TurnOver { .. } => 2,
            ReadError::Ambiguous { .. } => 4,
        }
    }
}

/// Why a text that can be understood in these ways fits no legal move.
pub(super) fn explain(play: &Play, text: &str, patterns: &[Pattern]) -> ReadError {
    let text = text.to_owned();
    if is_castling(&text) {
        return ReadError::NoCastling { text };
    }
    let illegal = patterns.iter().filter_map(|pattern| illegal(play, pattern));
    if let Some((meant, why)) =
        illegal.min_by_key(|(_, why)| matches!(why, WhyNot::Empty(_) | WhyNot::NoSquare(_)))
    {
        return ReadError::Illegal { text, meant, why };
    }
    let Some(pattern) = patterns.first() else {
        return match pattern::strange_piece(play.info(), &text) {
            Some(named) => ReadError::NoSuchPiece { named },
            None => ReadError::NotAMove { text },
        };
    };
    none_can(play, text, pattern)
}

/// A text with both squares names one move: why it is not legal.
fn illegal(play: &Play, pattern: &Pattern) -> Option<(Move, WhyNot)> {
    let from = match pattern.from {
        From::Square(square) => square,
        // A pawn may be meant, or a piece whose letter was left out: the moves that fit are listed instead.
        _ if pattern.kinds.is_none() && play.legal().iter().any(|m| m.to == pattern.to) => {
            return None;
        }
        _ => the_only_one(play, pattern)?,
    };
    if pattern.kinds.is_some()
        && kind_at(play, from).is_some_and(|kind| !pattern.moves(play.info(), Some(kind)))
    {
        return None; // another piece stands there than was named
    }
    let promotion = pattern.promotion.and_then(|kinds| kinds.iter().next());
    let meant = Move {
        from,
        to: pattern.to,
        promotion,
    };
    play.why_not(meant).map(|why| (meant, why))
}

/// The square of the only piece of the army to move that the text can mean.
fn the_only_one(play: &Play, pattern: &Pattern) -> Option<Square> {
    let mover = play.mover();
    let men = play.pieces().into_iter().filter(|piece| {
        let there = match pattern.from {
            From::Anywhere => true,
            From::File(file) => piece.at.file() == file,
            From::Rank(rank) => piece.at.rank() == rank,
            From::Square(square) => piece.at == square,
        };
        there && piece.seat == mover && pattern.moves(play.info(), Some(piece.kind))
    });
    let men: Vec<Piece> = men.collect();
    match men.as_slice() {
        [only] => Some(only.at),
        several => the_pawn_behind(play, several, pattern.to),
    }
}

/// Of several pieces, the nearest pawn that has a square straight before it.
fn the_pawn_behind(play: &Play, men: &[Piece], to: Square) -> Option<Square> {
    let info = play.info();
    let pawn = info.kinds.len().checked_sub(1)?;
    if men.iter().any(|man| man.kind.index() != pawn) {
        return None;
    }
    let steps = |man: &Piece| {
        let forward = info.army(man.seat).forward;
        let line = std::iter::successors(info.shape.step(man.at, forward), |&at| {
            info.shape.step(at, forward)
        });
        line.into_iter().position(|at| at == to)
    };
    let before = men.iter().filter_map(|man| Some((steps(man)?, man.at)));
    before.min().map(|(_, at)| at)
}

fn none_can(play: &Play, text: String, pattern: &Pattern) -> ReadError {
    let info = play.info();
    let kinds: Kinds = info
        .kind_ids()
        .map(|(id, _)| id)
        .filter(|&kind| pattern.moves(info, Some(kind)))
        .collect();
    let men: Vec<Piece> = play
        .pieces()
        .into_iter()
        .filter(|man| man.seat == play.mover() && kinds.has(man.kind))
        .collect();
    let legal = play.legal();
    let unmoved = play.unmoved(kinds);
    let idle = |unmoved: &Unmoved| {
        let mut faces = unmoved.moves.iter();
        !faces.any(|(face, _)| unmoved.needs.contains(face))
    };
    ReadError::NoneCan {
        text,
        kinds: kinds.iter().collect(),
        to: pattern.to,
        others: legal
            .iter()
            .copied()
            .filter(|m| m.to == pattern.to)
            .collect(),
        there: !men.is_empty(),
        can: legal
            .into_iter()
            .filter(|m| men.iter().any(|man| man.at == m.from))
            .collect(),
        dice: unmoved.filter(idle).map(Box::new),
    }
}

/// R79: castling, with zeros or letters.
fn is_castling(text: &str) -> bool {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    (2..=3).contains(&plain.len()) && plain.chars().all(|c| matches!(c, 'o' | '0'))
}
