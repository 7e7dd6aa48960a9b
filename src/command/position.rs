//! A position to start from, as people write it: the JSON object of a SETUP, with what is wrong in it told plainly.

use serde_json::{Map, Value};

use crate::nearest::nearest;
use crate::rules::Setup;

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// It is no JSON.
    #[error("it is not JSON from character {at} on")]
    Json {
        /// Where reading stopped, from 1.
        at: usize,
    },
    /// It is JSON of another kind.
    #[error("it has to be an object, such as {{\"board\":\"…\",\"mover\":\"south\"}}")]
    NoObject,
    /// The board is missing.
    #[error("“board” is missing")]
    NoBoard,
    /// A key that means nothing.
    #[error("it takes no “{}”{}", key.chars().take(40).collect::<String>(), perhaps(*nearest))]
    Key {
        /// What was written.
        key: String,
        /// The key most like it.
        nearest: Option<&'static str>,
    },
    /// A value that its key does not take.
    #[error("“{key}” is to be {takes}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it takes.
        takes: &'static str,
    },
}

fn perhaps(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |nearest| format!(" (perhaps “{nearest}”)"))
}

/// The keys of a position and what each takes.
const KEYS: &[(&str, &str)] = &[
    (
        "board",
        "the board's text, its ranks from the top with / between them",
    ),
    ("mover", "a seat, such as south or white"),
    ("dice", "the dice left of a roll, such as [2,5]"),
    ("scores", "a list of points, one number for each seat"),
    ("command", "a list of seats: who commands each army"),
    ("out", "a list of seats"),
    (
        "reserve",
        "an object of seats with piece letters, such as {\"south\":\"HB\"}",
    ),
    ("king_returned", "a list of seats"),
    ("kings_taken", "an object of seats with lists of seats"),
    ("waiting", "a list of squares, such as [\"a8\"]"),
    ("bare", "a list of two numbers of rolls, or null for each"),
    ("quiet", "a whole number from 0 to 65535"),
];

/// Reads a position.
///
/// # Errors
/// [`PositionError`] for the first thing that is wrong.
pub fn read(text: &str) -> Result<Setup, PositionError> {
    let value: Value = serde_json::from_str(text).map_err(|error| PositionError::Json {
        at: error.column().max(1),
    })?;
    let Value::Object(given) = value else {
        return Err(PositionError::NoObject);
    };
    for (key, value) in &given {
        check(key, value)?;
    }
    if !given.contains_key("board") {
        return Err(PositionError::NoBoard);
    }
    // Each key was right by itself, so the whole is.
    serde_json::from_value(Value::Object(given)).map_err(|_| PositionError::NoObject)
}

/// Whether a key is one of a position's, and takes the value.
fn check(key: &str, value: &Value) -> Result<(), PositionError> {
    let Some((key, takes)) = KEYS.iter().find(|(known, _)| *known == key) else {
        return Err(PositionError::Key {
            key: key.to_owned(),
            nearest: nearest(key, KEYS.iter().map(|(known, _)| *known)),
        });
    };
    let mut alone = Map::new();
    alone.insert("board".to_owned(), Value::String(String::new()));
    alone.insert((*key).to_owned(), value.clone());
    match serde_json::from_value::<Setup>(Value::Object(alone)) {
        Ok(_) => Ok(()),
        Err(_) => Err(PositionError::Value { key, takes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_a_position_is_told_in_plain_words() {
        for (text, told) in [
            ("hello", "it is not JSON from character 1 on"),
            (
                r#"["8/8"]"#,
                "it has to be an object, such as {\"board\":\"…\",\"mover\":\"south\"}",
            ),
            (r#"{"mover":"white"}"#, "“board” is missing"),
            (r#"{"bord":""}"#, "it takes no “bord” (perhaps “board”)"),
            (
                r#"{"board":"8/8","mover":"purple"}"#,
                "“mover” is to be a seat, such as south or white",
            ),
            (
                r#"{"board":"8/8","dice":[7]}"#,
                "“dice” is to be the dice left of a roll, such as [2,5]",
            ),
            (
                r#"{"board":["8"]}"#,
                "“board” is to be the board's text, its ranks from the top with / between them",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn a_position_of_a_record_is_read() {
        let text = r#"{"board":"8/8","mover":"south","dice":[2,5],"reserve":{"south":"H"},"bare":[null,3],"quiet":7}"#;
        let setup = read(text).unwrap();
        assert_eq!((setup.quiet, setup.bare), (7, Some([None, Some(3)])));
    }
}
