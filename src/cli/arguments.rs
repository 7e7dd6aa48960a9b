use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Ashtapada: the chaturanga family of games in a chat. Without a command it opens the console chat.
#[derive(Debug, Parser)]
#[command(
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Action {
    /// Run the bot on the platforms whose credentials are configured.
    Run(RunArguments),
    /// Chat and play in this terminal, or run a script from standard input.
    Console(ConsoleArguments),
    /// Check every roll of a game's record.
    Verify {
        /// The record's file (JSON, as /record gives it).
        record: PathBuf,
    },
    /// Write everything that is stored into one file.
    Export {
        /// The file to write; it must not exist.
        file: PathBuf,
        #[command(flatten)]
        common: CommonArguments,
    },
    /// Fill an empty data folder from an exported file.
    Import {
        /// The file to read.
        file: PathBuf,
        #[command(flatten)]
        common: CommonArguments,
    },
    /// Check the configuration and everything that is stored.
    Check(CheckArguments),
    /// Print the version.
    Version,
}

/// Where configuration and games are.
#[derive(Debug, Args, Default)]
pub(super) struct CommonArguments {
    /// The configuration file; config.example.toml explains it.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The data folder, in place of the configured one.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
}

/// Of `check`.
#[derive(Debug, Args, Default)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    pub(super) common: CommonArguments,
    /// Mend what is damaged or missing from what is whole.
    #[arg(long)]
    pub(super) mend: bool,
    /// Go on without what is gone for good, when there is no back-up of it.
    #[arg(long, requires = "mend")]
    pub(super) accept_loss: bool,
}

/// Of `run`.
#[derive(Debug, Args, Default)]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub(super) common: CommonArguments,
    /// Rolls to use in place of the fair ones at tables opened from now on, for trying things out.
    #[arg(long, value_name = "FILE")]
    pub(super) dice: Option<PathBuf>,
    /// Log in to Matrix as a new device: for a data folder without the keys of the device before, or for another account.
    #[arg(long)]
    pub(super) new_device: bool,
    /// Go on without what is gone for good, when there is no back-up of it.
    #[arg(long)]
    pub(super) accept_loss: bool,
}

/// Of `console`, which may be left out.
#[derive(Debug, Args, Default)]
pub(super) struct ConsoleArguments {
    #[command(flatten)]
    pub(super) common: CommonArguments,
    /// The folder to which board pictures are written.
    #[arg(long, value_name = "DIR")]
    pub(super) pictures: Option<PathBuf>,
    /// Rolls to use in place of the fair ones: one a line as 3,5, and "order N" for a random array.
    #[arg(long, value_name = "FILE")]
    pub(super) dice: Option<PathBuf>,
    /// Print one JSON object for each reply.
    #[arg(long)]
    pub(super) json: bool,
    /// Go on without what is gone for good, when there is no back-up of it.
    #[arg(long)]
    pub(super) accept_loss: bool,
}

impl Arguments {
    /// What to do; the console when nothing was said.
    pub(super) fn action(self) -> Action {
        self.action.unwrap_or(Action::Console(self.console))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_fits_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn without_a_command_it_is_the_console_with_the_same_options() {
        for line in [
            &["ashtapada", "--json", "--data", "d"][..],
            &["ashtapada", "console", "--json", "--data", "d"],
        ] {
            let action = Arguments::try_parse_from(line).map(Arguments::action);
            let Ok(Action::Console(console)) = action else {
                panic!("{line:?} was read as {action:?}");
            };
            assert!(console.json && console.common.data == Some(PathBuf::from("d")));
        }
    }
}
