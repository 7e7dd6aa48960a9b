//! The whole bot process meets a real homeserver.

mod common;
mod games;
mod hearing;
mod keys;
mod load;
mod login;
mod losses;
mod once;
mod posting;
mod rooms;
mod server;
mod shortcuts;
mod stopping;
mod upgrades;
mod worlds;
