//! The open data folder with all that stands on it: the store, the key, the club.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;

use super::arguments::ConsoleArguments;
use super::failure::{Failure, listed};
use crate::chat::console;
use crate::club::{
    self, Chance, Clock, Club, DiceFile, KEY_FILE, KeyFileError, Limits, OsChance, SystemClock,
};
use crate::config::Config;
use crate::ids::TableCode;
use crate::store::{self, OpenError, Store, StoreError};
use crate::table::SealingKey;

/// A day in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1000;

/// How long drawings and connections may take to end when everything is kept.
const LEAVING: Duration = Duration::from_secs(1);

/// What the program works with while it runs.
pub(super) struct House {
    pub(super) runtime: Runtime,
    pub(super) club: Arc<Club>,
    pub(super) folder: PathBuf,
    /// The data folder's key.
    #[cfg(feature = "matrix")]
    pub(super) key: SealingKey,
    store: Arc<dyn Store>,
}

impl House {
    /// Opens the data folder to play in it, and says on standard error what was found.
    pub(super) fn open(
        config: &Config,
        dice: Option<&Path>,
        accept_loss: bool,
    ) -> Result<House, Failure> {
        Self::opened(config, dice, accept_loss, Stay::Plays)
    }

    /// Opens the data folder to look at what is in it: no key is made.
    pub(super) fn visit(config: &Config) -> Result<House, Failure> {
        Self::opened(config, None, false, Stay::Looks)
    }

    fn opened(
        config: &Config,
        dice: Option<&Path>,
        accept_loss: bool,
        stay: Stay,
    ) -> Result<House, Failure> {
        let folder = config.data_folder().ok_or(Failure::NoDataFolder)?;
        // Before the folder: a mistake in the dice file changes nothing.
        let dice = dice.map(read_dice).transpose()?;
        let runtime = Runtime::new().map_err(Failure::Runtime)?;
        let options = store::Options {
            segment_lines: config.store.rotate_lines,
            accept_loss,
            ..store::Options::default()
        };
        let opened = store::open(&folder, options);
        let (sled, opening) = opened.map_err(|error| not_permitted(error, &folder))?;
        tell(&opening.to_string());
        if opening.is_remarkable() {
            tracing::warn!("{opening}");
        }
        let store: Arc<dyn Store> = Arc::new(sled);
        let missing = runtime.block_on(missing_key(&folder, &*store))?;
        let warning = || {
            let path = folder.join(KEY_FILE);
            format!(
                "warning: {} is missing, under which the dice of running games are sealed. {}",
                path.display(),
                stuck(&missing)
            )
        };
        warn((!missing.is_empty()).then(warning).as_deref());
        let chance = Arc::new(OsChance);
        let key = stay.key(&folder, &*chance)?;
        if missing.is_empty() {
            warn(
                runtime
                    .block_on(other_key(&folder, &*store, &key))?
                    .as_deref(),
            );
        } else if stay == Stay::Plays {
            club::note_lost(&folder, &missing)?;
        }
        if stay == Stay::Plays || folder.join(KEY_FILE).exists() {
            runtime.block_on(try_key(&folder, &*store, &key, stay))?;
        }
        let limits = Limits {
            tables_of_person: config.limits.tables_per_person,
            tables_in_place: config.limits.tables_per_place,
            expiry: config.limits.unjoined_days.saturating_mul(DAY),
            ..Limits::default()
        };
        let clock = Arc::new(SystemClock);
        let club = Club::new(store.clone(), clock, chance, key.clone(), dice, limits);
        Ok(House {
            runtime,
            club: Arc::new(club),
            folder,
            #[cfg(feature = "matrix")]
            key,
            store,
        })
    }

    /// How the console is to be.
    pub(super) fn console(&self, config: &Config, given: &ConsoleArguments) -> console::Settings {
        let configured = Some(config.console.pictures.clone());
        let pictures = given
            .pictures
            .clone()
            .or(configured.filter(|path| !path.as_os_str().is_empty()));
        console::Settings {
            room: config.console.room.clone(),
            name: config.console.name.clone(),
            pictures: pictures.unwrap_or_else(|| self.folder.join("pictures")),
            records: self.folder.join("records"),
            history: self.folder.join("console-history"),
            json: given.json,
            inline: config.console.inline,
            // The setting was checked to be one of the themes.
            theme: config.console.theme.parse().unwrap_or_default(),
        }
    }

