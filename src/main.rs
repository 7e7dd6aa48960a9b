//! The program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ashtapada::cli::main()
}
