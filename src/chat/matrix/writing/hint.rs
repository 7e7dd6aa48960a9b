//! The last line of what everybody sees: what can be done next.

use crate::command::message::Message;
use crate::command::text::Text;
use crate::rules::Phase;
use crate::table::Table;

/// The reactions that stand for commands.
const ROLL: &str = "🎲";
const PASS: &str = "⏭";

/// What can be done next, as it is typed; `alone` says that no other table could be meant.
pub(super) fn hint(message: &Message, table: Option<&Table>, alone: bool) -> Text {
    let code = message.table.map(|code| format!(" table:{code}"));
    let with = match (&code, alone) {
        (Some(code), false) => code.as_str(),
        _ => "",
    };
    let mut ways = Vec::new();
    if let Some(play) = table.and_then(Table::play)
        && table.is_some_and(|table| table.ending().is_none())
        && play.phase() == Phase::Move
    {
        ways.push(Text::new().code(format!("/move …{with}")));
    }
    for choice in &message.choices {
        let line = match (&code, alone) {
            (Some(code), true) => choice.line.replacen(code, "", 1),
            _ => choice.line.clone(),
        };
        let name = line.trim_start_matches('/').split(' ').next();
        let reaction = match name {
            Some("roll") => Some(ROLL),
            Some("pass") => Some(PASS),
            _ => None,
        };
        let way = Text::new().code(line);
        ways.push(match reaction {
            Some(reaction) => way.plain(format!(" or {reaction}")),
            None => way,
        });
    }
    Text::join(ways, " · ")
}
