//! The menu of what can be offered or claimed at a table: what the table would allow now, and nothing else.

use super::component::Press;
use super::custom_id;
use super::menu::{Look, Menu};
use super::reply;
use super::words::offer as said;
use crate::ids::TableCode;

/// Opens the menu for whoever pressed the button.
pub(super) async fn open(press: &Press<'_>, code: TableCode, version: u64) {
    let table = match press.discord.club.load(code).await {
        Ok(table) => table,
        Err(error) => return reply::trouble(press.speech, press.responder, &error).await,
    };
    if table.position_version() != version {
        return press.is_from_an_old_board(code).await;
    }
    let person = press.caller.person;
    let can = [
        (table.draw(person, None).is_ok(), said::DRAW, "draw"),
        (
            table.cancel(person, false, None).is_ok(),
            said::CANCEL,
            "cancel",
        ),
        (table.claim(person).is_ok(), said::CLAIM, "claim"),
    ];
    if !can.iter().any(|(allowed, ..)| *allowed) {
        // The table itself says why not.
        return press.act(&format!("draw table:{code}")).await;
    }
    let mut menu = Menu::asking(said::WHAT);
    for (_, label, command) in can.iter().filter(|(allowed, ..)| *allowed) {
        let line = format!("{command} table:{code}");
        menu = menu.button(label, Look::Plain, &custom_id::act(Some(version), &line));
    }
    press.show(menu.body()).await;
}
