//! Moves in letters of another script: which they are, and what was probably meant.

use super::unreadable::brief;
use crate::command::text::Text;
use crate::lookalike::look_alike;

/// The most letters that are named.
const MOST: usize = 5;

/// What is strange about a text of moves that could not be read; `None` where its letters are plain ones.
pub(crate) fn look_alikes(text: &str) -> Option<Text> {
    let found = look_alike(text)?;
    let letters = found.letters.iter().take(MOST).map(|one| {
        let script = match one.script {
            Some(script) => format!("a {script} letter"),
            None => "a letter".to_owned(),
        };
        let like = match one.like {
            Some(like) => format!(" that looks like “{like}”"),
            None => String::new(),
        };
        format!("“{}” is {script}{like}", one.written)
    });
    let letters: Vec<String> = letters.collect();
    let told = Text::from(format!("“{}”: {}. ", brief(text), letters.join("; ")));
    Some(match found.meant {
        Some(meant) => told.plain("Did you mean ").code(brief(&meant)).plain("?"),
        None => told
            .plain("Write squares with the letters a to h and digits, as in ")
            .code("b1c3")
            .plain("."),
    })
}
