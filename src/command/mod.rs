//! What people may say and what they are told: the catalogue of commands, the reading of lines, and the wording of answers.

pub mod catalogue;
pub mod games;
pub mod reading;
pub mod text;
