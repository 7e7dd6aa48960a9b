//! Moving by hand: choosing a piece, where it goes, and what it becomes, one after the other, for as many moves as the
//! dice allow. Nothing is remembered between the choices: a [`Hand`] is short enough to be carried by a button.

use std::fmt;
use std::str::FromStr;

use super::complete::{goes_on, written};
use super::words;
use crate::rules::{self, Event, Move, Phase, Play, Square};
use crate::table::Table;

/// What has been chosen so far: whole moves, and perhaps the beginning of one more. As text without `|` or blanks:
/// `b1c3`, `b1c3,a2`, `a7a8=`; the text is empty at the beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hand {
    /// Whole moves, in the notation of records.
    moves: Vec<String>,
    begun: Option<Begun>,
}

/// A move of which something is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    /// The piece that moves.
    From(Square),
    /// Also where it goes; what it becomes is open.
    To(Square, Square),
}

/// What is to be chosen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A piece. In games with dice the moves chosen so far may be played without another.
    Piece {
        /// The pieces that can move.
        picks: Vec<Pick>,
        /// The moves chosen so far, as `move` takes them.
        so_far: Option<String>,
    },
    /// Where the piece goes.
    Target {
        /// The targets.
        picks: Vec<Pick>,
    },
    /// What a pawn becomes.
    Becomes {
        /// The kinds.
        picks: Vec<Pick>,
    },
    /// Nothing more: these are the moves.
    Ready {
        /// As `move` takes them.
        moves: String,
    },
    /// Nothing can be moved, or what is chosen does not fit the position.
    Nothing,
}

/// One thing to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// What it is called, in at most 100 characters.
    pub label: String,
    /// The hand after it, as text.
    pub value: String,
    /// What else is to be said of it, in at most 100 characters.
    pub about: Option<String>,
}

/// A text that is no hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no hand of moves")]
pub struct NotAHand(pub String);

/// The most moves a text may have: more than any game throws dice.
const MOST_MOVES: usize = 6;

/// How long a label may be, in characters.
const LONGEST_LABEL: usize = 100;

impl FromStr for Hand {
    type Err = NotAHand;

    /// Reads a hand from its text; whether it fits a position is seen by [`Hand::next`].
    fn from_str(text: &str) -> Result<Self, NotAHand> {
        let no = || NotAHand(text.to_owned());
        let mut hand = Self::default();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            if hand.begun.is_some() || hand.moves.len() >= MOST_MOVES {
                return Err(no());
            }
            match read_begun(part) {
                Some(begun) => hand.begun = Some(begun),
                None if is_a_move(part) => hand.moves.push(part.to_owned()),
                None => return Err(no()),
            }
        }
        Ok(hand)
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.moves.join(","))?;
        let between = if self.moves.is_empty() { "" } else { "," };
        match self.begun {
            None => Ok(()),
            Some(Begun::From(from)) => write!(f, "{between}{from}"),
            Some(Begun::To(from, to)) => write!(f, "{between}{from}{to}="),
        }
    }
}

/// `b1` or `a7a8=`.
fn read_begun(part: &str) -> Option<Begun> {
    if let Ok(from) = part.parse() {
        return Some(Begun::From(from));
    }
    let (from, to) = two_squares(part.strip_suffix('=')?)?;
    Some(Begun::To(from, to))
}

/// `b1c3` or `a7a8=F`.
fn is_a_move(part: &str) -> bool {
    let (squares, promotion) = match part.split_once('=') {
        Some((squares, letter)) => (squares, Some(letter)),
        None => (part, None),
    };
    let letter = promotion.is_none_or(|letter| {
        let mut letters = letter.chars();
        letters.next().is_some_and(|c| c.is_ascii_uppercase()) && letters.next().is_none()
    });
    two_squares(squares).is_some() && letter
}

