//! The requests that post: by the bot's own token, each with its fault told by kind.

mod fault;
mod history;

use std::num::NonZeroU64;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serenity::builder::CreateAttachment;
use serenity::http::{Http, LightMethod, Multipart, MultipartUpload, Request, Route};
use serenity::model::id::{ChannelId, GuildId, MessageId, UserId};

pub(super) use self::fault::{Again, Fault, Lack};
pub(super) use self::history::sent_before;
use super::layout::Sheet;
use crate::ids::Place;

/// How long a request may take, also where a limit has to be waited out before.
const LONGEST: Duration = Duration::from_secs(90);

/// How many messages of a channel are looked through.
const LOOKED_THROUGH: u8 = 100;

/// No previews of what a name may link to.
const SUPPRESS_EMBEDS: u32 = 1 << 2;

/// How often a request is tried whose failing is no harm, and the first pause between.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_secs(1);

/// Something with an id.
#[derive(Debug, Deserialize)]
struct Made<Id> {
    id: Id,
}

/// What a channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A channel in which threads can be opened.
    Threads,
    /// A forum or media channel, whose posts are threads.
    Forum {
        /// Its server.
        guild: u64,
    },
    /// Something else.
    Other,
}

/// The channel or thread that a place of a table is; `None` where it is none of Discord's.
pub(super) fn channel_of(place: &Place) -> Option<ChannelId> {
    let id: u64 = place.thread.as_ref().unwrap_or(&place.room).parse().ok()?;
    channel(id)
}

/// The channel around a thread, or the channel itself.
pub(super) fn room_of(place: &Place) -> Option<ChannelId> {
    channel(place.room.parse().ok()?)
}

fn channel(id: u64) -> Option<ChannelId> {
    NonZeroU64::new(id).map(ChannelId::from)
}

/// Posts a message; the nonce makes the same one that is sent again within minutes be taken once.
pub(super) async fn post(
    http: &Http,
    channel_id: ChannelId,
    sheet: &Sheet,
    nonce: &str,
) -> Result<u64, Fault> {
    let mut body = sheet.body();
    body["nonce"] = json!(nonce);
    body["enforce_nonce"] = json!(true);
    body["flags"] = json!(SUPPRESS_EMBEDS);
    let route = Route::ChannelMessages { channel_id };
    let request = with_files(route, &body, &sheet.files);
    let made: Made<MessageId> = ask(http, request).await?;
    Ok(made.id.get())
}

/// Takes the buttons of a message away. Nothing else is sent, so that nothing else changes (R29).
pub(super) async fn strip(http: &Http, channel_id: ChannelId, message: u64) -> Result<(), Fault> {
    let message_id = NonZeroU64::new(message).ok_or(Fault::NotThere)?.into();
    let route = Route::ChannelMessage {
        channel_id,
        message_id,
    };
    let request = with_json(route, LightMethod::Patch, &json!({ "components": [] }));
    ask::<Value>(http, request).await.map(|_| ())
}

/// The newest messages of a channel, or those that came next after a message.
pub(super) async fn history(
    http: &Http,
    channel_id: ChannelId,
    after: Option<u64>,
) -> Result<Vec<Value>, Fault> {
    let route = Route::ChannelMessages { channel_id };
    let mut asked = vec![("limit", LOOKED_THROUGH.to_string())];
    asked.extend(after.map(|message| ("after", message.to_string())));
    let request = Request::new(route, LightMethod::Get).params(Some(asked));
    ask(http, request).await
}

/// The channel of direct messages with a person.
pub(super) async fn direct(http: &Http, account: u64) -> Result<ChannelId, Fault> {
    let user: UserId = NonZeroU64::new(account).ok_or(Fault::Closed)?.into();
    let body = json!({ "recipient_id": user.to_string() });
    let request = with_json(Route::UserMeDmChannels, LightMethod::Post, &body);
    let made: Made<ChannelId> = ask(http, request).await?;
    Ok(made.id)
}

/// What a channel is.
pub(super) async fn kind(http: &Http, channel_id: ChannelId) -> Result<Kind, Fault> {
    #[derive(Deserialize)]
    struct Channel {
        #[serde(rename = "type")]
        kind: u8,
        guild_id: Option<GuildId>,
    }
    let request = Request::new(Route::Channel { channel_id }, LightMethod::Get);
    let found: Channel = ask(http, request).await?;
    Ok(match (found.kind, found.guild_id) {
        // Text and announcements.
        (0 | 5, _) => Kind::Threads,
        (15 | 16, Some(guild)) => Kind::Forum { guild: guild.get() },
        _ => Kind::Other,
    })
}

