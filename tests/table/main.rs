//! Tables and their club over a store in memory, with a driven clock and counted randomness.

mod hall;

mod agreement;
mod any_order;
mod dice;
mod dice_file;
mod finding;
mod keeping;
mod meant;
mod opening;
mod placing;
mod pressing;
mod records;
mod resigning;
mod seating;
mod settings;
mod stored;
mod tampering;
mod together;
mod whole_games;
