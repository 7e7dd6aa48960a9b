//! What is said on Matrix only.

pub(super) mod house;
pub(super) mod posting;
