//! The stored form: what version 1 looks like, and that it can always be read again.

use ashtapada::club::Action;
use ashtapada::ids::{At, PersonId, Place, Platform};
use ashtapada::rules::{Reason, Roll, Seat};
use ashtapada::store::Store;
use ashtapada::table::{
    Contribution, DiceVerdict, Ending, Entry, EntryError, Event, Hex32, Matter, Record, Revealed,
    Table, verify,
};
use serde_json::{Value, json};

use crate::hall::{Hall, draw, solo};

/// The events of a game of four with nearly everything in it that a table can go through.
const HISTORY: &str = include_str!("history-v1.json");

fn history() -> Vec<Value> {
    serde_json::from_str(HISTORY).unwrap()
}

#[test]
fn a_history_of_version_1_still_folds() {
    let stored = history();
    let entries: Vec<Entry> = stored.iter().map(|one| Entry::read(one).unwrap()).collect();
    let table = Table::fold(&entries).unwrap();
    assert_eq!(table.code().to_string(), "9ZFKT");
    assert_eq!(table.version(), stored.len() as u64);
    let Some(Ending::Played { outcome, secret }) = table.ending() else {
        panic!("not over");
    };
    assert_eq!(outcome.reason, Reason::Agreement);
    assert!(secret.is_some());
    let record = Record::of(&table, |_| String::new()).unwrap();
    let fair = DiceVerdict::Fair { rolls: 9 };
    assert_eq!(verify(&record).map(|verified| verified.dice), Ok(fair));
    assert_eq!(table.sitter(Seat::West), Some(PersonId(2)));
    assert_eq!(table.rematch_code(), Some("9XXSM".parse().unwrap()));
    // What is written today is the same, byte for byte.
    let again: Vec<Value> = entries.iter().map(Entry::stored).collect();
    assert_eq!(again, stored);
}

#[test]
fn what_cannot_be_read_is_named() {
    let mut later = history().remove(0);
    later["v"] = json!(2);
    assert_eq!(Entry::read(&later), Err(EntryError::Newer(2)));
    for damaged in [
        json!(null),
        json!({}),
        json!({"v": 1, "at": 0, "event": "danced"}),
    ] {
        assert!(matches!(Entry::read(&damaged), Err(EntryError::Damaged(_))));
    }
}

#[test]
fn events_out_of_place_do_not_fold() {
    let entries: Vec<Entry> = history()
        .iter()
        .map(|one| Entry::read(one).unwrap())
        .collect();
    assert!(Table::fold(&entries[1..]).is_err());
    assert!(Table::fold(&[]).is_err());
    let twice = [entries.clone(), entries].concat();
    assert!(Table::fold(&twice).is_err());
}

#[test]
fn every_event_has_its_stored_form() {
    let person = PersonId(2);
    let matter = Matter::Draw;
    let events = [
        Event::Invited { person, seat: None },
        Event::Invited {
            person,
            seat: Some(Seat::West),
        },
        Event::Uninvited { person },
        Event::Declined { person },
        Event::Left { person },
        Event::Removed { person },
        Event::Host { person },
        Event::Started { order: None },
        Event::Started { order: Some(8) },
        Event::Rolled {
            n: 1,
            dice: Roll::new(&[3, 5]).unwrap(),
        },
        Event::Moved {
            moves: vec!["b2b3".to_owned(), "a7a8=F".to_owned()],
        },
        Event::Passed,
        Event::Offered { matter },
        Event::Accepted { matter },
        Event::TurnedDown { matter },
        Event::OfferWithdrawn {
            matter: Matter::Cancel,
        },
        Event::Agreed,
        Event::ResignAsked {
            seat: Seat::West,
            until: At(1_764_532_860_000),
        },
        Event::Resigned { seat: Seat::West },
        Event::Claimed,
        Event::Ended { secret: None },
        Event::Ended {
            secret: Some(Revealed(Hex32::new([7; 32]))),
        },
        Event::Cancelled { secret: None },
        Event::Expired,
        Event::Rematched {
            code: "M3X9Q".parse().unwrap(),
        },
        Event::Placed {
            place: Place::thread(Platform::Discord, "17", "18"),
            instead_of: Place::room(Platform::Discord, "17"),
        },
    ];
    let stored: Vec<Value> = events
        .into_iter()
        .map(|event| Entry::new(At(1_764_532_800_000), Some(PersonId(1)), event).stored())
        .collect();
    insta::assert_json_snapshot!("events", stored);
}

#[tokio::test]
async fn a_table_as_it_is_opened_and_listed() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    hall.act(ada, code, Action::Roll).await.unwrap();
    let mut stored = hall.store.table(code).await.unwrap().unwrap();
    // The sealed secret is checked elsewhere.
    let dice = &mut stored.events[0]["event"]["opened"]["dice"]["fair"];
    assert_eq!(
        dice["sealed"].as_str().map(str::len),
        Some(2 * (24 + 32 + 16))
    );
    dice["sealed"] = json!("…");
    insta::assert_json_snapshot!("table", stored);
    hall.act(ada, code, draw()).await.unwrap();
    let listing = hall.store.listing(code).await.unwrap();
    insta::assert_json_snapshot!("finished", listing);
}

#[test]
fn a_contribution_is_stored_as_hexadecimal_digits() {
    let contribution = Contribution::of(PersonId(1), "console:17", "lotus");
    let text = "93c4c985d39fcedf85e7830eb393de3b964de12163a6e01fd7aca4b6c2238844";
    assert_eq!(json!(contribution), json!(text));
}
