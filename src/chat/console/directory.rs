//! Who and what is in the console's room: whoever is named.

use async_trait::async_trait;

use super::speech::Speaker;
use crate::command::run::{Directory, Guest};
use crate::config::names::{self, BOT};

/// Whoever is named is in the room.
pub(super) struct Everybody<'a> {
    /// Who is meant by `me`.
    pub(super) speaker: &'a Speaker,
}

#[async_trait]
impl Directory for Everybody<'_> {
    async fn find(&self, account: &str) -> Option<Guest> {
        let found = match account.to_lowercase().as_str() {
            "me" => self.speaker.clone(),
            _ => Speaker::named(account)?,
        };
        // `@everyone` is no one to play with: nobody can speak by that name.
        if names::is_reserved(&found.account) && found.account != BOT {
            return None;
        }
        Some(Guest {
            bot: found.account == BOT,
            account: found.account,
            name: found.name,
        })
    }

    /// Rooms are called as people are.
    async fn room(&self, named: &str) -> Option<String> {
        Speaker::named(named).map(|room| room.account)
    }
}
