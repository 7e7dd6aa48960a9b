//! What is said on Matrix only.

pub(super) mod hearing;
pub(super) mod house;
pub(super) mod posting;
pub(super) mod writing;
