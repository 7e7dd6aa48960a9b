//! Contents of events, but for where they stand.

use std::sync::Arc;

use matrix_sdk::ruma::events::room::MediaSource;
use mime::Mime;
use serde_json::{Value, json};

use super::blur;
use crate::ids::TableCode;

/// One event's worth of a message.
#[derive(Debug)]
pub(in crate::chat::matrix) struct Part {
    /// The table it is about, and how many events that had.
    pub(in crate::chat::matrix) board: Option<(TableCode, u64)>,
    pub(in crate::chat::matrix) content: Content,
}

/// What an event says.
#[derive(Debug)]
pub(in crate::chat::matrix) enum Content {
    /// The content of an `m.room.message`, without relation.
    Text(Value),
    /// Something to be uploaded first.
    Attached(Attached),
}

/// A picture or a file.
#[derive(Debug)]
pub(in crate::chat::matrix) struct Attached {
    pub(in crate::chat::matrix) bytes: Arc<[u8]>,
    pub(in crate::chat::matrix) mime: Mime,
    name: String,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    /// Shown at once (R110).
    Picture {
        caption: String,
        image: Option<Image>,
    },
    /// To be opened or kept.
    File,
}

/// What is known of a picture before it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Image {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Its BlurHash (MSC2448).
    pub(super) blur: String,
}

impl Image {
    /// Of a PNG file's bytes. One that cannot be read is shown without.
    pub(super) fn of(bytes: &[u8]) -> Option<Image> {
        blur::image(bytes)
            .inspect_err(|error| tracing::warn!("matrix: a picture cannot be read again: {error}"))
            .ok()
    }
}

impl Part {
    /// What kind of event it is: of one message's events, no two are of the same but texts.
    pub(in crate::chat::matrix) fn kind(&self) -> &'static str {
        match &self.content {
            Content::Text(_) => "text",
            Content::Attached(attached) => match attached.shown {
                Shown::Picture { .. } => "image",
                Shown::File => "file",
            },
        }
    }
}

impl Attached {
    /// A PNG picture with its caption.
    pub(super) fn picture(
        name: String,
        bytes: Arc<[u8]>,
        caption: String,
        image: Option<Image>,
    ) -> Attached {
        Attached {
            bytes,
            mime: mime::IMAGE_PNG,
            name,
            shown: Shown::Picture { caption, image },
        }
    }

    /// A text file.
    pub(super) fn file(name: String, bytes: Arc<[u8]>) -> Attached {
        let json = name.ends_with(".json");
        Attached {
            bytes,
            mime: match json {
                true => mime::APPLICATION_JSON,
                false => mime::TEXT_PLAIN_UTF_8,
            },
            name,
            shown: Shown::File,
        }
    }

    /// The content of the event that shows it, without relation. `source` is where it was uploaded: the url of a plain file, or
    /// an encrypted one with its key (R109).
    pub(in crate::chat::matrix) fn content(&self, source: &MediaSource) -> Value {
        let (key, uploaded) = match source {
            MediaSource::Plain(url) => ("url", json!(url)),
            MediaSource::Encrypted(file) => ("file", json!(file)),
        };
        let info = json!({ "mimetype": self.mime.to_string(), "size": self.bytes.len() });
        let mut content = match &self.shown {
            // The body is a caption, since the file's name is another.
            Shown::Picture { caption, .. } => json!({
                "msgtype": "m.image", "body": caption, "filename": self.name, "info": info,
            }),
            Shown::File => json!({
                "msgtype": "m.file", "body": self.name, "filename": self.name, "info": info,
            }),
        };
        content["m.mentions"] = json!({});
        content[key] = uploaded.clone();
        if let Shown::Picture {
            image: Some(image), ..
        } = &self.shown
        {
            let info = &mut content["info"];
            info["w"] = json!(image.width);
            info["h"] = json!(image.height);
            let thumbnail = info.clone();
            info["xyz.amorgan.blurhash"] = json!(image.blur);
            // It is small enough to be its own thumbnail.
            info["thumbnail_info"] = thumbnail;
            info[format!("thumbnail_{key}")] = uploaded;
        }
        content
    }
}
