//! Ashtapada: the chaturanga family of games in a chat.

pub mod config;
pub mod ids;
pub mod nearest;
pub mod store;
