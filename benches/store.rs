//! Placeholder until the measurements below exist.
fn main() {}
