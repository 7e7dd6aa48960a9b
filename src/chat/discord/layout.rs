//! From a [`Message`] to what Discord gets: Markdown, buttons, the picture with its words, and exactly those who are notified.

mod buttons;
mod sheet;

use std::collections::HashMap;

use serde_json::{Value, json};
use serenity::builder::CreateAttachment;

use self::buttons::buttons;
pub(super) use self::sheet::Sheet;
use super::Discord;
use super::markdown::{self, Named};
use crate::chat::drawing::{Drawing, table_then};
use crate::club::{Club, FORGOTTEN};
use crate::command::message::{Message, To};
use crate::command::text::Text;
use crate::ids::{PersonId, Platform};
use crate::table::Table;
use render::Layout;

/// The most characters of a picture's description.
const LONGEST_ALT: usize = 1024;

/// Lays a message out. What everybody sees is cut to Discord's bound; what is for one person may be longer, to be parted. What
/// cannot be read or drawn is logged, and the message stands without it.
pub(super) async fn lay(discord: &Discord, message: &Message) -> Sheet {
    let table = match message.table {
        Some(code) => table_then(&discord.club, code, message.version).await,
        None => None,
    };
    let named = people(&discord.club, &message.text).await;
    let picture = match &message.picture {
        Some(wanted) => {
            let drawing = Drawing {
                club: &discord.club,
                easel: &discord.easel,
                theme: discord.settings.theme,
                layout: Layout::Wide,
            };
            drawing.draw(&message.place, wanted, table.as_ref()).await
        }
        None => None,
    };
    let mut sheet = written(message, table.as_deref(), &named);
    if let Some(drawn) = picture {
        sheet.board = Some(drawn.board);
        if let Some(bytes) = drawn.bytes {
            let file = CreateAttachment::bytes(bytes.to_vec(), drawn.name);
            sheet.files.push(match &message.alt {
                Some(alt) => file.description(alt.chars().take(LONGEST_ALT).collect::<String>()),
                None => file,
            });
        }
    } else if let Some(file) = &message.file {
        let bytes = file.text.clone().into_bytes();
        sheet
            .files
            .push(CreateAttachment::bytes(bytes, file.name.clone()));
    }
    sheet
}

/// All of a message but its file.
fn written(message: &Message, table: Option<&Table>, named: &HashMap<PersonId, Named>) -> Sheet {
    let who = |person: PersonId| {
        named.get(&person).cloned().unwrap_or_else(|| Named {
            account: None,
            name: FORGOTTEN.to_owned(),
        })
    };
    let buttons = buttons(message, table);
    let mut text = message.text.clone();
    for choice in &buttons.too_long {
        text = text
            .plain(format!("\n{}: ", choice.label))
            .code(choice.line.clone());
    }
    let content = markdown::write(&text, &who);
    Sheet {
        content: match message.to {
            To::Everyone => markdown::cut(&content),
            To::Only(_) => content,
        },
        components: buttons.rows(),
        files: Vec::new(),
        allowed: allowed(&message.text, &who),
        board: None,
    }
}

/// Exactly those who are mentioned may be notified, and neither roles nor everybody.
fn allowed(text: &Text, who: &dyn Fn(PersonId) -> Named) -> Value {
    let users: Vec<String> = text
        .mentions()
        .into_iter()
        .filter_map(|person| who(person).account)
        .map(|account| account.to_string())
        .collect();
    json!({ "parse": [], "users": users })
}

/// What the persons of a text are called, and their accounts here.
pub(super) async fn people(club: &Club, text: &Text) -> HashMap<PersonId, Named> {
    let mut named = HashMap::new();
    for id in text.persons() {
        match club.person(id).await {
            Ok(person) => {
                let mut accounts = person.accounts.iter();
                let own = accounts.find(|account| account.platform == Platform::Discord);
                let account = own.and_then(|own| own.account.parse().ok());
                let name = person.name;
                named.insert(id, Named { account, name });
            }
            Err(error) => tracing::error!("person {id} cannot be named: {error}"),
        }
    }
    named
}

#[cfg(test)]
mod tests;