    /// Finishes what was taken and lets go of the folder. What still runs then is not waited for.
    pub(super) fn close(self) -> Result<(), Failure> {
        let closed = self.runtime.block_on(self.store.close());
        self.runtime.shutdown_timeout(LEAVING);
        Ok(closed?)
    }
}

/// The system says only that something is not permitted: then the file that is not the user's is named, where it can be
/// found.
fn not_permitted(cause: OpenError, folder: &Path) -> Failure {
    #[cfg(unix)]
    if let OpenError::Folder { error, .. } = &cause
        && error.kind() == std::io::ErrorKind::PermissionDenied
        && let Some(strange) = super::owner::not_the_users(folder)
    {
        return Failure::NotYours {
            cause,
            path: strange.path,
            owner: strange.owner,
        };
    }
    #[cfg(not(unix))]
    let _ = folder;
    cause.into()
}

/// For what the folder is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stay {
    /// To play in it: a key that is missing is made.
    Plays,
    /// To look at what is in it: no key is made.
    Looks,
}

impl Stay {
    fn key(self, folder: &Path, chance: &dyn Chance) -> Result<SealingKey, KeyFileError> {
        match self {
            Self::Plays => club::load_or_make(folder, chance),
            Self::Looks => match club::load_key(folder) {
                Err(KeyFileError::Missing { .. }) => Ok(club::passing_key(chance)?),
                read => read,
            },
        }
    }
}

fn warn(warning: Option<&str>) {
    if let Some(warning) = warning {
        tell(warning);
        tracing::warn!("{warning}");
    }
}

fn tell(line: &str) {
    // With standard error closed there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "ashtapada: {line}");
}

/// Refuses a key that was exchanged for another while running games need the right one: what is sealed under that would
/// be lost when these games end. One that harms nobody is taken as the folder's own from now on.
async fn try_key(
    folder: &Path,
    store: &dyn Store,
    key: &SealingKey,
    stay: Stay,
) -> Result<(), Failure> {
    if club::is_known_key(store, key).await? == Some(true) {
        return Ok(());
    }
    let tables = club::tables_of_other_keys(store, key).await?;
    let tables = club::not_noted_lost(folder, tables)?;
    if !tables.is_empty() {
        let path = folder.join(KEY_FILE);
        return Err(Failure::WrongKey { path, tables });
    }
    match stay {
        Stay::Plays => Ok(club::note_key(store, key, SystemClock.now()).await?),
        Stay::Looks => Ok(()),
    }
}

/// The tables that cannot go on for want of their key, which is missing.
async fn missing_key(folder: &Path, store: &dyn Store) -> Result<Vec<TableCode>, StoreError> {
    if folder.join(KEY_FILE).exists() {
        return Ok(Vec::new());
    }
    club::tables_needing_key(store).await
}

/// The warning that games cannot go on since their key was lost before, where that is so.
async fn other_key(
    folder: &Path,
    store: &dyn Store,
    key: &SealingKey,
) -> Result<Option<String>, StoreError> {
    let codes = club::tables_of_lost_key(folder, store, key).await?;
    let path = folder.join(KEY_FILE);
    Ok((!codes.is_empty()).then(|| {
        format!(
            "warning: {} was made anew when it was missing, and the dice of running games are sealed under the one before. {}",
            path.display(),
            stuck(&codes)
        )
    }))
}

/// Which tables wait for their key, and what can be done.
fn stuck(codes: &[TableCode]) -> String {
    format!(
        "No dice can be thrown at these tables (they can be resigned, drawn and closed): {}. If a back-up has the file, \
         stop the program and put it in place before new games with dice are opened, also over a new one that was made \
         meanwhile.",
        listed(codes)
    )
}

fn read_dice(path: &Path) -> Result<DiceFile, Failure> {
    let text = std::fs::read_to_string(path).map_err(|cause| Failure::Unreadable {
        path: path.to_owned(),
        cause,
    })?;
    DiceFile::parse(&text).map_err(|cause| Failure::Dice {
        path: path.to_owned(),
        cause,
    })
}
