//! The console chat: a room in the terminal in which several people can speak, or a script on standard input.

mod completing;
mod directory;
mod inline;
mod lines;
mod paths;
mod pictures;
mod room;
mod show;
mod speech;
mod terminal;

use std::path::PathBuf;
use std::sync::Arc;

use crate::club::{Club, ClubError};
use render::Theme;

/// How the console is to be.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The name of the room.
    pub room: String,
    /// Who speaks at first.
    pub name: String,
    /// The folder for board pictures.
    pub pictures: PathBuf,
    /// The folder for records that are handed out.
    pub records: PathBuf,
    /// Where the line editor keeps its history.
    pub history: PathBuf,
    /// One JSON object for each reply, and nothing else.
    pub json: bool,
    /// Whether pictures are shown in terminals that can.
    pub inline: bool,
    /// The colours of pictures.
    pub theme: Theme,
}

/// Why the console ended before its input did.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// The room or the first speaker has a name that cannot be one.
    #[error(
        "“{0}” is no name: a name has letters and digits, and “_”, “-” or “.” between them, at most 32 in all"
    )]
    Name(String),
    /// Reading or writing failed.
    #[error("the console: {0}")]
    Io(#[from] std::io::Error),
    /// The games cannot be read or kept any more.
    #[error(transparent)]
    Club(#[from] ClubError),
}

/// Lets people chat and play until the input ends.
///
/// # Errors
/// When reading, writing or keeping fails.
pub async fn run(settings: Settings, club: Arc<Club>) -> Result<(), ConsoleError> {
    room::Room::open(settings, club)?.run().await
}
