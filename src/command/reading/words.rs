//! A line's words: what stands between blanks, with its name before a colon and its quotes taken off.

use crate::rules::reading::narrowed;

/// One word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// What stood before `:` or `=`, if it can be an option's name.
    pub(super) name: Option<String>,
    /// The value, without quotes around it.
    pub(super) text: String,
    /// Whether the value stood in quotes or braces.
    pub(super) quoted: bool,
    /// The whole word as it was written.
    pub(super) raw: String,
}

impl Word {
    /// `@ada`, or a platform's `<@123>`.
    pub(super) fn is_mention(&self) -> bool {
        self.text.starts_with(['@', '＠']) || self.text.starts_with("<@")
    }
}

/// White space (a carriage return too, R88), control characters and characters without any width.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2060}' | '\u{FEFF}'
        )
}

/// The quotes that open and close a value; any of them closes any other (R85).
pub(super) fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '`'
            | '´'
            | '‘'
            | '’'
            | '‚'
            | '‛'
            | '“'
            | '”'
            | '„'
            | '‟'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '「'
            | '」'
            | '″'
            | '′'
            | '＂'
            | '＇'
    )
}

/// The words of a line, in order.
pub(super) fn split(line: &str) -> Vec<Word> {
    let chars: Vec<char> = line.chars().collect();
    let mut words = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if is_blank(chars[at]) {
            at += 1;
        } else {
            let (word, next) = one(&chars, at);
            words.push(word);
            at = next;
        }
    }
    words
}

/// The word that begins at `start`, and where the next may begin.
fn one(chars: &[char], start: usize) -> (Word, usize) {
    let name = name_end(chars, start);
    let value = name.map_or(start, |end| end + 1);
    let (text, quoted, next) = if let Some((text, next)) = quoted(chars, value) {
        (text, true, next)
    } else if let Some((text, next)) = braced(chars, value) {
        (text, true, next)
    } else {
        let next = blank_from(chars, value);
        let text: String = chars[value..next].iter().collect();
        (text.trim_matches(is_quote).to_owned(), false, next)
    };
    let word = Word {
        name: name.map(|end| narrowed(&chars[start..end].iter().collect::<String>())),
        text,
        quoted,
        raw: chars[start..next].iter().collect(),
    };
    (word, next)
}

/// Where an option's name of two letters or more ends, if `:` or `=` follows it.
fn name_end(chars: &[char], start: usize) -> Option<usize> {
    let end = start
        + chars[start..]
            .iter()
            .position(|c| !(c.is_alphabetic() || matches!(c, '-' | '_')))?;
    (end >= start + 2 && matches!(chars[end], ':' | '=' | '：' | '＝')).then_some(end)
}

/// A value in quotes: to the next quote that has a blank or the end behind it, so an apostrophe does not close it.
fn quoted(chars: &[char], start: usize) -> Option<(String, usize)> {
    if !chars.get(start).copied().is_some_and(is_quote) {
        return None;
    }
    if let Some((text, next)) = braced(chars, start + 1) {
        let closed = chars.get(next).copied().is_some_and(is_quote);
        return Some((text, next + usize::from(closed)));
    }
    let close = (start + 1..chars.len())
        .find(|&at| is_quote(chars[at]) && chars.get(at + 1).copied().is_none_or(is_blank))?;
    let text: String = chars[start + 1..close].iter().collect();
    Some((text.trim_matches(is_blank).to_owned(), close + 1))
}

/// A value in braces, as a SETUP text is: to the brace that closes the first. Curly quotes in it become straight ones.
fn braced(chars: &[char], start: usize) -> Option<(String, usize)> {
    if chars.get(start) != Some(&'{') {
        return None;
    }
    let mut depth = 0_usize;
    for (at, &c) in chars.iter().enumerate().skip(start) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let text = chars[start..=at].iter().map(|&c| match c {
                '“' | '”' | '„' | '‟' | '″' | '＂' => '"',
                _ if is_blank(c) => ' ',
                _ => c,
            });
            return Some((text.collect(), at + 1));
        }
    }
    None
}

fn blank_from(chars: &[char], start: usize) -> usize {
    (start..chars.len())
        .find(|&at| is_blank(chars[at]))
        .unwrap_or(chars.len())
}
