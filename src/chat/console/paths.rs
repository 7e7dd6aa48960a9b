//! Paths of files in answers, so that they can be read back exactly.

use std::fmt::Write;
use std::path::Path;

use crate::command::text::printable;

/// A path as it is; where that is no text, or has characters that are not shown, as the address of a file (RFC 8089),
/// which has all its bytes.
pub(super) fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) if printable(text) == text && !text.contains('\n') => text.to_owned(),
        _ => address(path),
    }
}

/// For programs: a path as it is, if it is a text of whatever characters; else as the address of a file.
pub(super) fn path_for_programs(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_owned(),
        None => address(path),
    }
}

fn address(path: &Path) -> String {
    // Where the program was started is part of the address; a path that has no such form stays as it is.
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut address = "file://".to_owned();
    for &byte in whole.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                address.push(char::from(byte));
            }
            // Writing to a text cannot fail.
            other => {
                let _ = write!(address, "%{other:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_shown_is_shown_as_it_is() {
        for text in ["/srv/games/records/K7Q2F.txt", "games/é 棋.png"] {
            assert_eq!(path_text(Path::new(text)), text);
        }
    }

    #[test]
    fn what_would_be_lost_is_written_as_an_address() {
        let bidi = Path::new("/tmp/a\u{202e}b\n");
        assert_eq!(path_text(bidi), "file:///tmp/a%E2%80%AEb%0A");
        assert_eq!(path_for_programs(bidi), "/tmp/a\u{202e}b\n");
    }
}
