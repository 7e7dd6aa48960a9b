//! Replies on standard output: as text for people, or as JSON for programs.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};

use serde::Serialize;

use super::paths::{path_for_programs, path_text};
use super::pictures::Drawn;
use crate::command::message::{Choice, ErrorKind, Message, To};
use crate::ids::{PersonId, TableCode};

/// A message with what belongs to it on the console.
pub(super) struct Reply<'a> {
    pub(super) message: &'a Message,
    pub(super) names: &'a HashMap<PersonId, String>,
    pub(super) drawn: Option<&'a Drawn>,
}

/// How replies are written.
pub(super) struct Show {
    json: bool,
    colours: bool,
}

/// A reply for programs: one object on one line.
#[derive(Serialize)]
struct Line<'a> {
    place: String,
    to: &'a str,
    text: String,
    picture: Option<String>,
    alt: Option<&'a str>,
    mentions: Vec<String>,
    choices: &'a [Choice],
    table: Option<TableCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorKind>,
}

impl Show {
    pub(super) fn new(json: bool) -> Show {
        let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Show { json, colours }
    }

    /// Two lines that tell how to begin.
    pub(super) fn welcome(&self, terminal: bool) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "Welcome to Ashtapada. Open a table with /new chaturanga with:@bob and let others speak with /as bob; /help has the rest."
        )?;
        if terminal {
            writeln!(
                out,
                "To try a game alone: /new chaturaji solo:yes, then /move a2a3. The end of input (Ctrl-D) or /quit ends it; games stay."
            )
        } else {
            writeln!(
                out,
                "Lines are commands, such as: ada> /new chaturanga with:@bob. The end of input ends the program; games stay."
            )
        }
    }

    /// A word about the console itself, for people only.
    pub(super) fn remark(&self, remark: &str) -> std::io::Result<()> {
        if self.json {
            return Ok(());
        }
        writeln!(std::io::stdout().lock(), "{remark}")
    }

    pub(super) fn reply(&self, reply: &Reply<'_>) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            // All of it or nothing: a program that reads along must not be left in the middle of an object.
            writeln!(out, "{}", serde_json::to_string(&line(reply))?)?;
        } else {
            writeln!(out, "{}", self.text(reply))?;
        }
        out.flush()
    }

    fn text(&self, reply: &Reply<'_>) -> String {
        let message = reply.message;
        let name = |person| name_of(reply.names, person);
        let mut text = if self.colours {
            message.text.to_ansi(name)
        } else {
            message.text.to_plain(name)
        };
        if let To::Only(person) = message.to {
            text = format!("(to {}) {text}", name_of(reply.names, person));
        }
        if let Some(drawn) = reply.drawn {
            text.push('\n');
            text.push_str(&drawn.board(self.colours));
            if let Some(path) = &drawn.path {
                text.push_str(&format!("\nPicture: {}", path_text(path)));
            }
        }
        let lines: Vec<&str> = message
            .choices
            .iter()
            .map(|choice| choice.line.as_str())
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n  {}", lines.join("   ")));
        }
        text
    }
}

fn line<'a>(reply: &'a Reply<'_>) -> Line<'a> {
    let message = reply.message;
    let name = |person| name_of(reply.names, person);
    Line {
        place: message.place.to_string(),
        to: match message.to {
            To::Everyone => "everyone",
            To::Only(person) => reply.names.get(&person).map_or("caller", String::as_str),
        },
        text: message.text.to_plain(name),
        picture: reply
            .drawn
            .and_then(|drawn| drawn.path.as_deref().map(path_for_programs)),
        alt: message.alt.as_deref(),
        mentions: message.mentions().into_iter().map(name).collect(),
        choices: &message.choices,
        table: message.table,
        error: message.error,
    }
}

/// A person's name; never a placeholder that looks like one (R68).
fn name_of(names: &HashMap<PersonId, String>, person: PersonId) -> String {
    names
        .get(&person)
        .cloned()
        .unwrap_or_else(|| format!("person {person}"))
}
