//! The position at the end as the text form of a record shows it to people.

use std::fmt::Write;

use serde_json::Value;

/// The line above the position.
pub(super) const HEADING: &str = "State:";

/// The STATE, each field on a line, the board as a diagram; lines for people are indented.
pub(super) fn drawn(state: &Value) -> String {
    let mut text = format!("{HEADING}\n");
    let fields = state.as_object().into_iter().flatten();
    for (key, value) in fields {
        match (key.as_str(), value.as_str()) {
            ("board", Some(board)) => write_board(&mut text, board),
            ("legal", _) => {}
            (_, Some(word)) => {
                let _ = writeln!(text, "  {key}: {word}");
            }
            (_, None) => {
                let _ = writeln!(text, "  {key}: {value}");
            }
        }
    }
    let lines = text.lines().map(str::trim_end);
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn write_board(text: &mut String, board: &str) {
    let ranks: Vec<&str> = board.split('/').collect();
    let mut width = 0;
    for (index, rank) in ranks.iter().enumerate() {
        let cells: Vec<&str> = rank.split(',').flat_map(cells).collect();
        width = width.max(cells.len());
        let _ = writeln!(text, "  {:>2} {}", ranks.len() - index, cells.join(" "));
    }
    let files: Vec<String> = ('a'..).take(width).map(|file| format!(" {file}")).collect();
    let _ = writeln!(text, "     {}", files.join(" ").trim_start());
}

/// A number stands for so many empty squares.
fn cells(cell: &str) -> Vec<&str> {
    match cell.parse() {
        Ok(empty) => vec![" ."; usize::min(empty, 26)],
        Err(_) => vec![cell],
    }
}
