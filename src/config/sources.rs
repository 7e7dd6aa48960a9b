//! Where settings come from: the file, then the environment, which wins.

use std::ffi::OsString;
use std::path::Path;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::error::{ConfigError, Spot, Wanted};
use super::settings::{self, SETTINGS, Setting};
use crate::nearest::nearest;

/// The beginning of every environment variable that is ours.
const OURS: &str = "ASHTAPADA_";

/// Variables that begin like ours and are no settings: the folder of test vectors.
const NOT_SETTINGS: &[&str] = &["ASHTAPADA_VECTORS"];

/// Reads the text of a configuration file, checking every key and value. `path` is for messages.
pub(super) fn from_text(path: &Path, text: &str) -> Result<Table, ConfigError> {
    let spot = |at: usize| Spot::Line(path.to_owned(), line_of(text, at));
    let file = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        spot: spot(error.span().map_or(0, |span| span.start)),
        what: error.message().to_owned(),
    })?;
    let mut table = Table::new();
    for (key, value) in file.get_ref() {
        let section = key.get_ref().as_ref();
        match value.get_ref() {
            DeValue::Table(inside) if is_section(section) => {
                for (key, value) in inside {
                    let (name, value) = checked(section, key, value, &spot)?;
                    put(&mut table, section, name, value);
                }
            }
            _ if is_section(section) => {
                return Err(ConfigError::BadValue {
                    spot: spot(key.span().start),
                    name: section.to_owned(),
                    wanted: Wanted::Section,
                });
            }
            _ => {
                let (name, value) = checked("", key, value, &spot)?;
                put(&mut table, "", name, value);
            }
        }
    }
    Ok(table)
}

/// Lays the settings of the environment over those of the file. Gives what is no setting though it begins like one:
/// whoever runs containers may have variables of that kind for a service that is called like the program.
pub(super) fn from_environment(
    table: &mut Table,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<Vec<ConfigError>, ConfigError> {
    let mut unknown = Vec::new();
    let mut given: Vec<(String, OsString)> = variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .collect();
    // Both names of one setting may be given: ours wins, so it comes last.
    given.sort_by_key(|(name, _)| name.starts_with(OURS));
    for (name, value) in given {
        let setting = match named(&name) {
            Ok(Some(setting)) => setting,
            Ok(None) => continue,
            Err(no_setting) => {
                unknown.push(no_setting);
                continue;
            }
        };
        // Empty means not set, as in the file.
        if value.is_empty() {
            continue;
        }
        let spot = Spot::Variable(name);
        let Ok(text) = value.into_string() else {
            return Err(ConfigError::NotUnicode(spot));
        };
        let value = setting
            .takes
            .read(&text)
            .map_err(|wanted| ConfigError::BadValue {
                spot,
                name: setting.name(),
                wanted,
            })?;
        put(table, setting.section, setting.key, value);
    }
    Ok(unknown)
}

/// The setting an environment variable sets, if it is one of ours.
fn named(variable: &str) -> Result<Option<&'static Setting>, ConfigError> {
    let setting = SETTINGS
        .iter()
        .find(|setting| setting.also == Some(variable) || setting.variable() == variable);
    if setting.is_some() || !variable.starts_with(OURS) || NOT_SETTINGS.contains(&variable) {
        return Ok(setting);
    }
    // What all of them begin with makes none of them like another.
    let own = |name: &str| name.strip_prefix(OURS).unwrap_or_default().to_owned();
    let names: Vec<String> = SETTINGS.iter().map(|one| own(&one.variable())).collect();
    let near = nearest(&own(variable), names.iter().map(String::as_str));
    Err(ConfigError::Unknown {
        spot: Spot::Variable(variable.to_owned()),
        name: variable.to_owned(),
        nearest: near.map(|near| format!("{OURS}{near}")),
    })
}

fn checked(
    section: &str,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
    spot: &impl Fn(usize) -> Spot,
) -> Result<(&'static str, Value), ConfigError> {
    let Some(setting) = settings::find(section, key.get_ref()) else {
        return Err(unknown(section, key.get_ref(), spot(key.span().start)));
    };
    let bad = |wanted| ConfigError::BadValue {
        spot: spot(value.span().start),
        name: setting.name(),
        wanted,
    };
    let plain = match value.get_ref() {
        DeValue::String(text) => Value::String(text.clone().into_owned()),
        DeValue::Boolean(truth) => Value::Boolean(*truth),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            Value::Integer(number.unwrap_or(i64::MAX))
        }
        // No setting takes these: any stand-in of another type is refused below.
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            Value::Array(Vec::new())
        }
    };
    setting.takes.check(&plain).map_err(bad)?;
    Ok((setting.key, plain))
}

fn unknown(section: &str, key: &str, spot: Spot) -> ConfigError {
    let written = match section {
        "" => key.to_owned(),
        section => format!("{section}.{key}"),
    };
    let names: Vec<String> = SETTINGS.iter().map(Setting::name).collect();
    let sections = SETTINGS.iter().map(|setting| setting.section);
    let near = nearest(&written, names.iter().map(String::as_str).chain(sections));
    // A key that stands in the wrong section is better named by itself.
    let moved = SETTINGS.iter().find(|setting| setting.key == key);
    ConfigError::Unknown {
        spot,
        nearest: moved.map(Setting::name).or(near.map(str::to_owned)),
        name: written,
    }
}

fn is_section(name: &str) -> bool {
    !name.is_empty() && SETTINGS.iter().any(|setting| setting.section == name)
}

fn put(table: &mut Table, section: &str, key: &str, value: Value) {
    if section.is_empty() {
        table.insert(key.to_owned(), value);
        return;
    }
    let inside = table
        .entry(section)
        .or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(inside) = inside {
        inside.insert(key.to_owned(), value);
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
