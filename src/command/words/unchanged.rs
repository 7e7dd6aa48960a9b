//! A command that was right and changed nothing, since what it asks for is so already.

use super::names::{armies, list_of};
use crate::command::catalogue::Verb;
use crate::command::text::Text;
use crate::ids::PersonId;
use crate::table::{Matter, Table};

/// What is so already.
pub(crate) fn unchanged(table: &Table, caller: PersonId, verb: Verb) -> Text {
    match verb {
        Verb::Draw => agreed(table, Matter::Draw),
        Verb::Cancel => agreed(table, Matter::Cancel),
        Verb::Join => Text::from(format!(
            "You have joined already and play {}.",
            armies(table.info(), table.seats_of(caller))
        )),
        _ => Text::from("That is done already, so nothing has changed."),
    }
}

fn agreed(table: &Table, matter: Matter) -> Text {
    let what = match matter {
        Matter::Draw => "You have agreed to end the game already",
        Matter::Cancel => "You have agreed to close the table already",
    };
    let game = table.game();
    let offer = game.and_then(|game| game.offer(matter).map(|offer| (game, offer)));
    let awaited = offer.map_or(Vec::new(), |(game, offer)| table.awaited(game, offer));
    let awaited = awaited.into_iter().map(|person| Text::new().person(person));
    let awaited = list_of(awaited.collect());
    if awaited.is_empty() {
        return Text::from(what).plain(".");
    }
    Text::from(what)
        .plain("; it waits for ")
        .then(awaited)
        .plain(".")
}
