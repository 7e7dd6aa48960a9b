//! How a game ended.

use super::names::{list_of, player};
use crate::command::text::Text;
use crate::rules::{Outcome, Reason};
use crate::table::{Ending, Table};

/// How the table was closed, in a sentence or two.
pub(super) fn ending(table: &Table, ending: &Ending) -> Text {
    match ending {
        Ending::Played { outcome, .. } => outcome_of(table, outcome),
        Ending::Cancelled { .. } => Text::from("The table is closed without a result."),
        Ending::Expired => Text::from("Nobody joined, so the table is closed."),
    }
}

/// Who won, and why.
pub(super) fn outcome_of(table: &Table, outcome: &Outcome) -> Text {
    let why = Text::from(format!("{}: ", because(outcome.reason)));
    let winners: Vec<Text> = outcome
        .winners
        .iter()
        .map(|seat| player(table, *seat))
        .collect();
    match winners.len() {
        0 => why.strong("a draw").plain("."),
        1 => why
            .then(list_of(winners))
            .plain(" ")
            .strong("wins")
            .plain("."),
        _ if table.info().partners => why
            .then(list_of(winners))
            .plain(" ")
            .strong("win")
            .plain("."),
        _ => why
            .then(list_of(winners))
            .plain(" ")
            .strong("share the win")
            .plain("."),
    }
}

fn because(reason: Reason) -> &'static str {
    match reason {
        Reason::Perfect => "All three other Kings are taken",
        Reason::Checkmate => "Checkmate",
        Reason::BareKing => "The last piece beside the King is gone",
        Reason::Stalemate => "Stalemate, which wins for the one who cannot move",
        Reason::NoMove => "The player to move has no legal move",
        Reason::KingsCaptured => "The Kings are taken",
        Reason::LastKing => "At most one King is left",
        Reason::OneCommand => "All pieces left are under one command",
        Reason::LastPlayer => "At most one player is left",
        Reason::Decided => "Nobody can catch up any more",
        Reason::BareCount => "The rolls against the bare Kings have run out",
        Reason::Repetition => "The position has come for the third time",
        Reason::Quiet => "Too long without a capture or a pawn's move",
        Reason::Claim => "The victory is claimed",
        Reason::Agreement => "All agree to end the game",
        Reason::Resignation => "Resignation",
    }
}
