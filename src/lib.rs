//! Ashtapada: the chaturanga family of games in a chat.

pub mod command;
pub mod config;
pub mod ids;
pub mod nearest;
pub mod rules;
pub mod store;
