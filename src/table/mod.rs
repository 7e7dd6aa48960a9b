//! One game among people, from the invitation to the result.
//!
//! A [`Table`] is a fold over its [`Event`]s. What people ask for is decided by functions that look at the table and
//! give the events that follow, or a [`Refusal`]; nothing here reads a clock, draws a number, or stores anything.

mod agree;
mod deed;
mod dice;
mod due;
mod event;
mod fold;
mod game;
mod hex32;
mod listing;
mod open;
mod placing;
mod play;
mod progress;
mod record;
mod record_dice;
mod record_json;
mod record_state;
mod record_text;
mod refusal;
mod resign;
mod seating;
mod secret;
mod start;
mod state;
mod verify;
mod verify_dice;

pub use agree::{Offer, OfferId};
pub use deed::{Deed, DeedError, Yes};
pub use dice::{Contribution, DiceError, FairDice};
pub use due::Due;
pub use event::{DiceTerms, Entry, EntryError, Event, Joined, Matter, Opened};
pub use fold::FoldError;
pub use game::{Game, Step, Thrown};
pub use hex32::{Hex32, NotHex32};
pub use listing::Summary;
pub use open::{Opening, RematchPlan, SeatWish};
pub use play::RollAsked;
pub use record::{Player, Record, RecordError, Status, Told};
pub use record_dice::{Contributed, RecordDice};
pub use refusal::Refusal;
pub use resign::CONFIRM_WITHIN;
pub use seating::Joining;
pub use secret::{Commitment, NONCE_LEN, Revealed, SealError, Sealed, SealingKey, Secret};
pub use start::StartError;
pub use state::{Chair, Ending, Invitation, Phase, Sitter, Table};
pub use verify::{DiceVerdict, Verified, VerifyError, verify};
