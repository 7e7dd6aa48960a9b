//! Tables and their club over a store in memory, with a driven clock and counted randomness.

mod hall;

mod agreement;
mod dice;
mod finding;
mod records;
mod resigning;
mod seating;
mod stored;
mod together;
mod whole_games;
