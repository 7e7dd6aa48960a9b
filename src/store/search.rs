//! Finding tables and messages by index.

use super::damage::Damage;
use super::head::{Head, decoded};
use super::keys::{self, Look};
use super::view::View;
use super::{Find, Listing, Post, PostId};
use crate::ids::TableCode;

type Entry = Result<(Vec<u8>, Vec<u8>), Damage>;

/// At most `limit` tables that are wanted, in the order [`super::Store::tables`] promises.
pub(super) fn tables(
    view: &View,
    find: &Find,
    limit: usize,
) -> Result<Vec<(TableCode, Listing)>, Damage> {
    match keys::look(find) {
        Look::Between(from, to) => listed(view, view.between(&from, &to).take(limit)),
        Look::Under {
            unfinished,
            finished,
        } => {
            let mut found = Vec::new();
            if let Some(prefix) = unfinished {
                found.extend(listed(view, view.under(&prefix))?);
                found.retain(|(_, listing)| find.wants(listing));
            }
            if let Some(prefix) = finished {
                found.extend(listed(view, view.under(&prefix).take(limit))?);
            }
            found.sort_by_key(|(code, listing)| (std::cmp::Reverse(listing.since), *code));
            found.truncate(limit);
            Ok(found)
        }
    }
}

fn listed(
    view: &View,
    entries: impl Iterator<Item = Entry>,
) -> Result<Vec<(TableCode, Listing)>, Damage> {
    let mut found = Vec::new();
    for entry in entries {
        let (key, _) = entry?;
        let damaged = || Damage::Record(key.escape_ascii().to_string());
        let code = keys::code(&key).ok_or_else(damaged)?;
        let head: Head = view.head(code)?.ok_or_else(damaged)?;
        found.push((code, head.listing));
    }
    Ok(found)
}

/// At most `limit` messages still to be posted, in order, those after `after`.
pub(super) fn outbox(
    view: &View,
    after: Option<PostId>,
    limit: usize,
) -> Result<Vec<(PostId, Post)>, Damage> {
    let first = after.map_or(
        PostId {
            number: 0,
            index: 0,
        },
        |PostId { number, index }| match index.checked_add(1) {
            Some(index) => PostId { number, index },
            None => PostId {
                number: number.saturating_add(1),
                index: 0,
            },
        },
    );
    let end = [keys::OUTBOX, &[0xff; 13]].concat();
    let waiting = view.between(&keys::post(first), &end).take(limit);
    waiting
        .map(|entry| {
            let (key, value) = entry?;
            let id = keys::post_id(&key)
                .ok_or_else(|| Damage::Record(key.escape_ascii().to_string()))?;
            Ok((id, decoded(&key, &value)?))
        })
        .collect()
}
