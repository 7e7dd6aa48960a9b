//! What a board picture shows, in words (R119): game, whose turn, dice, last move, scores, pieces by army.

use super::ending::ending_of_armies;
use super::names::{army, dice, kind, move_read, under_command};
use super::played::scores;
use crate::rules::{Info, Phase, Piece, Play, Seat};
use crate::table::Table;

/// The most characters a platform takes.
pub const LONGEST: usize = 1024;

/// The picture of a table's board in words, at most [`LONGEST`] characters; nothing before the game has begun.
pub fn alt(table: &Table) -> Option<String> {
    let game = table.game()?;
    let info = table.info();
    let mut parts = vec![format!("{}, table {}.", info.name, table.code())];
    parts.push(match table.ending() {
        Some(how) => ending_of_armies(table, how),
        None => turn(&game.play),
    });
    if let Some((seat, text)) = game.last_moves().next_back() {
        let moved = move_read(info, text);
        parts.push(format!("Last move: {} {moved}.", army(info, seat)));
    }
    if let Some(points) = game.play.scores() {
        parts.push(format!("Points: {}.", scores(info, Some(points))));
    }
    let pieces = game.play.pieces();
    parts.extend(
        info.seats
            .iter()
            .filter_map(|seat| men(info, &pieces, *seat)),
    );
    Some(shortened(&parts.join(" ")))
}

/// The same in one sentence, for platforms that show it below the picture: game, table and whose turn it is.
pub fn caption(table: &Table) -> Option<String> {
    let game = table.game()?;
    let what = match table.ending() {
        Some(how) => ending_of_armies(table, how),
        None => turn(&game.play),
    };
    Some(format!("{} {}: {what}", table.info().name, table.code()))
}

fn turn(play: &Play) -> String {
    let mut mover = under_command(play, play.mover());
    if play.player() != play.mover() {
        mover.push(',');
    }
    let dice_game = play.info().dice.is_some();
    let turn = match play.phase() {
        Phase::Roll => format!("{mover} to roll."),
        Phase::Move if dice_game => {
            format!("{mover} to move with {}.", dice(&play.unused()))
        }
        Phase::Move => format!("{mover} to move."),
        Phase::Over => "The game is over.".to_owned(),
    };
    match play.checked().is_empty() {
        true => turn,
        false => format!("{turn} Check."),
    }
}

/// `Red: King a1, Pawn a2 b2.`
fn men(info: &Info, pieces: &[Piece], seat: Seat) -> Option<String> {
    let own = || pieces.iter().filter(|piece| piece.seat == seat);
    let kinds: Vec<String> = info
        .kind_ids()
        .filter_map(|(id, _)| {
            let squares: Vec<String> = own()
                .filter(|piece| piece.kind == id)
                .map(|piece| {
                    format!(
                        "{}{}",
                        piece.at,
                        if piece.waiting { " (waits)" } else { "" }
                    )
                })
                .collect();
            (!squares.is_empty()).then(|| format!("{} {}", kind(info, id), squares.join(" ")))
        })
        .collect();
    let dead = if own().any(|piece| piece.dead) {
        " (dead)"
    } else {
        ""
    };
    (!kinds.is_empty()).then(|| format!("{}{dead}: {}.", army(info, seat), kinds.join(", ")))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LONGEST - 1).collect();
    short.push('…');
    short
}
