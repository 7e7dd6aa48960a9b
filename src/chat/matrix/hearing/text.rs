//! What somebody wrote: without what their client repeats of the message they answer, and with people's pills as their MXIDs.

use matrix_sdk::ruma::matrix_uri::MatrixId;
use matrix_sdk::ruma::{MatrixToUri, MatrixUri};
use ruma_html::{Children, Html, NodeData, NodeRef};

use super::event::Message;

/// HTML longer than this is not read, nor with more tags than that: the plain text is taken then, which has no depth.
const LONGEST_HTML: usize = 20_000;
const MOST_TAGS: usize = 400;

/// The text of a message as a line to be read. Links to people and rooms stand in it as their ids.
pub(super) fn of(message: &Message) -> String {
    let plain = match message.may_repeat() {
        true => without_fallback(&message.body),
        false => &message.body,
    };
    let pills = message.html().and_then(with_ids);
    pills.unwrap_or_else(|| plain.to_owned()).trim().to_owned()
}

/// R97, R98: without the lines that repeat what is answered (client-server API 1.12, rich replies): all that begin with `>` at
/// the beginning, and the blank line behind them.
fn without_fallback(body: &str) -> &str {
    let mut rest = body;
    while rest.starts_with('>') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest.strip_prefix('\n').unwrap_or(rest)
}

/// The text of HTML in which people or rooms are linked; `None` where none are, so that the plain text says as much.
fn with_ids(html: &str) -> Option<String> {
    let linked = html.contains("matrix.to/#/") || html.contains("matrix:");
    let readable = html.len() <= LONGEST_HTML && html.matches('<').count() <= MOST_TAGS;
    if !linked || !readable {
        return None;
    }
    let mut text = Reading::default();
    // Its nodes know their siblings as long as the whole is there.
    let whole = Html::parse(html);
    text.all(whole.children());
    text.linked.then_some(text.out)
}

#[derive(Default)]
struct Reading {
    out: String,
    /// Whether somebody or something is linked.
    linked: bool,
}

impl Reading {
    fn all(&mut self, nodes: Children) {
        for node in nodes {
            self.one(&node);
        }
    }

    fn one(&mut self, node: &NodeRef) {
        if let Some(words) = node.as_text() {
            self.out.push_str(&words.borrow());
            return;
        }
        let NodeData::Element(element) = node.data() else {
            return;
        };
        let name: &str = &element.name.local;
        match name {
            // R98: what is quoted was said by somebody else.
            "mx-reply" | "blockquote" | "script" | "style" => {}
            "br" => self.out.push('\n'),
            "a" => {
                let attributes = element.attrs.borrow();
                let mut attributes = attributes.iter();
                let href = attributes.find(|one| &*one.name.local == "href");
                match href.and_then(|href| id_behind(&href.value)) {
                    Some(id) => {
                        self.linked = true;
                        self.out.push_str(&id);
                    }
                    None => self.all(node.children()),
                }
            }
            "p" | "div" | "pre" | "li" | "ul" | "ol" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.line();
                self.all(node.children());
                self.line();
            }
            _ => self.all(node.children()),
        }
    }

    /// What follows stands on a line of its own.
    fn line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }
}

