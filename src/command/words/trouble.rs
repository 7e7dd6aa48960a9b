//! Why the club did nothing, said to the one who asked.

use super::placing::{not_running, other_channels};
use super::refusal::{Asked, refusal};
use super::stale::old_board;
use super::status;
use crate::club::{Candidate, ClubError};
use crate::command::message::ErrorKind;
use crate::command::text::Text;
use crate::ids::TableCode;
use crate::store::{Listing, StoreError};

/// The kind of an error, and its sentence.
pub(crate) fn trouble(error: &ClubError, asked: &Asked<'_>) -> (ErrorKind, Text) {
    match error {
        ClubError::Refused(why) => refusal(asked, why),
        ClubError::NoSuchTable(code) => {
            let text = Text::from("There is no table ")
                .code(code.to_string())
                .plain(". ");
            (
                ErrorKind::WhichTable,
                text.code("/games").plain(" lists yours."),
            )
        }
        ClubError::NoTable => {
            let text = Text::from("There is no table here that could be meant. Open one with ")
                .code("/new")
                .plain(", or name one with table:CODE; ")
                .code("/games")
                .plain(" lists yours.");
            (ErrorKind::WhichTable, text)
        }
        ClubError::NoSeat => {
            let text = Text::from("You have no seat at any table here. ").code("/games");
            (ErrorKind::WhichTable, text.plain(" lists yours."))
        }
        ClubError::WhichTable(candidates) => (ErrorKind::WhichTable, which(candidates, asked)),
        ClubError::Elsewhere(code) => {
            let text = Text::from("Table ")
                .code(code.to_string())
                .plain(" is played in another place, and you have no seat at it.");
            (ErrorKind::WhichTable, text)
        }
        ClubError::OldBoard { then, now, .. } => {
            (ErrorKind::OldBoard, old_board(asked.table, *then, *now))
        }
        ClubError::NotRunning => (ErrorKind::Refused, not_running()),
        ClubError::OtherChannels(places) => (ErrorKind::Refused, other_channels(places)),
        ClubError::NotInPrivate => {
            let text =
                "Others play at this table, so it cannot be moved into a talk with me alone.";
            (ErrorKind::Refused, Text::from(text))
        }
        ClubError::TooManyTables { limit } => {
            let text = format!(
                "You have seats at {limit} unfinished tables, and that is the most. Finish or leave one first."
            );
            (ErrorKind::Limit, Text::from(text))
        }
        ClubError::PlaceFull { limit } => {
            let text =
                format!("There are {limit} unfinished tables in this place, and that is the most.");
            (ErrorKind::Limit, Text::from(text))
        }
        ClubError::UnknownPerson(_) => {
            (ErrorKind::Refused, Text::from("I do not know that person."))
        }
        ClubError::DiceFile(error) => (
            ErrorKind::Trouble,
            Text::from(format!("{}.", super::refusal::capital(&error.to_string()))),
        ),
        ClubError::NoDiceFile => (
            ErrorKind::Trouble,
            Text::from(
                "This table's rolls come from a dice file, and I was started without one: start me with --dice FILE.",
            ),
        ),
        ClubError::Busy => (
            ErrorKind::Trouble,
            Text::from("Others changed the table at the same moment. Please try again."),
        ),
        ClubError::Store(StoreError::Stopped(why)) => (
            ErrorKind::Trouble,
            Text::from(format!(
                "Nothing was done: the games' storage has stopped ({why}). Who runs me has to start me anew."
            )),
        ),
        ClubError::Store(_)
        | ClubError::Seal(_)
        | ClubError::Dice(_)
        | ClubError::Chance(_)
        | ClubError::NoFreeCode
        | ClubError::Unreadable { .. }
        | ClubError::UnreadableNote { .. }
        | ClubError::Fold { .. } => (
            ErrorKind::Trouble,
            Text::from(format!(
                "Nothing was done, and it is not your fault: {error}."
            )),
        ),
    }
}

fn which(candidates: &[Candidate], asked: &Asked<'_>) -> Text {
    let found: Vec<(TableCode, Listing)> = candidates
        .iter()
        .map(|candidate| (candidate.code, candidate.listing.clone()))
        .collect();
    Text::from("Several tables could be meant:\n")
        .then(status::tables(&found, asked.caller, asked.now))
        .plain("\nName one with table:CODE.")
}
