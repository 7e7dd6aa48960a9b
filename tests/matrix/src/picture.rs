//! The picture of a message, and whether the message says the truth about it.

use serde_json::Value;

use crate::event::Event;

/// A picture as somebody downloaded it.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The file.
    pub file: Vec<u8>,
}

impl Picture {
    /// Reads the file of a message and compares it with what the message says of it (R109, R110).
    ///
    /// # Panics
    /// When something is missing or not so.
    #[must_use]
    pub fn checked(event: &Event, file: Vec<u8>) -> Picture {
        let picture = image::load_from_memory(&file);
        let picture = picture.unwrap_or_else(|error| panic!("no picture: {error}"));
        let (width, height) = (picture.width(), picture.height());
        let content = &event.content;
        let info = &content["info"];
        for info in [info, &info["thumbnail_info"]] {
            assert_eq!(info["mimetype"], "image/png", "{event}");
            assert_eq!(info["w"], width, "{event}");
            assert_eq!(info["h"], height, "{event}");
            assert_eq!(info["size"], file.len(), "{event}");
        }
        let hash = ["blurhash", "xyz.amorgan.blurhash"].map(|key| &info[key]);
        let hash = hash.into_iter().find_map(Value::as_str);
        let hash = hash.unwrap_or_else(|| panic!("no BlurHash: {event}"));
        let blurred = blurhash::decode(hash, 8, 8, 1.0);
        let blurred = blurred.unwrap_or_else(|error| panic!("{hash}: {error}"));
        // The colours on the whole are those of the picture.
        let small = picture
            .resize_exact(8, 8, image::imageops::FilterType::Triangle)
            .to_rgba8();
        let off: u64 = blurred
            .iter()
            .zip(small.as_raw())
            .map(|(one, other)| u64::from(one.abs_diff(*other)))
            .sum();
        assert!(
            off / (8 * 8 * 4) < 40,
            "the BlurHash is of another picture: {off}"
        );
        let name = content["filename"].as_str().unwrap_or_default();
        assert!(name.ends_with(".png"), "{event}");
        assert!(
            !event.body().is_empty() && event.body() != name,
            "no caption: {event}"
        );
        assert_eq!(content["url"].is_null(), event.encrypted, "{event}");
        assert_eq!(content["file"].is_null(), !event.encrypted, "{event}");
        assert_eq!(info["thumbnail_url"].is_null(), event.encrypted, "{event}");
        assert_eq!(
            info["thumbnail_file"].is_null(),
            !event.encrypted,
            "{event}"
        );
        Picture {
            width,
            height,
            file,
        }
    }
}
