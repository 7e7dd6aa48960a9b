//! The gateway: sessions, events in order, and what a client is told.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::bounds;
use crate::world::World;

/// The intents for which Discord asks whether a bot may have them.
const PRIVILEGED: u64 = 1 << 1 | 1 << 8 | 1 << 15;
/// The intent to read what messages say.
pub(crate) const MESSAGE_CONTENT: u64 = 1 << 15;

/// What is sent to a connection.
#[derive(Debug)]
pub(crate) enum Out {
    Text(String),
    Close(u16),
    /// The line goes dead without a word.
    Drop,
    /// The line is reset.
    Reset,
}

#[derive(Debug)]
struct Session {
    shard: u64,
    shards: u64,
    intents: u64,
    seq: u64,
    sent: Vec<(u64, String)>,
    line: Option<mpsc::UnboundedSender<Out>>,
    resumable: bool,
}

/// All sessions, and how connections are treated.
#[derive(Debug)]
pub struct Gateway {
    sessions: BTreeMap<u64, Session>,
    next: u64,
    /// How long between heartbeats.
    pub(crate) heartbeat: Duration,
    /// Whether heartbeats are answered.
    pub(crate) acknowledges: bool,
    /// The privileged intents that the application may have.
    pub(crate) granted: u64,
    /// How often a client said who it is.
    pub(crate) identified: u32,
    /// How often a session was taken up again.
    pub(crate) resumed: u32,
    /// How many sessions are no longer taken up: a resume is told to begin anew.
    pub(crate) forget: bool,
    /// Whether whoever comes is turned away.
    pub(crate) closed: bool,
}

impl Default for Gateway {
    fn default() -> Gateway {
        Gateway {
            sessions: BTreeMap::new(),
            next: 0,
            heartbeat: Duration::from_millis(41_250),
            acknowledges: true,
            granted: 0,
            identified: 0,
            resumed: 0,
            forget: false,
            closed: false,
        }
    }
}

impl Gateway {
    /// Sends something to every connection.
    fn all(&mut self, out: impl Fn() -> Out) {
        for session in self.sessions.values_mut() {
            if let Some(line) = &session.line {
                // A connection that has just ended misses nothing.
                let _ = line.send(out());
            }
        }
    }

    /// Whether anybody is connected.
    pub(crate) fn is_connected(&self) -> bool {
        self.sessions.values().any(|session| session.line.is_some())
    }
}

impl World {
    /// Sends an event to the session of the server's shard, if it asked for events of this kind (an intent's bit).
    pub(crate) fn dispatch(&mut self, event: &str, data: Value, guild: Option<u64>, intent: u64) {
        for session in self.gateway.sessions.values_mut() {
            let shard = guild.map_or(0, |guild| (guild >> 22) % session.shards.max(1));
            if session.shard == shard && (intent == 0 || session.intents & intent != 0) {
                session.send(event, &data);
            }
        }
    }

    /// Whether what messages say is sent along.
    pub(crate) fn content_is_sent(&self) -> bool {
        let mut sessions = self.gateway.sessions.values();
        sessions.any(|session| session.intents & MESSAGE_CONTENT != 0)
    }

    /// Sends the newest event of this kind once more (R07).
    pub fn replay(&mut self, event: &str) {
        let mark = format!("\"t\":\"{event}\"");
        for session in self.gateway.sessions.values_mut() {
            let found = session
                .sent
                .iter()
                .rev()
                .find(|(_, text)| text.contains(&mark));
            let Some((_, text)) = found.cloned() else {
                continue;
            };
            if let Ok(payload) = serde_json::from_str::<Value>(&text) {
                session.send(event, &payload["d"]);
            }
        }
    }

    /// Asks every client to connect again (op 7).
    pub fn ask_to_reconnect(&mut self) {
        let text = json!({"op": 7, "d": null, "s": null, "t": null}).to_string();
        self.gateway.all(|| Out::Text(text.clone()));
    }

    /// Says that sessions are no longer valid (op 9).
    pub fn invalidate(&mut self, resumable: bool) {
        let text = json!({"op": 9, "d": resumable, "s": null, "t": null}).to_string();
        self.gateway.all(|| Out::Text(text.clone()));
        for session in self.gateway.sessions.values_mut() {
            session.resumable = resumable;
        }
    }

    /// Drops every connection of the gateway without a word.
    pub fn drop_gateway(&mut self) {
        self.gateway.all(|| Out::Drop);
    }

    /// Resets every connection of the gateway, and turns whoever comes away until [`World::open_gateway`].
    pub fn shut_gateway(&mut self) {
        self.gateway.closed = true;
        self.gateway.all(|| Out::Reset);
    }

    /// Lets clients come again.
    pub fn open_gateway(&mut self) {
        self.gateway.closed = false;
    }

    /// Closes every connection of the gateway with a code.
    pub fn close_gateway(&mut self, code: u16) {
        self.gateway.all(|| Out::Close(code));
    }

    /// A failed resume: sessions are forgotten, so that the client has to begin anew.
    pub fn forget_sessions(&mut self) {
        self.gateway.forget = true;
    }

    /// Whether heartbeats are answered.
    pub fn acknowledge(&mut self, answers: bool) {
        self.gateway.acknowledges = answers;
    }

    /// How long clients are told to wait between heartbeats, from the next connection on.
    pub fn set_heartbeat(&mut self, every: Duration) {
        self.gateway.heartbeat = every;
    }

