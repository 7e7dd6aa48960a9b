//! All tables of an installation: finding the one that is meant, letting one command at a time change it, and keeping
//! what follows together with the messages that tell of it.

mod act;
mod again;
mod chance;
mod clock;
mod dice_file;
mod error;
mod here;
mod key_file;
mod lists;
mod open;
mod past;
mod people;
mod rights;
mod settings;
mod settle;
mod shelf;
mod sought;
mod tick;
mod which;

use std::sync::Arc;

use tokio::sync::watch;

pub use act::Action;
pub use chance::{Chance, NoChance, OsChance};
pub use clock::{Clock, SystemClock};
pub use dice_file::{DiceFile, DiceFileError};
pub use error::ClubError;
pub use key_file::{
    KEY_FILE, KeyFileError, is_known_key, load_key, load_or_make, not_noted_lost, note_key,
    note_lost, passing_key, tables_needing_key, tables_of_lost_key, tables_of_other_keys,
};
pub use open::Wanted;
pub use past::playable;
pub use people::FORGOTTEN;
pub use settings::{Arrangement, PlaceSettings};
pub use sought::Sought;
pub use which::Candidate;

use self::shelf::{Locks, Shelf};
use crate::ids::{At, Cause, PersonId, Place};
use crate::rules::Effect;
use crate::store::{Post, Store};
use crate::table::{Entry, SealingKey, Table};

/// The tables of an installation.
pub struct Club {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    key: SealingKey,
    dice_file: Option<DiceFile>,
    limits: Limits,
    shelf: Arc<Shelf>,
    locks: Locks,
    waiting: watch::Sender<u64>,
}

/// How much there may be of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Unfinished tables at which one person may have a seat.
    pub tables_of_person: usize,
    /// Unfinished tables in one place. Commands at the same instant may go past it by a few.
    pub tables_in_place: usize,
    /// After how many milliseconds a table that nobody joins is closed.
    pub expiry: u64,
    /// How many tables are kept in memory.
    pub shelf: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tables_of_person: 50,
            tables_in_place: 200,
            expiry: 7 * 24 * 60 * 60 * 1000,
            shelf: 1024,
        }
    }
}

/// Who asks, from where, and by what.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Who.
    pub person: PersonId,
    /// Where.
    pub place: Place,
    /// The place is a talk between the caller and the bot alone.
    pub direct: bool,
    /// The server that the place belongs to, where the platform has any: its settings are the place's.
    pub server: Option<String>,
    /// The caller runs the place: on Discord, may manage the server.
    pub runs_place: bool,
    /// The caller moderates the place: on Discord, may manage messages.
    pub moderates: bool,
    /// The [`Table::position_version`] that what was pressed was made for; what changes the position is refused when it
    /// is another one by now (R13).
    pub expects: Option<u64>,
    /// The interaction, event or message; acted on once, also across restarts, and also when it was refused or changed
    /// nothing. Only where the store fails is it not remembered.
    pub cause: Option<Cause>,
}

/// What a command did.
#[derive(Debug, Clone)]
pub struct Happened {
    /// The table before; none when it was opened by this.
    pub before: Option<Arc<Table>>,
    /// The table after.
    pub table: Arc<Table>,
    /// What happened, in order; nothing when all was as asked for already.
    pub changes: Vec<Change>,
    /// The roll that had been thrown before and still stands, when a roll was asked for.
    pub stands: Option<Vec<u8>>,
    /// Other places that are told of it, each with those who play there: of a rematch, where the game before was played.
    pub elsewhere: Vec<(Place, Vec<PersonId>)>,
    /// Who asked; nobody when time did.
    pub caller: Option<PersonId>,
    /// When.
    pub at: At,
}

/// One event and what it brought about on the board.
#[derive(Debug, Clone)]
pub struct Change {
    /// The event.
    pub entry: Entry,
    /// What it brought about.
    pub effects: Vec<Effect>,
}

/// What became of a command.
#[derive(Debug, Clone)]
pub enum Done {
    /// It was carried out.
    Now(Box<Happened>),
    /// The same cause had been carried out before (R02, R07); nothing was done again.
    Before {
        /// The journal number of that command.
        number: u64,
        /// The table that is meant as it stands now, if that can be told.
        table: Option<Arc<Table>>,
    },
    /// The same cause had been refused before and would not be now; nothing was done.
    RefusedBefore,
}

/// Words what happened as messages, which are kept together with it.
pub type Wording<'a> = &'a (dyn Fn(&Happened) -> Vec<Post> + Send + Sync);

impl Club {
    /// The club over a store. With a dice file, tables opened from now on take their rolls from it.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        key: SealingKey,
        dice_file: Option<DiceFile>,
        limits: Limits,
    ) -> Self {
        Self {
            store,
            clock,
            chance,
            key,
            dice_file,
            limits,
            shelf: Arc::new(Shelf::new(limits.shelf)),
            locks: Locks::default(),
            waiting: watch::Sender::new(0),
        }
    }

    /// Changes after every commit with messages in it: the outbox holds something to be posted. How often that was is
    /// what it says.
    pub fn waiting(&self) -> watch::Receiver<u64> {
        self.waiting.subscribe()
    }

    /// Where everything is kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How much there may be of what.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl Happened {
    /// Whether anything changed.
    pub fn changed(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Everything that was brought about on the board.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.changes.iter().flat_map(|change| &change.effects)
    }
}