fn two_squares(text: &str) -> Option<(Square, Square)> {
    let second = text
        .char_indices()
        .skip(1)
        .find(|(_, c)| c.is_ascii_lowercase())
        .map(|(at, _)| at)?;
    let (from, to) = text.split_at_checked(second)?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

impl Hand {
    /// What is to be chosen next at a table.
    pub fn next(&self, table: &Table) -> Step {
        table
            .play()
            .filter(|_| table.ending().is_none())
            .and_then(|play| self.step(play))
            .unwrap_or(Step::Nothing)
    }

    fn step(&self, play: &Play) -> Option<Step> {
        let (here, moves) = self.played(play)?;
        let whole = || written(play.info(), &moves);
        let on = match moves.is_empty() {
            true => here.phase() == Phase::Move,
            false => goes_on(&here, play),
        };
        let legal = if on { here.legal() } else { Vec::new() };
        match self.begun {
            None if legal.is_empty() && moves.is_empty() => None,
            None if legal.is_empty() => Some(Step::Ready { moves: whole() }),
            None => Some(Step::Piece {
                picks: self.pieces(&here, &legal),
                so_far: (!moves.is_empty()).then(whole),
            }),
            Some(Begun::From(from)) => {
                let picks = self.targets(&here, &legal, from);
                (!picks.is_empty()).then_some(Step::Target { picks })
            }
            Some(Begun::To(from, to)) => {
                let picks = self.becomes(&here, &legal, (from, to));
                (!picks.is_empty()).then_some(Step::Becomes { picks })
            }
        }
    }

    /// The position after the whole moves, and the moves; `None` where they are not legal one after the other.
    fn played(&self, play: &Play) -> Option<(Play, Vec<Move>)> {
        let mut here = play.clone();
        let mut moves = Vec::new();
        for text in &self.moves {
            let one = rules::parse_move(play.info(), text).ok()?;
            let on = moves.is_empty() || goes_on(&here, play);
            if !on || here.why_not(one).is_some() {
                return None;
            }
            here.apply(&Event::Move(one)).ok()?;
            moves.push(one);
        }
        Some((here, moves))
    }

    fn with(&self, begun: Begun) -> String {
        let begun = Some(begun);
        let moves = self.moves.clone();
        Self { moves, begun }.to_string()
    }

    fn with_move(&self, play: &Play, one: Move) -> String {
        let moves = self.moves.iter().cloned();
        let moves = moves.chain([play.text(one)]).collect();
        let begun = None;
        Self { moves, begun }.to_string()
    }

    fn pieces(&self, play: &Play, legal: &[Move]) -> Vec<Pick> {
        let mut picks: Vec<(Square, Vec<String>)> = Vec::new();
        for one in legal {
            let to = one.to.to_string();
            match picks.iter_mut().find(|(from, _)| *from == one.from) {
                Some((_, targets)) if targets.contains(&to) => {}
                Some((_, targets)) => targets.push(to),
                None => picks.push((one.from, vec![to])),
            }
        }
        let pick = |(from, targets): (Square, Vec<String>)| Pick {
            label: words::piece_label(play, from),
            value: self.with(Begun::From(from)),
            about: Some(shortened(&format!("to {}", targets.join(" ")))),
        };
        picks.into_iter().map(pick).collect()
    }

    fn targets(&self, play: &Play, legal: &[Move], from: Square) -> Vec<Pick> {
        let mut picks: Vec<Pick> = Vec::new();
        let own = || legal.iter().filter(|one| one.from == from);
        for one in own() {
            let ways = own().filter(|other| other.to == one.to).count();
            let value = match ways {
                1 => self.with_move(play, *one),
                _ => self.with(Begun::To(from, one.to)),
            };
            if picks.iter().any(|pick| pick.value == value) {
                continue;
            }
            picks.push(Pick {
                label: one.to.to_string(),
                value,
                about: words::target_label(play, *one, ways == 1).map(|about| shortened(&about)),
            });
        }
        picks
    }

    fn becomes(&self, play: &Play, legal: &[Move], (from, to): (Square, Square)) -> Vec<Pick> {
        let fits = |one: &&Move| (one.from, one.to) == (from, to);
        let pick = |one: &Move| Pick {
            label: words::becomes_label(play, *one),
            value: self.with_move(play, *one),
            about: None,
        };
        legal.iter().filter(fits).map(pick).collect()
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_LABEL {
        return text.to_owned();
    }
    let kept = text.chars().take(LONGEST_LABEL - 1);
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests;
