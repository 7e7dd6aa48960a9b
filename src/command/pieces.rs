//! Pieces by the names people give them, for `moves`.

use crate::rules::reading::narrowed;
use crate::rules::{Info, KindId, Move, Play, Square};

/// The legal moves of a square, or of all pieces of a kind: by letter, name, synonym, or the beginning of a name.
pub fn moves_of(play: &Play, named: &str) -> Vec<Move> {
    let text = narrowed(named.trim()).to_lowercase();
    let square: Option<Square> = text.parse().ok();
    let kinds: Vec<KindId> = kinds(play.info(), &text);
    let pieces = play.pieces();
    let mut moves = play.legal();
    moves.retain(|one| {
        let piece = pieces.iter().find(|piece| piece.at == one.from);
        Some(one.from) == square || piece.is_some_and(|piece| kinds.contains(&piece.kind))
    });
    moves
}

/// Whether a word could be a piece of the game. What is no word, such as a square or a move, is another matter.
pub fn is_there(info: &Info, named: &str) -> bool {
    let text = narrowed(named.trim()).to_lowercase();
    !text.chars().all(char::is_alphabetic) || !kinds(info, &text).is_empty()
}

fn kinds(info: &Info, text: &str) -> Vec<KindId> {
    if text.is_empty() {
        return Vec::new();
    }
    let exact = info.kind_ids().filter(|(_, kind)| {
        kind.letter.to_lowercase().eq(text.chars())
            || kind.name.to_lowercase() == text
            || kind.synonyms.contains(&text)
    });
    let exact: Vec<KindId> = exact.map(|(id, _)| id).collect();
    if !exact.is_empty() {
        return exact;
    }
    let begun = info
        .kind_ids()
        .filter(|(_, kind)| kind.name.to_lowercase().starts_with(text));
    begun.map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn a_word_that_is_no_piece_of_the_game_is_told_from_squares_and_moves() {
        let info = rules::game("chaturanga").unwrap();
        assert!(!is_there(info, "queen") && !is_there(info, " Queen "));
        for there in ["horse", "rook", "king", "b1", "Nb1c3", "b1 c3"] {
            assert!(is_there(info, there), "{there}");
        }
    }
}
