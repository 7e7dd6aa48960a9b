//! The command line: what the program can be asked to do.

mod archive;
mod arguments;
mod failure;
mod house;
mod logging;
#[cfg(unix)]
mod owner;
mod running;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use self::arguments::{Action, Arguments, CommonArguments, ConsoleArguments};
use self::failure::Failure;
use self::house::House;
use crate::chat::console;
use crate::config::Config;

/// Runs the program as its arguments say.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match carry_out(arguments.action()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // With standard error closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "ashtapada: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(action: Action) -> Result<(), Failure> {
    match action {
        Action::Console(given) => console_chat(&given),
        Action::Run(given) => running::run(&configured(&given.common)?, &given),
        Action::Verify { record } => verify::verify(&record),
        Action::Export { file, common } => archive::export(&configured(&common)?, &file),
        Action::Import { file, common } => archive::import(&configured(&common)?, &file),
        Action::Check(given) => archive::check(&configured(&given.common)?, &given),
        Action::Version => say(&format!("ashtapada {}", env!("CARGO_PKG_VERSION"))),
    }
}

/// The configuration, with what the command line says over it.
fn configured(given: &CommonArguments) -> Result<Config, Failure> {
    let (mut config, unknown) = Config::load(given.config.as_deref())?;
    if let Some(data) = &given.data {
        config.data_dir.clone_from(data);
    }
    let secrets = [
        &config.discord.token,
        &config.matrix.password,
        &config.matrix.access_token,
        &config.matrix.recovery_key,
    ];
    logging::begin(&config.log, &secrets);
    for variable in unknown {
        tracing::warn!("{variable}; it is passed over");
    }
    Ok(config)
}

fn console_chat(given: &ConsoleArguments) -> Result<(), Failure> {
    let config = configured(&given.common)?;
    let house = House::open(&config, given.dice.as_deref(), given.accept_loss)?;
    let settings = house.console(&config, given);
    let club = house.club.clone();
    let ended = house.runtime.block_on(console::run(settings, club));
    let closed = house.close();
    match ended {
        // Whoever read the output has gone: the end of a pipe, not a failure.
        Err(console::ConsoleError::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            closed
        }
        Err(error) => Err(error.into()),
        Ok(()) => closed,
    }
}

fn say(line: &str) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{line}").map_err(Failure::Output)
}
