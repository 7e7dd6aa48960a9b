//! What is said about rooms that take no messages any more.

use crate::command::text::Text;
use crate::ids::{PersonId, TableCode};

/// What a room that takes no messages any more has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat::matrix) enum Loss {
    /// The bot has no power to write there.
    Blocked,
    /// The bot is not in it.
    Gone,
}

/// Tells a player, in a direct message, that the room of a table takes no messages.
pub(in crate::chat::matrix) fn lost(code: TableCode, loss: Loss, person: PersonId) -> Text {
    let text = Text::new()
        .mention(person)
        .plain(": table ")
        .code(code.to_string());
    let text = match loss {
        Loss::Gone => text.plain(" has lost its room: I am not in it any more. The game is kept. "),
        Loss::Blocked => text.plain(
            " cannot go on in its room: I have no power to write there. The game is kept, what I have to say waits, and it goes on there once my power level is raised. ",
        ),
    };
    text.plain("To play elsewhere, say ")
        .code(format!("/here table:{code}"))
        .plain(" in another room, or here.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_told_with_the_way_out() {
        let code: TableCode = "K7Q2F".parse().unwrap();
        for (loss, says) in [
            (Loss::Gone, "not in it any more"),
            (Loss::Blocked, "no power"),
        ] {
            let text = lost(code, loss, PersonId(1)).to_plain(|_| "ada".to_owned());
            assert!(
                text.contains(says) && text.contains("/here table:K7Q2F"),
                "{text}"
            );
        }
    }
}
