//! Where tables are played, and what is set for a place.

use super::happened::Story;
use super::names::list_of;
use crate::club::PlaceSettings;
use crate::command::catalogue::CommandOption;
use crate::command::text::Text;
use crate::ids::{PersonId, Place, Platform};

impl Story<'_> {
    pub(super) fn placed(&mut self, by: Option<PersonId>, place: &Place) {
        // Nobody's doing: the table got a thread of its own, and everybody was told with what opened it; or its room was
        // upgraded.
        if by.is_none() && place.thread.is_some() {
            return;
        }
        let table = self.table();
        self.say(
            Text::new()
                .strong(table.info().name)
                .plain(", table ")
                .code(table.code().to_string())
                .plain(match by {
                    Some(_) => ". The table is played here now.",
                    None => ". The room was upgraded, and the table is played here now.",
                }),
        );
        match table.game() {
            Some(_) => self.board = true,
            None => self.offer_seats(),
        }
    }
}

/// All that is set for a server or room, a line each.
pub(crate) fn settings(set: &PlaceSettings, platform: Platform) -> Text {
    let game = set.default_game.unwrap_or("none");
    let line = |key: &str, value: Text| Text::new().code(key).plain(": ").then(value);
    let channels = set.channels.iter();
    let channels = channels.map(|room| Text::new().place(&Place::room(platform, room)));
    let threads = if set.threads { "yes" } else { "no" };
    let channels = match set.channels.is_empty() {
        true => Text::from("all"),
        false => Text::join(channels, ", "),
    };
    let as_set_up =
        |chosen: &Option<String>| Text::from(chosen.as_deref().unwrap_or("as I was set up"));
    let mut lines = vec![
        line("default-game", Text::from(game)),
        line("channels", channels),
        line("theme", as_set_up(&set.theme)),
    ];
    if platform != Platform::Console {
        lines.insert(1, line("threads", Text::from(threads)));
    }
    if platform == Platform::Matrix {
        lines.push(line("prefix", as_set_up(&set.prefix)));
    }
    Text::join(lines, "\n")
}

/// That new tables are opened in other rooms only.
pub(super) fn other_channels(places: &[Place]) -> Text {
    let places = places.iter().map(|place| Text::new().place(place));
    Text::from("New tables are not opened here, but in ")
        .then(list_of(places.collect()))
        .plain(".")
}

/// That settings are for those who run the place.
pub(super) fn not_running() -> Text {
    Text::from(
        "Only those who run this place can do that: on Discord, who may manage the server; on Matrix, moderators.",
    )
}

/// That a setting means nothing on the platform.
pub(crate) fn no_setting(option: &CommandOption) -> Text {
    let of = match option.is_for(Platform::Discord) {
        true => "places that have threads",
        false => "rooms on Matrix",
    };
    Text::from(format!(
        "{} is a setting of {of} and means nothing here.",
        option.key
    ))
}

/// That no game is named, and none is set for the place.
pub(crate) fn no_game() -> Text {
    Text::from("Which game? Name one, as in ")
        .code("/new chaturanga")
        .plain("; ")
        .code("/rules")
        .plain(" lists them. Who runs this place can set one with ")
        .code("/place default-game:chaturanga")
        .plain(".")
}

/// Words that mean all who are there, on some platform.
const ALL: [&str; 3] = ["everyone", "here", "room"];

/// That nobody has this account.
pub(crate) fn nobody(account: &str) -> Text {
    match ALL.contains(&account.to_lowercase().as_str()) {
        true => Text::from(format!(
            "“@{}” is nobody in particular. Name the players, as in ",
            account.to_lowercase()
        ))
        .code("with:@bob")
        .plain("; who may join is anybody here while a seat is free."),
        false => Text::from(format!("There is nobody called “{account}” here.")),
    }
}

/// That there is no room of this name.
pub(crate) fn no_room(named: &str) -> Text {
    Text::from(format!("There is no channel “{named}” here."))
}
