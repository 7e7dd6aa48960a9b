//! Carrying a command out, and saying to its caller what concerns nobody else.

use std::sync::Arc;

use serde_json::json;

use super::Discord;
use super::layout::{self, Sheet};
use super::markdown;
use super::poster::notes;
use super::responder::{Body, Responder};
use super::speech::Speech;
use super::words;
use crate::club::{Caller, Clock, ClubError, SystemClock};
use crate::command::message::{ErrorKind, Message};
use crate::command::reading::Invocation;
use crate::command::run::{Directory, Errand, run};

/// Carries a command out. What comes back is for the caller alone; the rest waits in the outbox.
pub(super) async fn carried_out(
    discord: &Discord,
    caller: &Caller,
    directory: &dyn Directory,
    invocation: &Invocation,
) -> Vec<Message> {
    let errand = Errand {
        club: &discord.club,
        directory,
        caller,
        now: SystemClock.now(),
    };
    run(&errand, invocation).await
}

/// Whether tables opened here are to have threads of their own.
pub(super) async fn threads_wanted(discord: &Discord, caller: &Caller) -> bool {
    match discord.club.settings(&caller.home()).await {
        Ok(settings) => settings.threads,
        Err(error) => {
            tracing::error!("the settings of {} cannot be read: {error}", caller.home());
            false
        }
    }
}

/// Says messages to the caller alone, in order.
pub(super) async fn say(
    discord: &Arc<Discord>,
    speech: &Speech,
    responder: &Responder,
    messages: &[Message],
) {
    for message in messages {
        let sheet = layout::lay(discord, message).await;
        let link = newest_board(discord, speech, message).await;
        responder.reply(pieces(sheet, link.as_deref())).await;
    }
}

/// Says that something failed which is not the caller's fault.
pub(super) async fn trouble(speech: &Speech, responder: &Responder, error: &ClubError) {
    tracing::error!(
        "discord: interaction {} came to nothing: {error}",
        speech.id
    );
    responder.reply(vec![plain(words::TROUBLE)]).await;
}

/// A message of the program's own words and nothing else.
pub(super) fn plain(content: &str) -> Body {
    Body {
        json: json!({"content": content, "allowed_mentions": {"parse": []}}),
        files: Vec::new(),
    }
}

/// A sheet as one message.
pub(super) fn body(sheet: Sheet) -> Body {
    Body {
        json: sheet.body(),
        files: sheet.files,
    }
}

/// A sheet as messages that are short enough; the last has the picture and the buttons.
fn pieces(mut sheet: Sheet, link: Option<&str>) -> Vec<Body> {
    if let Some(link) = link {
        sheet.content.push('\n');
        sheet.content.push_str(link);
    }
    let mut pages = markdown::pages(&sheet.content);
    let last = pages.pop().unwrap_or_default();
    let mut pieces: Vec<Body> = pages.iter().map(|page| plain(page)).collect();
    sheet.content = last;
    pieces.push(body(sheet));
    pieces
}

/// R13: the way from an old board to the newest one, where it is known.
async fn newest_board(discord: &Discord, speech: &Speech, message: &Message) -> Option<String> {
    let code = message
        .table
        .filter(|_| message.error == Some(ErrorKind::OldBoard))?;
    let channel = speech.channel.get();
    let newest = notes::newest(&discord.club, code, channel).await?;
    let id = newest.board.or(newest.message)?;
    Some(words::newest_board(speech.guild, speech.channel, id))
}
