//! What can be chosen while somebody is still typing: moves, what `moves` takes, tables. Everything offered is itself a
//! text that is read as exactly what it says, so it does not matter which part of a choice a platform sends (R14, R16).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::pieces;
use super::text::Text;
use super::words;
use crate::club::{Caller, Candidate, Club, ClubError};
use crate::ids::{At, PersonId, TableCode};
use crate::rules::{self, Event, Info, Kind, Move, Phase, Play, reading};
use crate::table::Table;

/// How long a table's line may be, in characters.
pub const LONGEST_LABEL: usize = 100;

/// The most ways of splitting what is typed into moves that are gone after.
const MOST_WORDS: usize = 24;

/// Texts for `move`, at most so many, that begin with the moves typed so far and go on with one legal move more or the one
/// being typed. What the notation begins with comes first, then what is named by target or piece.
pub fn moves(table: &Table, typed: &str, most: usize) -> Vec<String> {
    let Some(play) = table.play().filter(|play| play.phase() == Phase::Move) else {
        return Vec::new();
    };
    // What is too long to be read goes on with nothing.
    if typed.chars().nth(reading::LONGEST).is_some() {
        return Vec::new();
    }
    let mut found: Vec<(Rank, usize, Vec<Move>)> = Vec::new();
    let mut add =
        |rank: Rank, moves: Vec<Move>| match found.iter_mut().find(|(_, _, known)| *known == moves)
        {
            Some((known, _, _)) => *known = rank.min(*known),
            None => found.push((rank, moves.len(), moves)),
        };
    for (before, rest) in begun(play, typed) {
        let Some(here) = after(play, &before) else {
            continue;
        };
        if rest.is_empty() && !before.is_empty() {
            add(Rank::Whole, before.clone());
        }
        if !before.is_empty() && !goes_on(&here, play) {
            continue;
        }
        for one in here.legal() {
            if let Some(rank) = rank(&here, one, &rest) {
                let mut moves = before.clone();
                moves.push(one);
                add(rank, moves);
            }
        }
    }
    found.sort_by_key(|(rank, count, _)| (*rank, *count));
    let texts = found.into_iter().filter_map(|(_, _, moves)| {
        let text = written(play.info(), &moves);
        // What is not read as just these moves is not offered.
        (reading::read(play, &text).as_ref() == Ok(&moves)).then_some(text)
    });
    texts.take(most).collect()
}

/// What `moves` may be asked about: squares and kinds of pieces that can move, at most so many.
pub fn origins(table: &Table, typed: &str, most: usize) -> Vec<String> {
    let Some(play) = table.play() else {
        return Vec::new();
    };
    let info = play.info();
    let typed = letters(typed);
    let mut squares: Vec<(String, Option<&Kind>)> = Vec::new();
    for one in play.legal() {
        let square = one.from.to_string();
        if !squares.iter().any(|(known, _)| *known == square) {
            let man = play.piece_at(one.from);
            squares.push((square, man.map(|man| info.kind(man.kind))));
        }
    }
    let called = |kind: &Kind| {
        let mut names = [kind.name].into_iter().chain(kind.synonyms.iter().copied());
        names.find(|name| letters(name).starts_with(&typed))
    };
    let mut kinds: Vec<&Kind> = squares.iter().filter_map(|(_, kind)| *kind).collect();
    kinds.sort_by_key(|kind| {
        info.kinds
            .iter()
            .position(|other| std::ptr::eq(other, *kind))
    });
    kinds.dedup_by_key(|kind| kind.letter);
    let whole = kinds.into_iter().filter_map(called).map(str::to_owned);
    let by_square = squares
        .iter()
        .filter(|(square, _)| square.starts_with(&typed))
        .map(|(square, _)| square.clone());
    let by_name = squares
        .iter()
        .filter(|(_, kind)| !typed.is_empty() && kind.and_then(called).is_some())
        .map(|(square, _)| square.clone());
    let mut found: Vec<String> = Vec::new();
    for text in whole.chain(by_square).chain(by_name) {
        if !found.contains(&text) && !pieces::moves_of(play, &text).is_empty() {
            found.push(text);
        }
    }
    found.truncate(most);
    found
}

/// Tables that the caller may mean, at most so many: where it is their turn, then theirs, then those of this place, then
/// those open to everybody. Each with a line of at most [`LONGEST_LABEL`] characters that tells them apart.
///
/// # Errors
/// When the store fails.
pub async fn tables(
    club: &Club,
    caller: &Caller,
    typed: &str,
    most: usize,
    now: At,
) -> Result<Vec<(TableCode, String)>, ClubError> {
    let (turn, own): (Vec<Candidate>, Vec<Candidate>) = club
        .tables_of(caller.person)
        .await?
        .into_iter()
        .partition(|one| one.listing.turn.contains(&caller.person));
    let here = club.tables_in(&caller.place).await?;
    let open = club.open_tables().await?;
    let typed = letters(typed);
    let mut names = HashMap::new();
    let mut found: Vec<(TableCode, String)> = Vec::new();
    for one in turn.into_iter().chain(own).chain(here).chain(open) {
        if found.len() >= most {
            break;
        }
        if found.iter().any(|(code, _)| *code == one.code) {
            continue;
        }
        let line = words::table_line(one.code, &one.listing, caller.person, now);
        let line = named(club, &line, &mut names).await?;
        if letters(&line).contains(&typed) {
            found.push((one.code, shortened(&line)));
        }
    }
    Ok(found)
}

