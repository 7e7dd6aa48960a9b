//! Any text is read as a command or as talk, or refused with a reason (R86).
#![no_main]

use ashtapada::command::reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    if let Err(error) = reading::read(&line, "!") {
        assert!(!error.to_string().is_empty());
    }
});
