//! Threads and posts.

use twilight_model::guild::Permissions;

use super::draft::drafted;
use super::messages::{keep, seen};
use super::{Answer, Asked, id};
use crate::bounds;
use crate::channel::{Channel, ChannelKind};
use crate::refusal::Refusal;
use crate::world::World;

pub(super) fn begin(world: &mut World, asked: &Asked<'_>, channel: u64) -> Answer {
    if asked.method != "POST" {
        return Err(Refusal::no_such_route());
    }
    let parent = seen(world, channel)?.clone();
    let json = asked.json()?.clone();
    bounds::thread(&json).map_err(|what| Refusal::invalid_body(&what))?;
    let name = json["name"].as_str().unwrap_or_default().to_owned();
    match (&parent.kind, asked.parts.as_slice()) {
        (ChannelKind::Text, [_, _, "messages", message, "threads"]) => {
            // The thread of a message has the message's id.
            let message = id(message)?;
            let here = world
                .messages
                .get(&message)
                .is_some_and(|known| known.channel == channel);
            if !here {
                return Err(Refusal::unknown_message());
            }
            if world.channels.contains_key(&message) {
                return Err(Refusal::has_a_thread());
            }
            if !parent.may.contains(Permissions::CREATE_PUBLIC_THREADS) {
                return Err(Refusal::missing_permissions());
            }
            world.put_channel(thread(world, &parent, message, name));
            Ok(Some(world.channel_json(message)))
        }
        (ChannelKind::Forum, [_, _, "threads"]) => {
            if !parent.may.contains(Permissions::SEND_MESSAGES)
                || (!asked.body.files.is_empty() && !parent.may.contains(Permissions::ATTACH_FILES))
            {
                return Err(Refusal::missing_permissions());
            }
            let mut first = drafted(world, channel, &json["message"], asked.body)?;
            // The first message has the post's id.
            first.channel = first.id;
            let post = first.id;
            world.put_channel(thread(world, &parent, post, name));
            let told = world.message_json(&first);
            keep(world, first);
            let mut answer = world.channel_json(post);
            answer["message"] = told;
            Ok(Some(answer))
        }
        _ => Err(Refusal::invalid_body("no thread can be begun there")),
    }
}

fn thread(world: &World, parent: &Channel, id: u64, name: String) -> Channel {
    Channel {
        id,
        guild: parent.guild,
        kind: ChannelKind::Thread {
            parent: parent.id,
            archived: false,
            owner: world.bot.id,
        },
        name,
        may: parent.may,
    }
}
