//! Games of the vectors, and how they are played by commands.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

/// A game of the vectors.
///
/// # Panics
/// When there is none of this name.
#[must_use]
pub fn game(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/games");
    let text = std::fs::read_to_string(folder.join(name));
    let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Its events.
///
/// # Panics
/// When it has none.
#[must_use]
pub fn events(game: &Value) -> &[Value] {
    game["events"].as_array().expect("the events of a game")
}

/// What an event does (`roll`, `move`, …) and with what.
///
/// # Panics
/// When it does nothing.
#[must_use]
pub fn deed(event: &Value) -> (&str, &Value) {
    let deed = event["do"].as_object().and_then(|deed| deed.iter().next());
    let (what, value) = deed.expect("what an event does");
    (what, value)
}

/// The rolls of a game as a dice file; `None` when nothing is rolled.
#[must_use]
pub fn dice(game: &Value) -> Option<String> {
    let mut file = String::new();
    if let Some(order) = game["options"].get("order") {
        let _ = writeln!(file, "order {order}");
    }
    let rolls = events(game).iter().map(|event| &event["do"]["roll"]);
    for roll in rolls.filter_map(Value::as_array) {
        let faces: Vec<String> = roll.iter().map(Value::to_string).collect();
        let _ = writeln!(file, "{}", faces.join(","));
    }
    (!file.is_empty()).then_some(file)
}

/// The options by which the game is opened, each after a blank, with this sign between name and value.
#[must_use]
pub fn options(game: &Value, sign: char) -> String {
    let mut options = String::new();
    let all = game["options"].as_object().into_iter().flatten();
    for (name, value) in all.filter(|(name, _)| *name != "order") {
        let value = value.to_string();
        let _ = write!(options, " {name}{sign}{}", value.trim_matches('"'));
    }
    options
}

/// Which game it is.
#[must_use]
pub fn name(game: &Value) -> &str {
    game["game"].as_str().unwrap_or_default()
}

/// The seats of the game.
#[must_use]
pub fn seats(game: &Value) -> &'static [&'static str] {
    match game["first"]["mover"].as_str() {
        Some("white" | "black") => &["white", "black"],
        _ => &["south", "west", "north", "east"],
    }
}

/// Whose seat acts in a state: whoever commands the army on turn (FH8).
///
/// # Panics
/// When nobody is on turn.
#[must_use]
pub fn acting<'a>(seats: &[&str], state: &'a Value) -> &'a str {
    let mover = state["mover"].as_str().expect("who is on turn");
    let at = seats.iter().position(|seat| *seat == mover);
    let command = at.and_then(|at| state["command"][at].as_str());
    command.unwrap_or(mover)
}
