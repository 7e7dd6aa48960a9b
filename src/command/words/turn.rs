//! Whose turn it is, and what is legal.

use super::names::{dice, under_command};
use crate::command::text::Text;
use crate::ids::PersonId;
use crate::rules::{Info, Move, Phase, Play, Square};
use crate::table::Table;

/// Whose turn it is, with a mention that notifies unless that person has just acted (R65).
pub(crate) fn whose_turn(table: &Table, acting: Option<PersonId>) -> Text {
    let Some(play) = table.play() else {
        return Text::new();
    };
    let info = table.info();
    let due = match play.phase() {
        Phase::Roll => " to roll.".to_owned(),
        Phase::Move if info.dice.is_some() => format!(" to move with {}.", dice(&play.unused())),
        Phase::Move => " to move.".to_owned(),
        Phase::Over => return Text::new(),
    };
    // CG3: a King in check is the mover's.
    let check = match play.checked().is_empty() {
        true => "",
        false => " Check.",
    };
    let commanded = under_command(play, play.mover());
    match table.sitter(play.player()) {
        Some(person) if Some(person) == acting => Text::new()
            .person(person)
            .plain(format!(" ({commanded}){due}{check}")),
        Some(person) => Text::new()
            .mention(person)
            .plain(format!(" ({commanded}){due}{check}")),
        None => Text::from(format!("{commanded}{due}{check}")),
    }
}

/// What is legal, piece by piece: `Horse b1: a3 c3. Pawn a2: a3.`, at most so many moves.
pub(crate) fn allowed(info: &Info, play: &Play, most: usize) -> Text {
    listed(info, play, &play.legal(), most)
}

/// Some legal moves, piece by piece.
pub(crate) fn listed(info: &Info, play: &Play, moves: &[Move], most: usize) -> Text {
    let mut pieces: Vec<(Square, Vec<String>)> = Vec::new();
    for played in moves.iter().take(most) {
        let target = match played.promotion {
            Some(kind) => format!("{}={}", played.to, info.kind(kind).letter),
            None => played.to.to_string(),
        };
        match pieces.iter_mut().find(|(from, _)| *from == played.from) {
            Some((_, targets)) => targets.push(target),
            None => pieces.push((played.from, vec![target])),
        }
    }
    let men = play.pieces();
    let lines = pieces.into_iter().map(|(from, targets)| {
        let man = men.iter().find(|man| man.at == from);
        let name = man.map_or("", |man| info.kind(man.kind).name);
        Text::new()
            .strong(format!("{name} {from}"))
            .plain(format!(" to {}", targets.join(" ")))
    });
    let text = Text::join(lines, "; ");
    match moves.len().saturating_sub(most) {
        0 => text.plain("."),
        more => text
            .plain(format!("; and {more} more ("))
            .code("/moves")
            .plain(" lists them)."),
    }
}
