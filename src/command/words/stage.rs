//! What a table's stage does not allow: the game has not begun, is over, or something else is offered.

use super::ending::ending;
use super::gathering::unreserved;
use super::names::{armies, list, list_of};
use crate::command::text::Text;
use crate::ids::PersonId;
use crate::rules::Seat;
use crate::table::{Ending, Matter, Table};

/// The seats that anybody may take, behind a sentence on one that is not.
pub(super) fn free(table: Option<&Table>) -> String {
    let free = table.map_or(Vec::new(), unreserved);
    match (table, free.is_empty()) {
        (Some(table), false) => format!("; free: {}.", armies(table.info(), free)),
        _ => ".".to_owned(),
    }
}

/// That nobody else can join, and for whom seats are kept.
pub(super) fn no_free_seat(table: Option<&Table>) -> Text {
    let invited = table.map_or(&[][..], Table::invitations).iter();
    let people = invited.map(|invitation| Text::new().person(invitation.person));
    let people = list_of(people.collect());
    if people.is_empty() {
        return Text::from("No seat is free here.");
    }
    Text::from("No seat is free here: what is not taken is kept for ")
        .then(people)
        .plain(".")
}

/// That the game has not begun, and for whom it waits.
pub(super) fn not_begun(table: Option<&Table>, open: &[Seat]) -> Text {
    let invited = table.map_or(&[][..], Table::invitations);
    let people = invited
        .iter()
        .map(|invitation| Text::new().person(invitation.person));
    let people = list_of(people.collect());
    let begun = Text::from("The game has not begun: ");
    if !invited.is_empty() && invited.len() >= open.len() {
        return begun
            .plain("it waits for ")
            .then(people)
            .plain(". Who is invited takes the seat with ")
            .code("/join")
            .plain(".");
    }
    let names = match table {
        Some(table) => armies(table.info(), open.iter().copied()),
        None => list(open.iter().map(|seat| seat.name())),
    };
    let verb = if open.len() == 1 { "is" } else { "are" };
    let begun = begun.plain(format!("{names} {verb} not taken yet"));
    let begun = match invited.len() {
        0 => begun,
        kept => begun
            .plain(format!(" ({kept} kept for "))
            .then(people)
            .plain(")"),
    };
    begun
        .plain(". Others take a seat with ")
        .code("/join")
        .plain("; you can ask them with ")
        .code("/invite")
        .plain(".")
}

/// The open offers with the lines that turn them down.
pub(super) fn which_offer(table: Option<&Table>, matters: &[Matter]) -> Text {
    let named = matters.iter().map(|matter| {
        let what = match matter {
            Matter::Draw => "to end the game",
            Matter::Cancel => "to close the table",
        };
        let game = table.and_then(Table::game);
        match game.and_then(|game| game.offer(*matter)) {
            Some(offer) => Text::new()
                .code(format!("/decline offer:{}", offer.id.0))
                .plain(format!(" ({what})")),
            None => Text::from(what),
        }
    });
    Text::from("Several offers are open. Say which: ")
        .then(Text::join(named, " or "))
        .plain(".")
}

/// That something of a game is missing, since the game has not begun.
pub(crate) fn not_begun_yet(missing: &str, table: &Table) -> Text {
    Text::from(match table.ending() {
        None => format!("{missing} yet: the game has not begun."),
        Some(_) => format!("{missing}: the table was closed before the game began."),
    })
}

/// That a table is finished, and how it goes on where it can. `earlier` is the rematch there was.
pub(crate) fn finished(table: Option<&Table>, earlier: Option<&Table>, caller: PersonId) -> Text {
    let Some(table) = table else {
        return Text::from("This table is finished.");
    };
    let text = match table.ending() {
        Some(Ending::Played { .. }) | None => Text::from("This game is over."),
        Some(how) => ending(table, how),
    };
    // A rematch that came to nothing is no way to go on; another one is.
    match (table.rematch_after(caller, earlier), table.rematch_code()) {
        (Ok(_), _) => text
            .plain(" ")
            .code(format!("/rematch table:{}", table.code()))
            .plain(" opens it again."),
        (Err(_), Some(code)) => text
            .plain(" Its rematch is ")
            .code(code.to_string())
            .plain("."),
        (Err(_), None) => text,
    }
}
