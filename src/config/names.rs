//! Names in the console's room: of people, and of the room itself.

use unicode_normalization::UnicodeNormalization;

/// Longest name, in characters.
pub const LONGEST_NAME: usize = 32;

/// The bot's own name in the room.
pub const BOT: &str = "ashtapada";

/// Names that would be taken for somebody else: the bot itself, and all in the room.
const RESERVED: [&str; 2] = [BOT, "everyone"];

/// The name in a text: letters, digits, `_`, `-` and `.`; `None` for anything else.
pub fn named(text: &str) -> Option<String> {
    let name: String = text.trim().trim_start_matches('@').nfkc().collect();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let right = (1..=LONGEST_NAME).contains(&name.chars().count())
        && name.chars().all(plain)
        && name.chars().any(char::is_alphanumeric);
    right.then_some(name)
}

/// Whether nobody may speak by this name.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name.to_lowercase().as_str())
}
