//! Slash commands: Discord has taken the options apart, and they are checked and carried out here.

use std::sync::Arc;
use std::time::Instant;

use serenity::all::{CommandDataOption, CommandDataOptionValue, CommandInteraction};

use super::Discord;
use super::directory::Present;
use super::registration;
use super::reply;
use super::responder::{From, Responder};
use super::speech::Speech;
use super::words;
use crate::command::catalogue::{self, Command, CommandOption, Takes};
use crate::command::games;
use crate::command::message::{ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::text::Text;

/// Answers a slash command.
pub(super) async fn answer(discord: &Arc<Discord>, command: &CommandInteraction, arrived: Instant) {
    let responder = Responder::new(
        &discord.http,
        command.id,
        &command.token,
        From::Command,
        arrived,
    );
    let work = {
        let (discord, given) = (Arc::clone(discord), command.clone());
        let responder = responder.clone();
        async move { carry_out(&discord, &given, &responder).await }
    };
    responder.around(work).await;
}

async fn carry_out(discord: &Arc<Discord>, given: &CommandInteraction, responder: &Responder) {
    let speech = Speech::of_command(given);
    let caller = match speech.caller(&discord.club, None).await {
        Ok(caller) => caller,
        Err(error) => return reply::trouble(&speech, responder, &error).await,
    };
    let invocation = catalogue::command(&given.data.name)
        .ok_or_else(|| words::no_such_command(&given.data.name))
        .and_then(|command| {
            let texts = texts(command, &given.data.options);
            let texts = texts.iter().map(|(key, text)| (*key, text.as_str()));
            Invocation::from_options(command, texts).map_err(|error| Text::from(error.to_string()))
        });
    let messages = match invocation {
        Ok(invocation) => {
            let threads = reply::threads_wanted(discord, &caller).await;
            let present = Present::of(&given.data.resolved, &speech, threads, &discord.poster);
            reply::carried_out(discord, &caller, &present, &invocation).await
        }
        Err(text) => {
            let message = Message::only(caller.place.clone(), caller.person, text);
            vec![message.refused(ErrorKind::Unreadable)]
        }
    };
    reply::say(discord, &speech, responder, &messages).await;
}

/// The values by the catalogue's options: what Discord has in several options is put together again.
pub(super) fn texts(
    command: &'static Command,
    given: &[CommandDataOption],
) -> Vec<(&'static str, String)> {
    let mut texts: Vec<(&'static str, String)> = Vec::new();
    for one in given {
        let Some((option, text)) = text_of(command, one) else {
            // From a registration of another version; it asked for nothing that is known here.
            tracing::debug!("discord: /{} has no option {}", command.name, one.name);
            continue;
        };
        match texts.iter_mut().find(|(key, _)| *key == option.key) {
            Some((_, before)) => {
                before.push(' ');
                before.push_str(&text);
            }
            None => texts.push((option.key, text)),
        }
    }
    texts
}

fn text_of(
    command: &'static Command,
    given: &CommandDataOption,
) -> Option<(&'static CommandOption, String)> {
    let text = match &given.value {
        CommandDataOptionValue::Autocomplete { value, .. }
        | CommandDataOptionValue::String(value) => value.clone(),
        CommandDataOptionValue::Boolean(true) => "yes".to_owned(),
        CommandDataOptionValue::Boolean(false) => "no".to_owned(),
        CommandDataOptionValue::Integer(number) => number.to_string(),
        CommandDataOptionValue::User(user) => format!("<@{user}>"),
        _ => return None,
    };
    let of_games = || {
        let option = command.options.iter();
        let mut option = option.filter(|option| option.takes == Takes::GameOptions);
        option.next().filter(|_| games::has_option(&given.name))
    };
    match (
        registration::option_behind(command, &given.name),
        of_games(),
    ) {
        (Some(option), _) => match option.takes {
            Takes::Table => Some((option, code_in(&text))),
            _ => Some((option, text)),
        },
        (None, Some(option)) => Some((option, format!("{}={text}", given.name))),
        (None, None) => None,
    }
}

/// R14: the name of a choice may come in place of its value, and begins with the code.
fn code_in(text: &str) -> String {
    let end = |c: char| !(c.is_alphanumeric() || c == '#');
    text.trim_start()
        .split(end)
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::catalogue::Verb;
    use serde_json::json;

    fn read(verb: Verb, options: serde_json::Value) -> Vec<(&'static str, String)> {
        let options: Vec<CommandDataOption> = serde_json::from_value(options).unwrap();
        texts(catalogue::entry(verb).unwrap(), &options)
    }

    #[test]
    fn what_discord_takes_apart_is_put_together_again() {
        let given = json!([
            {"name": "game", "type": 3, "value": "four-handed"},
            {"name": "with", "type": 6, "value": "7"},
            {"name": "with-2", "type": 6, "value": "8"},
            {"name": "corner", "type": 3, "value": "boat"},
            {"name": "quiet", "type": 4, "value": 50},
            {"name": "solo", "type": 5, "value": false},
            {"name": "no-more", "type": 3, "value": "x"},
        ]);
        let texts = read(Verb::New, given);
        let expected = [
            ("game", "four-handed"),
            ("with", "<@7> <@8>"),
            ("options", "corner=boat quiet=50"),
            ("solo", "no"),
        ];
        assert_eq!(texts, expected.map(|(key, text)| (key, text.to_owned())));
        let command = catalogue::entry(Verb::New).unwrap();
        let read = texts.iter().map(|(key, text)| (*key, text.as_str()));
        let invocation = Invocation::from_options(command, read).unwrap();
        assert_eq!(invocation.people("with"), ["7", "8"]);
    }

    #[test]
    fn r14_a_table_is_read_from_the_name_of_its_choice_too() {
        for text in [
            "K7Q2F",
            "k7q2f",
            "K7Q2F: Chaturaji with bob",
            "#K7Q2F · your turn",
        ] {
            let given = json!([{"name": "table", "type": 3, "value": text}]);
            let texts = read(Verb::Show, given);
            let read = texts.iter().map(|(key, text)| (*key, text.as_str()));
            let command = catalogue::entry(Verb::Show).unwrap();
            let invocation = Invocation::from_options(command, read).unwrap();
            assert_eq!(invocation.table(), "K7Q2F".parse().ok(), "{text}");
        }
    }
}
