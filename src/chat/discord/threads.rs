//! A thread for each table, where a place wants that (`place threads:yes`) and the bot may.
//!
//! In a channel the thread is opened from the table's first message there; in a forum it is a post of its own, with that
//! message as its first. The thread is then the table's place. If it cannot be opened, the table stays where it is.

use std::sync::Arc;
use std::time::Duration;

use serenity::model::id::ChannelId;

use super::layout::{Sheet, lay};
use super::poster::{Desk, notes};
use super::sending::{self, Again, Fault, Kind};
use super::words;
use crate::chat::outbox::Waiting;
use crate::chat::outbox::desk::settle_in;
use crate::command::text::Text;
use crate::ids::{Place, TableCode};
use crate::table::Table;

/// How long the other tables of a channel wait at most while one gets its thread.
const LONGEST: Duration = Duration::from_secs(20);

/// The pauses between tries to open a post of a forum.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];

/// Opens a thread from the first message about a table in a channel, and makes it the table's place.
pub(super) async fn open_from(desk: &Arc<Desk>, place: &Place, first: &Waiting, message: u64) {
    if place.thread.is_some() {
        return;
    }
    let Some((table, Kind::Threads)) = wanted(desk, place, first).await else {
        return;
    };
    let Some(channel) = sending::channel_of(place) else {
        return;
    };
    let code = table.code();
    let name = name(desk, &table).await;
    let http = &desk.discord().http;
    let opening = sending::patiently(|| sending::thread_from(http, channel, message, &name));
    match tokio::time::timeout(LONGEST, opening).await {
        Ok(Ok(thread)) => {
            let to = Place::thread(place.platform, place.room.clone(), thread.to_string());
            settle_in(desk, code, place, &to, first.id).await;
        }
        Ok(Err(fault)) => stays(code, &fault),
        Err(_) => stays(code, &Fault::LATE),
    }
}

/// Opens a post in the forum in which the place is a post, with the table's first message in it. False when the message is to
/// be posted in the place itself.
pub(super) async fn open_forum_post(desk: &Arc<Desk>, place: &Place, first: &Waiting) -> bool {
    if place.thread.is_none() {
        return false;
    }
    let Some((table, Kind::Forum { guild })) = wanted(desk, place, first).await else {
        return false;
    };
    let Some(forum) = sending::room_of(place) else {
        return false;
    };
    let code = table.code();
    let post = Post {
        desk,
        forum,
        guild,
        code,
        name: name(desk, &table).await,
        sheet: lay(desk.discord(), &first.message).await,
    };
    match post.open(first.before).await {
        Ok(id) => {
            let newest = notes::Newest {
                message: post.sheet.has_buttons().then_some(id.get()),
                board: first.message.picture.as_ref().map(|_| id.get()),
                any: Some(id.get()),
                version: first.message.version.unwrap_or_default(),
                post: Some(first.id),
            };
            let kept = desk
                .outbox
                .note(vec![notes::newest_note(code, id.get(), &newest)]);
            if kept.await {
                let to = Place::thread(place.platform, place.room.clone(), id.to_string());
                settle_in(desk, code, place, &to, first.id).await;
            }
            true
        }
        Err(fault) => {
            stays(code, &fault);
            false
        }
    }
}

/// A post of a forum to be opened for a table.
struct Post<'a> {
    desk: &'a Desk,
    forum: ChannelId,
    guild: u64,
    code: TableCode,
    name: String,
    sheet: Sheet,
}

impl Post<'_> {
    /// Opens it, once: Discord knows no nonce here, so what may have arrived is looked for by the table's code in its name.
    async fn open(&self, before: bool) -> Result<ChannelId, Fault> {
        let http = &self.desk.discord().http;
        let mut unsure = before;
        let mut pauses = PAUSES.into_iter();
        loop {
            if unsure && let Some(there) = self.there().await {
                return Ok(there);
            }
            let fault = match sending::forum_post(http, self.forum, &self.name, &self.sheet).await {
                Ok(post) => return Ok(post),
                Err(fault) => fault,
            };
            match (&fault, pauses.next()) {
                (Fault::Again(how), Some(pause)) => {
                    unsure |= *how == Again::MayHaveArrived;
                    tokio::time::sleep(pause).await;
                }
                (Fault::Again(Again::MayHaveArrived), None) => {
                    return self.there().await.ok_or(fault);
                }
                _ => return Err(fault),
            }
        }
    }

    async fn there(&self) -> Option<ChannelId> {
        let discord = self.desk.discord();
        let me = discord.me.get().map(|me| me.id.get());
        let code = self.code.to_string();
        let named = |name: &str| name.split([' ', ':']).any(|word| word == code);
        sending::open_thread(&discord.http, self.guild, self.forum, me, named)
            .await
            .unwrap_or_else(|fault| {
                tracing::debug!("discord: the posts of forum {}: {fault:?}", self.forum);
                None
            })
    }
}

/// The table that this first message opens, and what its room is, if it is to get a thread there.
async fn wanted(desk: &Arc<Desk>, place: &Place, first: &Waiting) -> Option<(Arc<Table>, Kind)> {
    let table = desk.outbox.opening_in(place, first).await?;
    Some((table, desk.kind_of(place).await?))
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
