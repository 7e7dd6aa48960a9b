//! Who the bot is, where it connects, servers and people.

use serde_json::{Value, json};

use super::{Answer, Asked, id};
use crate::double::Double;
use crate::refusal::Refusal;
use crate::world::World;

pub(super) fn gateway(world: &World, double: &Double, asked: &Asked<'_>) -> Answer {
    let url = double.gateway_url();
    match asked.parts.as_slice() {
        ["gateway"] => Ok(Some(json!({"url": url}))),
        ["gateway", "bot"] => Ok(Some(json!({
            "url": url, "shards": world.shards,
            "session_start_limit": {"total": 1000, "remaining": 990, "reset_after": 14_400_000, "max_concurrency": 16},
        }))),
        _ => Err(Refusal::no_such_route()),
    }
}

pub(super) fn application(world: &World) -> Answer {
    Ok(Some(json!({
        "id": world.bot.id.to_string(), "name": world.bot.name, "icon": null, "description": "", "bot_public": true,
        "bot_require_code_grant": false, "verify_key": "", "flags": 0, "owner": null, "team": null, "summary": "",
        "rpc_origins": [], "tags": [], "redirect_uris": [], "integration_types_config": {"0": {}},
    })))
}

pub(super) fn users(world: &mut World, asked: &Asked<'_>) -> Answer {
    match (asked.method, asked.parts.as_slice()) {
        ("GET", ["users", "@me"]) => Ok(Some(world.bot.json())),
        ("POST", ["users", "@me", "channels"]) => {
            let json = asked.json()?;
            let with = &json["recipient_id"];
            let with = with
                .as_str()
                .and_then(|id| id.parse().ok())
                .or(with.as_u64());
            let with = with.filter(|id| world.users.contains_key(id));
            let channel = world.direct(with.ok_or_else(Refusal::unknown_user)?);
            Ok(Some(world.channel_json(channel)))
        }
        ("GET", ["users", user]) => {
            let user = world.users.get(&id(user)?);
            Ok(Some(user.ok_or_else(Refusal::unknown_user)?.json()))
        }
        _ => Err(Refusal::no_such_route()),
    }
}

pub(super) fn guilds(world: &World, asked: &Asked<'_>) -> Answer {
    let [_, guild, rest @ ..] = asked.parts.as_slice() else {
        return Err(Refusal::no_such_route());
    };
    let known = world.guilds.get(&id(guild)?);
    let guild = known
        .filter(|guild| guild.has_bot)
        .ok_or_else(Refusal::unknown_guild)?;
    match (asked.method, rest) {
        ("GET", []) => Ok(Some(world.guild_json(guild.id))),
        ("GET", ["channels"]) => {
            let here =
                |channel: &&crate::Channel| channel.guild == Some(guild.id) && !channel.is_thread();
            let all = world.channels.values().filter(here);
            let all: Vec<Value> = all.map(|channel| world.channel_json(channel.id)).collect();
            Ok(Some(json!(all)))
        }
        ("GET", ["members", user]) => {
            let user = world.users.get(&id(user)?);
            let user = user.filter(|user| guild.members.contains(&user.id));
            Ok(Some(user.ok_or_else(Refusal::unknown_member)?.member()))
        }
        ("GET", ["threads", "active"]) => {
            let here = |channel: &&crate::Channel| {
                channel.guild == Some(guild.id) && channel.is_thread() && !channel.is_archived()
            };
            let all = world.channels.values().filter(here);
            let all: Vec<Value> = all.map(|channel| world.channel_json(channel.id)).collect();
            Ok(Some(json!({"threads": all, "members": []})))
        }
        _ => Err(Refusal::no_such_route()),
    }
}
