//! The whole bot process meets a real homeserver.

mod common;
mod games;
mod hearing;
mod keys;
mod login;
mod losses;
mod once;
mod posting;
mod rooms;
mod server;
mod shortcuts;
mod stopping;
mod under_load;
mod upgrades;
mod worlds;
