//! The rules core reproduces every test vector.
//!
//! Reads `tests/vectors`, or the folder named by `ASHTAPADA_VECTORS` with the same subfolders.

mod anything;
mod properties;
mod walk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ashtapada::rules::{
    Event, Info, Leaves, Options, Play, Roll, Seat, Setup, State, game, games, parse_move,
};
use serde::Deserialize;
use serde_json::Value;

/// What all vector files begin with.
#[derive(Deserialize)]
struct Start {
    game: String,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    setup: Option<Setup>,
}

#[derive(Deserialize)]
struct GameVector {
    #[serde(flatten)]
    start: Start,
    first: State,
    events: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(rename = "do")]
    event: Value,
    then: State,
}

#[derive(Deserialize)]
struct PerftVector {
    #[serde(flatten)]
    start: Start,
    #[serde(default)]
    dice: Vec<Roll>,
    leaves: Vec<u64>,
}

#[derive(Deserialize)]
struct RefusedVector {
    name: String,
    #[serde(flatten)]
    start: Start,
    events: Vec<Value>,
    refused: Vec<Value>,
}

impl Start {
    fn play(&self) -> Result<Play, String> {
        let info = game(&self.game).ok_or_else(|| format!("no game {}", self.game))?;
        let text = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        let chosen = self.options.iter().map(|(key, value)| (key, text(value)));
        let options = Options::checked(info, chosen).map_err(|error| error.to_string())?;
        match &self.setup {
            Some(setup) => {
                Play::from_setup(info, &options, setup).map_err(|error| error.to_string())
            }
            None => Play::new(info, &options).map_err(|error| error.to_string()),
        }
    }
}

fn event(info: &Info, value: &Value) -> Result<Event, String> {
    let seat = |value: &Value| {
        value
            .as_str()
            .unwrap_or_default()
            .parse::<Seat>()
            .map_err(|error| error.to_string())
    };
    let (key, value) = value
        .as_object()
        .and_then(|object| object.iter().next())
        .ok_or("an event without a name")?;
    match key.as_str() {
        "roll" => {
            let roll =
                serde_json::from_value::<Roll>(value.clone()).map_err(|error| error.to_string())?;
            Ok(Event::Roll(roll))
        }
        "move" => {
            let text = value.as_str().unwrap_or_default();
            parse_move(info, text)
                .map(Event::Move)
                .map_err(|error| error.to_string())
        }
        "pass" => Ok(Event::Pass),
        "resign" => seat(value).map(Event::Resign),
        "timeout" => seat(value).map(Event::Timeout),
        "claim" => Ok(Event::Claim),
        "agree" => Ok(Event::Agree),
        other => Err(format!("no event {other}")),
    }
}

fn apply(play: &mut Play, value: &Value) -> Result<(), String> {
    let event = event(play.info(), value)?;
    play.apply(&event)
        .map(|_| ())
        .map_err(|refused| format!("{value} is refused: {refused:?}"))
}

fn same(found: &State, wanted: &State) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    let json = |state: &State| serde_json::to_string(state).unwrap_or_default();
    Err(format!("found  {}\nwanted {}", json(found), json(wanted)))
}

/// A position loaded from its own SETUP is the same position, history and this turn's stir aside.
fn reloads(start: &Start, play: &Play) -> Result<(), String> {
    let state = play.state();
    if state.over.is_some() {
        return Ok(());
    }
    let again = Start {
        game: start.game.clone(),
        options: start.options.clone(),
        setup: Some(play.setup()),
    };
    same(
        &again
            .play()
            .map_err(|error| format!("its SETUP does not load: {error}"))?
            .state(),
        &state,
    )
}

fn check_game(vector: &GameVector) -> Result<(), String> {
    let mut play = vector.start.play()?;
    same(&play.state(), &vector.first).map_err(|error| format!("at the start\n{error}"))?;
    for (number, step) in vector.events.iter().enumerate() {
        let at = |error: String| format!("event {number} {}: {error}", step.event);
        apply(&mut play, &step.event).map_err(at)?;
        same(&play.state(), &step.then).map_err(at)?;
        reloads(&vector.start, &play).map_err(at)?;
    }
    Ok(())
}

