//! Telling players that the place of their table takes no messages any more: each once, by direct message (R20, R22, R25).

use sha2::{Digest, Sha256};

use crate::chat::discord::Discord;
use crate::chat::discord::layout::{Sheet, people};
use crate::chat::discord::markdown;
use crate::chat::discord::sending;
use crate::chat::discord::words::{self, Loss};
use crate::chat::outbox::lost::whom_to_tell;
use crate::command::text::Text;
use crate::ids::{PersonId, Place, TableCode};

/// Tells who has to act at each of the tables, or its host, unless they were told of this place.
pub(super) async fn tell(discord: &Discord, place: &Place, loss: Loss, tables: &[TableCode]) {
    let to_tell = whom_to_tell(&discord.club, place, tables).await;
    for (person, code) in to_tell {
        tell_one(discord, person, code, loss, place).await;
    }
}

async fn tell_one(discord: &Discord, person: PersonId, code: TableCode, loss: Loss, place: &Place) {
    let Some(account) = account(discord, person).await else {
        return;
    };
    let sheet = Sheet {
        content: markdown::cut(&markdown::write(&words::lost(code, loss), &|_| {
            markdown::Named {
                account: None,
                name: String::new(),
            }
        })),
        components: serde_json::json!([]),
        files: Vec::new(),
        allowed: serde_json::json!({ "parse": [] }),
        board: None,
    };
    let nonce = nonce(code, place, person);
    let sent = sending::patiently(|| async {
        let channel = sending::direct(&discord.http, account).await?;
        sending::post(&discord.http, channel, &sheet, &nonce).await
    });
    if let Err(fault) = sent.await {
        tracing::info!("discord: person {person} was not told of {place}: {fault:?}");
    }
}

/// So that a try after a cut connection is no second message. Discord compares the nonces of everything the bot says, so it is
/// another one for each table, place and person.
fn nonce(code: TableCode, place: &Place, person: PersonId) -> String {
    let hash = Sha256::digest(format!("{code}|{place}|{person}"));
    hex::encode(hash).chars().take(LONGEST_NONCE).collect()
}

/// The most characters of a nonce.
const LONGEST_NONCE: usize = 25;

async fn account(discord: &Discord, person: PersonId) -> Option<u64> {
    let text = Text::new().person(person);
    let named = people(&discord.club, &text).await;
    named.get(&person)?.account
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Platform;

    #[test]
    fn each_person_has_a_nonce_of_their_own_and_it_fits() {
        let place = Place::room(Platform::Discord, "12345678901234567890");
        let code: TableCode = "K7Q2F".parse().unwrap();
        let nonces = [1, 2].map(|person| nonce(code, &place, PersonId(person)));
        assert_ne!(nonces[0], nonces[1]);
        assert!(nonces.iter().all(|nonce| nonce.len() == 25));
    }
}
