//! Bare moves: what a player writes in a table's own thread without any command (R83).

use crate::club::{Caller, Club};
use crate::command::catalogue::{self, Verb};
use crate::command::reading::Invocation;
use crate::ids::{Place, TableCode};
use crate::rules::reading::narrowed;

/// No move that people write is longer, in bytes.
pub const LONGEST: usize = 200;

/// A word such as “horse?” is talk, also where only one move fits it.
pub fn names_a_square(text: &str) -> bool {
    let signs: Vec<char> = narrowed(text).chars().collect();
    signs
        .windows(2)
        .any(|two| two[0].is_ascii_alphabetic() && two[1].is_ascii_digit())
}

/// The table in a thread at which a text is a legal move of the caller's. R113: only in the table's own thread, only from the one
/// on turn, only a legal move; all else is people's own talk. Between two tables in one thread it is never guessed.
pub async fn table_of(
    club: &Club,
    caller: &Caller,
    thread: &Place,
    text: &str,
) -> Option<TableCode> {
    if text.is_empty() || text.len() > LONGEST || !names_a_square(text) {
        return None;
    }
    let tables = club.tables_in(thread).await.ok()?;
    let [only] = tables.as_slice() else {
        return None;
    };
    let table = club.load(only.code).await.ok()?;
    let is_move =
        table.on_turn_now() == Some(caller.person) && table.moves(caller.person, text).is_ok();
    is_move.then_some(only.code)
}

/// The command that a bare move stands for.
pub fn invocation(code: TableCode, text: &str) -> Option<Invocation> {
    let code = code.to_string();
    let texts = [("moves", text), ("table", code.as_str())];
    Invocation::from_options(catalogue::entry(Verb::Move)?, texts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r83_a_bare_move_names_a_square() {
        assert!(names_a_square("b१c३") && names_a_square("ｂ１"));
        assert!(names_a_square("b1c3") && names_a_square("Nc3") && names_a_square("horse to C3"));
        assert!(!names_a_square("horse?") && !names_a_square("3 of us") && !names_a_square(""));
    }

    #[test]
    fn a_bare_move_stands_for_the_command_at_its_table() {
        let code = "K7Q2F".parse().unwrap();
        let invocation = invocation(code, "b1c3").unwrap();
        assert_eq!(invocation.command.verb, Verb::Move);
        assert_eq!(invocation.table(), Some(code));
        assert_eq!(invocation.text("moves"), Some("b1c3"));
    }
}
