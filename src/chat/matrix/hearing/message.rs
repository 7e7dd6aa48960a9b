//! Messages: commands, words to the bot, and bare moves.

use matrix_sdk::ruma::OwnedEventId;

use super::event::Message as Said;
use super::late::{self, Missed};
use super::speaker::Speaker;
use super::spoken::{Listener, Spoken};
use super::{Heard, answer, carrying, is_known_bot, shown, text};
use crate::chat::bare;
use crate::chat::matrix::Matrix;
use crate::chat::matrix::words::hearing as words;
use crate::chat::matrix::writing;
use crate::club::{Caller, Clock, SystemClock};
use crate::command::message::Message;
use crate::command::reading::{self, Invocation, ReadError};

/// What a message wants of the bot.
enum Wanted {
    Command {
        invocation: Invocation,
        /// The line as it is read again when it is late.
        line: String,
    },
    /// A line that cannot be read.
    Unreadable(ReadError),
    /// A word to the bot that is no command.
    Hint,
}

/// Hears a message. Whether it wanted something of the bot.
pub(super) async fn hear(matrix: &Matrix, heard: &Heard, said: &Said) -> bool {
    if said.msgtype != "m.text" || said.is_edit() {
        return false;
    }
    let text = text::of(said);
    if text.is_empty() {
        return false;
    }
    let thread = said.thread();
    let speaker = Speaker {
        room: &heard.room,
        user: &heard.sender,
        thread: thread.as_deref(),
        event: &heard.id,
        sent: heard.sent.get().into(),
        answered: &heard.id,
    };
    let prefix = writing::prefix_in(matrix, &speaker.place()).await;
    let wanted = match spoken(matrix, &speaker, said, &text, &prefix).await {
        Spoken::Line(line) => by_line(line, &prefix),
        Spoken::Addressed(words) => Some(by_address(&words, &prefix)),
        Spoken::Named => Some(Wanted::Hint),
        Spoken::Talk => {
            // Most talk ends here, before anybody is looked up.
            if speaker.thread.is_some() && !is_known_bot(matrix, &heard.sender).await {
                return bare_move(matrix, heard, &speaker, &text).await;
            }
            speaker.is_alone().await.then_some(Wanted::Hint)
        }
    };
    let Some(wanted) = wanted else {
        return false;
    };
    if is_known_bot(matrix, &heard.sender).await {
        return false;
    }
    answered(
        matrix,
        heard,
        &speaker,
        said.answers(),
        &text,
        &prefix,
        wanted,
    )
    .await;
    true
}

/// Does what is wanted, or asks whether it still counts.
async fn answered(
    matrix: &Matrix,
    heard: &Heard,
    speaker: &Speaker<'_>,
    answers: Option<OwnedEventId>,
    written: &str,
    prefix: &str,
    wanted: Wanted,
) {
    let late = lateness(matrix, heard);
    let Some(caller) = carrying::caller(matrix, speaker).await else {
        return;
    };
    match wanted {
        Wanted::Command { invocation, line } => {
            let invocation = at_the_board(matrix, speaker, answers, invocation).await;
            if let Some(age) = late {
                let missed = Missed {
                    written,
                    line,
                    invocation: &invocation,
                    age,
                };
                return ask(matrix, speaker, &caller, missed).await;
            }
            if carrying::is_heard(matrix, speaker, &caller).await {
                carrying::carry_out(matrix, speaker, &caller, &invocation).await;
            }
        }
        // Late, nobody waits for these any more.
        Wanted::Unreadable(_) | Wanted::Hint if late.is_some() => {}
        Wanted::Unreadable(why) => {
            if carrying::is_heard(matrix, speaker, &caller).await {
                carrying::refuse(matrix, speaker, &caller, why.text()).await;
            }
        }
        Wanted::Hint => {
            if matrix.hearing.caps.hints(speaker.room.room_id()) {
                let hint = Message::only(speaker.place(), caller.person, words::hint(prefix));
                answer::say(matrix, speaker, &[hint]).await;
            }
        }
    }
}

/// R97: a reply to a board means the table of that board, unless it names another.
async fn at_the_board(
    matrix: &Matrix,
    speaker: &Speaker<'_>,
    answers: Option<OwnedEventId>,
    invocation: Invocation,
) -> Invocation {
    let Some(event) = answers.filter(|_| invocation.table().is_none()) else {
        return invocation;
    };
    let shown = shown::shown(matrix, speaker.room, &event, speaker.user, speaker.sent).await;
    match shown.and_then(|shown| shown.board) {
        Some(board) => invocation.at_table(board.table),
        None => invocation,
    }
}

