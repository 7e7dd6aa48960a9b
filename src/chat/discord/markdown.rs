//! A [`Text`] in Discord's Markdown. What people wrote is neutralised, so that no name can break out of the message around it
//! (R37, R38).

mod pages;

pub(super) use pages::{cut, pages, with_block};

use crate::command::text::{Fragment, Text, printable};
use crate::ids::{PersonId, Platform};

/// What a person is called here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// The id of the account on Discord, if there is one.
    pub(super) account: Option<u64>,
    /// The name, as the person gave it.
    pub(super) name: String,
}

/// The fence of a block of lines in columns.
const FENCE: &str = "```";

/// What stands between two marks that would be read as one.
const NOTHING: char = '\u{200B}';

/// The text in Discord's Markdown. A mention notifies where the message allows it; a person who is only named stands in bold.
pub(super) fn write(text: &Text, who: &dyn Fn(PersonId) -> Named) -> String {
    let mut out = String::new();
    for fragment in &text.0 {
        match fragment {
            Fragment::Plain(words) => out.push_str(&escaped(words, at_line_start(&out))),
            Fragment::Strong(words) => push_bold(&mut out, words),
            Fragment::Code(words) => push_code(&mut out, words),
            Fragment::Block(lines) => push_block(&mut out, lines),
            Fragment::Mention(person) => {
                let named = who(*person);
                match named.account {
                    Some(account) => out.push_str(&format!("<@{account}>")),
                    None => push_bold(&mut out, &in_one_line(&named.name)),
                }
            }
            Fragment::Person(person) => push_bold(&mut out, &in_one_line(&who(*person).name)),
            Fragment::Place(place) if place.platform == Platform::Discord => {
                let channel = place.thread.as_ref().unwrap_or(&place.room);
                out.push_str(&format!("<#{channel}>"));
            }
            Fragment::Place(place) => push_code(&mut out, &in_one_line(&place.to_string())),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn at_line_start(out: &str) -> bool {
    out.is_empty() || out.ends_with('\n')
}

/// Bold words, line by line: a mark that is opened is closed in its line.
fn push_bold(out: &mut String, words: &str) {
    for (index, line) in words.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let line = escaped(line.trim(), false);
        if line.is_empty() {
            continue;
        }
        // Four stars in a row would be read as one mark.
        if out.ends_with('*') {
            out.push(NOTHING);
        }
        out.push_str("**");
        out.push_str(&line);
        out.push_str("**");
    }
}

fn push_code(out: &mut String, words: &str) {
    let words = without_backticks(&in_one_line(words));
    if words.is_empty() {
        return;
    }
    if out.ends_with('`') {
        out.push(NOTHING);
    }
    out.push('`');
    out.push_str(&words);
    out.push('`');
}

fn push_block(out: &mut String, lines: &str) {
    if !at_line_start(out) {
        out.push('\n');
    }
    let lines = without_backticks(&printable(lines));
    out.push_str(&format!("{FENCE}\n{}\n{FENCE}\n", lines.trim_matches('\n')));
}

/// Inside code nothing can be escaped, so a backtick becomes the accent that looks like one.
fn without_backticks(words: &str) -> String {
    words.replace('`', "\u{02CB}")
}

fn in_one_line(words: &str) -> String {
    printable(words).replace('\n', " ")
}

/// The words with a backslash before each character that Discord would read as a mark.
fn escaped(words: &str, line_start: bool) -> String {
    let mut out = String::with_capacity(words.len() + 8);
    // What a line has so far: nothing but spaces, or a number as before an item of a list.
    let mut start = line_start;
    let mut number = false;
    for c in printable(words).chars() {
        let marks = match c {
            '\\' | '*' | '_' | '~' | '`' | '|' | '[' | ']' | '<' => true,
            '>' | '#' | '-' | '+' => start,
            '.' | ')' => number,
            _ => false,
        };
        // "://" makes a link of what follows, with a preview below the message.
        let links = c == '/' && out.ends_with(':');
        if marks || links {
            out.push('\\');
        }
        out.push(c);
        if c == '@' {
            // "@everyone" stays a word.
            out.push(NOTHING);
        }
        number = c.is_ascii_digit() && (start || number);
        start = c == '\n' || (start && c == ' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(person: PersonId) -> Named {
        let (account, name) = match person.0 {
            1 => (Some(77), "ada"),
            2 => (Some(78), "```js\nalert`"),
            3 => (None, "_a_b_"),
            4 => (None, "*x*"),
            _ => (None, "\u{202e}@everyone <@77> [x](http://x) \\"),
        };
        Named {
            account,
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_mention_is_the_account_and_a_person_is_only_named() {
        let text = Text::new()
            .mention(PersonId(1))
            .plain(" (Red), not ")
            .person(PersonId(1))
            .plain(".");
        assert_eq!(write(&text, &who), "<@77> (Red), not **ada**.");
    }

    #[test]
    fn a_mention_of_somebody_without_account_is_a_name() {
        let text = Text::new().mention(PersonId(3));
        assert_eq!(write(&text, &who), "**\\_a\\_b\\_**");
    }

    #[test]
    fn r37_backticks_in_a_name_do_not_break_out() {
        let text = Text::new().person(PersonId(2)).plain(" plays Red.");
        assert_eq!(
            write(&text, &who),
            "**\\`\\`\\`js alert\\`** plays Red.",
            "the name stands in one line, its backticks escaped"
        );
        let code = Text::new().code("a`b\n```c").block("x\n```\ny");
        assert_eq!(
            write(&code, &who),
            "`aˋb ˋˋˋc`\n```\nx\nˋˋˋ\ny\n```",
            "inside code, where nothing can be escaped, they become accents"
        );
    }

    #[test]
    fn r38_underscores_and_stars_in_names_stay_what_they_are() {
        let list = Text::join(
            [3, 4].map(|number| Text::new().person(PersonId(number))),
            ", ",
        );
        assert_eq!(write(&list, &who), "**\\_a\\_b\\_**, **\\*x\\***");
    }

    #[test]
    fn r37_a_name_mentions_nobody_and_links_nowhere() {
        let text = Text::new().person(PersonId(5)).plain("!");
        assert_eq!(
            write(&text, &who),
            "**@\u{200b}everyone \\<@\u{200b}77> \\[x\\](http:\\//x) \\\\**!"
        );
    }

    #[test]
    fn what_people_wrote_stands_in_plain_words_too() {
        let text = Text::from("“~~d2~~||d4”: no.\n> quoted\n# big\n- one\n12. two\na-b 1.5 #3");
        assert_eq!(
            write(&text, &who),
            "“\\~\\~d2\\~\\~\\|\\|d4”: no.\n\\> quoted\n\\# big\n\\- one\n12\\. two\na-b 1.5 #3"
        );
    }

    #[test]
    fn marks_that_meet_are_kept_apart() {
        let text = Text::new().strong("a").strong("b").code("c").code("d");
        assert_eq!(write(&text, &who), "**a**\u{200b}**b**`c`\u{200b}`d`");
    }

    #[test]
    fn bold_words_are_closed_in_each_line() {
        let text = Text::new().strong("a\n\nb ").plain("c");
        assert_eq!(write(&text, &who), "**a**\n\n**b**c");
    }
}
