//! Why the club did not do what it was asked. The wording for people is the command layer's.

use super::chance::NoChance;
use super::dice_file::DiceFileError;
use super::which::Candidate;
use crate::ids::{PersonId, Place, TableCode};
use crate::store::StoreError;
use crate::table::{DiceError, EntryError, FoldError, Refusal, SealError};

/// Why nothing was done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClubError {
    /// The table refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no table with this code.
    #[error("there is no table {0}")]
    NoSuchTable(TableCode),
    /// No table here can be meant.
    #[error("no table is meant")]
    NoTable,
    /// Several tables are here, and the caller has a seat at none of them.
    #[error("the caller has no seat at any of the tables here")]
    NoSeat,
    /// Several tables can be meant.
    #[error("{} tables can be meant", .0.len())]
    WhichTable(Vec<Candidate>),
    /// The table is played elsewhere, and the caller has nothing to do with it.
    #[error("table {0} is played elsewhere")]
    Elsewhere(TableCode),
    /// What was pressed belongs to a board that is not the present one (R13).
    #[error("this board is from move {then}; the game is at move {now} now")]
    OldBoard {
        /// The table.
        code: TableCode,
        /// How many moves had been played on that board.
        then: usize,
        /// How many have been played now.
        now: usize,
    },
    /// Only who runs the place may do that.
    #[error("the caller does not run the place")]
    NotRunning,
    /// New tables are opened in these places only.
    #[error("new tables are opened elsewhere")]
    OtherChannels(Vec<Place>),
    /// A table with other people cannot be moved into a talk with the bot alone.
    #[error("others play at the table")]
    NotInPrivate,
    /// The person has a seat at so many unfinished tables already.
    #[error("{limit} unfinished tables are the most for one person")]
    TooManyTables {
        /// The limit.
        limit: usize,
    },
    /// The place has so many unfinished tables already.
    #[error("{limit} unfinished tables are the most in one place")]
    PlaceFull {
        /// The limit.
        limit: usize,
    },
    /// Nobody has this number.
    #[error("there is no person {0}")]
    UnknownPerson(PersonId),
    /// The dice file does not give the roll.
    #[error(transparent)]
    DiceFile(#[from] DiceFileError),
    /// The table's rolls come from a file, and the program was started without one.
    #[error("the table's rolls come from a dice file, and the program was started without one")]
    NoDiceFile,
    /// The table's secret cannot be opened.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The dice could not be made.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// There is no randomness.
    #[error(transparent)]
    Chance(#[from] NoChance),
    /// No free code was found.
    #[error("no free table code was found")]
    NoFreeCode,
    /// A stored table cannot be read.
    #[error("table {code}: entry {number}: {why}")]
    Unreadable {
        /// Which.
        code: TableCode,
        /// Which of its entries, from 0.
        number: usize,
        /// Why.
        why: EntryError,
    },
    /// A stored note cannot be read.
    #[error("{key}: {why}")]
    UnreadableNote {
        /// Which.
        key: String,
        /// Why.
        why: EntryError,
    },
    /// Stored entries, or events decided on, are no history of a table.
    #[error("table {code}: {why}")]
    Fold {
        /// Which.
        code: TableCode,
        /// Why.
        why: FoldError,
    },
    /// Others changed the table again and again at the same time.
    #[error("the table was changed by others at the same time")]
    Busy,
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}