/// A line that begins as a command. What is no command of ours may be another bot's.
fn by_line(line: String, prefix: &str) -> Option<Wanted> {
    match reading::read(&line, prefix) {
        Ok(Some(invocation)) => {
            let line = match line.strip_prefix(prefix) {
                Some(rest) if !prefix.is_empty() => format!("/{rest}"),
                _ => line,
            };
            Some(Wanted::Command { invocation, line })
        }
        Ok(None) | Err(ReadError::NoSuchCommand { nearest: None, .. }) => None,
        Err(why) => Some(Wanted::Unreadable(why)),
    }
}

/// A line without the sign, said to the bot by name.
fn by_address(words: &str, prefix: &str) -> Wanted {
    let line = format!("/{words}");
    match reading::read(&line, prefix) {
        Ok(Some(invocation)) => Wanted::Command { invocation, line },
        Ok(None) | Err(ReadError::NoSuchCommand { .. }) => Wanted::Hint,
        Err(why) => Wanted::Unreadable(why),
    }
}

async fn spoken(
    matrix: &Matrix,
    speaker: &Speaker<'_>,
    said: &Said,
    text: &str,
    prefix: &str,
) -> Spoken {
    let me = speaker.room.get_member_no_sync(&matrix.me).await;
    let me = me.ok().flatten();
    let name = me.as_ref().and_then(|member| member.display_name());
    let listener = Listener {
        prefix,
        me: matrix.me.as_str(),
        name: name.unwrap_or_default(),
        mentioned: said.mentions(matrix.me.as_str()),
    };
    listener.hear(text)
}

/// R83, R112: a bare move in a table's own thread. Whether it was one.
async fn bare_move(matrix: &Matrix, heard: &Heard, speaker: &Speaker<'_>, text: &str) -> bool {
    if !bare::names_a_square(text) {
        return false;
    }
    let caller = speaker.known_caller(matrix).await;
    let caller = caller.inspect_err(|error| carrying::trouble(speaker, error));
    let Some(caller) = caller.ok().flatten() else {
        return false;
    };
    let code = bare::table_of(&matrix.club, &caller, &speaker.place(), text).await;
    let Some((code, invocation)) =
        code.and_then(|code| Some((code, bare::invocation(code, text)?)))
    else {
        return false;
    };
    if let Some(age) = lateness(matrix, heard) {
        let missed = Missed {
            written: text,
            line: format!("/move {text} table:{code}"),
            invocation: &invocation,
            age,
        };
        ask(matrix, speaker, &caller, missed).await;
        return true;
    }
    if carrying::is_heard(matrix, speaker, &caller).await {
        carrying::carry_out(matrix, speaker, &caller, &invocation).await;
    }
    true
}

async fn ask(matrix: &Matrix, speaker: &Speaker<'_>, caller: &Caller, missed: Missed<'_>) {
    if let Err(error) = late::ask(matrix, speaker, caller, missed).await {
        tracing::error!(
            "matrix: event {} cannot be asked about: {error}",
            speaker.event
        );
    }
}

/// R89: how late a message is heard, in milliseconds, if it is late.
fn lateness(matrix: &Matrix, heard: &Heard) -> Option<u64> {
    let now = SystemClock.now().0;
    late::lateness(heard.sent.get().into(), now, matrix.settings.away)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_of_ours_may_be_another_bots() {
        assert!(by_line("!xyzzyplugh".to_owned(), "!").is_none());
        assert!(by_line("!!!".to_owned(), "!").is_none());
        let near = by_line("!mvoe b1c3".to_owned(), "!");
        assert!(matches!(near, Some(Wanted::Unreadable(_))));
        let Some(Wanted::Command { line, .. }) = by_line("?move b1c3".to_owned(), "?") else {
            panic!("no command");
        };
        assert_eq!(line, "/move b1c3");
    }

    #[test]
    fn who_speaks_to_the_bot_without_a_command_gets_a_hint() {
        assert!(matches!(by_address("hello there", "!"), Wanted::Hint));
        assert!(matches!(by_address("how are you?", "!"), Wanted::Hint));
        let new = by_address("new chaturanga", "!");
        assert!(matches!(new, Wanted::Command { .. }));
    }
}
