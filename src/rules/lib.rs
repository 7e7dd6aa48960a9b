//! The rules of the six games (`docs/rules.md`): pure, without clock, randomness or I/O. Dice are an input.
//!
//! A game is one file that reads like its section of the rules ([`game::Game`] says what it may say); what games share
//! lies beneath and knows none of them. [`Play`] is a game in progress, whatever the game.

mod bits;
mod board_text;
mod chaturaji;
mod chaturanga;
mod dice;
mod effect;
mod event;
mod field;
mod four_handed;
mod four_handed_cross;
mod game;
mod generate;
mod guard;
mod info;
mod kind;
mod load;
mod maha_chatukanga;
mod matched;
mod mate;
mod notation;
mod options;
mod partnership;
mod past;
mod perft;
mod play;
mod position;
mod quarters;
pub mod reading;
mod reserve;
mod seat;
mod setup;
mod shape;
mod square;
mod throne;
mod turn;
mod why;
mod why_not;

pub use board_text::BoardTextError;
pub use dice::{DiceRule, MOST_DICE, Roll, RollError};
pub use effect::{Effect, Points};
pub use event::{Event, Move, Outcome, Piece, Refused};
pub use info::{Army, Choices, Colour, Info, Kind, OptionInfo};
pub use kind::{KindId, Kinds, Step};
pub use load::SetupError;
pub use notation::{NotAMoveText, move_text, parse_move};
pub use options::{OptionError, Options};
pub use perft::Leaves;
pub use play::Play;
pub use position::{Phase, Reason};
pub use seat::{Seat, UnknownSeat};
pub use setup::{Over, Setup, State};
pub use shape::Shape;
pub use square::{NotASquare, Square};
pub use why::{Unmoved, WhyNot};

use matched::Maker;

/// The registry: every game there is. This is the one place where a key becomes a game.
static MAKERS: &[Maker] = &[
    Maker::of::<chaturanga::Chaturanga>(),
    Maker::of::<maha_chatukanga::MahaChatukanga>(),
    Maker::of::<partnership::Partnership>(),
    Maker::of::<four_handed::FourHanded>(),
    Maker::of::<chaturaji::Chaturaji>(),
    Maker::of::<four_handed_cross::FourHandedCross>(),
];

/// The cards of all games.
pub fn games() -> impl Iterator<Item = &'static Info> {
    MAKERS.iter().map(|maker| maker.info)
}

/// The card of the game with a key.
#[must_use]
pub fn game(key: &str) -> Option<&'static Info> {
    games().find(|info| info.key == key)
}
