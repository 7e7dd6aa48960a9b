//! The record of a game: enough to play it again, and to check every roll of its dice. As JSON and as text.

use std::time::{Duration, UNIX_EPOCH};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::deed::Deed;
use super::game::Step;
use super::record_dice::RecordDice;
use super::state::{Ending, Phase, Table};
use super::{record_json, record_text};
use crate::ids::{At, PersonId, TableCode};
use crate::rules::{Outcome, Over, Seat, Setup};

/// A game as written down for others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this form.
    pub ashtapada_record: u32,
    /// The table's code.
    pub code: TableCode,
    /// The key of the game.
    pub game: String,
    /// The chosen options.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The position it started from, if not the array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<Setup>>,
    /// When the table was opened, as in RFC 3339.
    pub opened: String,
    /// When it was closed, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<String>,
    /// Who played.
    pub players: Vec<Player>,
    /// How far the game has come.
    pub status: Status,
    /// Who has won and why, once there is a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Over>,
    /// The dice, in games with dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<RecordDice>,
    /// All that was done.
    pub events: Vec<Told>,
    /// The position at the end, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Value>,
    /// The position at the end, for programs.
    pub setup: Value,
    /// The position at the end as the text form draws it, where the record was read from that form.
    #[serde(skip)]
    pub(super) drawn: Option<String>,
}

/// Somebody who played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// On which seat.
    pub seat: Seat,
    /// Their number.
    pub person: PersonId,
    /// What they are called.
    pub name: String,
}

/// How far a recorded game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is being played.
    Unfinished,
    /// It came to its end.
    Played,
    /// The table was closed without a result.
    Cancelled,
}

/// Something done, with the army on turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The army on turn.
    pub seat: Seat,
    /// What was done.
    #[serde(flatten)]
    pub deed: Deed,
}

/// Why a text is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is not JSON of a record.
    #[error("not a record: {0}")]
    Json(String),
    /// Something in the JSON form is missing, superfluous, or written otherwise than records write it.
    #[error("`{0}` is not as a record has it")]
    Odd(String),
    /// A line of the text form is none that a record has there.
    #[error("line {line} is not as a record has it there: `{text}`")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What stands there, shortened.
        text: String,
    },
    /// Something is missing in the text form.
    #[error("the record has no line `{0}:`")]
    Missing(&'static str),
    /// A later program wrote it.
    #[error("the record has version {0}, written by a newer program; this one reads version {version}", version = Record::VERSION)]
    Newer(u32),
}

impl Record {
    /// The version that this program writes.
    pub const VERSION: u32 = 1;

    /// The record of a table's game, if one has begun. Names are the caller's to give.
    pub fn of(table: &Table, name: impl Fn(PersonId) -> String) -> Option<Self> {
        let game = table.game()?;
        let opened = table.opened();
        let (status, result) = match table.phase() {
            Phase::Over { ending, .. } => match ending {
                Ending::Played { outcome, .. } => (Status::Played, Some(told(outcome))),
                Ending::Cancelled { .. } | Ending::Expired => (Status::Cancelled, None),
            },
            Phase::Gathering | Phase::Playing(_) => (Status::Unfinished, None),
        };
        let players = table.chairs().iter().filter_map(|chair| {
            let person = chair.sitter.as_ref()?.person;
            Some(Player {
                seat: chair.seat,
                person,
                name: name(person),
            })
        });
        Some(Self {
            ashtapada_record: Self::VERSION,
            code: table.code(),
            game: opened.game.clone(),
            options: opened.options.clone(),
            position: opened.position.clone(),
            opened: written(table.opened_at()),
            closed: table.closed_at().map(written),
            players: players.collect(),
            status,
            result,
            dice: table
                .dice_terms()
                .map(|terms| RecordDice::of(table, terms, game.order)),
            events: game.steps.iter().map(Told::from).collect(),
            state: Some(serde_json::json!(game.play.state())),
            setup: serde_json::json!(game.play.setup()),
            drawn: None,
        })
    }

    /// The JSON form, for programs.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The text form, for people; programs can read it too.
    pub fn text(&self) -> String {
        record_text::write(self)
    }

    /// Reads either form.
    ///
    /// # Errors
    /// When it is neither, or holds anything that a record has no place for.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with('{') {
            record_json::read(text)
        } else {
            record_text::read(text)
        }
    }
}

/// A result as records hold it.
pub(super) fn told(outcome: &Outcome) -> Over {
    Over {
        reason: outcome.reason.word().to_owned(),
        winners: outcome.winners.clone(),
    }
}

/// A moment as in RFC 3339, to the second.
fn written(at: At) -> String {
    // Later than the year 9999 there is no such text.
    let last = 253_402_300_799_000;
    let moment = UNIX_EPOCH + Duration::from_millis(at.0.min(last));
    humantime::format_rfc3339_seconds(moment).to_string()
}

impl From<&Step> for Told {
    fn from(step: &Step) -> Self {
        Self {
            seat: step.seat,
            deed: step.deed.clone(),
        }
    }
}
