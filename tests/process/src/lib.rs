//! What scenarios with the whole bot process have in common: the process with its log, waiting for what must happen, scenarios
//! that run alone, and whole games to play.

mod bot;
mod share;
pub mod vector;
mod waiting;

pub use bot::{Bot, Log};
pub use share::{Quiet, Share};
pub use waiting::{Bell, PATIENCE};
