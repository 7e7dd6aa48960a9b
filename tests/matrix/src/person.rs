//! Somebody with a client of their own: what they do, and what they wait for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use matrix_sdk::authentication::matrix::MatrixSession;
use matrix_sdk::config::SyncSettings;
use matrix_sdk::media::{MediaFormat, MediaRequestParameters};
use matrix_sdk::ruma::api::client::filter::FilterDefinition;
use matrix_sdk::ruma::api::client::room::create_room;
use matrix_sdk::ruma::events::room::MediaSource;
use matrix_sdk::ruma::serde::Raw;
use matrix_sdk::ruma::{EventId, OwnedRoomId, RoomId, UInt, UserId};
use matrix_sdk::store::RoomLoadSettings;
use matrix_sdk::sync::SyncResponse;
use matrix_sdk::{Client, Room, SessionMeta, SessionTokens};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::event::Event;
use crate::picture::Picture;
use crate::room::Kind;
use crate::waiting::{Bell, PATIENCE};

/// Somebody, and where they are.
#[derive(Clone)]
pub struct Person {
    account: Arc<Account>,
    room: Option<OwnedRoomId>,
    thread: Option<String>,
}

struct Account {
    id: String,
    bot: String,
    client: Client,
    seen: Arc<Seen>,
    syncing: JoinHandle<()>,
}

impl Drop for Account {
    fn drop(&mut self) {
        self.syncing.abort();
    }
}

#[derive(Default)]
struct Seen {
    events: Mutex<Vec<Event>>,
    typing: Mutex<Vec<String>>,
    bell: Bell,
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

    fn here(&self) -> &RoomId {
        self.room.as_deref().expect("somebody who is in a room")
    }

    async fn joined(&self) -> Room {
        let (client, here) = (&self.account.client, self.here());
        let room = self
            .account
            .seen
            .bell
            .within(PATIENCE, || client.get_room(here));
        room.await.expect("a room that the client knows")
    }

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

