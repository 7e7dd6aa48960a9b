//! Carrying commands out, and answering them.

use super::answer;
use super::caps::{Cap, Cost};
use super::speaker::Speaker;
use crate::chat::matrix::Matrix;
use crate::chat::matrix::directory::Present;
use crate::chat::matrix::words::hearing as words;
use crate::club::{Caller, Clock, ClubError, SystemClock};
use crate::command::message::{ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::run::{Errand, run};
use crate::command::text::Text;

/// Carries a command out and says to its caller what concerns nobody else.
pub(super) async fn carry_out(
    matrix: &Matrix,
    speaker: &Speaker<'_>,
    caller: &Caller,
    invocation: &Invocation,
) {
    let present = Present::of(matrix, speaker.room);
    let errand = Errand {
        club: &matrix.club,
        directory: &present,
        caller,
        now: SystemClock.now(),
    };
    let again = is_known(matrix, speaker).await;
    let mut messages = run(&errand, invocation).await;
    if again {
        // R89: the same event, heard again after a restart. Its sender does not know that, and was told the first time.
        messages.retain(|message| message.error != Some(ErrorKind::Done));
    }
    let cost = match messages.is_empty() {
        true => Cost::Done { sent: speaker.sent },
        false => Cost::Answered,
    };
    matrix.hearing.caps.count(speaker.user, cost);
    answer::say(matrix, speaker, &messages).await;
}

/// Whether the same event was acted on before.
async fn is_known(matrix: &Matrix, speaker: &Speaker<'_>) -> bool {
    let handled = matrix.club.store().handled(&speaker.cause()).await;
    handled
        .inspect_err(|error| tracing::error!("matrix: {error}"))
        .is_ok_and(|number| number.is_some())
}

/// Says that a line cannot be read, and why.
pub(super) async fn refuse(matrix: &Matrix, speaker: &Speaker<'_>, caller: &Caller, why: Text) {
    let message = Message::only(speaker.place(), caller.person, why);
    matrix.hearing.caps.count(speaker.user, Cost::Answered);
    answer::say(matrix, speaker, &[message.refused(ErrorKind::Unreadable)]).await;
}

/// Whether somebody is heard. Who says too much is told, once a minute (R94).
pub(super) async fn is_heard(matrix: &Matrix, speaker: &Speaker<'_>, caller: &Caller) -> bool {
    match matrix.hearing.caps.of(speaker.user, speaker.sent) {
        Cap::Free => true,
        Cap::Reached { tell } => {
            if tell {
                tracing::warn!("matrix: {} says too much and is not answered", speaker.user);
                let message = Message::only(speaker.place(), caller.person, words::too_much());
                answer::say(matrix, speaker, &[message.refused(ErrorKind::Limit)]).await;
            }
            false
        }
    }
}

/// The caller, who is told when that fails.
pub(super) async fn caller(matrix: &Matrix, speaker: &Speaker<'_>) -> Option<Caller> {
    match speaker.caller(matrix).await {
        Ok(caller) => Some(caller),
        Err(error) => {
            trouble(speaker, &error);
            None
        }
    }
}

/// Something failed that is not the caller's fault, and cannot be told without the store.
pub(super) fn trouble(speaker: &Speaker<'_>, error: &ClubError) {
    tracing::error!("matrix: event {} came to nothing: {error}", speaker.event);
}
