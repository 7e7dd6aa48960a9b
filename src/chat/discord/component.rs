//! Buttons and menus: each carries what it does, and does it as the command line it stands for.

use std::sync::Arc;
use std::time::Instant;

use serenity::all::{ComponentInteraction, ComponentInteractionDataKind};

use super::Discord;
use super::custom_id::{self, Pressed};
use super::directory::Present;
use super::responder::{Body, From, Responder};
use super::speech::Speech;
use super::{hand, offer, reply, words};
use crate::club::Caller;
use crate::command::reading;
use crate::ids::TableCode;

/// A press being answered.
pub(super) struct Press<'a> {
    pub(super) discord: &'a Arc<Discord>,
    pub(super) speech: &'a Speech,
    pub(super) caller: &'a Caller,
    pub(super) responder: &'a Responder,
    /// The message with the button is one that only its reader sees, so it may be drawn anew.
    pub(super) own: bool,
}

/// Answers a pressed button or a chosen line of a menu.
pub(super) async fn answer(
    discord: &Arc<Discord>,
    component: &ComponentInteraction,
    arrived: Instant,
) {
    let responder = Responder::new(
        &discord.http,
        component.id,
        &component.token,
        From::Component,
        arrived,
    );
    let work = {
        let (discord, given) = (Arc::clone(discord), component.clone());
        let responder = responder.clone();
        async move { carry_out(&discord, &given, &responder).await }
    };
    responder.around(work).await;
}

async fn carry_out(discord: &Arc<Discord>, given: &ComponentInteraction, responder: &Responder) {
    // A line of a menu carries all that a button does.
    let id = match &given.data.kind {
        ComponentInteractionDataKind::StringSelect { values } => values.first(),
        _ => Some(&given.data.custom_id),
    };
    let Some(pressed) = id.and_then(|id| custom_id::read(id)) else {
        return responder
            .reply(vec![reply::plain(words::OTHER_VERSION)])
            .await;
    };
    let speech = Speech::of_component(given);
    let expects = match &pressed {
        Pressed::Act { expects, .. } => *expects,
        Pressed::Hand { version, .. } | Pressed::Offer { version, .. } => Some(*version),
    };
    let caller = match speech.caller(&discord.club, expects).await {
        Ok(caller) => caller,
        Err(error) => return reply::trouble(&speech, responder, &error).await,
    };
    let press = Press {
        discord,
        speech: &speech,
        caller: &caller,
        responder,
        own: is_own(given),
    };
    match pressed {
        Pressed::Act { line, .. } => press.act(&line).await,
        Pressed::Hand {
            version,
            table,
            state,
        } => hand::go_on(&press, table, version, &state).await,
        Pressed::Offer { version, table } => offer::open(&press, table, version).await,
    }
}

/// Whether the button's message is seen by its reader only.
fn is_own(given: &ComponentInteraction) -> bool {
    use serenity::model::channel::MessageFlags;
    let flags = given.message.flags.unwrap_or_else(MessageFlags::empty);
    flags.contains(MessageFlags::EPHEMERAL)
}

impl Press<'_> {
    /// Does what a command line says, such as `roll table:K7Q2F`.
    pub(super) async fn act(&self, line: &str) {
        let Ok(Some(invocation)) = reading::read(&format!("/{line}"), "/") else {
            // R13: a line that this version of the program does not know.
            let body = reply::plain(words::OTHER_VERSION);
            return self.responder.reply(vec![body]).await;
        };
        let threads = reply::threads_wanted(self.discord, self.caller).await;
        let present = Present::nobody(self.speech, threads);
        let messages = reply::carried_out(self.discord, self.caller, &present, &invocation).await;
        // Done without a word: what asked for it has been answered, and goes.
        if self.own && messages.is_empty() {
            self.responder.dismiss().await;
        }
        reply::say(self.discord, self.speech, self.responder, &messages).await;
    }

    /// Says that the button is from an old board, and shows the present one (R13). The club says it to every move that
    /// comes from one, before it looks at the move.
    pub(super) async fn is_from_an_old_board(&self, code: TableCode) {
        self.act(&format!("move - table:{code}")).await;
    }

    /// Shows a step of a menu: in place of the step before, or as a new message behind the public board.
    pub(super) async fn show(&self, body: Body) {
        match self.own {
            true => self.responder.redraw(body).await,
            false => self.responder.reply(vec![body]).await,
        }
    }
}
