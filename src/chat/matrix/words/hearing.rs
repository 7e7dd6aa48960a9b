//! What is said to those who speak to the bot.

use crate::command::text::Text;

/// To somebody who names the bot without a command.
pub(in crate::chat::matrix) fn hint(prefix: &str) -> Text {
    Text::from("Commands begin with ")
        .code(prefix)
        .plain(" or with my name: ")
        .code("/new chaturanga")
        .plain(" opens a table, ")
        .code("/help")
        .plain(" lists what I can do.")
}

/// R94: to somebody who says more than is answered.
pub(in crate::chat::matrix) fn too_much() -> Text {
    Text::from("That is more than I answer at once. Please wait ten seconds.")
}

/// R89: about a command that came while the bot was away, and changes something.
pub(in crate::chat::matrix) fn late(line: &str, age: u64) -> Text {
    Text::from("I was away when you wrote ")
        .code(line.to_owned())
        .plain(format!(
            " ({} ago). React with 👍 here and I do it.",
            ago(age)
        ))
}

/// About more late commands than are asked about one by one.
pub(in crate::chat::matrix) fn more_late() -> Text {
    Text::from("There were more commands while I was away. Please send again what still counts.")
}

/// An age in milliseconds as people say it.
fn ago(age: u64) -> String {
    let minutes = age / 60_000;
    match minutes {
        0..=89 => format!("{} min", minutes.max(1)),
        90..=2879 => format!("{} h", (minutes + 30) / 60),
        _ => format!("{} days", (minutes + 720) / 1440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_said_in_its_largest_unit() {
        const MINUTE: u64 = 60_000;
        let ages = [0, 31, 89, 90, 180, 26 * 60, 3 * 1440].map(|minutes| ago(minutes * MINUTE));
        assert_eq!(
            ages,
            ["1 min", "31 min", "89 min", "2 h", "3 h", "26 h", "3 days"]
        );
    }

    #[test]
    fn r89_a_late_command_is_repeated_as_it_was_written() {
        let text = late("!move b1c3", 180 * 60_000).to_plain(|_| String::new());
        assert_eq!(
            text,
            "I was away when you wrote !move b1c3 (3 h ago). React with 👍 here and I do it."
        );
    }
}
