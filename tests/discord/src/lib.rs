//! A Discord of our own, to test the bot against: it answers as Discord does, checks everything that arrives as Discord
//! would, and delays, fails and drops as it is told.
//!
//! [`Double`] is the service (REST and gateway), [`World`] what is in it, [`Bot`] the whole bot process, [`Stage`] all of
//! them together with a server, a channel and people who speak.
//!
//! Sources: Discord's documentation of the API (version 10), its OpenAPI file in `openapi/`, and what was measured.

#![cfg(feature = "double")]

mod body;
mod bounds;
mod channel;
mod connection;
mod door;
mod double;
mod faults;
mod gateway;
mod happening;
mod interaction;
mod message;
mod openapi;
mod people;
mod person;
mod refusal;
mod rest;
mod snowflake;
mod spoken;
mod stage;
mod world;

pub use ashtapada_process_tests::{Bot, Log, vector};
pub use channel::{Channel, ChannelKind, EVERYTHING};
pub use double::Double;
pub use faults::Fault;
pub use interaction::Interaction;
pub use message::{Button, Message, Select};
pub use people::User;
pub use person::Person;
pub use spoken::Heard;
pub use stage::{Setting, Stage};
pub use twilight_model::guild::Permissions;
pub use world::{Call, Guild, World};
