//! What the bot lacks in a place, and how to give it.

use crate::command::run::Lacking;
use crate::command::text::Text;

/// Everything that is missing: its name, what does not work without it, how to give it.
pub(crate) fn doctor(lacking: &[Lacking]) -> Text {
    if lacking.is_empty() {
        return Text::from("Nothing is missing: everything I do works here.");
    }
    Text::from("Here I lack:\n").then(listed(lacking))
}

/// That nothing can be played here, since something is missing that is needed.
pub(crate) fn cannot_play(lacking: &[Lacking]) -> Text {
    Text::from("I could not play a game here, so nothing was done. I lack:\n")
        .then(listed(lacking))
        .plain("\nWho runs this place can list all with ")
        .code("/doctor")
        .plain(".")
}

/// That only some may ask what is missing.
pub(crate) fn not_yours() -> Text {
    Text::from("That is for those who run or moderate this place.")
}

fn listed(lacking: &[Lacking]) -> Text {
    let lines = lacking.iter().map(|one| {
        Text::new().strong(one.name).plain(format!(
            ": without it {}. To give it: {}.",
            one.otherwise, one.how
        ))
    });
    Text::join(lines, "\n")
}
