//! Answers for the caller alone.

use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::{EventId, OwnedEventId};

use super::speaker::Speaker;
use crate::chat::matrix::Matrix;
use crate::chat::matrix::pause::Pauses;
use crate::chat::matrix::sending::{self, Fault, Relation};
use crate::chat::matrix::writing::{self, Part};
use crate::command::message::Message;

/// From when on it is shown that an answer is being made.
const TYPING_AFTER: Duration = Duration::from_millis(300);
/// How long the SDK's typing notices last, less what a request may take.
const TYPING_AGAIN: Duration = Duration::from_secs(3);
/// How often an answer is tried.
const TRIES: u32 = 5;
/// The longest wait that an answer is worth.
const LONGEST: Duration = Duration::from_secs(30);

/// What became of an answer.
enum Said {
    There(OwnedEventId),
    /// The server does not take it in this form.
    Refused,
    /// It is given up.
    Unsaid,
}

/// Says messages to the caller, in order: as a reply where they were refused.
pub(super) async fn say(matrix: &Matrix, speaker: &Speaker<'_>, messages: &[Message]) {
    let mut number = 0;
    for message in messages {
        let saying = say_message(matrix, speaker, message, &mut number);
        match message.picture {
            Some(_) => typing_while(speaker.room, saying).await,
            None => saying.await,
        }
    }
}

async fn say_message(matrix: &Matrix, speaker: &Speaker<'_>, message: &Message, number: &mut u32) {
    let answers = message.error.is_some().then_some(speaker.answered);
    for part in writing::lay(matrix, message).await {
        let txn = format!("answer-{}-{number}", speaker.event);
        *number += 1;
        if let Said::Refused = say_part(matrix, speaker, &part, &txn, answers).await {
            let plain = writing::plainly(matrix, message).await;
            let txn = format!("{txn}-plain");
            say_part(matrix, speaker, &plain, &txn, answers).await;
            break;
        }
    }
}

/// Asks the caller something, as a reply to what they did. Gives the event by which they are asked.
pub(super) async fn ask(
    matrix: &Matrix,
    speaker: &Speaker<'_>,
    message: &Message,
) -> Option<OwnedEventId> {
    let mut asked = None;
    for (number, part) in writing::lay(matrix, message).await.iter().enumerate() {
        let txn = format!("ask-{}-{number}", speaker.event);
        let said = say_part(matrix, speaker, part, &txn, Some(speaker.answered)).await;
        if let Said::There(event) = said {
            asked.get_or_insert(event);
        }
    }
    asked
}

/// While a picture takes its time, the room sees that something comes.
async fn typing_while(room: &Room, saying: impl Future<Output = ()>) {
    let show = async {
        tokio::time::sleep(TYPING_AFTER).await;
        loop {
            typing(room, true).await;
            tokio::time::sleep(TYPING_AGAIN).await;
        }
    };
    tokio::select! {
        () = saying => {}
        () = show => {}
    }
    // Where nothing was shown the SDK sends nothing.
    typing(room, false).await;
}

async fn typing(room: &Room, is: bool) {
    if let Err(error) = room.typing_notice(is).await {
        tracing::debug!("matrix: no typing notice in {}: {error}", room.room_id());
    }
}

/// One event. Its transaction id is the command's, so the same answer twice makes one event.
async fn say_part(
    matrix: &Matrix,
    speaker: &Speaker<'_>,
    part: &Part,
    txn: &str,
    answers: Option<&EventId>,
) -> Said {
    let room = speaker.room;
    let relation = Relation {
        thread: speaker.thread,
        reply_to: answers,
        newest: None,
    };
    let mut pauses = Pauses::up_to(LONGEST);
    let mut unsaid = Said::Unsaid;
    for _ in 0..TRIES {
        let fault = match sending::send(matrix, room, relation, part, txn).await {
            Ok(event) => return Said::There(event),
            Err(fault) => fault,
        };
        let asked = match fault {
            Fault::Again(asked) => asked,
            Fault::NotUploaded => {
                unsaid = Said::Refused;
                None
            }
            Fault::Refused(why) => {
                tracing::error!("matrix: an answer in {} was refused: {why}", room.room_id());
                return Said::Refused;
            }
            Fault::Blocked | Fault::Gone | Fault::Ended(_) => {
                tracing::warn!("matrix: no answer in {}: {fault:?}", room.room_id());
                return Said::Unsaid;
            }
        };
        let pause = pauses.next(asked);
        if asked.is_some() {
            matrix.health.limited(pause);
        }
        if pause > LONGEST || matrix.lanes.is_closed() {
            break;
        }
        tokio::time::sleep(pause).await;
    }
    tracing::warn!("matrix: an answer in {} was given up", room.room_id());
    unsaid
}