    /// Sends an event as it is; its id.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn sends(&self, kind: &str, content: Value) -> String {
        let room = self.joined().await;
        let sent = room.send_raw(kind, content).await;
        let sent = sent.unwrap_or_else(|error| panic!("{} cannot send: {error}", self.id()));
        sent.response.event_id.to_string()
    }

    /// The relation of what is said here.
    fn related(&self, content: &mut Value) {
        if let Some(root) = &self.thread {
            content["m.relates_to"] = json!({
                "rel_type": "m.thread", "event_id": root, "is_falling_back": true,
                "m.in_reply_to": {"event_id": root},
            });
        }
    }

    /// Says something; the event's id.
    pub async fn says(&self, text: &str) -> String {
        let mut content = json!({"msgtype": "m.text", "body": text});
        self.related(&mut content);
        self.sends("m.room.message", content).await
    }

    /// Says something with people as pills, where `{}` stands in the text: `!new chaturanga with:{}`.
    pub async fn says_with_pills(&self, text: &str, people: &[(&str, &str)]) -> String {
        let (mut body, mut html) = (text.to_owned(), text.to_owned());
        for (id, name) in people {
            body = body.replacen("{}", name, 1);
            let pill = format!("<a href=\"https://matrix.to/#/{id}\">{name}</a>");
            html = html.replacen("{}", &pill, 1);
        }
        let ids: Vec<&str> = people.iter().map(|(id, _)| *id).collect();
        let mut content = json!({
            "msgtype": "m.text", "body": body, "format": "org.matrix.custom.html", "formatted_body": html,
            "m.mentions": {"user_ids": ids},
        });
        self.related(&mut content);
        self.sends("m.room.message", content).await
    }

    /// Answers an event, without repeating what it says.
    pub async fn replies(&self, to: &Event, text: &str) -> String {
        let content = json!({
            "msgtype": "m.text", "body": text, "m.relates_to": {"m.in_reply_to": {"event_id": to.id}},
        });
        self.sends("m.room.message", content).await
    }

    /// Answers an event and repeats what it says, as older clients do.
    pub async fn replies_with_fallback(&self, to: &Event, text: &str) -> String {
        let mut quoted = to.body().lines();
        let first = quoted.next().unwrap_or_default();
        let mut body = format!("> <{}> {first}\n", to.sender);
        for line in quoted {
            body.push_str(&format!("> {line}\n"));
        }
        body.push_str(&format!("\n{text}"));
        let html = format!(
            "<mx-reply><blockquote><a href=\"https://matrix.to/#/{room}/{id}\">In reply to</a> \
             <a href=\"https://matrix.to/#/{who}\">{who}</a><br>{said}</blockquote></mx-reply>{text}",
            room = self.room(),
            id = to.id,
            who = to.sender,
            said = to.body().replace('\n', "<br>"),
        );
        let content = json!({
            "msgtype": "m.text", "body": body, "format": "org.matrix.custom.html", "formatted_body": html,
            "m.mentions": {"user_ids": [to.sender]}, "m.relates_to": {"m.in_reply_to": {"event_id": to.id}},
        });
        self.sends("m.room.message", content).await
    }

    /// Reacts to an event.
    pub async fn reacts(&self, to: &str, key: &str) -> String {
        let content =
            json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": to, "key": key}});
        // Reactions are never encrypted.
        let path = format!(
            "/_matrix/client/v3/rooms/{}/send/m.reaction/reaction-{}-{}",
            self.room(),
            self.mark(),
            key.bytes()
                .map(|byte| format!("{byte:x}"))
                .collect::<String>()
        );
        let sent = self.asks_server("PUT", &path, Some(content)).await;
        sent["event_id"].as_str().unwrap_or_default().to_owned()
    }

    /// Changes what they said.
    pub async fn edits(&self, event: &str, text: &str) -> String {
        let content = json!({
            "msgtype": "m.text", "body": format!("* {text}"),
            "m.new_content": {"msgtype": "m.text", "body": text},
            "m.relates_to": {"rel_type": "m.replace", "event_id": event},
        });
        self.sends("m.room.message", content).await
    }

    /// Takes back what was said.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn redacts(&self, event: &str) {
        let event = EventId::parse(event).expect("an event's id");
        let redacted = self.joined().await.redact(&event, None, None).await;
        redacted.unwrap_or_else(|error| panic!("not redacted: {error}"));
    }

    fn events(&self) -> MutexGuard<'_, Vec<Event>> {
        let events = self.account.seen.events.lock();
        events.unwrap_or_else(PoisonError::into_inner)
    }

    /// How much they have seen so far.
    #[must_use]
    pub fn mark(&self) -> usize {
        self.events().last().map_or(0, |event| event.number)
    }

    /// What they have seen here, newer than `after`.
    #[must_use]
    pub fn story(&self, after: usize) -> Vec<Event> {
        let here = self.here();
        let events = self.events();
        let events = events
            .iter()
            .filter(|event| event.number > after && event.room == here.as_str());
        events
            .filter(|event| self.thread.is_none() || event.thread() == self.thread.as_deref())
            .cloned()
            .collect()
    }

    /// What the bot said here, newer than `after`.
    #[must_use]
    pub fn heard(&self, after: usize) -> Vec<Event> {
        let mut story = self.story(after);
        story.retain(|event| event.is_message() && event.sender == self.account.bot);
        story
    }

    /// Waits for an event here that is newer than `after` and fits.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn finds(&self, after: usize, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        let found = || self.story(after).into_iter().find(|event| fits(event));
        let found = self.account.seen.bell.within(PATIENCE, found).await;
        found.unwrap_or_else(|| {
            let story = self.at(self.room()).story(0);
            let shown: Vec<String> = story
                .iter()
                .rev()
                .take(15)
                .rev()
                .map(Event::to_string)
                .collect();
            panic!(
                "{} waited in vain: {what} (after {after})\n{}",
                self.id(),
                shown.join("\n")
            )
        })
    }

    /// Waits for a message of the bot here that is newer than `after` and fits.
    pub async fn sees(&self, after: usize, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        let bot = self.account.bot.clone();
        self.finds(after, what, |event| {
            event.is_message() && event.sender == bot && fits(event)
        })
        .await
    }

    /// Waits until they see this event themselves: what was before it is known then.
    pub async fn sees_own(&self, id: &str) -> Event {
        self.at(self.room())
            .finds(0, "what they said themselves", |event| event.id == id)
            .await
    }

    /// Says something and waits for the bot's next words here.
    pub async fn asks(&self, line: &str) -> Event {
        let id = self.says(line).await;
        let asked = self.sees_own(&id).await;
        self.sees(
            asked.number,
            &format!("an answer to {line}"),
            Event::is_words,
        )
        .await
    }

    /// Says something that makes the bot say something about a table to everybody, and gives those words.
    pub async fn plays(&self, line: &str) -> Event {
        let known = self.newest();
        let id = self.says(line).await;
        self.sees_next(known, &format!("words to everybody after {line}, {id}"))
            .await
    }

    /// The newest version of every table that they have seen here.
    #[must_use]
    pub fn newest(&self) -> Vec<(String, u64)> {
        let mut newest: Vec<(String, u64)> = Vec::new();
        for event in self.at(self.room()).heard(0) {
            let Some((code, version)) = event.board() else {
                continue;
            };
            match newest.iter_mut().find(|(known, _)| known == code) {
                Some((_, known)) => *known = version.max(*known),
                None => newest.push((code.to_owned(), version)),
            }
        }
        newest
    }

    /// Waits for words about a table that say more than what was known then.
    pub async fn sees_next(&self, known: Vec<(String, u64)>, what: &str) -> Event {
        self.sees(0, what, |event| {
            let board = event.board().filter(|_| event.is_words());
            board.is_some_and(|(code, version)| {
                !known
                    .iter()
                    .any(|(other, most)| other == code && *most >= version)
            })
        })
        .await
    }

    /// Waits until somebody's membership here is such.
    pub async fn sees_member(&self, after: usize, user: &str, membership: &str) -> Event {
        let what = format!("{membership} of {user}");
        self.at(self.room())
            .finds(after, &what, |event| is_member(event, user, membership))
            .await
    }

    /// Whether they have seen the bot typing here so far.
    #[must_use]
    pub fn has_seen_typing(&self) -> bool {
        let typing = self.account.seen.typing.lock();
        let typing = typing.unwrap_or_else(PoisonError::into_inner);
        typing.iter().any(|user| *user == self.account.bot)
    }

    /// Downloads the picture of a message and checks what the message says of it.
    pub async fn downloads_picture(&self, event: &Event) -> Picture {
        Picture::checked(event, self.downloads(event).await)
    }

    /// Downloads the file of a message, and decrypts it if it is encrypted.
    ///
    /// # Panics
    /// When there is none.
    pub async fn downloads(&self, event: &Event) -> Vec<u8> {
        let content = &event.content;
        let source = match content["file"].is_null() {
            true => json!({"url": content["url"]}),
            false => json!({"file": content["file"]}),
        };
        let source = serde_json::from_value::<MediaSource>(source);
        let source = source.unwrap_or_else(|error| panic!("no file ({error}): {event}"));
        let request = MediaRequestParameters {
            source,
            format: MediaFormat::File,
        };
        let file = self
            .account
            .client
            .media()
            .get_media_content(&request, false)
            .await;
        file.unwrap_or_else(|error| panic!("no file ({error}): {event}"))
    }
}

