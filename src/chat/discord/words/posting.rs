//! What is said about posting: permissions that are missing, and places that were lost.

use crate::chat::discord::sending::Lack;
use crate::command::run::Lacking;
use crate::command::text::Text;
use crate::ids::TableCode;

const IN_THE_CHANNEL: &str = "allow it for the bot in the channel's settings, under Permissions";

/// To see a channel.
pub(in crate::chat::discord) const VIEW: Lacking = Lacking {
    name: "View Channel",
    needed: true,
    otherwise: "I do not see this channel and can post nothing in it",
    how: IN_THE_CHANNEL,
};

/// To post in a channel.
pub(in crate::chat::discord) const POST: Lacking = Lacking {
    name: "Send Messages",
    needed: true,
    otherwise: "I can post nothing here",
    how: IN_THE_CHANNEL,
};

/// To post in the thread in which the table would be.
pub(in crate::chat::discord) const POST_IN_THREAD: Lacking = Lacking {
    name: "Send Messages in Threads",
    needed: true,
    otherwise: "I can post nothing in this thread",
    how: "allow it for the bot in the settings of the channel around the thread, under Permissions",
};

/// To post boards as pictures.
pub(in crate::chat::discord) const ATTACH: Lacking = Lacking {
    name: "Attach Files",
    needed: false,
    otherwise: "boards come as text in place of pictures",
    how: IN_THE_CHANNEL,
};

/// To look whether a message has arrived.
pub(in crate::chat::discord) const HISTORY: Lacking = Lacking {
    name: "Read Message History",
    needed: false,
    otherwise: "after a broken connection I cannot look whether a message has arrived, so one may come twice",
    how: IN_THE_CHANNEL,
};

/// To open a thread for a table.
pub(in crate::chat::discord) const THREADS: Lacking = Lacking {
    name: "Create Public Threads",
    needed: false,
    otherwise: "tables get no threads of their own and stay in the channel",
    how: IN_THE_CHANNEL,
};

/// To post in the threads opened for tables.
pub(in crate::chat::discord) const INTO_THREADS: Lacking = Lacking {
    name: "Send Messages in Threads",
    needed: false,
    otherwise: "tables get no threads of their own and stay in the channel",
    how: IN_THE_CHANNEL,
};

/// What a place that takes no messages any more has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chat::discord) enum Loss {
    /// The bot may not post there until somebody changes that.
    Blocked {
        /// What it lacks.
        lack: Lack,
        /// The place is a thread.
        thread: bool,
    },
    /// The place is no more.
    Gone,
}

/// Tells a player, by direct message, that the place of a table takes no messages (R22, R25).
pub(in crate::chat::discord) fn lost(code: TableCode, loss: Loss) -> Text {
    let text = Text::from("Table ").code(code.to_string());
    let text = match loss {
        Loss::Gone => text.plain(
            " has lost its place: its channel or thread was deleted, or I was removed from the server. The game is kept. ",
        ),
        Loss::Blocked { lack, thread } => {
            let missing = match (lack, thread) {
                (Lack::Access, _) => Some(VIEW.name),
                (Lack::Permissions, false) => Some(POST.name),
                (Lack::Permissions, true) => Some(POST_IN_THREAD.name),
                (Lack::Locked | Lack::Forbidden, _) => None,
            };
            let text = text.plain(" cannot go on in its place: ");
            let text = match (missing, lack) {
                (Some(name), _) => text
                    .plain("there I lack the permission ")
                    .strong(name)
                    .plain(". "),
                (None, Lack::Locked) => text.plain("its thread was locked. "),
                (None, _) => text.plain("Discord does not let me post there. "),
            };
            text.plain("The game is kept, and what I have to say there waits. ")
        }
    };
    let again = match loss {
        Loss::Gone => "",
        Loss::Blocked { .. } => "Once that is changed, it goes on there. ",
    };
    text.plain(again)
        .plain("To play elsewhere, say ")
        .code(format!("/here table:{code}"))
        .plain(" in another channel, or here.")
}

/// What the buttons below a message are called.
pub(in crate::chat::discord) mod label {
    pub(in crate::chat::discord) const JOIN: &str = "Join";
    pub(in crate::chat::discord) const LEAVE: &str = "Leave";
    pub(in crate::chat::discord) const START: &str = "Start";
    pub(in crate::chat::discord) const ROLL: &str = "Roll";
    pub(in crate::chat::discord) const MOVE: &str = "Move…";
    pub(in crate::chat::discord) const PASS: &str = "Pass";
    pub(in crate::chat::discord) const BOARD: &str = "Board from my side";
    pub(in crate::chat::discord) const MOVES: &str = "Legal moves";
    pub(in crate::chat::discord) const OFFER: &str = "Offer";
    pub(in crate::chat::discord) const RESIGN: &str = "Resign";
    /// To answer the one offer there is, to agree and not to.
    pub(in crate::chat::discord) const ANSWERS: [&str; 2] = ["Agree", "Decline"];

    /// To take a seat: `Join as Red`.
    pub(in crate::chat::discord) fn join_as(army: &str) -> String {
        format!("{JOIN} as {army}")
    }
}

/// What a thread of a table is called: `Chaturanga K7Q2F: ada, bob`.
pub(in crate::chat::discord) fn thread_name(
    game: &str,
    code: TableCode,
    players: &[String],
) -> String {
    let name = if players.is_empty() {
        format!("{game} {code}")
    } else {
        format!("{game} {code}: {}", players.join(", "))
    };
    name.chars()
        .filter(|c| !c.is_control())
        .take(LONGEST_THREAD_NAME)
        .collect()
}

/// The most characters of a thread's name.
const LONGEST_THREAD_NAME: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> TableCode {
        "K7Q2F".parse().unwrap()
    }

    #[test]
    fn a_thread_is_called_by_its_game_its_table_and_its_players() {
        let players = ["ada".to_owned(), "b\nob".to_owned()];
        let name = thread_name("Chaturanga", code(), &players);
        assert_eq!(name, "Chaturanga K7Q2F: ada, bob");
        assert_eq!(thread_name("Chaturanga", code(), &[]), "Chaturanga K7Q2F");
        let long = vec!["é".repeat(32); 4];
        assert_eq!(
            thread_name("Chaturanga", code(), &long).chars().count(),
            100
        );
    }

    #[test]
    fn r22_r25_a_loss_is_told_with_what_is_missing_and_the_way_out() {
        let told = |loss| lost(code(), loss).to_plain(|_| String::new());
        let blocked = |lack, thread| told(Loss::Blocked { lack, thread });
        for (text, says) in [
            (blocked(Lack::Access, true), "the permission View Channel."),
            (
                blocked(Lack::Permissions, false),
                "the permission Send Messages.",
            ),
            (
                blocked(Lack::Permissions, true),
                "the permission Send Messages in Threads.",
            ),
            (blocked(Lack::Locked, true), "its thread was locked."),
            (
                blocked(Lack::Forbidden, false),
                "Discord does not let me post there.",
            ),
            (told(Loss::Gone), "was deleted"),
        ] {
            assert!(text.contains(says), "{text}");
            assert!(text.contains("/here table:K7Q2F"), "{text}");
        }
    }
}
