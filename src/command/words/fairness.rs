//! `dice`: how a table's dice are made, and how anybody can check them.

use super::names::counted;
use crate::command::text::Text;
use crate::table::{DiceTerms, Table};

/// How the dice of a table are made fair, and what is published of them.
pub(crate) fn fairness(table: &Table) -> Text {
    match table.dice_terms() {
        None => Text::from(format!("{} is played without dice.", table.info().name)),
        Some(DiceTerms::File) => Text::from(
            "The dice of this table come from a file. They are not fair, and its record says so.",
        ),
        Some(DiceTerms::Fair { commitment, .. }) => fair(table, &commitment.to_string()),
    }
}

fn fair(table: &Table, commitment: &str) -> Text {
    let rolls = table.game().map_or(0, |game| game.rolls);
    let mut text = Text::from("When table ")
        .code(table.code().to_string())
        .plain(" was opened, a secret of 32 bytes was drawn, and its SHA-256 published: ")
        .code(commitment)
        .plain(". Every player adds a contribution: SHA-256 of their number, the id of the message they joined by, and a word of their own.");
    for sitter in table.players() {
        text = text
            .plain("\n")
            .person(sitter.person)
            .plain(format!(" (number {}, message ", sitter.person))
            .code(sitter.message.clone())
            .plain("): ")
            .code(sitter.contribution.to_string());
    }
    text = text.plain(
        "\nRoll n comes from HMAC-SHA256 with the secret as key and “code|contributions|n|block” as message: bytes from 252 on are skipped, each other byte gives byte mod 6 + 1. So no player can choose a roll, and the bot cannot change one.",
    );
    let thrown = counted(usize::try_from(rolls).unwrap_or(usize::MAX), "roll");
    match table.secret() {
        Some(secret) => text
            .plain(format!("\nThe game is over after {thrown}. The secret was "))
            .code(secret.to_string())
            .plain(". Check everything with ")
            .code("/record as:json")
            .plain(" and ")
            .code("ashtapada verify FILE")
            .plain(", or with the ten lines of Python in the README."),
        None => text.plain(format!(
            "\nSo far {thrown}. The secret is published when the game is over; then every roll can be checked."
        )),
    }
}