fn check_perft(vector: &PerftVector) -> Result<(), String> {
    let play = vector.start.play()?;
    let deepest = vector.leaves.len();
    for (depth, &wanted) in (1..).zip(&vector.leaves) {
        // Making the moves of the last level too takes longest; the levels above show that it counts the same.
        let ways: &[Leaves] = if depth < deepest {
            &[Leaves::Counted, Leaves::Made]
        } else {
            &[Leaves::Counted]
        };
        for &leaves in ways {
            let found = play.perft(&vector.dice, depth, leaves);
            if found != wanted {
                return Err(format!(
                    "depth {depth}, leaves {leaves:?}: found {found}, wanted {wanted}"
                ));
            }
        }
    }
    Ok(())
}

fn check_refused(vector: &RefusedVector) -> Result<(), String> {
    let mut play = vector.start.play()?;
    for value in &vector.events {
        apply(&mut play, value)?;
    }
    let before = play.state();
    for value in &vector.refused {
        if apply(&mut play, value).is_ok() {
            return Err(format!("{value} is not refused"));
        }
        same(&play.state(), &before)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| error.to_string())
}

fn parse<T: for<'d> Deserialize<'d>>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn folder() -> PathBuf {
    std::env::var_os("ASHTAPADA_VECTORS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"),
        PathBuf::from,
    )
}

/// Checks every JSON file of a subfolder and reports each that differs.
fn check_all(subfolder: &str, check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let folder = folder().join(subfolder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    assert!(!files.is_empty(), "no vectors in {}", folder.display());
    let next = AtomicUsize::new(0);
    let worker = || {
        let taken = std::iter::from_fn(|| files.get(next.fetch_add(1, Ordering::Relaxed)));
        taken
            .filter_map(|path| {
                check(path)
                    .err()
                    .map(|error| format!("{}: {error}", path.display()))
            })
            .collect()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut differing: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| -> Vec<String> { worker.join().expect("a check that ends") })
            .collect()
    });
    differing.sort();
    assert!(
        differing.is_empty(),
        "{} of {} files differ:\n{}",
        differing.len(),
        files.len(),
        differing.join("\n\n")
    );
}

#[test]
fn edge_positions() {
    check_all("edge", |path| check_game(&parse(&read(path)?)?));
}

#[test]
fn whole_games() {
    check_all("games", |path| check_game(&parse(&read(path)?)?));
}

#[test]
fn counts() {
    check_all("perft", |path| check_perft(&parse(&read(path)?)?));
}

#[test]
fn refusals() {
    let path = folder().join("refused.json");
    let vectors: Vec<RefusedVector> = read(&path)
        .and_then(|text| parse(&text))
        .expect("refused.json");
    assert!(!vectors.is_empty(), "no vectors in {}", path.display());
    let differing: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            check_refused(vector)
                .err()
                .map(|error| format!("{}: {error}", vector.name))
        })
        .collect();
    assert!(
        differing.is_empty(),
        "{} of {} differ:\n{}",
        differing.len(),
        vectors.len(),
        differing.join("\n\n")
    );
}

#[test]
fn every_game_starts_with_every_option() {
    for info in games() {
        for option in info.options {
            if let ashtapada::rules::Choices::Words(words) = option.choices {
                for word in words {
                    let mut chosen = vec![(option.key, *word)];
                    if info.option("order").is_some() {
                        chosen.push(("order", "7"));
                    }
                    let options = Options::checked(info, chosen).expect("a value of the card");
                    let play = Play::new(info, &options).expect("an array that loads");
                    assert_eq!(play.mover(), info.seats[0], "{}", info.key);
                }
            }
        }
        assert!(Play::new(info, &Options::default()).is_ok(), "{}", info.key);
    }
}
