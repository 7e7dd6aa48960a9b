use std::io;
use std::path::PathBuf;

use crate::chat::console::ConsoleError;
use crate::club::{ClubError, DiceFileError, KeyFileError};
use crate::config::ConfigError;
use crate::ids::TableCode;
use crate::store::{OpenError, StoreError};
use crate::table::RecordError;

/// Why the program did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(
        "there is no home folder for the games; name a data folder with --data DIR, or data_dir in the configuration"
    )]
    NoDataFolder,
    #[error(transparent)]
    Open(#[from] OpenError),
    #[cfg(unix)]
    #[error("{cause}; {} is not open to the user who runs this; it belongs to user number {owner}", path.display())]
    NotYours {
        cause: OpenError,
        path: PathBuf,
        owner: u32,
    },
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error("{} is another key than the one under which the dice of running games are sealed ({}); put the right one back from a back-up. If there is none, remove this one: a new one is made then, and no dice can be thrown at these tables", path.display(), listed(tables))]
    WrongKey {
        path: PathBuf,
        tables: Vec<TableCode>,
    },
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("cannot write {}: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{}: {cause}", path.display())]
    Dice { path: PathBuf, cause: DiceFileError },
    #[error("{}: {cause}", path.display())]
    Record { path: PathBuf, cause: RecordError },
    #[error("{}: the record is not right: {what}", path.display())]
    Verify { path: PathBuf, what: String },
    #[error("{}: {what}", path.display())]
    Archive { path: PathBuf, what: String },
    #[error("something in {} is damaged; `ashtapada check --mend` mends it from what is whole, or says what to put back from a back-up", .0.display())]
    Damaged(PathBuf),
    #[error(
        "{0} has a token or password in the configuration, but this program was built without it; build it with `cargo build --release --features {0}`, or take the credentials out"
    )]
    NotBuilt(&'static str),
    #[error(
        "there is nothing to run: no platform has credentials in the configuration (config.example.toml explains it); to play in this terminal, use `ashtapada console`"
    )]
    NothingToRun,
    #[error("the program could not start: {0}")]
    Runtime(io::Error),
    #[error("standard output: {0}")]
    Output(io::Error),
    #[error(transparent)]
    Console(#[from] ConsoleError),
    #[cfg(feature = "discord")]
    #[error(transparent)]
    Discord(#[from] crate::chat::discord::DiscordError),
    #[cfg(feature = "matrix")]
    #[error("matrix: {0}")]
    Matrix(#[from] crate::chat::matrix::MatrixError),
    #[cfg(any(feature = "discord", feature = "matrix"))]
    #[error("an adapter broke off: {0}")]
    BrokeOff(&'static str),
    #[error(transparent)]
    Club(#[from] ClubError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Codes in a row.
pub(super) fn listed(codes: &[TableCode]) -> String {
    let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
    codes.join(", ")
}
