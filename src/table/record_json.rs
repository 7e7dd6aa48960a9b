//! The JSON form of a record, read strictly: what is passed over unread could say anything.

use serde_json::Value;
use serde_json::error::Category;

use super::record::{Record, RecordError};

/// Reads the JSON form. Written again it has to be the same, field by field.
pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    let given: Value = serde_json::from_str(text).map_err(worded)?;
    let version = given.get(VERSION_FIELD).and_then(Value::as_u64);
    if let Some(version) = version
        && version > u64::from(Record::VERSION)
    {
        let version = u32::try_from(version).unwrap_or(u32::MAX);
        return Err(RecordError::Newer(version));
    }
    let record: Record = serde_json::from_str(text).map_err(worded)?;
    if record.ashtapada_record != Record::VERSION {
        return Err(RecordError::Odd(VERSION_FIELD.to_owned()));
    }
    match difference("", &given, &serde_json::json!(record)) {
        Some(path) => Err(RecordError::Odd(path)),
        None => Ok(record),
    }
}

const VERSION_FIELD: &str = "ashtapada_record";

/// Where two values first differ, as in `dice.secret`.
fn difference(path: &str, given: &Value, written: &Value) -> Option<String> {
    let below = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    match (given, written) {
        (Value::Object(given), Value::Object(written)) => {
            let missing = written.keys().find(|key| !given.contains_key(*key));
            let differs = || {
                given
                    .iter()
                    .find_map(|(key, value)| match written.get(key) {
                        Some(other) => difference(&below(key), value, other),
                        None => Some(below(key)),
                    })
            };
            missing.map(|key| below(key)).or_else(differs)
        }
        (Value::Array(given), Value::Array(written)) if given.len() == written.len() => {
            let mut pairs = given.iter().zip(written).zip(1..);
            pairs.find_map(|((given, written), number)| {
                difference(&below(&number.to_string()), given, written)
            })
        }
        (given, written) => (given != written).then(|| path.to_owned()),
    }
}

/// What is wrong, in words of the file and not of this program.
fn worded(error: serde_json::Error) -> RecordError {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    let missing = said
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split_once('`'));
    RecordError::Json(match (error.classify(), missing) {
        (Category::Data, Some((field, _))) => format!("it has no `{field}`"),
        (Category::Data, None) => {
            format!("what stands before line {line}, column {column} does not belong there")
        }
        (Category::Eof, _) => format!("it breaks off in line {line}"),
        (Category::Syntax | Category::Io, _) => {
            format!("line {line}, column {column} is no JSON")
        }
    })
}
