//! Ashtapada: the chaturanga family of games in a chat.

pub mod ids;
pub mod store;
