//! Any text in any position: the ordinary tests and the fuzz target both use it.

use ashtapada::rules::{Event, move_text, reading};

use crate::walk::walk;

/// Bytes of a text's head that lead play to the position it is read in.
const HEAD: usize = 24;

/// Reads any text as moves in a position the first bytes choose; whatever is read is legal.
pub fn read_anything(bytes: &[u8]) {
    let (head, text) = bytes.split_at(bytes.len().min(HEAD));
    let mut play = walk(head);
    let text = String::from_utf8_lossy(text);
    if let Ok(moves) = reading::read(&play, &text) {
        assert!(!moves.is_empty());
        for m in moves {
            assert_eq!(
                play.why_not(m),
                None,
                "{text:?} is read as {}",
                move_text(play.info(), m)
            );
            assert!(play.apply(&Event::Move(m)).is_ok());
        }
    }
    assert!(reading::fitting(&play, &text).len() <= play.legal().len());
}
