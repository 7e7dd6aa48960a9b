//! `verify`: checks every roll of a record, and that its game plays as it says.

use std::path::Path;

use super::failure::Failure;
use super::say;
use crate::command::words;
use crate::table::{Record, Verified, verify as verified};

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
        what: words::broken(&record, &cause),
    })?;
    say(&told(&verified))
}

fn told(verified: &Verified) -> String {
    let dice = words::verdict(verified.dice);
    let result = match &verified.outcome {
        Some(outcome) => format!(" It is over by {}.", outcome.reason.word()),
        None => String::new(),
    };
    format!(
        "Table {}, {}: all {} events can be played.{result} {dice}",
        verified.code, verified.game, verified.events
    )
}
