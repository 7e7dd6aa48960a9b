//! What was pressed on an old board, and what was sent a second time.

use super::ending::ending;
use super::names::move_read;
use super::turn::whose_turn;
use crate::command::catalogue::Verb;
use crate::command::text::Text;
use crate::table::Table;

/// R13: that a board is not the present one any more.
pub(crate) fn old_board(table: Option<&Table>, then: usize, now: usize) -> Text {
    let over = table.is_some_and(|table| table.ending().is_some());
    let text = match (over, then == now) {
        (true, true) => Text::from("The game has ended since this board was shown."),
        (true, false) => Text::from(format!(
            "This board is from move {then}; the game ended at move {now}."
        )),
        (false, true) => Text::from(format!(
            "Something has happened since this board was shown; the game is at move {now} still."
        )),
        (false, false) => Text::from(format!(
            "This board is from move {then}; the game is at move {now} now."
        )),
    };
    after(text, table)
}

/// R02, R07: that the same command was carried out before, and how the table stands now.
pub(crate) fn done_before(table: Option<&Table>, verb: Verb) -> Text {
    let text = match verb {
        Verb::Move => "That is played already.",
        Verb::Roll => "The dice are thrown already.",
        Verb::Join => "You have joined already.",
        _ => "That was done already.",
    };
    after(Text::from(text), table)
}

/// R02: that the same moves are the ones the caller played last.
pub(crate) fn played_already(table: &Table, moves: &[String]) -> Text {
    let moves = moves.iter().map(|text| move_read(table.info(), text));
    let moves: Vec<String> = moves.collect();
    let text = Text::from(format!("That is played already: {}.", moves.join(", ")));
    after(text, Some(table))
}

/// R07: that the same command was refused before, though it would not be now.
pub(crate) fn refused_before() -> Text {
    Text::from("Not done: it was refused when it came first. Send it again if you still want it.")
}

/// The words, and how the table stands.
fn after(text: Text, table: Option<&Table>) -> Text {
    let stands = table.map_or(Text::new(), |table| match table.ending() {
        Some(how) => ending(table, how),
        None => whose_turn(table, None).quiet(),
    });
    match stands.is_empty() {
        true => text,
        false => text.plain(" ").then(stands),
    }
}
