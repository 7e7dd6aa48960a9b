//! A message as Discord gets it.

use serde_json::{Value, json};
use serenity::builder::CreateAttachment;

use crate::chat::discord::markdown;

/// A message laid out: what its request holds, but for where it goes.
#[derive(Debug, Clone)]
pub(in crate::chat::discord) struct Sheet {
    /// The content, in Markdown.
    pub(in crate::chat::discord) content: String,
    /// The rows of buttons, as Discord's JSON.
    pub(in crate::chat::discord) components: Value,
    /// The picture, or the text file: at most one, since serenity gives all of them the same number.
    pub(in crate::chat::discord) files: Vec<CreateAttachment>,
    /// Who may be notified, as Discord's JSON.
    pub(in crate::chat::discord) allowed: Value,
    /// The board of the picture as text, for where no file may be attached.
    pub(in crate::chat::discord) board: Option<String>,
}

impl Sheet {
    /// The body of the request, without its files.
    pub(in crate::chat::discord) fn body(&self) -> Value {
        let attachments: Vec<Value> = self
            .files
            .iter()
            .map(|file| match &file.description {
                Some(description) => {
                    json!({ "id": "0", "filename": file.filename, "description": description })
                }
                None => json!({ "id": "0", "filename": file.filename }),
            })
            .collect();
        json!({
            "content": self.content,
            "components": self.components,
            "allowed_mentions": self.allowed,
            "attachments": attachments,
        })
    }

    /// Whether there is a button below it.
    pub(in crate::chat::discord) fn has_buttons(&self) -> bool {
        self.components
            .as_array()
            .is_some_and(|rows| !rows.is_empty())
    }

    /// The same with the board as text in place of its picture; a file that is no picture is left out.
    pub(in crate::chat::discord) fn without_files(mut self) -> Sheet {
        self.files.clear();
        if let Some(board) = self.board.take() {
            self.content = markdown::with_block(&self.content, &board);
        }
        self
    }

    /// The words alone: what is left to try when Discord takes nothing else.
    pub(in crate::chat::discord) fn words_alone(self) -> Sheet {
        Sheet {
            content: markdown::cut(&self.content),
            components: json!([]),
            files: Vec::new(),
            allowed: self.allowed,
            board: None,
        }
    }
}
