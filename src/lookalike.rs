//! Letters of other scripts that look like those of the Latin alphabet, as somebody types them who has another keyboard.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_script::{Script, UnicodeScript};
use unicode_security::skeleton;

/// A letter that is no Latin one, though it may look like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strange {
    /// As it was written.
    pub written: char,
    /// The script it belongs to, as in `Cyrillic`; none where it is a Latin letter of another kind.
    pub script: Option<&'static str>,
    /// The plain letter it looks like.
    pub like: Option<char>,
}

/// A text with letters of other scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookAlike {
    /// These letters, each once.
    pub letters: Vec<Strange>,
    /// The text with plain letters in their place, where each looks like one.
    pub meant: Option<String>,
}

/// What is strange about a text; `None` where all its letters are Latin ones, accents or not.
pub fn look_alike(text: &str) -> Option<LookAlike> {
    let mut letters: Vec<Strange> = Vec::new();
    let mut meant = Some(String::new());
    for written in text.nfkc() {
        let found = strange(written);
        let plain = found.map_or(Some(written), |strange| strange.like);
        meant = meant.zip(plain).map(|(mut meant, plain)| {
            meant.push(plain);
            meant
        });
        if let Some(found) = found
            && !letters.contains(&found)
        {
            letters.push(found);
        }
    }
    (!letters.is_empty()).then_some(LookAlike { letters, meant })
}

/// The text with plain letters in place of those that look like them, where each does; else the text as it is.
pub fn meant_or(text: &str) -> String {
    let meant = look_alike(text).and_then(|found| found.meant);
    meant.unwrap_or_else(|| text.to_owned())
}

fn strange(written: char) -> Option<Strange> {
    if written.is_ascii() || !written.is_alphabetic() {
        return None;
    }
    let like = like(written);
    match written.script() {
        Script::Latin | Script::Common | Script::Inherited => like.map(|_| Strange {
            written,
            script: None,
            like,
        }),
        script => Some(Strange {
            written,
            script: Some(script.full_name()),
            like,
        }),
    }
}

/// The letters and digits that people type, by what they look like (UTS 39). Small letters come first, so that what could
/// be either is a small one.
static PLAIN: LazyLock<HashMap<String, char>> = LazyLock::new(|| {
    let mut plain = HashMap::new();
    for letter in ('a'..='z').chain('A'..='Z') {
        let looks: String = skeleton(letter.encode_utf8(&mut [0; 4])).collect();
        plain.entry(looks).or_insert(letter);
    }
    plain
});

fn like(written: char) -> Option<char> {
    let looks: String = skeleton(written.encode_utf8(&mut [0; 4])).collect();
    let found = PLAIN.get(&looks).copied();
    // What has no double of its own size may have one of the other: the Cyrillic «м» is a small «М».
    found.or_else(|| {
        let other: String = match written.is_uppercase() {
            true => written.to_lowercase().collect(),
            false => written.to_uppercase().collect(),
        };
        let looks: String = skeleton(&other).collect();
        let found = PLAIN.get(&looks)?;
        Some(match written.is_uppercase() {
            true => found.to_ascii_uppercase(),
            false => found.to_ascii_lowercase(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str) -> Option<String> {
        look_alike(text)?.meant
    }

    #[test]
    fn letters_of_other_scripts_are_known_by_what_they_look_like() {
        assert_eq!(meant("с7с6").as_deref(), Some("c7c6"));
        assert_eq!(meant("Νс3").as_deref(), Some("Nc3"));
        assert_eq!(meant("а2а3 е2е3").as_deref(), Some("a2a3 e2e3"));
        assert_eq!(meant("mоvе").as_deref(), Some("move"));
        assert_eq!(meant("ɑ2ɑ3").as_deref(), Some("a2a3"));
        let found = look_alike("с7с6").unwrap().letters;
        let c = Strange {
            written: 'с',
            script: Some("Cyrillic"),
            like: Some('c'),
        };
        assert_eq!(found, [c]);
    }

    #[test]
    fn what_looks_like_nothing_is_still_told_and_latin_letters_are_no_matter() {
        let found = look_alike("ж2ж3").unwrap();
        assert_eq!((found.letters.len(), found.meant), (1, None));
        for text in ["a2a3", "ｂ１ｃ３", "é", "Übung", "١", "🐘", ""] {
            assert_eq!(look_alike(text), None, "{text}");
        }
    }
}
