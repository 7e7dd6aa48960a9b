//! Checking a record: that the game can be played as it says, and that every roll follows from the published secret.

use std::num::NonZeroU32;

use super::deed::{Deed, DeedError};
use super::dice::{Contribution, DiceError, FairDice};
use super::hex32::Hex32;
use super::record::{Record, Status, told};
use super::record_dice::RecordDice;
use super::secret::{Commitment, Secret};
use super::start::{StartError, first_position};
use crate::ids::TableCode;
use crate::rules::{self, Options, Outcome, Play, Roll, Seat};

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
    #[error("the drawn order is {told:?} in the record, and the secret gives {found}")]
    Order {
        /// As recorded.
        told: Option<u32>,
        /// As it follows from the secret.
        found: u8,
    },
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
        dice: check_dice(record, options.undrawn(info).is_some(), &rolls)?,
        outcome: play.outcome(),
    })
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
    holds(record.setup == serde_json::json!(play.setup()), "setup")?;
    let state = record.state.as_ref();
    let same = state.is_none_or(|state| *state == serde_json::json!(play.state()));
    holds(same, "state")
}

fn check_dice(record: &Record, drawn: bool, rolls: &[&Roll]) -> Result<DiceVerdict, VerifyError> {
    let (commitment, contributions, secret, order) = match &record.dice {
        None if rolls.is_empty() => return Ok(DiceVerdict::NoDice),
        None | Some(RecordDice::File { .. }) => return Ok(DiceVerdict::FromFile),
        Some(RecordDice::Fair {
            commitment,
            contributions,
            secret,
            order,
        }) => (commitment, contributions, secret, order),
    };
    let secret: Secret = match (secret, record.status) {
        (Some(secret), _) => (*secret).into(),
        (None, Status::Unfinished) => return Ok(DiceVerdict::NotYet),
        (None, Status::Played | Status::Cancelled) => return Err(VerifyError::NoSecret),
    };
    let Commitment(committed) = *commitment;
    let Commitment(found) = secret.commitment();
    if committed != found {
        return Err(VerifyError::Commitment { committed, found });
    }
    let contributions: Vec<Contribution> = contributions.iter().map(|one| one.hex).collect();
    let dice = FairDice::new(&secret, record.code, &contributions);
    if drawn {
        let found = dice.order()?;
        if *order != Some(u32::from(found)) {
            return Err(VerifyError::Order {
                told: *order,
                found,
            });
        }
    }
    let mut count = 0;
    for (n, roll) in (1..).zip(rolls) {
        let found = dice.roll(NonZeroU32::MIN.saturating_add(n - 1), roll.faces().len())?;
        if found != **roll {
            return Err(VerifyError::Roll {
                n,
                told: Roll::clone(roll),
                found,
            });
        }
        count = n;
    }
    Ok(DiceVerdict::Fair { rolls: count })
}
