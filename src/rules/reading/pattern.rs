//! What one move's text says: perhaps a piece, perhaps where from, where to, perhaps a promotion.

use crate::info::Info;
use crate::kind::{KindId, Kinds};
use crate::square::Square;
use crate::{Move, Play};

/// One way to understand a text as a move. What is not said is not restricted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) kinds: Option<Kinds>,
    pub(super) from: From,
    pub(super) to: Square,
    pub(super) promotion: Option<Kinds>,
}

/// What is said of the square left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Anywhere,
    File(u8),
    Rank(u8),
    Square(Square),
}

impl Pattern {
    /// Whether a legal move is what the text says. A text without piece and square of departure speaks of a pawn.
    pub(super) fn fits(&self, play: &Play, m: Move) -> bool {
        let from = match self.from {
            From::Anywhere => true,
            From::File(file) => m.from.file() == file,
            From::Rank(rank) => m.from.rank() == rank,
            From::Square(square) => m.from == square,
        };
        let promotion = match (self.promotion, m.promotion) {
            (Some(kinds), Some(kind)) => kinds.has(kind),
            (Some(_), None) => false,
            (None, _) => true,
        };
        from && self.to == m.to && promotion && self.moves(play.info(), kind_at(play, m.from))
    }

    /// Whether the text names the square left.
    pub(super) fn names_square(&self) -> bool {
        matches!(self.from, From::Square(_))
    }

    /// Whether the text is nothing but two squares of the board, and perhaps a promotion.
    pub(super) fn is_two_squares(&self, info: &Info) -> bool {
        match self.from {
            From::Square(from) => {
                self.kinds.is_none() && info.shape.has(from) && info.shape.has(self.to)
            }
            _ => false,
        }
    }

    /// Whether the text can speak of such a piece.
    pub(super) fn moves(&self, info: &Info, kind: Option<KindId>) -> bool {
        let pawn = info.kinds.len().checked_sub(1);
        kind.is_some_and(|kind| match (self.kinds, self.from) {
            (Some(kinds), _) => kinds.has(kind),
            (None, From::Square(_)) => true,
            (None, _) => Some(kind.index()) == pawn,
        })
    }
}

pub(super) fn kind_at(play: &Play, at: Square) -> Option<KindId> {
    play.piece_at(at).map(|piece| piece.kind)
}

/// Every way to understand a text as one move.
pub(super) fn all(info: &Info, text: &str) -> Vec<Pattern> {
    let shouted = !text.chars().any(|letter| letter.is_ascii_lowercase());
    let mut found = Vec::new();
    let mut add = |pattern: Pattern| {
        if !found.contains(&pattern) {
            found.push(pattern);
        }
    };
    // A capital letter is a piece, unless all are capitals or a digit follows.
    for (kinds, rest) in std::iter::once((None, text))
        .chain(pieces(info, text).map(|(kinds, rest)| (Some(kinds), rest)))
    {
        let rest = separated(rest);
        for (from, rest) in origins(rest, shouted) {
            let rest = separated(rest);
            for (to, rest) in squares(rest) {
                for promotion in promotions(info, rest) {
                    add(Pattern {
                        kinds,
                        from,
                        to,
                        promotion,
                    });
                }
            }
        }
    }
    found
}

/// The word, or the capital letter, before something that would be a move without it: a piece that the game has not.
pub(super) fn strange_piece(info: &Info, text: &str) -> Option<String> {
    let joined = text.replace(' ', "-");
    let word: String = joined.chars().take_while(|c| c.is_alphabetic()).collect();
    let rest = joined.get(word.len()..)?;
    if word.chars().count() > 2 && rest.starts_with('-') && !all(info, rest).is_empty() {
        return Some(word);
    }
    let letter = joined.chars().next().filter(char::is_ascii_uppercase)?;
    let rest = joined.get(letter.len_utf8()..)?;
    (!all(info, rest).is_empty()).then(|| letter.to_string())
}

