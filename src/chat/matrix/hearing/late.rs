//! Commands that came while the bot was away: they are asked about, not carried out (R89).

use serde::{Deserialize, Serialize};
use std::time::Duration;

use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedUserId, RoomId, UserId};

use super::answer;
use super::speaker::Speaker;
use crate::chat::matrix::words::hearing as words;
use crate::chat::matrix::{Matrix, notes};
use crate::club::{Caller, Clock, SystemClock};
use crate::command::catalogue::Verb;
use crate::command::message::Message;
use crate::command::reading::Invocation;
use crate::store::StoreError;

/// So many are asked about in a room, until none came for an hour.
const ASKED: usize = 5;
/// For how long an answer is waited for, in milliseconds.
const KEPT: u64 = 7 * 24 * 60 * 60 * 1000;
/// How many are kept of a room.
const MOST: usize = 50;

/// A command that waits for its sender to confirm it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Late {
    /// The event by which the sender is asked.
    asked: OwnedEventId,
    /// The command's own event.
    pub(super) event: OwnedEventId,
    pub(super) sender: OwnedUserId,
    /// What is carried out, as a line that begins with `/`.
    pub(super) line: String,
    /// The table that was meant by what the command answered, if it named none itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) table: Option<crate::ids::TableCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) thread: Option<OwnedEventId>,
    /// When it was asked, in milliseconds since 1970.
    at: u64,
}

/// What is needed to ask about a late command.
pub(super) struct Missed<'a> {
    /// As it was written.
    pub(super) written: &'a str,
    /// As it is carried out.
    pub(super) line: String,
    pub(super) invocation: &'a Invocation,
    /// Its age in milliseconds.
    pub(super) age: u64,
}

/// How late something is, in milliseconds; `None` while it is not late.
pub(super) fn lateness(sent: u64, now: u64, away: Duration) -> Option<u64> {
    let age = now.saturating_sub(sent);
    let away = u64::try_from(away.as_millis()).unwrap_or(u64::MAX);
    (away > 0 && age > away).then_some(age)
}

/// Whether a command changes nothing: late, it needs no answer any more.
pub(super) fn only_looks(invocation: &Invocation) -> bool {
    match invocation.command.verb {
        Verb::Board
        | Verb::Moves
        | Verb::Games
        | Verb::Next
        | Verb::Show
        | Verb::Record
        | Verb::Rules
        | Verb::Dice
        | Verb::Doctor
        | Verb::Help => true,
        Verb::Place => invocation.is_bare(),
        Verb::New
        | Verb::Join
        | Verb::Decline
        | Verb::Invite
        | Verb::Remove
        | Verb::Leave
        | Verb::Start
        | Verb::Cancel
        | Verb::Rematch
        | Verb::Roll
        | Verb::Move
        | Verb::Pass
        | Verb::Resign
        | Verb::Draw
        | Verb::Claim
        | Verb::Here => false,
    }
}

/// Asks the sender of a late command whether it still counts.
///
/// # Errors
/// When the store fails.
pub(super) async fn ask(
    matrix: &Matrix,
    speaker: &Speaker<'_>,
    caller: &Caller,
    missed: Missed<'_>,
) -> Result<(), StoreError> {
    let room = speaker.room.room_id();
    // What was carried out before the program was stopped is not asked about.
    let carried_out = matrix.club.store().handled(&speaker.cause()).await?;
    if only_looks(missed.invocation) || carried_out.is_some() {
        return Ok(());
    }
    let mut kept = read(matrix, room).await?;
    if kept.iter().any(|late| late.event == *speaker.event) {
        return Ok(());
    }
    let only = |text| Message::only(speaker.place(), caller.person, text);
    match matrix.hearing.caps.late(room) {
        number if number <= ASKED => {}
        number => {
            if number == ASKED + 1 {
                answer::say(matrix, speaker, &[only(words::more_late())]).await;
            }
            return Ok(());
        }
    }
    let question = only(words::late(missed.written, missed.age));
    let Some(asked) = answer::ask(matrix, speaker, &question).await else {
        return Ok(());
    };
    kept.push(Late {
        asked,
        event: speaker.event.to_owned(),
        sender: speaker.user.to_owned(),
        line: missed.line,
        table: missed.invocation.table(),
        thread: speaker.thread.map(EventId::to_owned),
        at: SystemClock.now().0,
    });
    write(matrix, room, kept).await
}

