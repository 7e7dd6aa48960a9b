//! What a text is to the bot: a command, a word to it, or people's own talk.

use crate::command::reading::signs;

/// Who the bot is and what commands begin with, where something is said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listener<'a> {
    /// What commands begin with, beside `/`.
    pub(super) prefix: &'a str,
    /// The bot's MXID.
    pub(super) me: &'a str,
    /// What the bot is called there.
    pub(super) name: &'a str,
    /// Whether the message says that it mentions the bot.
    pub(super) mentioned: bool,
}

/// What a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spoken {
    /// A line that begins as a command does.
    Line(String),
    /// A line without the sign, said to the bot by name.
    Addressed(String),
    /// The bot is named somewhere in it.
    Named,
    /// Nothing to do with the bot, as far as can be told.
    Talk,
}

impl Listener<'_> {
    /// What a text is, of which quotes and fallbacks are gone.
    pub(super) fn hear(&self, text: &str) -> Spoken {
        if self.begins_as_command(text) {
            return Spoken::Line(text.to_owned());
        }
        match self.after_name(text) {
            Some(rest) if self.begins_as_command(rest) => Spoken::Line(rest.to_owned()),
            Some("") => Spoken::Named,
            Some(rest) => Spoken::Addressed(rest.to_owned()),
            None if text.contains(self.me) => Spoken::Named,
            None => Spoken::Talk,
        }
    }

    fn begins_as_command(&self, text: &str) -> bool {
        let mut signs = signs(self.prefix).into_iter();
        signs.any(|sign| text.starts_with(&sign))
    }

    /// What follows the bot's MXID or name at the beginning. A name alone could be anybody's word: it counts with `:` or `,`
    /// behind it, or where the message says that it mentions the bot.
    fn after_name<'t>(&self, text: &'t str) -> Option<&'t str> {
        let names = [self.me, self.name, localpart(self.me)];
        let names = names.into_iter().filter(|name| !name.is_empty());
        names
            .filter_map(|name| {
                let bare = text.strip_prefix('@').filter(|_| !name.starts_with('@'));
                let rest = after(text, name).or_else(|| after(bare?, name))?;
                let words = rest.strip_prefix([':', ',']);
                let sure = words.is_some() || self.mentioned || name == self.me;
                let words = words.unwrap_or(rest);
                // `@bot:example.org` is no word to `bot`.
                let ends = words.is_empty() || words.starts_with(char::is_whitespace);
                (sure && ends).then(|| words.trim_start())
            })
            .next()
    }
}

/// What follows a name, in either case of its letters.
fn after<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for sign in name.chars() {
        let found = rest.next()?;
        if !found.to_lowercase().eq(sign.to_lowercase()) {
            return None;
        }
    }
    Some(rest.as_str())
}

fn localpart(account: &str) -> &str {
    let local = account.trim_start_matches('@');
    local.split_once(':').map_or(local, |(local, _)| local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn listener(mentioned: bool) -> Listener<'static> {
        Listener {
            prefix: "!",
            me: "@ashtapada:palace.test",
            name: "Ashtapada Bot",
            mentioned,
        }
    }

    fn hear(text: &str) -> Spoken {
        listener(false).hear(text)
    }

    #[test]
    fn a_command_begins_with_the_prefix_or_a_slash() {
        for line in ["!move b1c3", "/move b1c3", "／move b1c3", "！move b1c3"] {
            assert_eq!(hear(line), Spoken::Line(line.to_owned()));
            let addressed = format!("@ashtapada:palace.test: {line}");
            assert_eq!(hear(&addressed), Spoken::Line(line.to_owned()));
        }
        assert_eq!(hear("move b1c3"), Spoken::Talk);
        assert_eq!(hear("> !resign"), Spoken::Talk);
    }

    #[test]
    fn who_names_the_bot_first_speaks_to_it() {
        let new = || Spoken::Addressed("new chaturanga".to_owned());
        for text in [
            "@ashtapada:palace.test: new chaturanga",
            "@ashtapada:palace.test new chaturanga",
            "Ashtapada Bot: new chaturanga",
            "ashtapada bot, new chaturanga",
            "@Ashtapada: new chaturanga",
            "ashtapada: new chaturanga",
        ] {
            assert_eq!(hear(text), new(), "{text}");
        }
        // The name is a word like others where nothing says that the bot is meant.
        assert_eq!(hear("Ashtapada is an old board"), Spoken::Talk);
        assert_eq!(listener(true).hear("Ashtapada Bot new chaturanga"), new());
        assert_eq!(hear("ashtapadas: new"), Spoken::Talk);
        assert_eq!(hear("@ashtapada:palace.tester: new"), Spoken::Named);
    }

    #[test]
    fn who_only_names_the_bot_wants_a_hint() {
        assert_eq!(hear("@ashtapada:palace.test"), Spoken::Named);
        assert_eq!(hear("what is @ashtapada:palace.test?"), Spoken::Named);
        assert_eq!(hear("hello"), Spoken::Talk);
        // A reply to a board says that it mentions the bot, without any word to it.
        assert_eq!(listener(true).hear("nice move!"), Spoken::Talk);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_listener_panic(text: String, name: String, prefix: String) {
            let listener = Listener { prefix: &prefix, me: "@a:b", name: &name, mentioned: true };
            let _ = listener.hear(&text);
            let _ = listener.hear(&format!("{name}{text}"));
        }
    }
}