    /// Allows the application to read what messages say.
    pub fn grant_message_content(&mut self) {
        self.gateway.granted |= MESSAGE_CONTENT;
    }

    /// How often clients said who they are, and how often they took up a session again.
    #[must_use]
    pub fn greetings(&self) -> (u32, u32) {
        (self.gateway.identified, self.gateway.resumed)
    }

    /// Whether the bot is connected.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.gateway.is_connected()
    }

    /// What a client says; the number of its session where it has one.
    pub(crate) fn hear(
        &mut self,
        payload: &Value,
        line: &mpsc::UnboundedSender<Out>,
    ) -> Option<u64> {
        match payload["op"].as_u64() {
            Some(1) => {
                if self.gateway.acknowledges {
                    let _ = line.send(Out::Text(json!({"op": 11, "d": null}).to_string()));
                }
                None
            }
            Some(2) => self.identify(payload, line),
            Some(6) => self.resume(payload, line),
            Some(3) => None,
            other => {
                self.refuse(format!("gateway: op {other:?}"));
                let _ = line.send(Out::Close(4001));
                None
            }
        }
    }

    fn identify(&mut self, payload: &Value, line: &mpsc::UnboundedSender<Out>) -> Option<u64> {
        if let Err(what) = bounds::identify(payload) {
            self.refuse(what);
        }
        let data = &payload["d"];
        let token = data["token"].as_str().unwrap_or_default();
        // Discord takes it with the word that stands before it in requests, too.
        if token.trim_start_matches("Bot ") != self.token {
            let _ = line.send(Out::Close(4004));
            return None;
        }
        let intents = data["intents"].as_u64().unwrap_or(0);
        if intents & PRIVILEGED & !self.gateway.granted != 0 {
            let _ = line.send(Out::Close(4014));
            return None;
        }
        let number = |at: usize, otherwise| data["shard"][at].as_u64().unwrap_or(otherwise);
        let mut session = Session {
            shard: number(0, 0),
            shards: number(1, 1),
            intents,
            seq: 0,
            sent: Vec::new(),
            line: Some(line.clone()),
            resumable: true,
        };
        self.gateway.identified += 1;
        self.gateway.next += 1;
        let id = self.gateway.next;
        let here: Vec<u64> = self
            .guilds
            .values()
            .filter(|guild| {
                guild.has_bot && (guild.id >> 22) % session.shards.max(1) == session.shard
            })
            .map(|guild| guild.id)
            .collect();
        let guilds: Vec<Value> = here
            .iter()
            .map(|guild| json!({"id": guild.to_string(), "unavailable": true}))
            .collect();
        let mut user = self.bot.json();
        crate::world::merge(
            &mut user,
            json!({"verified": true, "mfa_enabled": true, "email": null}),
        );
        session.send(
            "READY",
            &json!({
                "v": 10, "user": user, "guilds": guilds, "session_id": id.to_string(),
                "resume_gateway_url": data["resume_url"], "shard": [session.shard, session.shards],
                "application": {"id": self.bot.id.to_string(), "flags": 0},
            }),
        );
        // Only the newest session of a shard goes on.
        self.gateway
            .sessions
            .retain(|_, old| old.shard != session.shard);
        self.gateway.sessions.insert(id, session);
        for guild in here {
            if !self.guilds[&guild].unavailable {
                let json = self.guild_json(guild);
                if let Some(session) = self.gateway.sessions.get_mut(&id) {
                    session.send("GUILD_CREATE", &json);
                }
            }
        }
        Some(id)
    }

    fn resume(&mut self, payload: &Value, line: &mpsc::UnboundedSender<Out>) -> Option<u64> {
        if let Err(what) = bounds::resume(payload) {
            self.refuse(what);
        }
        let data = &payload["d"];
        let id: Option<u64> = data["session_id"].as_str().and_then(|id| id.parse().ok());
        let seq = data["seq"].as_u64().unwrap_or(0);
        let forget = std::mem::take(&mut self.gateway.forget);
        let session = id.and_then(|id| self.gateway.sessions.get_mut(&id));
        let (Some(id), Some(session), false) = (id, session, forget) else {
            let _ = line.send(Out::Text(json!({"op": 9, "d": false}).to_string()));
            return None;
        };
        if !session.resumable {
            let _ = line.send(Out::Text(json!({"op": 9, "d": false}).to_string()));
            return None;
        }
        for (_, text) in session.sent.iter().filter(|(number, _)| *number > seq) {
            let _ = line.send(Out::Text(text.clone()));
        }
        session.line = Some(line.clone());
        session.send("RESUMED", &json!({}));
        self.gateway.resumed += 1;
        Some(id)
    }

    /// A connection has ended; its session can be taken up again.
    pub(crate) fn hang_up(&mut self, id: u64, line: &mpsc::UnboundedSender<Out>) {
        if let Some(session) = self.gateway.sessions.get_mut(&id)
            && session
                .line
                .as_ref()
                .is_some_and(|own| own.same_channel(line))
        {
            session.line = None;
        }
    }
}

impl Session {
    fn send(&mut self, event: &str, data: &Value) {
        self.seq += 1;
        let text = format!(
            "{{\"op\":0,\"s\":{},\"t\":\"{event}\",\"d\":{data}}}",
            self.seq
        );
        self.sent.push((self.seq, text.clone()));
        if let Some(line) = &self.line {
            // What a dead line misses is sent when the session is taken up again.
            let _ = line.send(Out::Text(text));
        }
    }
}
