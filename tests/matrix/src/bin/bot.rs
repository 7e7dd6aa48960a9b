//! The bot's whole program, for the scenarios to run.

use std::process::ExitCode;

fn main() -> ExitCode {
    ashtapada::cli::main()
}
