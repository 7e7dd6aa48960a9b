//! The program killed two hundred times, under load and while it opens, its database damaged between: it starts every
//! time, and no acknowledged command is missing.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::session::{Folder, Session, code, record_path, said};

const KILLS: usize = 200;
const TABLES: usize = 4;
/// More lines than a run lives to read.
const LINES: usize = 20_000;

/// The rolls acknowledged at each table.
type Rolls = BTreeMap<String, usize>;

fn open_tables(session: &mut Session) -> Rolls {
    let opened = (0..TABLES).map(|_| {
        let replies = session.say("ada> /new four-handed quiet=1000 solo:yes");
        (code(&replies[0]), 0)
    });
    opened.collect()
}

/// The rolls that a table's record holds.
fn recorded(session: &mut Session, table: &str) -> usize {
    let replies = session.say(&format!("ada> /record as:json table:{table}"));
    let record = fs::read_to_string(record_path(&replies)).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    let events = record["events"].as_array().unwrap();
    events
        .iter()
        .filter(|event| event.get("roll").is_some())
        .count()
}

/// Rolls and passes at every table in turn.
fn load(rolls: &Rolls) -> Vec<String> {
    let tables: Vec<&String> = rolls.keys().collect();
    let lines = (0..LINES).map(|line| {
        let table = tables[line / 2 % tables.len()];
        let what = if line % 2 == 0 { "roll" } else { "pass" };
        format!("ada> /{what} table:{table}")
    });
    lines.collect()
}

fn is_roll(reply: &Value) -> bool {
    reply.get("error").is_none() && reply["to"] == "everyone" && said(reply).contains(" rolls ")
}

/// Cuts, spoils or removes the database.
fn damage(data: &Path, random: &mut StdRng) {
    let database = data.join("sled/db");
    match random.random_range(0..3) {
        0 => fs::remove_dir_all(data.join("sled")).unwrap_or_default(),
        1 => {
            if let Ok(file) = OpenOptions::new().write(true).open(&database) {
                let length = file.metadata().unwrap().len();
                file.set_len(random.random_range(0..=length)).unwrap();
            }
        }
        _ => {
            let mut bytes = fs::read(&database).unwrap_or_default();
            if bytes.is_empty() {
                return;
            }
            for _ in 0..random.random_range(1..500) {
                let at = random.random_range(0..bytes.len());
                bytes[at] ^= 1 << random.random_range(0..8);
            }
            fs::write(&database, bytes).unwrap();
        }
    }
}

#[test]
fn killed_two_hundred_times_it_starts_every_time_and_no_acknowledged_command_is_missing() {
    let seed: u64 = rand::random();
    let mut random = StdRng::seed_from_u64(seed);
    let folder = Folder::new();
    let mut session = folder.start(&[]);
    let mut rolls = open_tables(&mut session);
    session.kill();
    for kill in 0..KILLS {
        let told = format!("seed {seed}, kill {kill}");
        let mut session = folder.start(&[]);
        if kill % 3 == 0 {
            // While it opens.
            let moment = Duration::from_micros(random.random_range(0..60_000));
            session.flood(Vec::new(), 0, moment);
            continue;
        }
        for (table, known) in &mut rolls {
            let recorded = recorded(&mut session, table);
            assert!(
                recorded >= *known,
                "{told}: {table} has {recorded} of {known} rolls"
            );
            *known = recorded;
        }
        let replies = random.random_range(0..30);
        let moment = Duration::from_micros(random.random_range(0..3_000));
        for reply in session
            .flood(load(&rolls), replies, moment)
            .iter()
            .filter(|reply| is_roll(reply))
        {
            *rolls.get_mut(&code(reply)).unwrap() += 1;
        }
        if kill % 5 == 2 {
            damage(&folder.data(), &mut random);
        }
    }
    let mut session = folder.start(&[]);
    let total: usize = rolls.values().sum();
    for (table, known) in rolls {
        let recorded = recorded(&mut session, &table);
        assert!(
            recorded >= known,
            "seed {seed}, at the end: {table} has {recorded} of {known} rolls"
        );
    }
    session.end();
    assert!(total > KILLS, "only {total} rolls were acknowledged");
}
