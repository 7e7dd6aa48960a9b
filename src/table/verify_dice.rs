//! Checking the dice of a record.

use std::num::NonZeroU32;

use super::dice::{Contribution, FairDice};
use super::record::{Record, Status};
use super::record_dice::RecordDice;
use super::secret::{Commitment, Secret};
use super::verify::{DiceVerdict, VerifyError};
use crate::ids::PersonId;
use crate::rules::{Info, Roll};

/// Checks that the record says of the dice what a game with these options can have.
pub(super) fn check_terms(
    record: &Record,
    info: &'static Info,
    drawn: bool,
) -> Result<(), VerifyError> {
    if record.dice.is_some() != info.dice.is_some() {
        return Err(VerifyError::Section);
    }
    let (order, contributions) = match &record.dice {
        None => return Ok(()),
        Some(RecordDice::File { order }) => (order, None),
        Some(RecordDice::Fair {
            order,
            contributions,
            ..
        }) => (order, Some(contributions)),
    };
    if order.is_some() != drawn {
        return Err(VerifyError::Drawn);
    }
    let mut players: Vec<PersonId> = Vec::new();
    for player in &record.players {
        if !players.contains(&player.person) {
            players.push(player.person);
        }
    }
    let theirs = contributions.is_none_or(|given| {
        let given = given.iter().map(|one| &one.person);
        given.eq(&players)
    });
    match theirs {
        true => Ok(()),
        false => Err(VerifyError::Contributions),
    }
}

/// Checks that every roll, and the drawn set-up, follow from the secret.
pub(super) fn check_dice(
    record: &Record,
    drawn: bool,
    rolls: &[&Roll],
) -> Result<DiceVerdict, VerifyError> {
    let (commitment, contributions, secret, order) = match &record.dice {
        None => return Ok(DiceVerdict::NoDice),
        Some(RecordDice::File { .. }) => return Ok(DiceVerdict::FromFile),
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
        let told = order.ok_or(VerifyError::Drawn)?;
        if told != u32::from(found) {
            return Err(VerifyError::Order { told, found });
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
