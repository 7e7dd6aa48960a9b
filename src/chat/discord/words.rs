//! What is said on Discord only.

mod posting;

use serenity::model::id::{ChannelId, GuildId};

pub(super) use posting::*;

use crate::command::catalogue::COMMANDS;
use crate::command::text::Text;
use crate::nearest::nearest;

/// Something failed that is not the caller's fault.
pub(super) const TROUBLE: &str =
    "Something went wrong on my side, and nothing was changed. Please try again in a moment.";

/// R13: the button of another version of the program.
pub(super) const OTHER_VERSION: &str = "This button is from another version of the bot. `/board` shows the present board with buttons that work.";

/// R19: to somebody who mentions the bot.
pub(super) const HINT: &str = "I am played with slash commands: type `/new` and choose a game from the menu that opens, or press a button below a board. \
                               `/help` lists what I can do, `/games` the tables there are.";

/// A command of another version of the program.
pub(super) fn no_such_command(name: &str) -> Text {
    let text = Text::from("I have no command ").code(format!("/{name}"));
    match nearest(name, COMMANDS.iter().map(|command| command.name)) {
        Some(near) => text
            .plain("; did you mean ")
            .code(format!("/{near}"))
            .plain("? ")
            .code("/help")
            .plain(" lists them."),
        None => text.plain("; ").code("/help").plain(" lists them."),
    }
}

/// The way to a message.
pub(super) fn newest_board(guild: Option<GuildId>, channel: ChannelId, message: u64) -> String {
    let guild = guild.map_or_else(|| "@me".to_owned(), |guild| guild.to_string());
    format!("The newest board: <https://discord.com/channels/{guild}/{channel}/{message}>")
}

/// Of the menus with which a move is made by hand.
pub(super) mod hand {
    pub(in crate::chat::discord) const WHICH_PIECE: &str = "Which piece moves?";
    pub(in crate::chat::discord) const WHERE_TO: &str = "Where does it go?";
    pub(in crate::chat::discord) const WHAT_IT_BECOMES: &str = "What does it become?";
    pub(in crate::chat::discord) const NOTHING: &str = "There is nothing to move now.";
    pub(in crate::chat::discord) const NOT_YOURS: &str = "It is not your turn to move.";
    pub(in crate::chat::discord) const PLAY: &str = "Play";
    pub(in crate::chat::discord) const EARLIER: &str = "Earlier";
    pub(in crate::chat::discord) const MORE: &str = "More";
    pub(in crate::chat::discord) const START_AGAIN: &str = "Start again";

    /// What has been chosen so far, such as `b1c3`.
    pub(in crate::chat::discord) fn so_far(moves: &str) -> String {
        format!("So far: `{moves}`.")
    }
}

/// Of the menu of what can be offered.
pub(super) mod offer {
    pub(in crate::chat::discord) const WHAT: &str = "What do you want to offer the others?";
    pub(in crate::chat::discord) const DRAW: &str = "A draw";
    pub(in crate::chat::discord) const CANCEL: &str = "To close the table without a result";
    pub(in crate::chat::discord) const CLAIM: &str = "Claim the win";
}
