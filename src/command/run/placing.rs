//! Commands for those who run a place.

use super::{Errand, Failure};
use crate::club::{Arrangement, ClubError};
use crate::command::catalogue::DEFAULT;
use crate::command::message::Message;
use crate::command::reading::Invocation;
use crate::command::text::Text;
use crate::command::words;

impl Errand<'_> {
    pub(super) async fn place(&self, given: &Invocation) -> Result<Vec<Message>, Failure> {
        if !self.caller.runs_place {
            return Err(ClubError::NotRunning.into());
        }
        let platform = self.caller.place.platform;
        let mut options = given.command.options.iter();
        if let Some(option) = options.find(|one| given.has(one.key) && !one.is_for(platform)) {
            return Err(Failure::NoSetting(option));
        }
        let mut channels = taken_back(given, "channels", Vec::new());
        if let Some(named) = given.rooms("channels") {
            let mut rooms = Vec::new();
            for name in named {
                let room = self.directory.room(name).await;
                rooms.push(room.ok_or_else(|| Failure::NoRoom(name.clone()))?);
            }
            channels = Some(rooms);
        }
        let wanted = Arrangement {
            default_game: match given.game("default-game") {
                Some(info) => Some(Some(info.key)),
                None => taken_back(given, "default-game", None),
            },
            threads: match given.yes_or_no("threads") {
                None => taken_back(given, "threads", false),
                chosen => chosen,
            },
            channels,
            theme: match given.word("theme") {
                Some(DEFAULT) => Some(None),
                chosen => chosen.map(|theme| Some(theme.to_owned())),
            },
            prefix: match given.text("prefix") {
                Some(prefix) => Some(Some(prefix.to_owned())),
                None => taken_back(given, "prefix", None),
            },
        };
        let set = self.club.arrange(self.caller, &wanted).await?;
        let title = match given.is_bare() {
            true => "The settings of this place:\n",
            false => "Set. The settings of this place now:\n",
        };
        let settings = words::settings(&set, self.caller.place.platform);
        Ok(vec![self.reply(Text::from(title).then(settings))])
    }

    pub(super) async fn doctor(&self) -> Result<Vec<Message>, Failure> {
        if !(self.caller.runs_place || self.caller.moderates) {
            return Err(Failure::NotYours);
        }
        let lacking = self.directory.lacking().await;
        Ok(vec![self.reply(words::doctor(&lacking))])
    }
}

/// What a setting is set back to, if it is.
fn taken_back<T>(given: &Invocation, key: &str, default: T) -> Option<T> {
    (given.word(key) == Some(DEFAULT)).then_some(default)
}
