//! What is said on Matrix only.

pub(super) mod house;
