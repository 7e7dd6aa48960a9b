//! The whole bot process meets a real homeserver.

mod common;
mod server;
