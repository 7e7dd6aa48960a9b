//! How a game ended.

use super::names::{armies, list_of, player};
use crate::command::text::Text;
use crate::rules::{Info, Outcome, Reason};
use crate::table::{Ending, Table};

/// How the table was closed, in a sentence or two.
pub(crate) fn ending(table: &Table, ending: &Ending) -> Text {
    match ending {
        Ending::Played { outcome, .. } => outcome_of(table, outcome),
        Ending::Cancelled { .. } | Ending::Expired => Text::from(ending_of_armies(table, ending)),
    }
}

/// Who won, and why.
pub(super) fn outcome_of(table: &Table, outcome: &Outcome) -> Text {
    let why = Text::from(format!("{}: ", because(table.info(), outcome.reason)));
    let seats = outcome.winners.iter().copied();
    let who = if table.opened().solo && outcome.winners.len() > 1 {
        Text::from(armies(table.info(), seats))
            .plain(" (")
            .person(table.host())
            .plain(")")
    } else {
        list_of(seats.map(|seat| player(table, seat)).collect())
    };
    match win(table, outcome) {
        None => why.strong("a draw").plain("."),
        Some(win) => why.then(who).plain(" ").strong(win).plain("."),
    }
}

/// How the table was closed, with the armies alone.
pub(super) fn ending_of_armies(table: &Table, how: &Ending) -> String {
    match how {
        Ending::Played { outcome, .. } => {
            let because = because(table.info(), outcome.reason);
            let who = armies(table.info(), outcome.winners.iter().copied());
            match win(table, outcome) {
                None => format!("{because}: a draw."),
                Some(win) => format!("{because}: {who} {win}."),
            }
        }
        Ending::Cancelled { .. } => "The table is closed without a result.".to_owned(),
        Ending::Expired if table.was_joined() => {
            "The seats were not all taken in time, so the table is closed.".to_owned()
        }
        Ending::Expired => "Nobody joined, so the table is closed.".to_owned(),
    }
}

/// What the winners do; `None` when nobody wins.
fn win(table: &Table, outcome: &Outcome) -> Option<&'static str> {
    match outcome.winners.len() {
        0 => None,
        1 => Some("wins"),
        _ if table.info().partners => Some("win"),
        _ => Some("share the win"),
    }
}

fn because(info: &Info, reason: Reason) -> String {
    // Each game's royal piece stands first on its card.
    let king = info.kinds.first().map_or("King", |kind| kind.name);
    let said = match reason {
        Reason::Perfect => return format!("All three other {king}s are taken"),
        Reason::BareKing => return format!("The last piece besides the {king} is gone"),
        Reason::KingsCaptured => return format!("The {king}s are taken"),
        Reason::LastKing => return format!("At most one {king} is left"),
        Reason::BareCount => return format!("The rolls against the bare {king}s have run out"),
        Reason::Checkmate => "Checkmate",
        Reason::Stalemate => "Stalemate, which wins for the one who cannot move",
        Reason::NoMove => "The player to move has no legal move",
        Reason::OneCommand => "All pieces left are under one command",
        Reason::LastPlayer => "At most one player is left",
        Reason::Decided => "Nobody can catch up any more",
        Reason::Repetition => "The position has come for the third time",
        Reason::Quiet => "Too long without a capture or a pawn's move",
        Reason::Claim => "The victory is claimed",
        Reason::Agreement => "All agree to end the game",
        Reason::Resignation => "Resignation",
    };
    said.to_owned()
}
