//! The adapters: one for each place where people chat.

pub mod boards;
pub mod console;
#[cfg(feature = "discord")]
pub mod discord;
#[cfg(feature = "matrix")]
pub mod matrix;
