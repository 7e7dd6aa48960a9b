//! Making one kind of text of what keyboards and phones produce.

use super::digits::narrowed;

/// Full-width forms and digits of other scripts become plain letters and digits, dashes and arrows become `-`, what cannot be seen goes, and so do
/// marks behind a move that only comment on it.
pub(super) fn clean(text: &str) -> String {
    let arrows = text.replace("=>", "-");
    let plain: String = narrowed(&arrows).chars().filter_map(plain).collect();
    let words = plain
        .split_whitespace()
        .map(undecorated)
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn plain(letter: char) -> Option<char> {
    match letter {
        // Hyphens, dashes, minus signs, arrows.
        '\u{2010}'..='\u{2015}'
        | '\u{2212}'
        | '\u{2190}'..='\u{21FF}'
        | '\u{27F5}'..='\u{27FF}'
        | '\u{2E3A}'
        | '\u{2E3B}'
        | '\u{301C}'
        | '>'
        | '~' => Some('-'),
        '×' | '✕' | '✖' | ':' | '*' => Some('x'),
        // Zero-width characters, direction marks, variation selectors, soft hyphen.
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}'
        | '\u{00AD}'
        | '\u{FE00}'..='\u{FE0F}' => None,
        ',' | ';' | '|' | '/' => Some(' '),
        letter if letter.is_whitespace() || letter.is_control() => Some(' '),
        letter => Some(letter),
    }
}

/// A word without `+ # ! ?` and `e.p.` behind it, and without brackets or a full stop around it.
fn undecorated(word: &str) -> &str {
    let word = word.trim_start_matches(['(', '[', '"', '\'', '`']);
    let mut word = word;
    loop {
        let shorter = word.trim_end_matches([
            '+', '#', '!', '?', '‼', '.', ')', ']', '"', '\'', '`', '†', '‡',
        ]);
        let shorter = shorter
            .strip_suffix("e.p")
            .or_else(|| shorter.strip_suffix("ep"))
            .unwrap_or(shorter);
        if shorter.len() == word.len() {
            return word;
        }
        word = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_phones_make_of_input_is_understood() {
        assert_eq!(clean("ｂ１ｃ３"), "b1c3");
        assert_eq!(clean("b1–c3 b1—c3 b1−c3 b1→c3"), "b1-c3 b1-c3 b1-c3 b1-c3");
        assert_eq!(clean("b1\u{a0}c3\u{200b}\r\n"), "b1 c3");
        assert_eq!(clean("Nxh3+!? a2a3 e.p."), "Nxh3 a2a3");
        assert_eq!(clean("b1=>c3 b1->c3"), "b1-c3 b1--c3");
    }
}
