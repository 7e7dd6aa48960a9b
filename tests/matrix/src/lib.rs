//! A homeserver of our own, to test the bot against: a real Synapse, and people with real clients.
//!
//! [`Synapse`] is the server, [`Door`] the way to it, on which things go wrong as they are told, [`Bot`] the whole bot
//! process, [`Stage`] all of them together, [`Person`] somebody with a client of their own, and [`Event`] what they see.

#![cfg(feature = "matrix")]

mod admin;
mod client;
mod door;
mod event;
mod faults;
mod person;
mod picture;
mod room;
mod rooms;
mod seeing;
mod speaking;
mod stage;
mod synapse;
mod venv;

pub use ashtapada_process_tests::{Bot, Log, vector};
pub use door::{Call, Door};
pub use event::Event;
pub use faults::Fault;
pub use person::Person;
pub use picture::Picture;
pub use room::Kind;
pub use stage::{Login, Setting, Stage};
pub use synapse::Synapse;
