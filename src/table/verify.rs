//! Checking a record: that the game can be played as it says, and that every roll follows from the published secret.

use super::deed::{Deed, DeedError};
use super::dice::DiceError;
use super::hex32::Hex32;
use super::record::{Record, Status, told};
use super::record_dice::RecordDice;
use super::record_state;
use super::start::{StartError, first_position};
use super::verify_dice::{check_dice, check_terms};
use crate::ids::TableCode;
use crate::rules::{self, Info, Options, Outcome, Play, Roll, Seat};

/// A record that holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The table's code.
    pub code: TableCode,
    /// The key of the game.
    pub game: String,
    /// How many events were played again.
    pub events: usize,
    /// What is known of the dice.
    pub dice: DiceVerdict,
    /// Who has won and why, once the game is over.
    pub outcome: Option<Outcome>,
}

/// What a record shows of its dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiceVerdict {
    /// The game has none.
    NoDice,
    /// All rolls follow from the secret, and the secret is the one that was committed to.
    Fair {
        /// How many rolls were checked.
        rolls: u32,
    },
    /// The secret is published when the game is over.
    NotYet,
    /// The rolls come from a file.
    FromFile,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VerifyError {
    /// The game is not known.
    #[error("there is no game {0}")]
    UnknownGame(String),
    /// The game cannot begin with these options or from this position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// An event cannot be played.
    #[error("event {number} ({deed}) cannot be played: {why}")]
    Event {
        /// Counted from 1.
        number: usize,
        /// What stands there.
        deed: String,
        /// Why not.
        why: DeedError,
    },
    /// An event is told of another army than the one on turn.
    #[error("event {number} is told of {told}, and it is {on_turn}'s turn")]
    Seat {
        /// Counted from 1.
        number: usize,
        /// Whose it is said to be.
        told: Seat,
        /// Whose turn it is.
        on_turn: Seat,
    },
    /// The end is not the one that the events lead to.
    #[error("the {0} is not what the events lead to")]
    End(&'static str),
    /// The secret is not the one committed to.
    #[error("the secret's SHA-256 is {found}, and {committed} was committed to")]
    Commitment {
        /// What was published at the opening.
        committed: Hex32,
        /// What the secret gives.
        found: Hex32,
    },
    /// The game is over and the secret is missing.
    #[error("the game is over, and the dice's secret is not in the record")]
    NoSecret,
    /// A roll does not follow from the secret.
    #[error("roll {n} is {told} in the record, and the secret gives {found}")]
    Roll {
        /// Which roll, from 1.
        n: u32,
        /// As recorded.
        told: Roll,
        /// As it follows from the secret.
        found: Roll,
    },
    /// The drawn set-up does not follow from the secret.
    #[error("the drawn order is {told} in the record, and the secret gives {found}")]
    Order {
        /// As recorded.
        told: u32,
        /// As it follows from the secret.
        found: u8,
    },
    /// The players are not one for each seat.
    #[error("the players are not one for each seat, in the order of the seats")]
    Players,
    /// A moment is none.
    #[error("`{0}` is no time as in 2026-01-31T09:30:00Z")]
    Time(&'static str),
    /// The position at the end is missing.
    #[error("the record does not show the position at the end")]
    NoState,
    /// A game with dice says nothing of where they came from, or one without dice does.
    #[error("the game and the record do not agree on whether there are dice")]
    Section,
    /// The contributions are not those of the players.
    #[error("the contributions to the dice are not the players', in the order of their seats")]
    Contributions,
    /// A drawn order is missing, or is there though the options have none drawn.
    #[error("the options and the record do not agree on whether the set-up was drawn")]
    Drawn,
    /// The dice could not be made.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

/// Checks a record.
///
/// # Errors
/// [`VerifyError`] for the first thing that does not hold.
pub fn verify(record: &Record) -> Result<Verified, VerifyError> {
    let info =
        rules::game(&record.game).ok_or_else(|| VerifyError::UnknownGame(record.game.clone()))?;
    let options = Options::checked(info, &record.options).map_err(StartError::from)?;
    check_players(record, info)?;
    check_time("opened", Some(&record.opened))?;
    check_time("closed", record.closed.as_deref())?;
    let drawn = options.undrawn(info).is_some();
    check_terms(record, info, drawn)?;
    let order = match &record.dice {
        Some(RecordDice::Fair { order, .. } | RecordDice::File { order }) => *order,
        None => None,
    };
    let start = first_position(info, &options, order, record.position.as_deref())?;
    let (play, rolls) = replayed(record, start)?;
    check_end(record, &play)?;
    Ok(Verified {
        code: record.code,
        game: record.game.clone(),
        events: record.events.len(),
        dice: check_dice(record, drawn, &rolls)?,
        outcome: play.outcome(),
    })
}

/// A game has begun when every seat has its player.
fn check_players(record: &Record, info: &'static Info) -> Result<(), VerifyError> {
    let seats = record.players.iter().map(|player| &player.seat);
    match seats.eq(info.seats) {
        true => Ok(()),
        false => Err(VerifyError::Players),
    }
}

fn check_time(field: &'static str, told: Option<&str>) -> Result<(), VerifyError> {
    let is_time = |told: &str| {
        let time = humantime::parse_rfc3339(told);
        time.is_ok_and(|time| humantime::format_rfc3339_seconds(time).to_string() == told)
    };
    match told.is_none_or(is_time) {
        true => Ok(()),
        false => Err(VerifyError::Time(field)),
    }
}

/// The position at the end, and the rolls on the way.
fn replayed(record: &Record, mut play: Play) -> Result<(Play, Vec<&Roll>), VerifyError> {
    let mut rolls = Vec::new();
    for (index, told) in record.events.iter().enumerate() {
        let number = index + 1;
        if told.seat != play.mover() {
            return Err(VerifyError::Seat {
                number,
                told: told.seat,
                on_turn: play.mover(),
            });
        }
        if let Deed::Roll(roll) = &told.deed {
            rolls.push(roll);
        }
        let done = told.deed.event(&play).map_err(DeedError::from);
        done.and_then(|event| play.apply(&event).map_err(DeedError::from))
            .map_err(|why| VerifyError::Event {
                number,
                deed: told.deed.to_string(),
                why,
            })?;
    }
    Ok((play, rolls))
}

fn check_end(record: &Record, play: &Play) -> Result<(), VerifyError> {
    let holds = |fits: bool, what| {
        if fits {
            Ok(())
        } else {
            Err(VerifyError::End(what))
        }
    };
    holds(record.result == play.outcome().as_ref().map(told), "result")?;
    holds(
        (record.status == Status::Played) == record.result.is_some(),
        "status",
    )?;
    holds(
        (record.status == Status::Unfinished) == record.closed.is_none(),
        "closing time",
    )?;
    holds(record.setup == serde_json::json!(play.setup()), "setup")?;
    let state = serde_json::json!(play.state());
    match (&record.state, &record.drawn) {
        (Some(told), _) => holds(*told == state, "state"),
        (None, Some(drawn)) => holds(*drawn == record_state::drawn(&state), "state"),
        (None, None) => Err(VerifyError::NoState),
    }
}
