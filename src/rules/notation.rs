//! Moves in records' notation: two squares and, for a promotion, `=` and the piece's letter.

use super::event::Move;
use super::info::Info;
use super::square::Square;

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
