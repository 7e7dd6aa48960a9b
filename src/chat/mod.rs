//! The adapters: one for each place where people chat.

#[cfg(any(feature = "discord", feature = "matrix"))]
mod address;
#[cfg(any(feature = "discord", feature = "matrix"))]
mod bare;
pub mod boards;
pub mod console;
#[cfg(feature = "discord")]
pub mod discord;
#[cfg(any(feature = "discord", feature = "matrix"))]
mod drawing;
#[cfg(feature = "matrix")]
pub mod matrix;
#[cfg(any(feature = "discord", feature = "matrix"))]
mod outbox;
#[cfg(any(feature = "discord", feature = "matrix"))]
mod stopping;
