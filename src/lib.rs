//! Ashtapada: the chaturanga family of games in a chat.

pub mod chat;
pub mod cli;
pub mod club;
pub mod command;
pub mod config;
pub mod ids;
pub mod lookalike;
pub mod nearest;
pub mod picture;
pub mod store;
pub mod table;

pub use ashtapada_rules as rules;
