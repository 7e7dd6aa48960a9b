//! Messages, with their buttons and menus.

use serde_json::{Value, json};

use crate::snowflake::iso;

/// A message as it stands.
#[derive(Debug, Clone)]
pub struct Message {
    /// Its id.
    pub id: u64,
    /// Where it is.
    pub channel: u64,
    /// Who sent it.
    pub author: u64,
    /// Its text.
    pub content: String,
    /// Its rows of buttons and menus, as they were sent.
    pub components: Value,
    /// Its files, as Discord describes them.
    pub attachments: Vec<Value>,
    /// The content of its files, in the same order.
    pub files: Vec<Vec<u8>>,
    /// Whom it notified.
    pub pings: Vec<u64>,
    /// The mark by which a repeated send is known.
    pub nonce: Option<String>,
    /// When it was sent, in milliseconds since the Unix epoch.
    pub at: u64,
    /// How often it was edited.
    pub edits: u32,
    /// Who alone sees it.
    pub only: Option<u64>,
    /// The interaction whose token made it.
    pub interaction: Option<u64>,
    /// Whether it only says that the bot thinks.
    pub thinking: bool,
    /// What the embeds are, as they were sent.
    pub embeds: Value,
    /// When an edit of it was last refused for being one too many, and how many there were in that hour.
    pub(crate) late_edits: u32,
}

/// A button of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    /// What stands on it.
    pub label: String,
    /// What a click sends; none for a link.
    pub custom_id: Option<String>,
    /// Whether it cannot be clicked.
    pub disabled: bool,
}

/// A menu of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Select {
    /// What a choice sends beside the value.
    pub custom_id: String,
    /// The labels and values.
    pub options: Vec<(String, String)>,
}

impl Message {
    /// Its buttons, row by row.
    #[must_use]
    pub fn buttons(&self) -> Vec<Button> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        self.parts(2)
            .map(|part| Button {
                label: text(&part["label"]).unwrap_or_default(),
                custom_id: text(&part["custom_id"]),
                disabled: part["disabled"] == true,
            })
            .collect()
    }

    /// Its menus.
    #[must_use]
    pub fn selects(&self) -> Vec<Select> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.parts(3)
            .map(|part| Select {
                custom_id: text(&part["custom_id"]),
                options: part["options"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|option| (text(&option["label"]), text(&option["value"])))
                    .collect(),
            })
            .collect()
    }

    /// The button that says this.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn button(&self, label: &str) -> String {
        let buttons = self.buttons();
        let found = buttons.iter().find(|button| button.label == label);
        found
            .and_then(|button| button.custom_id.clone())
            .unwrap_or_else(|| panic!("no button “{label}” in {buttons:?} of “{}”", self.content))
    }

    /// Whether a button says this.
    #[must_use]
    pub fn has_button(&self, label: &str) -> bool {
        self.buttons().iter().any(|button| button.label == label)
    }

    /// What screen readers read of its first picture.
    #[must_use]
    pub fn alt(&self) -> Option<&str> {
        self.attachments.first()?["description"].as_str()
    }

    fn parts(&self, kind: u8) -> impl Iterator<Item = &Value> {
        let rows = self.components.as_array().into_iter().flatten();
        rows.flat_map(|row| row["components"].as_array().into_iter().flatten())
            .filter(move |part| part["type"] == kind)
    }

    pub(crate) fn json(&self, author: &Value, mentions: Vec<Value>, guild: Option<u64>) -> Value {
        let mut json = json!({
            "id": self.id.to_string(), "channel_id": self.channel.to_string(), "author": author, "content": self.content,
            "timestamp": iso(self.at), "edited_timestamp": (self.edits > 0).then(|| iso(self.at)), "tts": false,
            "mention_everyone": false, "mentions": mentions, "mention_roles": [], "attachments": self.attachments,
            "embeds": self.embeds, "pinned": false, "type": self.number(), "flags": self.flags(),
            "components": self.components,
        });
        if let Some(nonce) = &self.nonce {
            json["nonce"] = json!(nonce);
        }
        if let Some(guild) = guild {
            json["guild_id"] = json!(guild.to_string());
        }
        json
    }

    fn number(&self) -> u8 {
        if self.interaction.is_some() { 20 } else { 0 }
    }

    fn flags(&self) -> u64 {
        let ephemeral = if self.only.is_some() { 64 } else { 0 };
        ephemeral | if self.thinking { 128 } else { 0 }
    }
}
