//! From a [`Message`] to what Discord gets: Markdown, buttons, the picture with its words, and exactly those who are notified.

mod buttons;
mod sheet;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};
use serenity::builder::CreateAttachment;

use self::buttons::buttons;
pub(super) use self::sheet::Sheet;
use super::Discord;
use super::markdown::{self, Named};
use crate::chat::boards::{scene_of, theme_of};
use crate::club::{Club, ClubError, FORGOTTEN};
use crate::command::message::{Message, PictureRef, To};
use crate::command::text::Text;
use crate::command::words;
use crate::ids::{PersonId, Place, Platform, TableCode};
use crate::picture;
use crate::rules::{self, Options, Play, Seat};
use crate::table::Table;
use render::Theme;

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
        Some(wanted) => draw(discord, &message.place, wanted, table.as_ref()).await,
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

async fn table_then(club: &Club, code: TableCode, version: Option<u64>) -> Option<Arc<Table>> {
    let table = club.load_at(code, version.unwrap_or(u64::MAX)).await;
    table
        .inspect_err(|error| tracing::error!("table {code} cannot be shown: {error}"))
        .ok()
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

/// A board that was drawn.
struct Drawn {
    name: String,
    bytes: Option<Arc<[u8]>>,
    board: String,
}

/// Draws what is wanted; `table` is the one the message is about, as it was then.
async fn draw(
    discord: &Discord,
    place: &Place,
    wanted: &PictureRef,
    table: Option<&Arc<Table>>,
) -> Option<Drawn> {
    let theme = theme_of(&discord.club, place).await;
    let theme = theme.unwrap_or(discord.settings.theme);
    match wanted {
        PictureRef::Board {
            table: code,
            version,
            from,
        } => {
            let name = format!("{code}-{version}-{from}.png");
            let same = table.filter(|one| (one.code(), one.version()) == (*code, *version));
            let table = match same {
                Some(table) => Some(Arc::clone(table)),
                None => table_then(&discord.club, *code, Some(*version)).await,
            }?;
            let drawn = draw_board(discord, &table, *from, theme, name);
            drawn.await.unwrap_or_else(|error| {
                tracing::error!("the board of {code} cannot be shown: {error}");
                None
            })
        }
        PictureRef::Array { game } => draw_array(game, theme).await,
    }
}

async fn draw_board(
    discord: &Discord,
    table: &Table,
    from: Seat,
    theme: Theme,
    name: String,
) -> Result<Option<Drawn>, ClubError> {
    let Some(play) = table.play() else {
        return Ok(None);
    };
    let bytes = match scene_of(&discord.club, table, from, theme).await? {
        Some(scene) => discord.easel.png(&scene).await,
        None => return Ok(None),
    };
    let bytes = bytes.inspect_err(|error| tracing::error!("{name} was not drawn: {error}"));
    Ok(Some(Drawn {
        name,
        bytes: bytes.ok(),
        board: words::board(table.info(), play, from).plain(),
    }))
}

async fn draw_array(game: &str, theme: Theme) -> Option<Drawn> {
    let info = rules::game(game)?;
    let play = Play::new(info, &Options::default()).ok()?;
    let from = info.seats.first().copied()?;
    let board = words::board(info, &play, from).plain();
    let drawn = tokio::task::spawn_blocking(move || picture::guide_png(&play, theme)).await;
    let bytes = match drawn {
        Ok(Ok(bytes)) => Some(Arc::from(bytes)),
        Ok(Err(error)) => {
            tracing::error!("the page of {game} was not drawn: {error}");
            None
        }
        Err(gone) => {
            tracing::error!("the page of {game} was not drawn: {gone}");
            None
        }
    };
    Some(Drawn {
        name: format!("rules-{game}.png"),
        bytes,
        board,
    })
}

#[cfg(test)]
mod tests;
