//! Ashtapada: the chaturanga family of games in a chat.

pub mod club;
pub mod ids;
pub mod rules;
pub mod store;
pub mod table;
