//! The command line: what the program can be asked to do.

mod arguments;
mod logging;

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::config::Config;
use arguments::{Action, Arguments};

/// Runs the program as its arguments say.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match run(arguments) {
        Ok(code) => code,
        Err(failure) => {
            // With standard error closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "ashtapada: {failure}");
            ExitCode::FAILURE
        }
    }
}