/// The open thread of a channel that the bot has opened and that is named so.
pub(super) async fn open_thread(
    http: &Http,
    guild: u64,
    parent: ChannelId,
    me: Option<u64>,
    named: impl Fn(&str) -> bool,
) -> Result<Option<ChannelId>, Fault> {
    #[derive(Deserialize)]
    struct Open {
        threads: Vec<Thread>,
    }
    #[derive(Deserialize)]
    struct Thread {
        id: ChannelId,
        name: String,
        parent_id: Option<ChannelId>,
        owner_id: Option<UserId>,
    }
    let guild_id = NonZeroU64::new(guild).ok_or(Fault::NotThere)?.into();
    let route = Route::GuildThreadsActive { guild_id };
    let open: Open = ask(http, Request::new(route, LightMethod::Get)).await?;
    let ours = |thread: &Thread| {
        let own = me.is_none() || thread.owner_id.map(UserId::get) == me;
        own && thread.parent_id == Some(parent) && named(&thread.name)
    };
    Ok(open.threads.into_iter().find(ours).map(|thread| thread.id))
}

/// Opens a thread from a message; its id is the message's.
pub(super) async fn thread_from(
    http: &Http,
    channel_id: ChannelId,
    message: u64,
    name: &str,
) -> Result<ChannelId, Fault> {
    let message_id = NonZeroU64::new(message).ok_or(Fault::NotThere)?.into();
    let route = Route::ChannelMessageThreads {
        channel_id,
        message_id,
    };
    let request = with_json(route, LightMethod::Post, &thread(name));
    match ask::<Made<ChannelId>>(http, request).await {
        Ok(made) => Ok(made.id),
        // 160004: the message has its thread already, from a try before.
        Err(Fault::Refused { code: 160_004, .. }) => channel(message).ok_or(Fault::NotThere),
        Err(fault) => Err(fault),
    }
}

/// Opens a post of a forum with a message as its first; its id is also that message's.
pub(super) async fn forum_post(
    http: &Http,
    channel_id: ChannelId,
    name: &str,
    sheet: &Sheet,
) -> Result<ChannelId, Fault> {
    let mut body = thread(name);
    body["message"] = sheet.body();
    let route = Route::ChannelForumPosts { channel_id };
    let request = with_files(route, &body, &sheet.files);
    let made: Made<ChannelId> = ask(http, request).await?;
    Ok(made.id)
}

/// A thread that is kept open for a week after each message.
fn thread(name: &str) -> Value {
    json!({ "name": name, "auto_archive_duration": 7 * 24 * 60 })
}

/// Tries again a few times what may pass.
pub(super) async fn patiently<T, Asked>(mut ask: impl FnMut() -> Asked) -> Result<T, Fault>
where
    Asked: Future<Output = Result<T, Fault>>,
{
    let mut pause = PAUSE;
    for _ in 1..TRIES {
        match ask().await {
            Err(Fault::Again(_)) => {}
            settled => return settled,
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
    ask().await
}

fn with_json<'a>(route: Route<'a>, method: LightMethod, body: &Value) -> Request<'a> {
    Request::new(route, method).body(Some(body.to_string().into_bytes()))
}

fn with_files<'a>(route: Route<'a>, body: &Value, files: &[CreateAttachment]) -> Request<'a> {
    if files.is_empty() {
        return with_json(route, LightMethod::Post, body);
    }
    Request::new(route, LightMethod::Post).multipart(Some(Multipart {
        upload: MultipartUpload::Attachments(files.to_vec()),
        payload_json: Some(body.to_string()),
        fields: Vec::new(),
    }))
}

async fn ask<T: DeserializeOwned>(http: &Http, request: Request<'_>) -> Result<T, Fault> {
    match tokio::time::timeout(LONGEST, http.fire(request)).await {
        Ok(answer) => answer.map_err(|error| Fault::of(&error)),
        Err(_) => Err(Fault::LATE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Platform;

    #[test]
    fn a_place_is_its_thread_or_its_channel() {
        let room = Place::room(Platform::Discord, "12");
        let thread = Place::thread(Platform::Discord, "12", "13");
        assert_eq!(channel_of(&room), Some(ChannelId::new(12)));
        assert_eq!(channel_of(&thread), Some(ChannelId::new(13)));
        assert_eq!(room_of(&thread), Some(ChannelId::new(12)));
        for odd in ["0", "", "-1", "hall"] {
            assert_eq!(channel_of(&Place::room(Platform::Discord, odd)), None);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_may_pass_is_tried_three_times() {
        let mut tries = 0;
        let result: Result<(), Fault> = patiently(|| {
            tries += 1;
            async { Err(Fault::LATE) }
        })
        .await;
        assert_eq!((result, tries), (Err(Fault::LATE), 3));
        let result: Result<(), Fault> = patiently(|| async { Err(Fault::Gone) }).await;
        assert_eq!(result, Err(Fault::Gone));
    }
}
