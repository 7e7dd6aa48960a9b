//! What people do with rooms.

use matrix_sdk::ruma::UserId;
use matrix_sdk::ruma::api::client::room::create_room;
use matrix_sdk::ruma::serde::Raw;
use serde_json::{Value, json};

use crate::event::Event;
use crate::person::Person;
use crate::room::Kind;
use crate::seeing::is_member;

impl Person {
    /// Opens a room, with the bot and these people invited.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn opens(&self, kind: Kind, version: Option<&str>, invited: &[&str]) -> Person {
        let mut request = create_room::v3::Request::new();
        request.name = (!kind.is_direct()).then(|| "Hall".to_owned());
        request.is_direct = kind.is_direct();
        request.preset = Some(match kind.is_direct() {
            true => create_room::v3::RoomPreset::TrustedPrivateChat,
            false => create_room::v3::RoomPreset::PrivateChat,
        });
        request.room_version = version.map(|version| version.try_into().expect("a version"));
        let invited = invited.iter().map(|id| UserId::parse(*id));
        request.invite = invited.map(|id| id.expect("a user's id")).collect();
        if kind.is_encrypted() {
            let state = json!({
                "type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"},
            });
            let state = serde_json::value::to_raw_value(&state).expect("JSON");
            request.initial_state = vec![Raw::from_json(state)];
        }
        let room = self.account.client.create_room(request).await;
        let room = room.unwrap_or_else(|error| panic!("no room: {error}"));
        self.at(room.room_id().as_str())
    }

    /// Joins the room where they are invited, and waits until their client knows it.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn joins(&self, room: &str) -> Person {
        let person = self.at(room);
        let joined = self.account.client.join_room_by_id(person.here()).await;
        joined.unwrap_or_else(|error| panic!("{} cannot join: {error}", self.id()));
        let id = self.id().to_owned();
        let came = |event: &Event| is_member(event, &id, "join");
        person.finds(0, "their own coming", came).await;
        person
    }

    /// Invites somebody.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn invites(&self, user: &str) {
        let user = UserId::parse(user).expect("a user's id");
        let invited = self.joined().await.invite_user_by_id(&user).await;
        invited.unwrap_or_else(|error| panic!("not invited: {error}"));
    }

    /// Throws somebody out.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn kicks(&self, user: &str) {
        let user = UserId::parse(user).expect("a user's id");
        let kicked = self.joined().await.kick_user(&user, None).await;
        kicked.unwrap_or_else(|error| panic!("not kicked: {error}"));
    }

    /// Bans somebody.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn bans(&self, user: &str) {
        let user = UserId::parse(user).expect("a user's id");
        let banned = self.joined().await.ban_user(&user, None).await;
        banned.unwrap_or_else(|error| panic!("not banned: {error}"));
    }

    /// Goes.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn leaves(&self) {
        let left = self.joined().await.leave().await;
        left.unwrap_or_else(|error| panic!("cannot leave: {error}"));
    }

    /// Sets something of the room's state.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn sets(&self, kind: &str, state_key: &str, content: Value) -> String {
        let set = self.joined().await;
        let set = set.send_state_event_raw(kind, state_key, content).await;
        let set = set.unwrap_or_else(|error| panic!("{kind} not set: {error}"));
        set.event_id.to_string()
    }

    /// The content of a room's state as the server has it.
    ///
    /// # Panics
    /// When there is none.
    pub async fn state(&self, kind: &str) -> Value {
        let path = format!("/_matrix/client/v3/rooms/{}/state/{kind}", self.room());
        self.asks_server("GET", &path, None).await
    }

    /// A request to the server that the client has no word for.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn asks_server(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let client = &self.account.client;
        let url = client.homeserver().join(path).expect("an address");
        let token = client.access_token().expect("a token");
        let method = method.parse().expect("a method");
        let asked = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("an HTTP client");
        let mut asked = asked.request(method, url.as_str()).bearer_auth(token);
        if let Some(body) = body {
            asked = asked.body(body.to_string());
        }
        let answer = asked
            .send()
            .await
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let status = answer.status();
        let text = answer.text().await.unwrap_or_default();
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }
}
