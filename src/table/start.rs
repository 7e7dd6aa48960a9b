//! The position a game starts from.

use crate::rules::{Info, OptionError, Options, Play, Setup, SetupError};

/// Why a game cannot begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The options do not fit the game.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The position cannot be loaded.
    #[error(transparent)]
    Position(#[from] SetupError),
}

/// The position a game starts from, with the drawn order put into the options that ask for one.
pub(super) fn first_position(
    info: &'static Info,
    options: &Options,
    order: Option<u32>,
    position: Option<&Setup>,
) -> Result<Play, StartError> {
    let drawn = options.undrawn(info).map(|(key, _)| key).zip(order);
    let drawn = drawn.map(|(key, order)| (key, order.to_string()));
    let chosen = options.chosen().map(|(key, value)| (key, value.to_owned()));
    let options = Options::checked(info, chosen.chain(drawn))?;
    Ok(match position {
        Some(setup) => Play::from_setup(info, &options, setup)?,
        None => Play::new(info, &options)?,
    })
}
