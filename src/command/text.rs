//! What the bot says, as fragments whose meaning each platform marks up in its own way.
//!
//! What people wrote stands inside a fragment as they wrote it and is neutralised when it is rendered, so no name can break out
//! of the message around it (R37, R38).

use serde::{Deserialize, Serialize};

use crate::ids::{PersonId, Place, Platform};

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fragment {
    /// Plain words; may hold line breaks.
    Plain(String),
    /// What matters most in its line.
    Strong(String),
    /// Something to type or a code, in one line.
    Code(String),
    /// Several lines in which columns stand below each other.
    Block(String),
    /// A person who is to be notified.
    Mention(PersonId),
    /// A person who is only named.
    Person(PersonId),
    /// A room, channel or thread, to be gone to where the platform can.
    Place(Place),
}

/// A text of fragments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(pub Vec<Fragment>);

impl Text {
    /// A text of nothing yet.
    pub fn new() -> Text {
        Text::default()
    }

    /// Adds plain words.
    pub fn plain(mut self, words: impl Into<String>) -> Text {
        let words = words.into();
        if words.is_empty() {
            return self;
        }
        match self.0.last_mut() {
            Some(Fragment::Plain(before)) => before.push_str(&words),
            _ => self.0.push(Fragment::Plain(words)),
        }
        self
    }

    /// Adds words that matter most.
    pub fn strong(mut self, words: impl Into<String>) -> Text {
        self.0.push(Fragment::Strong(words.into()));
        self
    }

    /// Adds something to type.
    pub fn code(mut self, words: impl Into<String>) -> Text {
        self.0.push(Fragment::Code(words.into()));
        self
    }

    /// Adds lines in columns.
    pub fn block(mut self, lines: impl Into<String>) -> Text {
        self.0.push(Fragment::Block(lines.into()));
        self
    }

    /// Adds a person to be notified.
    pub fn mention(mut self, person: PersonId) -> Text {
        self.0.push(Fragment::Mention(person));
        self
    }

    /// Adds a person who is only named.
    pub fn person(mut self, person: PersonId) -> Text {
        self.0.push(Fragment::Person(person));
        self
    }

    /// Adds a room, channel or thread.
    pub fn place(mut self, place: &Place) -> Text {
        self.0.push(Fragment::Place(place.clone()));
        self
    }

    /// Adds another text behind this one.
    pub fn then(mut self, more: Text) -> Text {
        for fragment in more.0 {
            match fragment {
                Fragment::Plain(words) => self = self.plain(words),
                other => self.0.push(other),
            }
        }
        self
    }

