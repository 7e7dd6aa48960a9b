//! Registering the commands: what Discord has is compared with what the catalogue says, and only what differs is sent.

mod form;
mod options;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use serenity::http::{LightMethod, Request, Route};
use serenity::model::id::{ApplicationId, CommandId, GuildId};

pub(super) use self::options::option_behind;

use self::form::{Registered, Scope, of_catalogue};
use super::{Discord, response};

/// The pauses between attempts: doubled from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// What has to be sent for one command.
#[derive(Debug, PartialEq)]
enum Change {
    Make(Box<Registered>),
    Alter(CommandId, Box<Registered>),
    Remove(CommandId),
}

/// Registers what differs. When that fails for now it goes on in the background: what was registered before works meanwhile.
pub(super) async fn register(discord: &Arc<Discord>) {
    if attempt(discord).await {
        return;
    }
    let discord = Arc::clone(discord);
    tokio::spawn(async move {
        let mut pause = FIRST_PAUSE;
        loop {
            tokio::time::sleep(pause).await;
            if attempt(&discord).await {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    });
}

async fn attempt(discord: &Discord) -> bool {
    match bring_up_to_date(discord).await {
        Ok(0) => {
            tracing::debug!("discord: the commands are registered as they are");
            true
        }
        Ok(sent) => {
            tracing::info!("discord: {sent} commands were registered anew or removed");
            true
        }
        Err(error) => {
            tracing::warn!(
                "discord: the commands could not be registered ({}); it is tried again",
                response::reason(&error)
            );
            false
        }
    }
}

async fn bring_up_to_date(discord: &Discord) -> serenity::Result<usize> {
    let application = discord.http.application_id();
    let application = application.ok_or(serenity::http::HttpError::ApplicationIdMissing)?;
    let guild = discord.settings.test_guild.map(GuildId::new);
    let list = Request::new(all(application, guild), LightMethod::Get)
        .params(Some(vec![("with_localizations", "true".to_owned())]));
    let mut present: Vec<Value> = discord.http.fire(list).await?;
    if guild.is_some() {
        // In a server these mean nothing, and Discord tells them all the same.
        for command in present.iter_mut().filter_map(Value::as_object_mut) {
            command.remove("contexts");
            command.remove("integration_types");
        }
    }
    let scope = match guild {
        Some(_) => Scope::Server,
        None => Scope::Everywhere,
    };
    let changes = changes(&of_catalogue(scope), &present);
    for change in &changes {
        send(discord, application, guild, change).await?;
    }
    Ok(changes.len())
}

async fn send(
    discord: &Discord,
    application: ApplicationId,
    guild: Option<GuildId>,
    change: &Change,
) -> serenity::Result<()> {
    let (route, method, command) = match change {
        Change::Make(command) => (all(application, guild), LightMethod::Post, Some(command)),
        Change::Alter(id, command) => (
            one(application, guild, *id),
            LightMethod::Patch,
            Some(command),
        ),
        Change::Remove(id) => (one(application, guild, *id), LightMethod::Delete, None),
    };
    let body = command.map(serde_json::to_vec).transpose()?;
    let request = Request::new(route, method).body(body);
    discord.http.request(request).await.map(|_| ())
}

fn all(application_id: ApplicationId, guild: Option<GuildId>) -> Route<'static> {
    match guild {
        Some(guild_id) => Route::GuildCommands {
            application_id,
            guild_id,
        },
        None => Route::Commands { application_id },
    }
}

fn one(
    application_id: ApplicationId,
    guild: Option<GuildId>,
    command_id: CommandId,
) -> Route<'static> {
    match guild {
        Some(guild_id) => Route::GuildCommand {
            application_id,
            guild_id,
            command_id,
        },
        None => Route::Command {
            application_id,
            command_id,
        },
    }
}

/// What makes of the present commands those that are wanted.
fn changes(wanted: &[Registered], present: &[Value]) -> Vec<Change> {
    let known: Vec<(CommandId, Option<Registered>, String)> =
        present.iter().filter_map(identified).collect();
    let mut changes = Vec::new();
    for command in wanted {
        let found = known.iter().find(|(_, _, name)| *name == command.name);
        match found {
            None => changes.push(Change::Make(Box::new(command.clone()))),
            Some((_, Some(same), _)) if same == command => {}
            Some((id, ..)) => changes.push(Change::Alter(*id, Box::new(command.clone()))),
        }
    }
    let unwanted = known
        .iter()
        .filter(|(_, _, name)| wanted.iter().all(|command| command.name != *name));
    changes.extend(unwanted.map(|(id, ..)| Change::Remove(*id)));
    changes
}

/// A command that Discord has: its id, what it is (nothing where that cannot be read), its name.
fn identified(present: &Value) -> Option<(CommandId, Option<Registered>, String)> {
    let id: CommandId = serde_json::from_value(present.get("id")?.clone()).ok()?;
    let name = present.get("name")?.as_str()?.to_owned();
    Some((id, serde_json::from_value(present.clone()).ok(), name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What Discord answers to what is sent: with fields of its own, and without those at their defaults.
    fn echoed(command: &Registered, id: u64) -> Value {
        let mut value = serde_json::to_value(command).unwrap();
        value["id"] = json!(id.to_string());
        value["version"] = json!("99");
        value["application_id"] = json!("1");
        value["nsfw"] = json!(false);
        value["description_localizations"] = Value::Null;
        if value["options"].as_array().is_some_and(Vec::is_empty) {
            value.as_object_mut().unwrap().remove("options");
        }
        value
    }

    #[test]
    fn only_what_differs_is_sent() {
        let wanted = of_catalogue(Scope::Everywhere);
        let mut present: Vec<Value> = (1..)
            .zip(&wanted)
            .map(|(id, one)| echoed(one, id))
            .collect();
        assert_eq!(changes(&wanted, &present), []);
        present[2]["description"] = json!("something else");
        present[3]["options"] =
            json!([{"type": 3, "name": "odd", "description": "odd", "min_length": 2}]);
        present.push(json!({"id": "77", "name": "bygone", "type": 1, "description": "x"}));
        let first = present.remove(0);
        assert_eq!(
            changes(&wanted, &present),
            [
                Change::Make(Box::new(wanted[0].clone())),
                Change::Alter(CommandId::new(3), Box::new(wanted[2].clone())),
                Change::Alter(CommandId::new(4), Box::new(wanted[3].clone())),
                Change::Remove(CommandId::new(77)),
            ]
        );
        assert_eq!(first["name"], wanted[0].name);
    }
}