async fn named(
    club: &Club,
    line: &Text,
    names: &mut HashMap<PersonId, String>,
) -> Result<String, ClubError> {
    for person in line.persons() {
        if let Entry::Vacant(unknown) = names.entry(person) {
            unknown.insert(club.person(person).await?.name);
        }
    }
    let name = |person| names.get(&person).cloned().unwrap_or_default();
    Ok(line.to_plain(name).replace('\n', " "))
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= LONGEST_LABEL {
        return line.to_owned();
    }
    let kept = line.chars().take(LONGEST_LABEL - 1);
    kept.chain(['…']).collect()
}

/// How near a move is to what is typed, the nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It is all that is typed.
    Whole,
    /// Its notation begins so.
    Notation,
    /// Its target, or its notation with the piece's letter, begins so.
    Target,
    /// It is a piece of a name that begins so.
    Name,
}

/// The ways in which what is typed begins with whole moves, and what is left of it then as letters.
fn begun(play: &Play, typed: &str) -> Vec<(Vec<Move>, String)> {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let mut ways = vec![(Vec::new(), letters(typed))];
    for count in 1..=words.len().min(MOST_WORDS) {
        let (before, rest) = words.split_at(count);
        if let Ok(moves) = reading::read(play, &before.join(" ")) {
            ways.push((moves, letters(&rest.join(" "))));
        }
    }
    ways
}

/// The position after some moves.
fn after(play: &Play, moves: &[Move]) -> Option<Play> {
    let mut after = play.clone();
    for one in moves {
        after.apply(&Event::Move(*one)).ok()?;
    }
    Some(after)
}

/// Whether the turn of `before` goes on in `here` with dice that are left (G6).
pub(super) fn goes_on(here: &Play, before: &Play) -> bool {
    let left = here.unused().len();
    here.phase() == Phase::Move && left > 0 && left < before.unused().len()
}

/// Moves in the notation of records, with blanks between.
pub(super) fn written(info: &'static Info, moves: &[Move]) -> String {
    let texts: Vec<String> = moves
        .iter()
        .map(|one| rules::move_text(info, *one))
        .collect();
    texts.join(" ")
}

/// How near a legal move is to some typed letters; `None` when they name others.
fn rank(play: &Play, one: Move, typed: &str) -> Option<Rank> {
    let info = play.info();
    let promoted = one.promotion.map(|kind| info.kind(kind));
    let kind = play.piece_at(one.from).map(|man| info.kind(man.kind));
    let plain = format!("{}{}", one.from, one.to);
    let to = one.to.to_string();
    let ends = |with: &str| match promoted {
        None => vec![with.to_owned()],
        Some(kind) => kind_names(kind)
            .map(|name| format!("{with}{name}"))
            .collect(),
    };
    let begins = |text: String| text.starts_with(typed);
    if ends(&plain).into_iter().any(begins) {
        return Some(Rank::Notation);
    }
    let letter = kind.map_or(String::new(), |kind| letters(&kind.letter.to_string()));
    let short = [
        to.clone(),
        format!("{letter}{to}"),
        format!("{letter}{plain}"),
    ];
    if short
        .iter()
        .flat_map(|text| ends(text))
        .any(|text| text.starts_with(typed))
    {
        return Some(Rank::Target);
    }
    let mut named = kind.into_iter().flat_map(kind_names);
    let by_name = named.any(|name| {
        [&to, &plain]
            .into_iter()
            .flat_map(|text| ends(&format!("{name}{text}")))
            .any(|text| text.starts_with(typed))
    });
    by_name.then_some(Rank::Name)
}

/// A kind's letter, name and synonyms, as letters.
fn kind_names(kind: &Kind) -> impl Iterator<Item = String> {
    let letter = kind.letter.to_string();
    let names = kind.synonyms.iter().copied().chain([kind.name]);
    [letters(&letter)].into_iter().chain(names.map(letters))
}

/// Letters and digits alone, in lower case, without what only joins two squares (`x`, `to`, `takes`, `on`).
fn letters(text: &str) -> String {
    let plain: String = reading::narrowed(text).to_lowercase();
    let words = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !matches!(*word, "x" | "to" | "takes" | "on"));
    let mut letters = String::new();
    for word in words {
        // `b1xc3`, `nxc3`: no board has a file x.
        let mut chars = word.chars().peekable();
        while let Some(c) = chars.next() {
            let joins = c == 'x' && !letters.is_empty() && chars.peek().is_some();
            if !joins {
                letters.push(c);
            }
        }
    }
    letters
}

#[cfg(test)]
mod tests;