/// The account, room or alias that a link leads to.
fn id_behind(href: &str) -> Option<String> {
    let id = match MatrixToUri::parse(href) {
        Ok(uri) => uri.id().clone(),
        Err(_) => MatrixUri::parse(href).ok()?.id().clone(),
    };
    match id {
        MatrixId::User(user) => Some(user.to_string()),
        MatrixId::Room(room) => Some(room.to_string()),
        MatrixId::RoomAlias(alias) => Some(alias.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn said(content: Value) -> String {
        of(&serde_json::from_value(content).unwrap())
    }

    fn reply(body: &str) -> String {
        said(json!({"body": body, "m.relates_to": {"m.in_reply_to": {"event_id": "$9"}}}))
    }

    #[test]
    fn r97_the_fallback_of_a_reply_goes_and_what_was_written_stays() {
        assert_eq!(
            reply("> <@bot:a.org> the board\n\n!move b1c3"),
            "!move b1c3"
        );
        assert_eq!(reply("!move b1c3"), "!move b1c3");
        assert_eq!(
            reply("> <@bot:a.org> a\n> b\n>\n> c\n\nfirst\n> mine"),
            "first\n> mine"
        );
        // Without a reply nothing is repeated, so all of it was written.
        assert_eq!(said(json!({"body": "> !resign\n\nno"})), "> !resign\n\nno");
    }

    #[test]
    fn r98_what_is_quoted_goes_line_by_line() {
        assert_eq!(
            reply("> <@bob:a.org> !resign\n> \n> !resign confirm:yes\n\nwhy so?"),
            "why so?"
        );
        assert_eq!(reply("> <@bob:a.org> !resign"), "");
        assert_eq!(reply("> a\n\n> !resign\nno"), "> !resign\nno");
    }

    #[test]
    fn people_and_rooms_in_html_become_their_ids() {
        let html = |html: &str| {
            said(
                json!({"body": "Bob: hi", "format": "org.matrix.custom.html", "formatted_body": html}),
            )
        };
        assert_eq!(
            html(
                "!new with:<a href=\"https://matrix.to/#/%40bob%3Aexample.org\">Bob</a> chaturanga"
            ),
            "!new with:@bob:example.org chaturanga"
        );
        assert_eq!(
            html("!invite <a href='matrix:u/bob:example.org'>Bob</a>"),
            "!invite @bob:example.org"
        );
        assert_eq!(
            html(
                "<mx-reply><blockquote><a href=\"https://matrix.to/#/@a:b.org\">A</a> !resign</blockquote></mx-reply><p>!place channels:<a href=\"https://matrix.to/#/%23games:b.org\">games</a></p>"
            ),
            "!place channels:#games:b.org"
        );
        assert_eq!(
            html("<a href=\"https://matrix.to/#/@a:b.org\">A</a><br>x &amp; y"),
            "@a:b.org\nx & y"
        );
        // Without a pill the plain text is what was typed.
        assert_eq!(html("<b>Bob</b>: hi"), "Bob: hi");
        assert_eq!(
            html("<a href=\"https://example.org/matrix.to/#/\">x</a>"),
            "Bob: hi"
        );
    }

    #[test]
    fn html_without_end_is_not_read() {
        let deep = format!("{}https://matrix.to/#/@a:b.org", "<b>".repeat(100_000));
        let content =
            json!({"body": "hi", "format": "org.matrix.custom.html", "formatted_body": deep});
        assert_eq!(said(content), "hi");
    }

    proptest! {
        #[test]
        fn no_message_makes_the_reader_panic(body: String, html: String, tags in "(<(/?)(a|p|b|mx-reply|blockquote|br)( href=\"https://matrix.to/#/@a:b.org\")?>|x){0,40}") {
            for html in [html, tags] {
                let content = json!({
                    "body": body, "format": "org.matrix.custom.html", "formatted_body": html,
                    "m.relates_to": {"m.in_reply_to": {"event_id": "$9"}},
                });
                let _ = said(content);
            }
        }

        #[test]
        fn r98_a_quoted_line_is_never_at_the_beginning(quoted in "[^\n\r]{0,30}(\n> ?[^\n\r]{0,30}){0,5}", own in "[a-z!/ ]{0,20}") {
            let body = format!("> {quoted}\n\n{own}");
            prop_assert_eq!(reply(&body), own.trim());
            let escaped = quoted.replace(['<', '>', '&'], " ");
            let html = format!("<blockquote>{escaped}</blockquote><a href=\"https://matrix.to/#/@a:b.org\">A</a>{own}");
            let content = json!({"body": "?", "format": "org.matrix.custom.html", "formatted_body": html});
            let expected = format!("@a:b.org{own}");
            prop_assert_eq!(said(content), expected.trim());
        }
    }
}
