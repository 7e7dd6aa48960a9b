//! What people may say and what they are told: the catalogue of commands, the reading of lines, and the wording of answers.

pub mod catalogue;
pub mod complete;
pub mod games;
pub mod hand;
pub mod message;
pub mod pages;
pub mod pieces;
pub mod position;
pub mod reading;
pub mod run;
pub mod seats;
pub mod text;
#[cfg(test)]
mod trial;
pub mod words;
