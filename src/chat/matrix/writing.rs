//! From a [`Message`] to events: HTML with a plain body, the picture with one sentence as its caption, and exactly those who are
//! notified.

mod blur;
mod hint;
mod html;
mod pages;
mod part;

use std::collections::HashMap;
use std::sync::Arc;

use matrix_sdk::ruma::UserId;
use render::Layout;
use serde_json::{Value, json};

use self::html::Named;
use self::part::Image;
pub(super) use self::part::{Attached, Content, Part};
use super::Matrix;
use super::words::writing::BOARD;
use crate::chat::drawing::{Drawing, Drawn, table_then};
use crate::club::FORGOTTEN;
use crate::command::message::{Message, To};
use crate::command::text::Text;
use crate::command::words;
use crate::ids::{PersonId, Place, Platform};
use crate::table::Table;

/// The most characters of one event's text, markup aside: events may have 65,536 bytes in all, each character may take
/// several, twice, and encryption makes a third more of it (R124).
const LONGEST: usize = 3_000;

/// Lays a message out: the picture, the file, the text. What everybody sees is one text, cut if need be; what is for one person
/// may be several. What cannot be read or drawn is logged, and the message stands without it.
pub(super) async fn lay(matrix: &Matrix, message: &Message) -> Vec<Part> {
    let table = match message.table {
        Some(code) => table_then(&matrix.club, code, message.version).await,
        None => None,
    };
    let board = message.table.zip(message.version);
    let mut text = message.text.clone();
    let mut parts = Vec::new();
    if let Some(wanted) = &message.picture {
        let drawing = Drawing {
            club: &matrix.club,
            easel: &matrix.easel,
            theme: matrix.settings.theme,
            layout: Layout::Square,
        };
        let drawn = drawing.draw(&message.place, wanted, table.as_ref()).await;
        let caption = caption(message, table.as_deref());
        match drawn {
            Some(Drawn {
                name,
                bytes: Some(bytes),
                ..
            }) => {
                let image = image_of(&bytes).await;
                let attached = Attached::picture(name, bytes, caption, image);
                parts.push(Content::Attached(attached));
            }
            Some(drawn) => text = text.block(drawn.board),
            None => {}
        }
    }
    if let Some(file) = &message.file {
        let bytes: Arc<[u8]> = file.text.as_bytes().into();
        let attached = Attached::file(file.name.clone(), bytes);
        parts.push(Content::Attached(attached));
    }
    let named = people(matrix, &text).await;
    let prefix = prefix_in(matrix, &message.place).await;
    let alone = is_alone(matrix, message).await;
    let texts = match message.to {
        To::Everyone => {
            let hint = hint::hint(message, table.as_deref(), alone);
            let mut text = pages::cut(&text, LONGEST);
            if !hint.is_empty() {
                text = text.plain("\n").then(hint);
            }
            vec![text]
        }
        To::Only(_) => pages::pages(&text, LONGEST),
    };
    parts.extend(
        texts
            .iter()
            .filter(|text| !text.is_empty())
            .map(|text| Content::Text(written(text, message.to, &named, &prefix))),
    );
    let part = |content| Part { board, content };
    parts.into_iter().map(part).collect()
}

/// The same as one event of plain words: what is sent where the server does not take the other.
pub(super) async fn plainly(matrix: &Matrix, message: &Message) -> Part {
    let named = people(matrix, &message.text).await;
    let prefix = prefix_in(matrix, &message.place).await;
    let text = pages::cut(&message.text, LONGEST);
    let mut content = written(&text, message.to, &named, &prefix);
    if let Some(content) = content.as_object_mut() {
        content.remove("format");
        content.remove("formatted_body");
    }
    Part {
        board: message.table.zip(message.version),
        content: Content::Text(content),
    }
}

/// What is told of a picture beside it: looked at off the threads that answer people.
async fn image_of(file: &Arc<[u8]>) -> Option<Image> {
    let file = Arc::clone(file);
    let looking = tokio::task::spawn_blocking(move || Image::of(&file));
    looking.await.ok().flatten()
}

/// What a command begins with in a place.
pub(super) async fn prefix_in(matrix: &Matrix, place: &Place) -> String {
    let settings = matrix.club.settings_at(place).await;
    let settings =
        settings.inspect_err(|error| tracing::error!("matrix: the settings of {place}: {error}"));
    let own = settings.ok().and_then(|settings| settings.prefix);
    own.unwrap_or_else(|| matrix.settings.prefix.clone())
}

/// The content of a text, without relation. Whoever is to be notified is, and nobody else: default push rules are silent on
/// notices (R95).
fn written(text: &Text, to: To, named: &HashMap<PersonId, Named>, prefix: &str) -> Value {
    let who = |person: PersonId| {
        named.get(&person).cloned().unwrap_or_else(|| Named {
            account: None,
            name: FORGOTTEN.to_owned(),
        })
    };
    let notified: Vec<String> = match to {
        To::Everyone => text
            .mentions()
            .into_iter()
            .filter_map(|person| who(person).account)
            .map(String::from)
            .collect(),
        To::Only(_) => Vec::new(),
    };
    let (kind, mentions) = match notified.as_slice() {
        [] => ("m.notice", json!({})),
        users => ("m.text", json!({ "user_ids": users })),
    };
    json!({
        "msgtype": kind,
        "body": html::plain(text, &who, prefix),
        "format": "org.matrix.custom.html",
        "formatted_body": html::html(text, &who, prefix),
        "m.mentions": mentions,
    })
}

/// One sentence below a picture, which clients that do not show pictures read out.
fn caption(message: &Message, table: Option<&Table>) -> String {
    let own = table.and_then(words::caption);
    own.or_else(|| message.alt.clone())
        .unwrap_or_else(|| BOARD.to_owned())
}

/// Whether the message is about the only unfinished table in its place: then no command needs the table's code.
async fn is_alone(matrix: &Matrix, message: &Message) -> bool {
    let tables = matrix.club.tables_in(&message.place).await;
    tables.is_ok_and(|tables| match tables.as_slice() {
        [one] => message.table == Some(one.code),
        _ => false,
    })
}

/// What the persons of a text are called, and their accounts here.
async fn people(matrix: &Matrix, text: &Text) -> HashMap<PersonId, Named> {
    let mut named = HashMap::new();
    for id in text.persons() {
        match matrix.club.person(id).await {
            Ok(person) => {
                let mut accounts = person.accounts.iter();
                let own = accounts.find(|account| account.platform == Platform::Matrix);
                let account = own.and_then(|own| UserId::parse(own.account.as_str()).ok());
                let name = person.name;
                named.insert(id, Named { account, name });
            }
            Err(error) => tracing::error!("matrix: person {id} cannot be named: {error}"),
        }
    }
    named
}

#[cfg(test)]
mod tests;
