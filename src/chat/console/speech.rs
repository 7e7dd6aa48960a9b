//! Who says what: lines such as `ada> /roll`, and the few words that are for the console itself.

use crate::config::names;

/// What a line means to the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Speech {
    /// Nothing: a blank line or a remark behind `#`.
    Silence,
    /// `/as ada`: ada speaks from now on.
    SpeaksNow(Speaker),
    /// `/as` with something that is no name.
    NoName(String),
    /// `/quit`.
    Goodbye,
    /// Somebody says something.
    Says(Speaker, String),
}

/// A person of the room: `ada`. The same in upper and lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Speaker {
    /// The account: the name in lower case.
    pub(super) account: String,
    /// The name as it was written.
    pub(super) name: String,
}

impl Speaker {
    /// The speaker of this name: letters, digits, `_`, `-` and `.`; `None` for anything else.
    pub(super) fn named(text: &str) -> Option<Speaker> {
        let name = names::named(text)?;
        Some(Speaker {
            account: name.to_lowercase(),
            name,
        })
    }
}

/// What a line means when `current` speaks.
pub(super) fn heard(line: &str, current: &Speaker) -> Speech {
    // The first line of a file may begin with a byte order mark.
    let line = line.trim_start_matches('\u{FEFF}').trim();
    if line.is_empty() || line.starts_with('#') {
        return Speech::Silence;
    }
    let (speaker, said) = match line.split_once('>') {
        // `b1>c3` is something said, not a speaker.
        Some((name, said)) if said.is_empty() || said.starts_with([' ', '\t', '/', '!']) => {
            match Speaker::named(name) {
                Some(speaker) => (speaker, said.trim()),
                // A command must not go unanswered because its speaker's name cannot be read.
                None if is_command(said.trim_start()) && !is_command(line) => {
                    return Speech::NoName(name.trim().to_owned());
                }
                None => (current.clone(), line),
            }
        }
        _ => (current.clone(), line),
    };
    if names::is_reserved(&speaker.account) {
        return Speech::NoName(speaker.name);
    }
    let mut words = said.splitn(2, char::is_whitespace);
    match (words.next().unwrap_or_default(), words.next()) {
        ("/as" | "!as", name) => {
            let name = name.unwrap_or_default();
            match Speaker::named(name) {
                Some(named) if !names::is_reserved(&named.account) => Speech::SpeaksNow(named),
                _ => Speech::NoName(name.to_owned()),
            }
        }
        ("/quit" | "!quit" | "/exit" | "!exit", None) => Speech::Goodbye,
        ("", _) => Speech::SpeaksNow(speaker),
        _ => Speech::Says(speaker, said.to_owned()),
    }
}

/// Whether something said begins as commands do.
fn is_command(said: &str) -> bool {
    let mut chars = said.chars();
    matches!(chars.next(), Some('/' | '!' | '／')) && chars.next().is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speaker(name: &str) -> Speaker {
        Speaker::named(name).unwrap()
    }

    #[test]
    fn a_line_is_said_by_the_one_named_before_it_or_by_who_speaks_now() {
        let you = speaker("you");
        for (line, by, said) in [
            ("ada> /roll", "ada", "/roll"),
            ("Ada>/roll\r", "Ada", "/roll"),
            ("  /roll ", "you", "/roll"),
            ("a b> c", "you", "a b> c"),
            ("> c", "you", "> c"),
            ("b1>c3", "you", "b1>c3"),
            ("/move b1>c3", "you", "/move b1>c3"),
            ("ada> cy> hi", "ada", "cy> hi"),
        ] {
            let expected = Speech::Says(speaker(by), said.to_owned());
            assert_eq!(heard(line, &you), expected, "{line:?}");
        }
        assert_eq!(speaker("Ada").account, "ada");
    }

    #[test]
    fn a_command_of_somebody_whose_name_cannot_be_read_is_answered() {
        let you = speaker("you");
        for (line, name) in [
            ("**x**> /new chaturaji", "**x**"),
            ("a b> /games", "a b"),
            ("ada:> !games", "ada:"),
            ("<ada> /games", "<ada"),
            ("> /games", ""),
        ] {
            assert_eq!(heard(line, &you), Speech::NoName(name.to_owned()), "{line}");
        }
        let said = Speech::Says(speaker("you"), "/move b1 > /x".to_owned());
        assert_eq!(heard("/move b1 > /x", &you), said);
    }

    #[test]
    fn the_words_for_the_console_itself_are_understood() {
        let you = speaker("you");
        assert_eq!(heard("/as ada", &you), Speech::SpeaksNow(speaker("ada")));
        assert_eq!(heard("/as @ada", &you), Speech::SpeaksNow(speaker("ada")));
        assert_eq!(heard("ada>", &you), Speech::SpeaksNow(speaker("ada")));
        assert_eq!(heard("/as a/b", &you), Speech::NoName("a/b".to_owned()));
        for reserved in ["/as Everyone", "ashtapada> /roll"] {
            assert!(
                matches!(heard(reserved, &you), Speech::NoName(_)),
                "{reserved}"
            );
        }
        assert_eq!(heard("/as", &you), Speech::NoName(String::new()));
        assert_eq!(heard("/quit", &you), Speech::Goodbye);
        assert_eq!(heard("", &you), Speech::Silence);
        assert_eq!(heard("# a remark", &you), Speech::Silence);
    }

    #[test]
    fn what_could_break_a_line_or_a_path_is_no_name() {
        for text in [
            "",
            "..",
            "a b",
            "../x",
            "a\u{1b}[0m",
            "<@1>",
            &"x".repeat(33),
        ] {
            assert_eq!(Speaker::named(text), None, "{text:?}");
        }
        assert_eq!(
            Speaker::named("Ａda").map(|ada| ada.account),
            Some("ada".to_owned())
        );
        assert_eq!(
            Speaker::named("éva").map(|eva| eva.name),
            Some("éva".to_owned())
        );
    }
}
