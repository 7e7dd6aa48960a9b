//! `verify`: checks every roll of a record, and that its game plays as it says.

use std::path::Path;

use super::failure::Failure;
use super::say;
use crate::table::{DiceVerdict, Record, Verified, verify as verified};

/// Checks a record and says what was found.
pub(super) fn verify(path: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path).map_err(|cause| Failure::Unreadable {
        path: path.to_owned(),
        cause,
    })?;
    let record = Record::read(&text).map_err(|cause| Failure::Record {
        path: path.to_owned(),
        cause,
    })?;
    let verified = verified(&record).map_err(|cause| Failure::Verify {
        path: path.to_owned(),
        cause,
    })?;
    say(&told(&verified))
}

fn told(verified: &Verified) -> String {
    let dice = match verified.dice {
        DiceVerdict::NoDice => "The game has no dice.".to_owned(),
        DiceVerdict::Fair { rolls } => format!(
            "All {rolls} rolls follow from the secret that was committed to before anybody joined."
        ),
        DiceVerdict::NotYet => {
            "The dice can be checked when the game is over: their secret is not published yet."
                .to_owned()
        }
        DiceVerdict::FromFile => "The dice came from a file: they are not fair.".to_owned(),
    };
    let result = match &verified.outcome {
        Some(outcome) => format!(" It is over by {}.", outcome.reason.word()),
        None => String::new(),
    };
    format!(
        "Table {}, {}: all {} events can be played.{result} {dice}",
        verified.code, verified.game, verified.events
    )
}
