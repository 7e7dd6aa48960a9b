//! `verify`: checks every roll of a record, and that its game plays as it says.

use std::path::Path;

use super::failure::Failure;
use super::say;
use crate::command::words;
use crate::rules;
use crate::table::{DeedError, DiceVerdict, Record, Verified, VerifyError, verify as verified};

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
        what: what(&record, &cause),
    })?;
    say(&told(&verified))
}

/// Why a record does not hold, with the rules' reason in the words people know from the games.
fn what(record: &Record, cause: &VerifyError) -> String {
    match cause {
        VerifyError::Event {
            number,
            deed,
            why: DeedError::Refused(why),
        } => {
            let why = words::refused(rules::game(&record.game), why)
                .to_plain(|person| person.to_string());
            format!("event {number} ({deed}) cannot be played. {why}")
        }
        other => other.to_string(),
    }
}

fn told(verified: &Verified) -> String {
    let dice = match verified.dice {
        DiceVerdict::NoDice => "The game has no dice.".to_owned(),
        DiceVerdict::Fair { rolls } => format!(
            "Every roll ({rolls}) follows from the secret that was committed to before anybody joined."
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
