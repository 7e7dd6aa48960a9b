//! What somebody sees in a room.

use serde_json::Value;

/// The key under which the bot says which table an event is about.
pub(crate) const BOARD: &str = "org.ashtapada.board";

/// An event as its reader has it, decrypted if it was encrypted.
#[derive(Debug, Clone)]
pub struct Event {
    /// Counts what this person has seen, in order.
    pub number: usize,
    /// Its room.
    pub room: String,
    /// Its id.
    pub id: String,
    /// Who sent it.
    pub sender: String,
    /// Its type.
    pub kind: String,
    /// What it changes, for an event of a room's state.
    pub state_key: Option<String>,
    /// Its content.
    pub content: Value,
    /// Whether it came encrypted.
    pub encrypted: bool,
    /// When the server had it, in milliseconds since 1970.
    pub at: u64,
}

impl Event {
    /// One of a timeline.
    pub(crate) fn read(number: usize, room: &str, json: &Value, encrypted: bool) -> Event {
        let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
        Event {
            number,
            room: room.to_owned(),
            id: text("event_id"),
            sender: text("sender"),
            kind: text("type"),
            state_key: json["state_key"].as_str().map(str::to_owned),
            content: json["content"].clone(),
            encrypted,
            at: json["origin_server_ts"].as_u64().unwrap_or(0),
        }
    }

    /// What it says.
    #[must_use]
    pub fn body(&self) -> &str {
        self.content["body"].as_str().unwrap_or_default()
    }

    /// What it says in HTML.
    #[must_use]
    pub fn html(&self) -> &str {
        self.content["formatted_body"].as_str().unwrap_or_default()
    }

    /// The kind of its message: `m.text`, `m.notice`, `m.image`, …
    #[must_use]
    pub fn msgtype(&self) -> &str {
        self.content["msgtype"].as_str().unwrap_or_default()
    }

    /// Whether it is words: a text or a notice.
    #[must_use]
    pub fn is_words(&self) -> bool {
        self.kind == "m.room.message" && matches!(self.msgtype(), "m.text" | "m.notice")
    }

    /// Whether it is a picture.
    #[must_use]
    pub fn is_picture(&self) -> bool {
        self.kind == "m.room.message" && self.msgtype() == "m.image"
    }

    /// Whether it says something to somebody: words, a picture or a file.
    #[must_use]
    pub fn is_message(&self) -> bool {
        self.kind == "m.room.message"
    }

    /// Whom it notifies.
    #[must_use]
    pub fn mentions(&self) -> Vec<&str> {
        let people = self.content["m.mentions"]["user_ids"].as_array();
        people
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    /// The root of the thread that it is in.
    #[must_use]
    pub fn thread(&self) -> Option<&str> {
        let relation = &self.content["m.relates_to"];
        (relation["rel_type"] == "m.thread").then(|| relation["event_id"].as_str())?
    }

    /// The event that it answers; what stands there only for clients without threads is none.
    #[must_use]
    pub fn answers(&self) -> Option<&str> {
        let relation = &self.content["m.relates_to"];
        let falls_back = relation["is_falling_back"] == true;
        (!falls_back).then(|| relation["m.in_reply_to"]["event_id"].as_str())?
    }

    /// The table it is about, and the version of that table.
    #[must_use]
    pub fn board(&self) -> Option<(&str, u64)> {
        let board = &self.content[BOARD];
        Some((board["table"].as_str()?, board["version"].as_u64()?))
    }

    /// The code of the table it is about.
    ///
    /// # Panics
    /// When it is about none.
    #[must_use]
    pub fn code(&self) -> String {
        let board = self.board();
        let (code, _) = board.unwrap_or_else(|| panic!("about no table: {self}"));
        code.to_owned()
    }
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let content: String = self.content.to_string().chars().take(400).collect();
        write!(f, "{} {} {} {content}", self.number, self.sender, self.kind)
    }
}
