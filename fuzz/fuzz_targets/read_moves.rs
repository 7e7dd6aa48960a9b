//! Any text is read as legal moves or refused, in positions of every game.
#![no_main]

#[path = "../../tests/rules/anything.rs"]
mod anything;
#[path = "../../tests/rules/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| anything::read_anything(bytes));
