//! Moves as people write them (COMMANDS.md, “A move as people write it”), read in a position.
//!
//! A text is cleaned ([`clean`]), split into words, and read in every way that makes all of it a sequence of legal moves
//! of one turn: a word or several together are one move ([`pattern`]). One way is the answer; several are listed.

mod clean;
mod digits;
mod error;
mod pattern;
mod write;

pub use digits::narrowed;
pub use error::ReadError;
pub use write::{long, piece};

use super::event::{Event, Move};
use super::play::Play;
use super::position::Phase;

/// The longest text that is read, in characters.
pub const LONGEST: usize = 400;
/// The most words one move is made of: “horse b1 takes on c3 = horse”.
const MOST_WORDS: usize = 7;
/// The most positions looked at for one text.
const MOST_STEPS: usize = 2_000;
/// The most ways of reading that are listed.
const MOST_WAYS: usize = 12;

/// Reads one or several moves of the turn that is due, each in the position after the one before.
///
/// # Errors
/// Says what cannot be read, why a move is not legal, or in which ways the text can be read.
pub fn read(play: &Play, text: &str) -> Result<Vec<Move>, ReadError> {
    let count = text.chars().count();
    if count > LONGEST {
        return Err(ReadError::TooLong { count });
    }
    let cleaned = clean::clean(text);
    let words: Vec<&str> = cleaned.split_whitespace().collect();
    if words.is_empty() {
        return Err(ReadError::Empty);
    }
    match play.phase() {
        Phase::Over => return Err(ReadError::Over),
        Phase::Roll => return Err(ReadError::MustRoll),
        Phase::Move => {}
    }
    let mut reader = Reader {
        ways: Vec::new(),
        failures: Vec::new(),
        steps: 0,
    };
    reader.go_on(play, &words, &mut Vec::new());
    reader.answer()
}

/// Reads the moves that a text, perhaps unfinished, could become: for choosing among legal ones while typing.
#[must_use]
pub fn fitting(play: &Play, text: &str) -> Vec<Move> {
    let cleaned = clean::clean(text);
    let typed: String = cleaned
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let mut legal = play.legal();
    legal.retain(|&m| {
        let plain: String = play
            .text(m)
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let lettered = format!("{}{plain}", write::letter(play, m));
        [plain, lettered]
            .iter()
            .any(|text| text.to_ascii_lowercase().starts_with(&typed))
    });
    legal
}

struct Reader {
    ways: Vec<Vec<Move>>,
    failures: Vec<Failure>,
    steps: usize,
}

/// Where a way of reading came to its end.
struct Failure {
    /// How many moves were read before it.
    moves: usize,
    /// How many words the move that failed was made of.
    words: usize,
    error: ReadError,
}

impl Reader {
    fn go_on(&mut self, play: &Play, words: &[&str], read: &mut Vec<Move>) {
        if words.is_empty() {
            if !self.ways.contains(read) {
                self.ways.push(read.clone());
            }
            return;
        }
        for count in 1..=words.len().min(MOST_WORDS) {
            let (these, rest) = words.split_at(count);
            for m in self.candidates(play, these, read.len()) {
                self.steps += 1;
                if self.steps > MOST_STEPS || self.ways.len() > MOST_WAYS {
                    return;
                }
                self.play(play, m, these, rest, read);
            }
        }
    }

    fn play(&mut self, play: &Play, m: Move, these: &[&str], rest: &[&str], read: &mut Vec<Move>) {
        let mut after = play.clone();
        if after.apply(&Event::Move(m)).is_err() {
            return;
        }
        read.push(m);
        if rest.is_empty() || goes_on(play, &after) {
            self.go_on(&after, rest, read);
        } else {
            let error = ReadError::TurnOver {
                after: play.text(m),
                rest: rest.join(" "),
            };
            self.failures.push(Failure {
                moves: read.len(),
                words: these.len(),
                error,
            });
        }
        read.pop();
    }

    /// The legal moves that some words together can mean; notes why if there is none.
    fn candidates(&mut self, play: &Play, words: &[&str], moves: usize) -> Vec<Move> {
        let patterns = pattern::all(play.info(), &words.join("-"));
        let legal = play.legal();
        // Two whole squares are a move's own name: `b1c3` is not also a Bishop on rank 1.
        let exact = patterns.iter().any(|p| p.is_two_squares(play.info()));
        let fits = |m: Move| {
            patterns
                .iter()
                .any(|p| (!exact || p.names_square()) && p.fits(play, m))
        };
        let found: Vec<Move> = legal.into_iter().filter(|&m| fits(m)).collect();
        if found.is_empty() {
            let error = error::explain(play, &words.join(" "), &patterns);
            self.failures.push(Failure {
                moves,
                words: words.len(),
                error,
            });
        }
        found
    }

    fn answer(mut self) -> Result<Vec<Move>, ReadError> {
        if self.ways.len() > 1 {
            let more = self.ways.len() > MOST_WAYS;
            self.ways.truncate(MOST_WAYS);
            return Err(ReadError::Ambiguous {
                ways: self.ways,
                more,
            });
        }
        match self.ways.pop() {
            Some(way) => Ok(way),
            None => {
                // What was read furthest, and of that what says most.
                let furthest = self.failures.into_iter().max_by_key(|failure| {
                    (
                        failure.moves,
                        failure.error.says(),
                        std::cmp::Reverse(failure.words),
                    )
                });
                Err(furthest.map_or(ReadError::Empty, |failure| failure.error))
            }
        }
    }
}

/// Whether the same turn goes on: further moves of one text are of one turn (G6).
fn goes_on(before: &Play, after: &Play) -> bool {
    let left = after.unused().len();
    after.phase() == Phase::Move && left > 0 && left < before.unused().len()
}

#[cfg(test)]
mod tests;
