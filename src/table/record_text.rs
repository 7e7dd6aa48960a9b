//! The text form of a record: headed lines, one line a turn, the position for people, and its SETUP.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::de::DeserializeOwned;

use super::deed::Deed;
use super::record::{Player, Record, RecordError, Status, Told};
use super::record_dice::{Contributed, RecordDice};
use super::record_state;
use crate::rules::{Over, Seat};

const FIRST_LINE: &str = "Ashtapada record";

/// Writes the text form.
pub(super) fn write(record: &Record) -> String {
    let mut text = format!("{FIRST_LINE} {}\n", record.ashtapada_record);
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {}", one_line(value));
    };
    line("Table", &record.code.to_string());
    line("Game", &record.game);
    let options = record
        .options
        .iter()
        .map(|(key, value)| format!("{key}={value}"));
    line("Options", &options.collect::<Vec<_>>().join(" "));
    if let Some(position) = &record.position {
        line("Position", &serde_json::json!(position).to_string());
    }
    line("Opened", &record.opened);
    if let Some(closed) = &record.closed {
        line("Closed", closed);
    }
    for player in &record.players {
        let value = format!("{} person {} {}", player.seat, player.person, player.name);
        line("Player", &value);
    }
    line("Status", &quoted_word(&record.status));
    if let Some(result) = &record.result {
        line("Result", &serde_json::json!(result).to_string());
    }
    match &record.dice {
        None => {}
        Some(RecordDice::File { .. }) => line("Dice", "not fair: rolls from a file"),
        Some(RecordDice::Fair {
            commitment,
            contributions,
            secret,
            ..
        }) => {
            line("Dice", "fair");
            line("Commitment", &commitment.to_string());
            for Contributed {
                hex,
                person,
                message,
            } in contributions
            {
                line("Contribution", &format!("{hex} person {person} {message}"));
            }
            if let Some(secret) = secret {
                line("Secret", &secret.to_string());
            }
        }
    }
    if let Some(RecordDice::Fair { order, .. } | RecordDice::File { order }) = &record.dice
        && let Some(order) = order
    {
        line("Order", &order.to_string());
    }
    text.push('\n');
    write_turns(&mut text, &record.events);
    text.push('\n');
    match (&record.state, &record.drawn) {
        (Some(state), _) => text.push_str(&record_state::drawn(state)),
        (None, Some(drawn)) => text.push_str(drawn),
        (None, None) => {}
    }
    let _ = writeln!(text, "Setup: {}", record.setup);
    text
}

/// One numbered line a turn: a new one begins where another army is on turn, or the dice are thrown again.
fn write_turns(text: &mut String, events: &[Told]) {
    let mut number = 0;
    let mut before: Option<Seat> = None;
    for Told { seat, deed } in events {
        if before != Some(*seat) || matches!(deed, Deed::Roll(_)) {
            number += 1;
            let _ = write!(
                text,
                "{}{number}. {seat}",
                if number > 1 { "\n" } else { "" }
            );
        }
        before = Some(*seat);
        let _ = write!(text, " {deed}");
    }
    if number > 0 {
        text.push('\n');
    }
}

/// Names are others' text: nothing in them may begin a line.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

fn quoted_word(status: &Status) -> String {
    match status {
        Status::Unfinished => "unfinished",
        Status::Played => "played",
        Status::Cancelled => "cancelled",
    }
    .to_owned()
}

/// Reads the text form. Written again it has to be the same, line by line: nothing in it is passed over unread.
pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    let lines: Vec<Line<'_>> = text
        .lines()
        .enumerate()
        .map(|(index, text)| Line {
            number: index + 1,
            text: text.trim_end(),
        })
        .collect();
    let first = lines.first().ok_or(RecordError::Missing("Table"))?;
    let version = first.text.strip_prefix(FIRST_LINE);
    let version = first.ok(version.and_then(|rest| rest.trim().parse().ok()))?;
    if version > Record::VERSION {
        return Err(RecordError::Newer(version));
    }
    let head = Head(lines);
    let record = Record {
        ashtapada_record: version,
        code: head.needed("Table", |value| value.parse().ok())?,
        game: head.needed("Game", |value| Some(value.to_owned()))?,
        options: head.maybe("Options", read_options)?.unwrap_or_default(),
        position: head.maybe("Position", from_json)?,
        opened: head.needed("Opened", |value| Some(value.to_owned()))?,
        closed: head.maybe("Closed", |value| Some(value.to_owned()))?,
        players: head.all("Player", read_player)?,
        status: head.needed("Status", |value| from_json(&format!("\"{value}\"")))?,
        result: head.maybe("Result", from_json::<Over>)?,
        dice: head.dice()?,
        events: head.turns()?,
        state: None,
        setup: head.needed("Setup", from_json)?,
        drawn: head.drawn(),
    };
    head.same_as(&write(&record))?;
    Ok(record)
}

struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    fn ok<T>(&self, read: Option<T>) -> Result<T, RecordError> {
        read.ok_or_else(|| RecordError::Line {
            line: self.number,
            text: self.text.chars().take(60).collect(),
        })
    }
}

struct Head<'a>(Vec<Line<'a>>);

impl Head<'_> {
    fn all<T>(&self, key: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, RecordError> {
        let values = self.0.iter().filter_map(|line| {
            let value = line.text.strip_prefix(key)?.strip_prefix(':')?;
            Some(line.ok(read(value.trim())))
        });
        values.collect()
    }

    fn maybe<T>(
        &self,
        key: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, RecordError> {
        Ok(self.all(key, read)?.into_iter().next())
    }

    fn needed<T>(
        &self,
        key: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, RecordError> {
        self.maybe(key, read)?.ok_or(RecordError::Missing(key))
    }

    fn dice(&self) -> Result<Option<RecordDice>, RecordError> {
        let order = self.maybe("Order", |value| value.parse().ok())?;
        let fair = self.maybe("Dice", |value| Some(value == "fair"))?;
        Ok(match fair {
            None => None,
            Some(false) => Some(RecordDice::File { order }),
            Some(true) => Some(RecordDice::Fair {
                commitment: self.needed("Commitment", hex)?,
                contributions: self.all("Contribution", read_contributed)?,
                secret: self.maybe("Secret", hex)?,
                order,
            }),
        })
    }

    /// The lines of the position for people.
    fn drawn(&self) -> Option<String> {
        let mut lines = self.0.iter().map(|line| line.text);
        lines.find(|line| *line == record_state::HEADING)?;
        let drawn = lines.take_while(|line| line.starts_with(' '));
        let lines = [record_state::HEADING].into_iter().chain(drawn);
        Some(lines.flat_map(|line| [line, "\n"]).collect())
    }

    fn same_as(&self, written: &str) -> Result<(), RecordError> {
        let mut written = written
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty());
        for line in self.0.iter().filter(|line| !line.text.is_empty()) {
            line.ok(written.next().filter(|written| *written == line.text))?;
        }
        match written.next() {
            None => Ok(()),
            Some(_) => Err(RecordError::Missing("Setup")),
        }
    }

    fn turns(&self) -> Result<Vec<Told>, RecordError> {
        let mut events = Vec::new();
        for line in &self.0 {
            let Some((number, rest)) = line.text.split_once(". ") else {
                continue;
            };
            if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let mut words = rest.split_whitespace();
            let seat: Seat = line.ok(words.next().and_then(|seat| seat.parse().ok()))?;
            for word in words {
                let deed = line.ok(Deed::read(word))?;
                events.push(Told { seat, deed });
            }
        }
        Ok(events)
    }
}

fn from_json<T: DeserializeOwned>(value: &str) -> Option<T> {
    serde_json::from_str(value).ok()
}

fn hex<T: DeserializeOwned>(value: &str) -> Option<T> {
    from_json(&format!("\"{value}\""))
}

fn read_options(value: &str) -> Option<BTreeMap<String, String>> {
    let pair = |word: &str| {
        let (key, value) = word.split_once('=')?;
        Some((key.to_owned(), value.to_owned()))
    };
    value.split_whitespace().map(pair).collect()
}

/// `south person 1 ada`
fn read_player(value: &str) -> Option<Player> {
    let (seat, rest) = value.split_once(" person ")?;
    let (person, name) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Player {
        seat: seat.parse().ok()?,
        person: from_json(person)?,
        name: name.to_owned(),
    })
}

/// `93c4… person 1 console:17`
fn read_contributed(value: &str) -> Option<Contributed> {
    let (digits, rest) = value.split_once(" person ")?;
    let (person, message) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Contributed {
        hex: hex(digits)?,
        person: from_json(person)?,
        message: message.to_owned(),
    })
}