    /// Texts with something between each two.
    pub fn join(texts: impl IntoIterator<Item = Text>, between: &str) -> Text {
        let mut joined = Text::new();
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                joined = joined.plain(between);
            }
            joined = joined.then(text);
        }
        joined
    }

    /// The same without notifying anybody.
    pub fn quiet(self) -> Text {
        self.quiet_for(|_| true)
    }

    /// The same without notifying some of the persons.
    pub fn quiet_for(self, whom: impl Fn(PersonId) -> bool) -> Text {
        let quiet = |fragment| match fragment {
            Fragment::Mention(person) if whom(person) => Fragment::Person(person),
            other => other,
        };
        Text(self.0.into_iter().map(quiet).collect())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The persons to be notified, each once, in order.
    pub fn mentions(&self) -> Vec<PersonId> {
        let mut persons = Vec::new();
        for fragment in &self.0 {
            if let Fragment::Mention(person) = fragment
                && !persons.contains(person)
            {
                persons.push(*person);
            }
        }
        persons
    }

    /// The persons spoken of in any way, each once.
    pub fn persons(&self) -> Vec<PersonId> {
        let mut persons: Vec<PersonId> = self
            .0
            .iter()
            .filter_map(|fragment| match fragment {
                Fragment::Mention(person) | Fragment::Person(person) => Some(*person),
                Fragment::Plain(_)
                | Fragment::Strong(_)
                | Fragment::Code(_)
                | Fragment::Place(_)
                | Fragment::Block(_) => None,
            })
            .collect();
        persons.sort_unstable();
        persons.dedup();
        persons
    }

    /// Without any marking up, persons as `@name`. Control characters, which could move a terminal's cursor or
    /// colour what follows, are left out.
    pub fn to_plain(&self, name: impl Fn(PersonId) -> String) -> String {
        self.rendered(&name, |_, words| words.to_owned())
    }

    /// With a terminal's colours.
    pub fn to_ansi(&self, name: impl Fn(PersonId) -> String) -> String {
        let style = |kind: &Fragment| match kind {
            Fragment::Plain(_) | Fragment::Block(_) => anstyle::Style::new(),
            Fragment::Strong(_) => anstyle::Style::new().bold(),
            Fragment::Code(_) | Fragment::Place(_) => anstyle::AnsiColor::Cyan.on_default(),
            Fragment::Mention(_) => anstyle::AnsiColor::Yellow.on_default().bold(),
            Fragment::Person(_) => anstyle::AnsiColor::Yellow.on_default(),
        };
        self.rendered(&name, |fragment, words| {
            let style = style(fragment);
            format!("{style}{words}{style:#}")
        })
    }

    fn rendered(
        &self,
        name: &dyn Fn(PersonId) -> String,
        mark: impl Fn(&Fragment, &str) -> String,
    ) -> String {
        let mut out = String::new();
        for fragment in &self.0 {
            match fragment {
                Fragment::Plain(words) | Fragment::Strong(words) | Fragment::Code(words) => {
                    out.push_str(&mark(fragment, &printable(words)));
                }
                Fragment::Block(lines) => {
                    if !out.is_empty() && !out.ends_with('\n') {
                        out.push('\n');
                    }
                    out.push_str(&mark(fragment, printable(lines).trim_end_matches('\n')));
                    out.push('\n');
                }
                Fragment::Place(place) => {
                    let words = match place.platform {
                        Platform::Console => format!("#{}", place.room),
                        Platform::Discord | Platform::Matrix => place.to_string(),
                    };
                    out.push_str(&mark(fragment, &printable(&words).replace('\n', " ")));
                }
                Fragment::Mention(person) | Fragment::Person(person) => {
                    let words = format!("@{}", printable(&name(*person)).replace('\n', " "));
                    out.push_str(&mark(fragment, &words));
                }
            }
        }
        out.trim_end().to_owned()
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Text {
        Text::new().plain(words)
    }
}

impl From<String> for Text {
    fn from(words: String) -> Text {
        Text::new().plain(words)
    }
}

/// The words without control characters and without those that turn the direction of writing.
pub(crate) fn printable(words: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    words
        .chars()
        .filter(|&c| c == '\n' || !(c.is_control() || turns(c)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(person: PersonId) -> String {
        match person.0 {
            1 => "ada".to_owned(),
            _ => "\u{1b}[31m```_b_\u{202e}\n*x*".to_owned(),
        }
    }

    #[test]
    fn mentions_are_those_to_be_notified_each_once() {
        let text = Text::from("Red: ")
            .mention(PersonId(1))
            .plain(", Green: ")
            .person(PersonId(2))
            .mention(PersonId(1));
        assert_eq!(text.mentions(), [PersonId(1)]);
        assert_eq!(text.persons(), [PersonId(1), PersonId(2)]);
    }

    #[test]
    fn r37_r38_a_name_cannot_break_out_of_its_fragment() {
        let text = Text::from("it is ").person(PersonId(2)).plain("'s turn");
        assert_eq!(text.to_plain(names), "it is @[31m```_b_ *x*'s turn");
        assert!(!text.to_ansi(names).contains("\u{1b}[31m"));
    }

    #[test]
    fn a_block_stands_on_lines_of_its_own() {
        let text = Text::from("Board:").block("a b\nc d").plain("Move!");
        assert_eq!(text.to_plain(names), "Board:\na b\nc d\nMove!");
    }

    #[test]
    fn a_place_is_named_so_that_it_can_be_found() {
        let text = |place: &Place| Text::from("in ").place(place).to_plain(names);
        assert_eq!(text(&Place::room(Platform::Console, "hall")), "in #hall");
        let thread = Place::thread(Platform::Discord, "17", "18");
        assert_eq!(text(&thread), "in discord:17/18");
        assert_eq!(
            serde_json::to_string(&Text::new().place(&thread)).unwrap(),
            r#"[{"place":{"platform":"discord","room":"17","thread":"18"}}]"#
        );
    }

    #[test]
    fn the_stored_form_names_the_fragments() {
        let text = Text::from("now ").mention(PersonId(1)).strong("won");
        assert_eq!(
            serde_json::to_string(&text).unwrap(),
            r#"[{"plain":"now "},{"mention":1},{"strong":"won"}]"#
        );
    }
}
