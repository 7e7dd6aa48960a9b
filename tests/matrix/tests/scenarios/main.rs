//! The whole bot process meets a real homeserver.

mod common;
mod games;
mod hearing;
mod load;
mod login;
mod once;
mod posting;
mod rooms;
mod server;
mod worlds;
