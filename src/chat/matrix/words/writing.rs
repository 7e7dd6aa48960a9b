//! What is said in messages where nothing better can be.

/// The caption of a picture of which nothing more is known.
pub(in crate::chat::matrix) const BOARD: &str = "A board.";

/// A room or thread that is linked to.
pub(in crate::chat::matrix) const ROOM: &str = "that room";
