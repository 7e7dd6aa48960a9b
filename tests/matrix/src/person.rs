//! Somebody with a client of their own.

use std::sync::Arc;

use matrix_sdk::authentication::matrix::MatrixSession;
use matrix_sdk::ruma::{OwnedRoomId, RoomId, UserId};
use matrix_sdk::store::RoomLoadSettings;
use matrix_sdk::{Client, Room, SessionMeta, SessionTokens};
use tokio::task::JoinHandle;

use crate::client::{Seen, follow, sync};
use ashtapada_process_tests::PATIENCE;

/// Somebody, and where they are.
#[derive(Clone)]
pub struct Person {
    pub(crate) account: Arc<Account>,
    room: Option<OwnedRoomId>,
    pub(crate) thread: Option<String>,
}

/// Who somebody is, and what they have seen.
pub(crate) struct Account {
    id: String,
    pub(crate) bot: String,
    pub(crate) client: Client,
    pub(crate) seen: Arc<Seen>,
    syncing: JoinHandle<()>,
}

impl Drop for Account {
    fn drop(&mut self) {
        self.syncing.abort();
    }
}

impl Person {
    /// Somebody whose account has been made, with a new device.
    pub(crate) async fn arrives(
        url: &str,
        id: &str,
        device: &str,
        token: &str,
        bot: &str,
    ) -> Person {
        let client = Client::builder().homeserver_url(url).build().await;
        let client = client.expect("a client");
        let session = MatrixSession {
            meta: SessionMeta {
                user_id: UserId::parse(id).expect("a user's id"),
                device_id: device.into(),
            },
            tokens: SessionTokens {
                access_token: token.to_owned(),
                refresh_token: None,
            },
        };
        let auth = client.matrix_auth();
        let restored = auth.restore_session(session, RoomLoadSettings::default());
        restored.await.expect("a session");
        let seen = Arc::new(Seen::default());
        let first = sync(&client, None).await.expect("a first sync");
        let syncing = tokio::spawn(follow(client.clone(), seen.clone(), first.next_batch));
        Person {
            account: Arc::new(Account {
                id: id.to_owned(),
                bot: bot.to_owned(),
                client,
                seen,
                syncing,
            }),
            room: None,
            thread: None,
        }
    }

    /// Their full id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.account.id
    }

    /// Their client, for what is asked too seldom to have a word here.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.account.client
    }

    /// The same in this room.
    ///
    /// # Panics
    /// When that is no room's id.
    #[must_use]
    pub fn at(&self, room: &str) -> Person {
        Person {
            account: self.account.clone(),
            room: Some(RoomId::parse(room).expect("a room's id")),
            thread: None,
        }
    }

    /// The same in a thread of the room where they are.
    #[must_use]
    pub fn in_thread(&self, root: &str) -> Person {
        Person {
            thread: Some(root.to_owned()),
            ..self.clone()
        }
    }

    /// The room where they are.
    ///
    /// # Panics
    /// When they are nowhere.
    #[must_use]
    pub fn room(&self) -> &str {
        self.here().as_str()
    }

    pub(crate) fn here(&self) -> &RoomId {
        self.room.as_deref().expect("somebody who is in a room")
    }

    pub(crate) async fn joined(&self) -> Room {
        let (client, here) = (&self.account.client, self.here());
        let room = self
            .account
            .seen
            .bell
            .within(PATIENCE, || client.get_room(here));
        room.await.expect("a room that the client knows")
    }
}