/// The late command that somebody confirms by reacting to an event; `None` when it is not theirs, or was confirmed before.
///
/// # Errors
/// When the store fails.
pub(super) async fn confirmed(
    matrix: &Matrix,
    room: &RoomId,
    asked: &EventId,
    by: &UserId,
) -> Result<Option<Late>, StoreError> {
    let kept = read(matrix, room).await?;
    Ok(kept
        .into_iter()
        .find(|late| late.asked == *asked && late.sender == by))
}

/// Forgets a late command that was carried out.
///
/// # Errors
/// When the store fails.
pub(super) async fn done(matrix: &Matrix, room: &RoomId, late: &Late) -> Result<(), StoreError> {
    let mut kept = read(matrix, room).await?;
    kept.retain(|other| other.event != late.event);
    write(matrix, room, kept).await
}

/// Those of a room that can still be confirmed.
async fn read(matrix: &Matrix, room: &RoomId) -> Result<Vec<Late>, StoreError> {
    let kept: Option<Vec<Late>> = notes::read(&matrix.club, &key(room)).await?;
    Ok(current(kept.unwrap_or_default(), SystemClock.now().0))
}

fn current(mut kept: Vec<Late>, now: u64) -> Vec<Late> {
    kept.retain(|late| now < late.at.saturating_add(KEPT));
    let surplus = kept.len().saturating_sub(MOST);
    kept.drain(..surplus);
    kept
}

async fn write(matrix: &Matrix, room: &RoomId, kept: Vec<Late>) -> Result<(), StoreError> {
    match kept.is_empty() {
        true => notes::remove(&matrix.club, &[&key(room)]).await,
        false => notes::write(&matrix.club, &key(room), &kept).await,
    }
}

fn key(room: &RoomId) -> String {
    format!("matrix/late/{room}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reading;

    fn late(event: &str, at: u64) -> Late {
        let id = |text: &str| EventId::parse(text).unwrap();
        Late {
            asked: id("$asked"),
            event: id(event),
            sender: "@ada:a.org".try_into().unwrap(),
            line: "/move b1c3".to_owned(),
            table: None,
            thread: None,
            at,
        }
    }

    #[test]
    fn the_stored_form_of_a_late_command() {
        let mut late = late("$1", 5);
        late.table = Some("K7Q2F".parse().unwrap());
        let stored = serde_json::to_string(&late).unwrap();
        assert_eq!(
            stored,
            r#"{"asked":"$asked","event":"$1","sender":"@ada:a.org","line":"/move b1c3","table":"K7Q2F","at":5}"#
        );
        assert_eq!(serde_json::from_str::<Late>(&stored).unwrap(), late);
    }

    #[test]
    fn r89_what_is_older_than_the_setting_is_late() {
        let half_an_hour = Duration::from_secs(1800);
        assert_eq!(lateness(0, 1_800_000, half_an_hour), None);
        assert_eq!(lateness(0, 1_800_001, half_an_hour), Some(1_800_001));
        assert_eq!(
            lateness(0, u64::MAX, Duration::ZERO),
            None,
            "any age is as good"
        );
        assert_eq!(
            lateness(9, 0, half_an_hour),
            None,
            "a clock that goes wrong"
        );
    }

    #[test]
    fn r89_what_only_looks_is_not_asked_about() {
        let looks = |line: &str| only_looks(&reading::read(line, "!").unwrap().unwrap());
        assert!(looks("/board") && looks("/help move") && looks("/place") && looks("/doctor"));
        assert!(!looks("/move b1c3") && !looks("/place threads:yes") && !looks("/roll"));
    }

    #[test]
    fn a_week_and_fifty_commands_are_kept() {
        let kept = (0..60)
            .map(|number| late(&format!("${number}"), number))
            .collect();
        let now = KEPT + 3;
        let kept = current(kept, now);
        assert_eq!(kept.len(), MOST);
        assert_eq!(kept[0].event, "$10");
        assert_eq!(current(kept, KEPT + 58).len(), 1);
    }
}
