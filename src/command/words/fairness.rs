//! `dice`: how a table's dice are made, how anybody can check them, and what a check has found.

use super::names::counted;
use crate::command::text::Text;
use crate::rules;
use crate::table::{DeedError, DiceTerms, DiceVerdict, Record, Table, VerifyError, verify};

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
    if table.options().undrawn(table.info()).is_some() {
        text = text.plain(
            " The back row is drawn before the first roll, with n = 0: bytes from 240 on are skipped, and the first other byte mod 24 is the number of its order.",
        );
    }
    let thrown = counted(usize::try_from(rolls).unwrap_or(usize::MAX), "roll");
    match table.secret() {
        Some(secret) => text
            .plain(format!("\nThe game is over after {thrown}. The secret was "))
            .code(secret.to_string())
            .plain(format!(". {}Check it yourself with ", checked(table)))
            .code("/record as:json")
            .plain(" and ")
            .code("ashtapada verify FILE")
            .plain(", or with the ten lines of Python in the README."),
        None => text.plain(format!(
            "\nSo far {thrown}. The secret is published when the game is over; then every roll can be checked."
        )),
    }
}

/// What checking the record of a finished game finds.
fn checked(table: &Table) -> String {
    let Some(record) = Record::of(table, |person| person.to_string()) else {
        return String::new();
    };
    match verify(&record) {
        Ok(verified) => format!("Checked just now: {} ", verdict(verified.dice)),
        Err(error) => format!(
            "Checked just now, and the record is not right: {}. ",
            broken(&record, &error).trim_end_matches('.')
        ),
    }
}

/// What is known of a record's dice, in a sentence.
pub fn verdict(dice: DiceVerdict) -> String {
    match dice {
        DiceVerdict::NoDice => "The game has no dice.".to_owned(),
        DiceVerdict::Fair { rolls } => format!(
            "Every roll ({rolls}) follows from the secret that was committed to before anybody joined."
        ),
        DiceVerdict::NotYet => {
            "The dice can be checked when the game is over: their secret is not published yet."
                .to_owned()
        }
        DiceVerdict::FromFile => "The dice came from a file: they are not fair.".to_owned(),
    }
}

/// Why a record does not hold, with the rules' reason in the words people know from the games.
pub fn broken(record: &Record, cause: &VerifyError) -> String {
    match cause {
        VerifyError::Event {
            number,
            deed,
            why: DeedError::Refused(why),
        } => {
            let why = super::refused(rules::game(&record.game), why)
                .to_plain(|person| person.to_string());
            format!("event {number} ({deed}) cannot be played. {why}")
        }
        other => other.to_string(),
    }
}
