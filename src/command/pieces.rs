//! Pieces by the names people give them, for `moves`.

use crate::rules::{Info, KindId, Move, Play, Square};

/// The legal moves of a square, or of all pieces of a kind: by letter, name, synonym, or the beginning of a name.
pub fn moves_of(play: &Play, named: &str) -> Vec<Move> {
    let text = named.trim().to_lowercase();
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
