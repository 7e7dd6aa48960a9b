//! Reactions: shortcuts on a board, and the word that a late command still counts.

use matrix_sdk::ruma::EventId;

use super::event::Reaction;
use super::late;
use super::speaker::Speaker;
use super::{Heard, carrying, is_known_bot, shown};
use crate::chat::matrix::Matrix;
use crate::club::ClubError;
use crate::command::reading;
use crate::store::StoreError;

/// What a sign means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// 🎲
    Roll,
    /// ⏭
    Pass,
    /// 🔄
    Show,
    /// 👍, ✅
    Yes,
}

impl Sign {
    fn read(sign: &str) -> Option<Sign> {
        match sign {
            "🎲" => Some(Sign::Roll),
            "⏭" => Some(Sign::Pass),
            "🔄" => Some(Sign::Show),
            "👍" | "✅" => Some(Sign::Yes),
            _ => None,
        }
    }
}

/// Hears a reaction. Whether it wanted something of the bot.
pub(super) async fn hear(matrix: &Matrix, heard: &Heard, reaction: &Reaction) -> bool {
    let Some(sign) = Sign::read(&reaction.sign) else {
        return false;
    };
    if is_known_bot(matrix, &heard.sender).await {
        return false;
    }
    let done = match sign {
        Sign::Yes => confirmed(matrix, heard, &reaction.to).await,
        Sign::Roll => on_board(matrix, heard, &reaction.to, "roll", Meant::This).await,
        Sign::Pass => on_board(matrix, heard, &reaction.to, "pass", Meant::This).await,
        Sign::Show => on_board(matrix, heard, &reaction.to, "board", Meant::Present).await,
    };
    if let Err(error) = done {
        tracing::error!("matrix: reaction {} came to nothing: {error}", heard.id);
    }
    true
}

/// Which board a shortcut is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// The one it stands on and no other.
    This,
    /// The present one.
    Present,
}

/// Does at the table of a board what a sign on it stands for. However late it comes: on an old board it does nothing (R13).
async fn on_board(
    matrix: &Matrix,
    heard: &Heard,
    to: &EventId,
    command: &str,
    meant: Meant,
) -> Result<(), ClubError> {
    let sent = heard.sent.get().into();
    let Some(shown) = shown::shown(matrix, &heard.room, to, &heard.sender, sent).await else {
        return Ok(());
    };
    let Some(board) = shown.board else {
        return Ok(());
    };
    let speaker = Speaker {
        room: &heard.room,
        user: &heard.sender,
        thread: shown.thread.as_deref(),
        event: &heard.id,
        sent,
        answered: to,
    };
    let line = format!("/{command} table:{}", board.table);
    let Ok(Some(invocation)) = reading::read(&line, "/") else {
        return Ok(());
    };
    let mut caller = speaker.caller(matrix).await?;
    if meant == Meant::This {
        let then = matrix.club.load_at(board.table, board.version).await?;
        caller.expects = Some(then.position_version());
    }
    if carrying::is_heard(matrix, &speaker, &caller).await {
        carrying::carry_out(matrix, &speaker, &caller, &invocation).await;
    }
    Ok(())
}

/// Carries out a late command that its sender confirms, once (R89).
async fn confirmed(matrix: &Matrix, heard: &Heard, asked: &EventId) -> Result<(), ClubError> {
    let room = heard.room.room_id();
    let late = late::confirmed(matrix, room, asked, &heard.sender).await;
    let Some(late) = late.map_err(ClubError::from)? else {
        return Ok(());
    };
    let speaker = Speaker {
        room: &heard.room,
        user: &heard.sender,
        thread: late.thread.as_deref(),
        event: &late.event,
        sent: heard.sent.get().into(),
        answered: &late.event,
    };
    // A line that an earlier version of the program could read.
    if let Ok(Some(mut invocation)) = reading::read(&late.line, "/") {
        if let Some(code) = late.table {
            invocation = invocation.at_table(code);
        }
        let caller = speaker.caller(matrix).await?;
        carrying::carry_out(matrix, &speaker, &caller, &invocation).await;
    }
    let forgotten: Result<(), StoreError> = late::done(matrix, room, &late).await;
    Ok(forgotten?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_are_those_of_the_hint() {
        let signs = ["🎲", "⏭", "🔄", "👍", "✅", "🐘"].map(Sign::read);
        let yes = Some(Sign::Yes);
        let expected = [
            Some(Sign::Roll),
            Some(Sign::Pass),
            Some(Sign::Show),
            yes,
            yes,
            None,
        ];
        assert_eq!(signs, expected);
    }
}