fn is_member(event: &Event, user: &str, membership: &str) -> bool {
    event.kind == "m.room.member"
        && event.state_key.as_deref() == Some(user)
        && event.content["membership"] == membership
}

async fn sync(client: &Client, since: Option<String>) -> matrix_sdk::Result<SyncResponse> {
    let mut filter = FilterDefinition::default();
    filter.room.timeline.limit = Some(UInt::from(100_u32));
    let mut settings = SyncSettings::default()
        .filter(filter.into())
        .timeout(Duration::from_secs(20));
    if let Some(since) = since {
        settings = settings.token(since);
    }
    client.sync_once(settings).await
}

/// Takes in what comes, for as long as they are there.
async fn follow(client: Client, seen: Arc<Seen>, mut since: String) {
    let mut sealed: Vec<(OwnedRoomId, Value)> = Vec::new();
    loop {
        let Ok(answer) = sync(&client, Some(since.clone())).await else {
            // The server is being restarted.
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        };
        since = answer.next_batch;
        // Keys may come after what they open.
        for (room, json) in std::mem::take(&mut sealed) {
            match opened(&client, &room, &json).await {
                Some(json) => seen.push(&room, &json, true),
                None => sealed.push((room, json)),
            }
        }
        for (room, update) in answer.rooms.joined {
            for event in update.timeline.events {
                let encrypted = event.encryption_info().is_some();
                let json = event.raw().deserialize_as_unchecked::<Value>();
                let json = json.expect("an event is JSON");
                if json["type"] == "m.room.encrypted" && json["content"]["ciphertext"].is_string() {
                    sealed.push((room.clone(), json));
                } else {
                    seen.push(&room, &json, encrypted);
                }
            }
            for event in update.ephemeral {
                let json = event
                    .deserialize_as_unchecked::<Value>()
                    .unwrap_or(Value::Null);
                if json["type"] == "m.typing" {
                    let users = json["content"]["user_ids"].as_array();
                    let users = users.into_iter().flatten().filter_map(Value::as_str);
                    let typing = seen.typing.lock();
                    typing
                        .unwrap_or_else(PoisonError::into_inner)
                        .extend(users.map(str::to_owned));
                }
            }
        }
        seen.bell.ring();
    }
}

impl Seen {
    fn push(&self, room: &RoomId, json: &Value, encrypted: bool) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if events.iter().any(|event| json["event_id"] == event.id) {
            return;
        }
        let number = events.len() + 1;
        events.push(Event::read(number, room.as_str(), json, encrypted));
    }
}

/// An event whose key was not there before.
async fn opened(client: &Client, room: &RoomId, json: &Value) -> Option<Value> {
    let room = client.get_room(room)?;
    let raw = serde_json::value::to_raw_value(json).ok()?;
    let raw =
        Raw::<matrix_sdk::ruma::events::room::encrypted::OriginalSyncRoomEncryptedEvent>::from_json(
            raw,
        );
    let event = room.decrypt_event(&raw, None).await.ok()?;
    let json = event.raw().deserialize_as_unchecked::<Value>().ok()?;
    (json["type"] != "m.room.encrypted").then_some(json)
}
