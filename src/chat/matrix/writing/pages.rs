//! Texts that are too long for one event.

use crate::command::text::{Fragment, Text};

/// The text in parts of at most so many characters each, parted at line ends where there are any.
pub(super) fn pages(text: &Text, most: usize) -> Vec<Text> {
    let mut pages = Vec::new();
    let mut page = Text::new();
    let mut left = most;
    for fragment in &text.0 {
        for piece in pieces(fragment, most) {
            let length = length(&piece);
            if length > left && !page.is_empty() {
                pages.push(std::mem::take(&mut page));
                left = most;
            }
            left = left.saturating_sub(length);
            page.0.push(piece);
        }
    }
    if !page.is_empty() {
        pages.push(page);
    }
    pages
}

/// The first part of the text, with dots where something is left out.
pub(super) fn cut(text: &Text, most: usize) -> Text {
    let mut pages = pages(text, most).into_iter();
    let first = pages.next().unwrap_or_default();
    match pages.next() {
        Some(_) => first.plain("…"),
        None => text.clone(),
    }
}

/// A fragment in pieces that fit.
fn pieces(fragment: &Fragment, most: usize) -> Vec<Fragment> {
    let parted = |words: &str, of: fn(String) -> Fragment| -> Vec<Fragment> {
        parted(words, most).into_iter().map(of).collect()
    };
    match fragment {
        Fragment::Plain(words) => parted(words, Fragment::Plain),
        Fragment::Strong(words) => parted(words, Fragment::Strong),
        Fragment::Code(words) => parted(words, Fragment::Code),
        Fragment::Block(lines) => parted(lines, Fragment::Block),
        Fragment::Mention(_) | Fragment::Person(_) | Fragment::Place(_) => vec![fragment.clone()],
    }
}

/// Words in pieces of at most so many characters; nothing is lost between them.
fn parted(words: &str, most: usize) -> Vec<String> {
    if words.chars().count() <= most {
        return vec![words.to_owned()];
    }
    let mut parts = vec![String::new()];
    let mut length = 0;
    for line in words.split_inclusive('\n') {
        let fits = length + line.chars().count() <= most;
        if !fits && length > 0 {
            parts.push(String::new());
            length = 0;
        }
        for c in line.chars() {
            if length == most {
                parts.push(String::new());
                length = 0;
            }
            if let Some(part) = parts.last_mut() {
                part.push(c);
            }
            length += 1;
        }
    }
    parts
}

fn length(fragment: &Fragment) -> usize {
    /// A name or link.
    const SOME: usize = 80;
    match fragment {
        Fragment::Plain(words)
        | Fragment::Strong(words)
        | Fragment::Code(words)
        | Fragment::Block(words) => words.chars().count(),
        Fragment::Mention(_) | Fragment::Person(_) | Fragment::Place(_) => SOME,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &Text) -> String {
        text.to_plain(|_| String::new())
    }

    #[test]
    fn r124_a_long_text_is_parted_at_line_ends() {
        let line = "0123456789\n";
        let text = Text::from(line.repeat(10)).strong("end");
        let parts = pages(&text, 25);
        assert!(parts.iter().all(|part| plain(part).chars().count() <= 25));
        assert_eq!(parts[0], Text::from(line.repeat(2)));
        let all = parts.into_iter().fold(Text::new(), Text::then);
        assert_eq!(all, text);
    }

    #[test]
    fn a_line_that_is_too_long_itself_is_parted_anyway() {
        let parts = pages(&Text::from("é".repeat(25)), 10);
        let lengths: Vec<usize> = parts
            .iter()
            .map(|part| plain(part).chars().count())
            .collect();
        assert_eq!(lengths, [10, 10, 5]);
    }

    #[test]
    fn what_fits_is_left_as_it_is_and_what_does_not_ends_with_dots() {
        let text = Text::from("short");
        assert_eq!(cut(&text, 10), text);
        assert_eq!(plain(&cut(&Text::from("0123456789abc"), 10)), "0123456789…");
        assert!(pages(&Text::new(), 10).is_empty());
    }
}
