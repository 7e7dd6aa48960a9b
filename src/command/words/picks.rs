//! What pieces, targets and promotions are called where they are chosen by hand.

use super::names::{army, kind, one};
use crate::rules::{Move, Play, Square};

/// A piece that can move: `Horse b1`.
pub(crate) fn piece_label(play: &Play, at: Square) -> String {
    match play.piece_at(at) {
        Some(man) => format!("{} {at}", kind(play.info(), man.kind)),
        None => at.to_string(),
    }
}

/// What there is to say of a target: `takes Red's Boat`, `becomes a Mantri`; nothing of most. What it becomes is said only
/// where that is not still to be chosen.
pub(crate) fn target_label(play: &Play, to: Move, chosen: bool) -> Option<String> {
    let info = play.info();
    let takes = play.piece_at(to.to).map(|man| {
        let dead = if man.dead { "dead " } else { "" };
        let whose = army(info, man.seat);
        format!("takes {whose}'s {dead}{}", kind(info, man.kind))
    });
    let becomes = to.promotion.filter(|_| chosen);
    let becomes = becomes.map(|made| format!("becomes {}", one(info, made)));
    match (takes, becomes) {
        (Some(takes), Some(becomes)) => Some(format!("{takes}, {becomes}")),
        (takes, becomes) => takes.or(becomes),
    }
}

/// What a pawn becomes: `Mantri`.
pub(crate) fn becomes_label(play: &Play, one: Move) -> String {
    match one.promotion {
        Some(made) => kind(play.info(), made).to_owned(),
        None => "stays as it is".to_owned(),
    }
}
