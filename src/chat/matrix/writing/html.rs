//! A text as Matrix shows it: with the tags that the specification lists (Client-Server API, m.room.message msgtypes), and
//! without any for clients that show plain words.
//!
//! Everything people wrote is escaped, so no name can break out of the message around it (R37, R38).

use matrix_sdk::ruma::{EventId, OwnedUserId, RoomId};

use crate::chat::matrix::words::writing::ROOM;
use crate::command::catalogue;
use crate::command::text::{Fragment, Text, printable};
use crate::ids::{PersonId, Place, Platform};

/// What a person is called, and their account here if they have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) account: Option<OwnedUserId>,
    pub(super) name: String,
}

/// The text in HTML.
pub(super) fn html(text: &Text, who: &dyn Fn(PersonId) -> Named, prefix: &str) -> String {
    let mut out = String::new();
    for fragment in &text.0 {
        match fragment {
            Fragment::Plain(words) => out.push_str(&escaped(words).replace('\n', "<br>")),
            Fragment::Strong(words) => tagged(&mut out, "strong", &escaped(words)),
            Fragment::Code(words) => tagged(&mut out, "code", &escaped(&typed(words, prefix))),
            Fragment::Block(lines) => {
                if out.ends_with("<br>") {
                    out.truncate(out.len() - "<br>".len());
                }
                out.push_str("<pre><code>");
                out.push_str(&escaped(lines));
                out.push_str("</code></pre>");
            }
            Fragment::Mention(person) | Fragment::Person(person) => {
                let Named { account, name } = who(*person);
                match account {
                    Some(account) => {
                        let link = account.matrix_to_uri().to_string();
                        linked(&mut out, &link, &name);
                    }
                    None => tagged(&mut out, "strong", &escaped(&name)),
                }
            }
            Fragment::Place(place) => match link(place) {
                Some(link) => linked(&mut out, &link, ROOM),
                None => out.push_str(&escaped(&named(place))),
            },
        }
    }
    out
}

/// The text in plain words.
pub(super) fn plain(text: &Text, who: &dyn Fn(PersonId) -> Named, prefix: &str) -> String {
    let mut out = String::new();
    for fragment in &text.0 {
        match fragment {
            Fragment::Plain(words) | Fragment::Strong(words) => out.push_str(&printable(words)),
            Fragment::Code(words) => out.push_str(&printable(&typed(words, prefix))),
            Fragment::Block(lines) => {
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                out.push_str(&printable(lines));
                out.push('\n');
            }
            Fragment::Mention(person) | Fragment::Person(person) => {
                out.push_str(&printable(&who(*person).name).replace('\n', " "));
            }
            Fragment::Place(place) => {
                out.push_str(&link(place).unwrap_or_else(|| named(place)));
            }
        }
    }
    out.trim_end().to_owned()
}

/// A command as it is typed in the room: with its prefix in place of the slash, which clients keep for themselves.
fn typed(words: &str, prefix: &str) -> String {
    let command = words.strip_prefix('/').filter(|rest| {
        let name = rest.split([' ', ':']).next().unwrap_or_default();
        catalogue::command(name).is_some()
    });
    match command {
        Some(rest) => format!("{prefix}{rest}"),
        None => words.to_owned(),
    }
}

fn link(place: &Place) -> Option<String> {
    if place.platform != Platform::Matrix {
        return None;
    }
    let room = <&RoomId>::try_from(place.room.as_str()).ok()?;
    let thread = place.thread.as_deref().map(<&EventId>::try_from);
    match thread.transpose().ok()? {
        Some(root) => Some(room.matrix_to_event_uri(root).to_string()),
        None => Some(room.matrix_to_uri().to_string()),
    }
}

/// A place of another platform.
fn named(place: &Place) -> String {
    Text::new().place(place).to_plain(|_| String::new())
}

fn tagged(out: &mut String, tag: &str, inner: &str) {
    out.push_str(&format!("<{tag}>{inner}</{tag}>"));
}

fn linked(out: &mut String, link: &str, name: &str) {
    out.push_str(&format!(
        "<a href=\"{}\">{}</a>",
        escaped(link),
        escaped(name)
    ));
}

fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in printable(words).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::user_id;

    fn who(person: PersonId) -> Named {
        match person.0 {
            1 => Named {
                account: Some(user_id!("@ada:a.org").to_owned()),
                name: "ada".to_owned(),
            },
            _ => Named {
                account: None,
                name: "<b>bob</b>".to_owned(),
            },
        }
    }

    #[test]
    fn people_are_pills_where_they_have_an_account_here() {
        let text = Text::new()
            .mention(PersonId(1))
            .plain(" plays ")
            .person(PersonId(2))
            .plain(".");
        assert_eq!(
            html(&text, &who, "!"),
            "<a href=\"https://matrix.to/#/@ada:a.org\">ada</a> plays <strong>&lt;b&gt;bob&lt;/b&gt;</strong>."
        );
        assert_eq!(plain(&text, &who, "!"), "ada plays <b>bob</b>.");
    }

    #[test]
    fn r37_r38_nothing_that_people_wrote_breaks_out() {
        let nasty = "</code><script>\"&'\u{1b}[31m";
        for text in [
            Text::from(nasty),
            Text::new().strong(nasty),
            Text::new().code(nasty),
            Text::new().block(nasty),
        ] {
            let html = html(&text, &who, "!");
            assert!(html.contains("&lt;script&gt;&quot;&amp;&#39;"), "{html}");
            assert!(
                !html.contains('\u{1b}') && !html.contains("<script"),
                "{html}"
            );
        }
    }

    #[test]
    fn commands_are_written_with_the_rooms_prefix_and_other_slashes_stay() {
        let text = Text::from("Say ")
            .code("/roll table:K7Q2F")
            .plain(" or ")
            .code("/etc");
        assert_eq!(plain(&text, &who, "%"), "Say %roll table:K7Q2F or /etc");
        assert_eq!(
            html(&text, &who, "%"),
            "Say <code>%roll table:K7Q2F</code> or <code>/etc</code>"
        );
    }

    #[test]
    fn a_block_stands_on_lines_of_its_own() {
        let text = Text::from("Board:\n").block("a < b\nc d").plain("Move!");
        assert_eq!(
            html(&text, &who, "!"),
            "Board:<pre><code>a &lt; b\nc d</code></pre>Move!"
        );
        assert_eq!(plain(&text, &who, "!"), "Board:\na < b\nc d\nMove!");
    }

    #[test]
    fn rooms_and_threads_are_links() {
        let thread = Place::thread(Platform::Matrix, "!r:a.org", "$e");
        let text = Text::new().place(&thread);
        let link = "https://matrix.to/#/!r:a.org/$e";
        assert_eq!(plain(&text, &who, "!"), link);
        assert!(html(&text, &who, "!").contains(link));
        let discord = Text::new().place(&Place::room(Platform::Discord, "17"));
        assert!(plain(&discord, &who, "!").contains("17"));
    }
}
