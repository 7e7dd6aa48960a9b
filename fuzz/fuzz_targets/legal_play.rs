//! Random legal play of every game keeps its invariants.
#![no_main]

#[path = "../../tests/rules/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    walk::walk(bytes);
});
