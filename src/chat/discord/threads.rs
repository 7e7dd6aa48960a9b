//! A thread for each table, where a place wants that (`place threads:yes`) and the bot may.
//!
//! In a channel the thread is opened from the table's first message there; in a forum it is a post of its own, with that
//! message as its first. The thread is then the table's place. If it cannot be opened, the table stays where it is.

use std::sync::Arc;

use super::layout::lay;
use super::poster::{Desk, Waiting, notes};
use super::sending::{self, Fault, Kind};
use super::words;
use crate::command::text::Text;
use crate::ids::{Place, TableCode};
use crate::store::PostId;
use crate::table::{Phase, Table};

/// Opens a thread from the first message about a table in a channel, and makes it the table's place.
pub(super) async fn open_from(
    desk: &Arc<Desk>,
    place: &Place,
    code: TableCode,
    first: PostId,
    message: u64,
) {
    if place.thread.is_some() {
        return;
    }
    let Some(table) = wanted(desk, place, code, Kind::Threads).await else {
        return;
    };
    let Some(channel) = sending::channel_of(place) else {
        return;
    };
    let name = name(desk, &table).await;
    let http = &desk.discord().http;
    let opened = sending::patiently(|| sending::thread_from(http, channel, message, &name));
    match opened.await {
        Ok(thread) => {
            let to = Place::thread(place.platform, place.room.clone(), thread.to_string());
            desk.settle_in(code, place, &to, first).await;
        }
        Err(fault) => stays(code, &fault),
    }
}

/// Opens a post in the forum in which the place is a post, with the table's first message in it. False when the message is to
/// be posted in the place itself.
pub(super) async fn open_forum_post(
    desk: &Arc<Desk>,
    place: &Place,
    code: TableCode,
    first: &Waiting,
) -> bool {
    if place.thread.is_none() {
        return false;
    }
    let Some(table) = wanted(desk, place, code, Kind::Forum).await else {
        return false;
    };
    let Some(forum) = sending::room_of(place) else {
        return false;
    };
    let name = name(desk, &table).await;
    let discord = desk.discord();
    let sheet = lay(discord, &first.message).await;
    match sending::forum_post(&discord.http, forum, &name, &sheet).await {
        Ok(post) => {
            let newest = notes::Newest {
                message: sheet.has_buttons().then_some(post.get()),
                board: first.message.picture.as_ref().map(|_| post.get()),
                any: Some(post.get()),
                version: first.message.version.unwrap_or_default(),
                post: Some(first.id),
            };
            let note = notes::newest_note(code, post.get(), &newest);
            if let Err(error) = notes::keep(&discord.club, vec![note]).await {
                tracing::error!("discord: a posted message cannot be noted: {error}");
            }
            let to = Place::thread(place.platform, place.room.clone(), post.to_string());
            desk.settle_in(code, place, &to, first.id).await;
            true
        }
        Err(fault) => {
            stays(code, &fault);
            false
        }
    }
}

/// The table, if it is to get a thread in this place.
async fn wanted(
    desk: &Arc<Desk>,
    place: &Place,
    code: TableCode,
    kind: Kind,
) -> Option<Arc<Table>> {
    let club = &desk.discord().club;
    let settings = club.settings_at(place).await;
    let settings = settings
        .inspect_err(|error| tracing::error!("discord: the settings of {place}: {error}"))
        .ok()?;
    if !settings.threads {
        return None;
    }
    let table = club.load(code).await.ok()?;
    let over = matches!(table.phase(), Phase::Over { .. });
    if over || !table.places().contains(place) {
        return None;
    }
    (desk.kind_of(place).await? == kind).then_some(table)
}

fn stays(code: TableCode, fault: &Fault) {
    tracing::warn!("discord: table {code} gets no thread of its own: {fault:?}");
}

async fn name(desk: &Arc<Desk>, table: &Table) -> String {
    let people = table.people().fold(Text::new(), Text::person);
    let named = super::layout::people(&desk.discord().club, &people).await;
    let players: Vec<String> = table
        .people()
        .filter_map(|person| named.get(&person).map(|named| named.name.clone()))
        .collect();
    words::thread_name(table.info().name, table.code(), &players)
}
