//! How the view's keys are built: a letter for the kind, then what it is found by, in an order that sorts as asked.

use std::collections::BTreeSet;

use super::{Account, Find, Listing, PostId, Stage, Stages};
use crate::ids::{At, PersonId, Place, Platform, TableCode};

/// What the view as a whole says of itself.
pub(super) const META: &[u8] = b"M";
/// Tables: what is known of each without its events.
pub(super) const HEADS: &[u8] = b"t";
/// People by number.
pub(super) const PEOPLE: &[u8] = b"p";
/// Notes.
pub(super) const NOTES: &[u8] = b"n";
/// Messages still to be posted.
pub(super) const OUTBOX: &[u8] = b"o";
/// Causes by the number of their command, the oldest first.
pub(super) const CAUSES_BY_NUMBER: &[u8] = b"k";

pub(super) fn head(code: TableCode) -> Vec<u8> {
    [HEADS, code.as_bytes()].concat()
}

pub(super) fn chunk(code: TableCode, index: u32) -> Vec<u8> {
    [b"e", code.as_bytes().as_slice(), &index.to_be_bytes()].concat()
}

pub(super) fn person(id: PersonId) -> Vec<u8> {
    [PEOPLE, &id.0.to_be_bytes()].concat()
}

pub(super) fn account(account: &Account) -> Vec<u8> {
    [
        b"a".as_slice(),
        &[platform(account.platform)],
        account.account.as_bytes(),
    ]
    .concat()
}

pub(super) fn cause(text: &str) -> Vec<u8> {
    [b"c", text.as_bytes()].concat()
}

pub(super) fn cause_number(number: u64) -> Vec<u8> {
    [CAUSES_BY_NUMBER, &number.to_be_bytes()].concat()
}

pub(super) fn note(key: &str) -> Vec<u8> {
    [NOTES, key.as_bytes()].concat()
}

pub(super) fn post(id: PostId) -> Vec<u8> {
    [OUTBOX, &id.number.to_be_bytes(), &id.index.to_be_bytes()].concat()
}

pub(super) fn post_id(key: &[u8]) -> Option<PostId> {
    let (number, index) = key.strip_prefix(OUTBOX)?.split_first_chunk::<8>()?;
    let index = u32::from_be_bytes(index.try_into().ok()?);
    Some(PostId {
        number: u64::from_be_bytes(*number),
        index,
    })
}

/// The code at the end of the key of a head or an index entry.
pub(super) fn code(key: &[u8]) -> Option<TableCode> {
    key.last_chunk().copied().and_then(TableCode::from_bytes)
}

/// Every index entry a table with this listing has. Those of an unfinished table stay as they are from move to move;
/// those of a finished one sort the newest first.
pub(super) fn index(code: TableCode, listing: &Listing) -> BTreeSet<Vec<u8>> {
    let finished = listing.stage == Stage::Finished;
    let newest_first = (u64::MAX - listing.since.0).to_be_bytes();
    let entry = |prefix: &[u8]| {
        let since: &[u8] = if finished { &newest_first } else { &[] };
        [prefix, since, code.as_bytes()].concat()
    };
    let mut keys = BTreeSet::new();
    for &person in &listing.people {
        keys.insert(entry(&of_person(person, finished)));
    }
    for place in &listing.places {
        keys.insert(entry(&in_place(place, finished)));
        keys.insert(entry(&in_place(&place.whole_room(), finished)));
    }
    if Find::Open.wants(listing) {
        keys.insert(entry(OPEN));
    }
    if finished {
        keys.insert(entry(FINISHED));
    }
    if let Some(expires) = listing.expires {
        keys.insert([EXPIRING, &expires.0.to_be_bytes(), code.as_bytes()].concat());
    }
    keys
}

/// Where in the index a search looks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// At unfinished tables, in no order, and at finished ones, the newest first.
    Under {
        unfinished: Option<Vec<u8>>,
        finished: Option<Vec<u8>>,
    },
    /// From the first key up to before the second, in that order.
    Between(Vec<u8>, Vec<u8>),
}

pub(super) fn look(find: &Find) -> Look {
    let staged = |stages: &Stages, prefix: &dyn Fn(bool) -> Vec<u8>| {
        let unfinished = stages.include(Stage::Gathering) || stages.include(Stage::Playing);
        let finished = stages.include(Stage::Finished);
        Look::Under {
            unfinished: unfinished.then(|| prefix(false)),
            finished: finished.then(|| prefix(true)),
        }
    };
    match find {
        Find::OfPerson { person, stages } => {
            staged(stages, &|finished| of_person(*person, finished))
        }
        Find::InPlace { place, stages } => staged(stages, &|finished| in_place(place, finished)),
        Find::Open => Look::Under {
            unfinished: Some(OPEN.to_vec()),
            finished: None,
        },
        Find::Finished => Look::Under {
            unfinished: None,
            finished: Some(FINISHED.to_vec()),
        },
        Find::Expiring { before: At(before) } => Look::Between(
            EXPIRING.to_vec(),
            [EXPIRING, &before.to_be_bytes()].concat(),
        ),
    }
}

const OPEN: &[u8] = b"O";
const FINISHED: &[u8] = b"F";
const EXPIRING: &[u8] = b"X";

fn of_person(person: PersonId, finished: bool) -> Vec<u8> {
    [b"P".as_slice(), &person.0.to_be_bytes(), &[stage(finished)]].concat()
}

/// Lengths stand before texts, so that no room's name can run into what follows.
fn in_place(place: &Place, finished: bool) -> Vec<u8> {
    let mut key = vec![b'L', platform(place.platform)];
    for text in [Some(&place.room), place.thread.as_ref()] {
        match text {
            Some(text) => {
                key.push(1);
                key.extend_from_slice(&(text.len() as u64).to_be_bytes());
                key.extend_from_slice(text.as_bytes());
            }
            None => key.push(0),
        }
    }
    key.push(stage(finished));
    key
}

const fn platform(platform: Platform) -> u8 {
    match platform {
        Platform::Console => b'c',
        Platform::Discord => b'd',
        Platform::Matrix => b'm',
    }
}

const fn stage(finished: bool) -> u8 {
    if finished { b'z' } else { b'p' }
}