/// Names and letters of pieces that the text begins with, each with what follows.
fn pieces<'t>(info: &Info, text: &'t str) -> impl Iterator<Item = (Kinds, &'t str)> {
    let mut found: Vec<(Kinds, &str)> = Vec::new();
    for (id, kind) in info.kind_ids() {
        let letter = kind.letter.to_string();
        for name in kind
            .synonyms
            .iter()
            .copied()
            .chain([kind.name, letter.as_str()])
        {
            let Some((head, rest)) = text.split_at_checked(name.len()) else {
                continue;
            };
            if !head.eq_ignore_ascii_case(name) {
                continue;
            }
            let rest = plural(name, rest);
            match found
                .iter_mut()
                .find(|(_, other)| other.len() == rest.len())
            {
                Some((kinds, _)) => *kinds = kinds.with(Kinds::one(id)),
                None => found.push((Kinds::one(id), rest)),
            }
        }
    }
    found.into_iter()
}

fn plural<'t>(name: &str, rest: &'t str) -> &'t str {
    if name.len() > 1 {
        rest.strip_prefix('s').unwrap_or(rest)
    } else {
        rest
    }
}

/// What is said of the square left, in every way, each with what follows.
fn origins(text: &str, shouted: bool) -> Vec<(From, &str)> {
    let mut found = vec![(From::Anywhere, text)];
    found.extend(squares(text).map(|(square, rest)| (From::Square(square), rest)));
    if let Some((file, rest)) = file(text, shouted) {
        found.push((From::File(file), rest));
    }
    found.extend(ranks(text).map(|(rank, rest)| (From::Rank(rank), rest)));
    found
}

fn file(text: &str, shouted: bool) -> Option<(u8, &str)> {
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
    if letter.is_ascii_uppercase() && !shouted {
        return None;
    }
    Some((letter.to_ascii_lowercase() as u8 - b'a', text.get(1..)?))
}

/// One or two digits, each way.
fn ranks(text: &str) -> impl Iterator<Item = (u8, &str)> {
    [2, 1].into_iter().filter_map(move |digits| {
        let (head, rest) = text.split_at_checked(digits)?;
        let number: u8 = head
            .parse()
            .ok()
            .filter(|_| head.bytes().all(|b| b.is_ascii_digit()) && !head.starts_with('0'))?;
        Some((number - 1, rest))
    })
}

fn squares(text: &str) -> impl Iterator<Item = (Square, &str)> {
    let after_letter = text.get(1..).unwrap_or_default();
    let letter = text.chars().next().filter(char::is_ascii_alphabetic);
    letter.into_iter().flat_map(move |letter| {
        let file = letter.to_ascii_lowercase() as u8 - b'a';
        // All the digits there are belong to the square.
        ranks(after_letter)
            .filter(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_digit()))
            .map(move |(rank, rest)| (Square::new(file, rank), rest))
    })
}

/// The text without dashes and words like `x` and `to` at its beginning.
fn separated(text: &str) -> &str {
    let mut text = text.trim_start_matches('-');
    loop {
        let words = [
            "captures", "takes", "from", "into", "onto", "on", "to", "at", "x",
        ];
        let shorter = words.iter().find_map(|word| {
            let (head, rest) = text.split_at_checked(word.len())?;
            head.eq_ignore_ascii_case(word).then_some(rest)
        });
        match shorter {
            Some(rest) => text = rest.trim_start_matches('-'),
            None => return text,
        }
    }
}

/// What the end of a text says of a promotion: nothing, or a piece; no entry if it says something else.
fn promotions(info: &Info, text: &str) -> Vec<Option<Kinds>> {
    let end = text.trim_matches('-');
    if end.is_empty() {
        return vec![None];
    }
    let named = end
        .trim_start_matches(['=', '('])
        .trim_start_matches('-')
        .trim_end_matches(')');
    pieces(info, named)
        .filter(|(_, rest)| rest.is_empty())
        .map(|(kinds, _)| Some(kinds))
        .collect()
}
