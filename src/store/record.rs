//! One line of the journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::history::{Chain, FolderId};
use super::{Commit, PostId};

/// The form of journal and snapshots this program writes; it stands in the first line of each file.
pub(super) const FORMAT: u32 = 2;
/// The first form, still read: files without the folder's id and digests, exports without checksums.
pub(super) const FIRST_FORMAT: u32 = 1;

/// Whether a file of this form can be read.
pub(super) fn is_readable(format: u32) -> bool {
    (FIRST_FORMAT..=FORMAT).contains(&format)
}

/// An event as its JSON text: most of a journal is events, and nobody here needs to know what they say.
pub(super) type Unread = Box<RawValue>;

/// The first line of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Heading {
    /// [`FORMAT`] of the program that began the segment.
    pub(super) format: u32,
    /// The number of its first record.
    pub(super) first: u64,
    /// The folder it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) folder: Option<FolderId>,
    /// The digest of all commands before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chain: Option<Chain>,
}

/// What happened, once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record<E = Value> {
    /// Its running number, from 1 without gaps.
    pub(super) n: u64,
    /// The number up to which the journal was known to be on the disk when this was written. It tells a torn tail
    /// (nobody relied on it yet) from a line that went bad later.
    pub(super) s: u64,
    /// What was done.
    #[serde(rename = "do")]
    pub(super) deed: Deed<E>,
}

/// What a record did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Deed<E = Value> {
    /// A command's whole effect.
    Commit(Box<Commit<E>>),
    /// These messages have been posted.
    Posted(Vec<PostId>),
}

/// Number and synced number of a record, read from its first characters: a start passes over most of a segment
/// without reading more.
pub(super) fn numbers(json: &[u8]) -> Option<(u64, u64)> {
    let (n, rest) = number(json.strip_prefix(br#"{"n":"#)?)?;
    let (s, _) = number(rest.strip_prefix(br#","s":"#)?)?;
    Some((n, s))
}

fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((value, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{At, Cause, PersonId, Place, Platform};
    use crate::store::{Account, Append, Listing, Person, Post, Stage};
    use serde_json::json;

    #[test]
    fn the_stored_form_of_a_record_does_not_slip() {
        let place = Place::thread(Platform::Matrix, "!room", "$thread");
        let listing = Listing {
            people: vec![PersonId(1)],
            turn: vec![PersonId(1)],
            places: vec![place.clone()],
            open: true,
            stage: Stage::Gathering,
            since: At(5),
            expires: Some(At(9)),
            summary: json!({"game": "chaturanga"}),
        };
        let accounts = vec![Account {
            platform: Platform::Console,
            account: "ada".into(),
        }];
        let commit = Commit {
            cause: Some(Cause::new(Platform::Matrix, "$event")),
            at: At(5),
            appends: vec![Append {
                code: "K7Q2F".parse().unwrap(),
                expected: 0,
                events: vec![json!({"v": 1})],
                listing,
            }],
            people: vec![Person {
                id: PersonId(1),
                accounts,
                name: "Ada".into(),
                bot: false,
            }],
            notes: vec![("place/x".into(), Some(json!(1))), ("place/y".into(), None)],
            posts: vec![Post {
                place,
                body: json!("hello"),
            }],
        };
        let record = Record {
            n: 7,
            s: 6,
            deed: Deed::Commit(Box::new(commit)),
        };
        insta::assert_json_snapshot!(record);
        let posted = Record {
            n: 8,
            s: 7,
            deed: Deed::<Value>::Posted(vec![PostId {
                number: 7,
                index: 0,
            }]),
        };
        insta::assert_json_snapshot!(posted);
    }

    #[test]
    fn the_numbers_are_found_without_reading_the_rest() {
        let record = Record {
            n: 1_234,
            s: 1_200,
            deed: Deed::<Value>::Posted(Vec::new()),
        };
        assert_eq!(
            numbers(&serde_json::to_vec(&record).unwrap()),
            Some((1_234, 1_200))
        );
        assert_eq!(numbers(br#"{"format":1,"first":1}"#), None);
        assert_eq!(numbers(br#"{"n":99999999999999999999999,"s":1}"#), None);
    }
}
