//! One option's text to its value.

use std::collections::BTreeSet;

use super::super::catalogue::{COMMANDS, CommandOption, DEFAULT, NONE, Takes, command};
use super::super::games::{self, GameNamed};
use super::words::{is_blank, is_quote};
use super::{Given, ReadError};
use crate::lookalike::meant_or;
use crate::nearest::nearest;
use crate::rules::reading::narrowed;

/// Longest SETUP text that is looked at, in bytes.
const LONGEST_POSITION: usize = 8_000;
/// Longest list of moves that is looked at, in bytes.
const LONGEST_MOVES: usize = 2_000;

/// Most mentions, the same ones again included, that are read.
const MOST_MENTIONS: usize = 100;
/// Most rooms that an option takes.
const MOST_ROOMS: usize = 50;

/// Reads the text of an option; `None` when there is nothing in it.
pub(super) fn read(option: &CommandOption, text: &str) -> Result<Option<Given>, ReadError> {
    let text = text.trim_matches(is_blank);
    let plain = narrowed(text).to_lowercase();
    let refused = |nearest: Option<&str>| ReadError::Value {
        key: option.key,
        text: text.to_owned(),
        takes: option.takes,
        nearest: nearest.map(str::to_owned),
    };
    if text.is_empty() {
        // A position that got lost on the way must not open a table from the array.
        return match option.takes {
            Takes::Position => Err(refused(None)),
            _ => Ok(None),
        };
    }
    let given = match option.takes {
        Takes::People(most) => Given::People(people(option, most, text)?),
        Takes::Person => Given::People(people(option, 1, text)?),
        _ if option.has_default() && (plain == DEFAULT || plain == NONE) => Given::Word(DEFAULT),
        Takes::Game | Takes::GameOrDefault => match games::named(&plain) {
            GameNamed::One(info) => Given::Game(info),
            GameNamed::Several(among) => {
                return Err(ReadError::Several {
                    text: text.to_owned(),
                    among: among.iter().map(|info| info.key).collect(),
                });
            }
            GameNamed::Nothing => {
                return Err(refused(nearest(
                    &meant_or(&plain),
                    option.takes.choices().into_iter(),
                )));
            }
        },
        Takes::Prefix => match is_prefix(text) {
            true => Given::Text(text.to_owned()),
            false => return Err(refused(None)),
        },
        Takes::Word(words) => Given::Word(one_of(words, option, text, &plain)?),
        Takes::Number(least, most) => plain
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number))
            .map(Given::Number)
            .ok_or_else(|| refused(None))?,
        Takes::YesNo | Takes::YesNoOrDefault => match plain.as_str() {
            "yes" | "y" | "true" | "on" | "1" => Given::Yes(true),
            "no" | "n" | "false" | "off" | "0" => Given::Yes(false),
            _ => return Err(refused(None)),
        },
        Takes::Table => plain
            .trim_start_matches('#')
            .parse()
            .map(Given::Table)
            .map_err(|_| refused(None))?,
        Takes::GameOptions => {
            let pairs = pairs(&plain).ok_or_else(|| refused(None))?;
            Given::Pairs(each_once(pairs)?)
        }
        Takes::Command => command(plain.trim_start_matches(['/', '!']))
            .map(Given::Command)
            .ok_or_else(|| {
                refused(nearest(
                    &meant_or(&plain),
                    COMMANDS.iter().map(|command| command.name),
                ))
            })?,
        Takes::Seat | Takes::SeatOrRandom => Given::Text(plain),
        Takes::SquareOrPiece => Given::Text(within(option, LONGEST_MOVES, text)?),
        Takes::Moves => Given::Text(within(option, LONGEST_MOVES, text)?),
        Takes::Rooms => Given::Rooms(rooms(option, text)?),
        Takes::Position => Given::Text(within(option, LONGEST_POSITION, text)?),
        Takes::Text(most) => Given::Text(within(option, most, text)?),
    };
    Ok(Some(given))
}

/// Whether commands can begin with this: one to three signs that no word, number, quote or mention begins with.
pub(super) fn is_prefix(text: &str) -> bool {
    let sign = |c: char| {
        !(c.is_alphanumeric()
            || is_blank(c)
            || is_quote(c)
            || matches!(c, '>' | '<' | '@' | '＠' | '#' | '＃' | '{' | '}'))
    };
    (1..=3).contains(&text.chars().count()) && text.chars().all(sign)
}

fn within(option: &CommandOption, most: usize, text: &str) -> Result<String, ReadError> {
    let found = text.chars().count();
    if found > most {
        return Err(ReadError::TooLong {
            key: option.key,
            most,
            found,
        });
    }
    Ok(text.to_owned())
}

/// The word itself, or the only one that begins so.
fn one_of(
    words: &'static [&'static str],
    option: &CommandOption,
    text: &str,
    plain: &str,
) -> Result<&'static str, ReadError> {
    if let Some(word) = words.iter().find(|word| **word == plain) {
        return Ok(word);
    }
    let among: Vec<&'static str> = words
        .iter()
        .copied()
        .filter(|word| word.starts_with(plain))
        .collect();
    match among.as_slice() {
        [word] => Ok(word),
        [] => Err(ReadError::Value {
            key: option.key,
            text: text.to_owned(),
            takes: option.takes,
            nearest: nearest(&meant_or(plain), words.iter().copied()).map(str::to_owned),
        }),
        _ => Err(ReadError::Several {
            text: text.to_owned(),
            among,
        }),
    }
}

/// Accounts from mentions such as `@ada`, `<@123>` or `@ada:example.org`, with blanks or commas between them.
fn people(option: &CommandOption, most: usize, text: &str) -> Result<Vec<String>, ReadError> {
    let mut people: Vec<String> = Vec::new();
    let mentions = text
        .split(|c: char| is_blank(c) || matches!(c, ',' | ';' | '，' | '、'))
        .filter(|mention| !mention.is_empty());
    // Far too many are not even compared with each other.
    if let Some(found) = mentions
        .clone()
        .nth(MOST_MENTIONS)
        .map(|_| mentions.clone().count())
    {
        return Err(ReadError::TooMany {
            key: option.key,
            most,
            found,
        });
    }
    for mention in mentions {
        let account = mention
            .trim_start_matches('<')
            .trim_start_matches(['@', '＠'])
            .trim_start_matches('!')
            .trim_end_matches('>');
        // `@ada @ada` names one person, and `@` nobody.
        if !account.is_empty() && !people.iter().any(|other| other == account) {
            people.push(account.to_owned());
        }
    }
    if people.is_empty() {
        return Err(ReadError::Value {
            key: option.key,
            text: text.to_owned(),
            takes: option.takes,
            nearest: None,
        });
    }
    if people.len() > most {
        return Err(ReadError::TooMany {
            key: option.key,
            most,
            found: people.len(),
        });
    }
    Ok(people)
}

/// Rooms such as `#games` or `<#123>`, with blanks or commas between them; none for `all`.
fn rooms(option: &CommandOption, text: &str) -> Result<Vec<String>, ReadError> {
    let mut rooms: Vec<String> = Vec::new();
    let words = text.split(|c: char| is_blank(c) || matches!(c, ',' | ';'));
    let named = words.map(|word| {
        let word = word.trim_start_matches('<').trim_start_matches(['#', '＃']);
        word.trim_end_matches('>')
    });
    for room in named.filter(|room| !room.is_empty()) {
        if !rooms.iter().any(|other| other == room) {
            rooms.push(room.to_owned());
        }
    }
    let refused = || ReadError::Value {
        key: option.key,
        text: text.to_owned(),
        takes: option.takes,
        nearest: None,
    };
    match rooms.as_slice() {
        [all] if all.eq_ignore_ascii_case("all") => Ok(Vec::new()),
        [] => Err(refused()),
        many if many.len() > MOST_ROOMS => Err(refused()),
        _ => Ok(rooms),
    }
}

/// The same pairs, if no key is among them twice.
fn each_once(pairs: Vec<(String, String)>) -> Result<Vec<(String, String)>, ReadError> {
    let mut keys = BTreeSet::new();
    match pairs.iter().find(|(key, _)| !keys.insert(key)) {
        Some((key, _)) => Err(ReadError::ChosenTwice { key: key.clone() }),
        None => Ok(pairs),
    }
}

/// `corner=boat gaja:silver`, with blanks or commas between.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    text.split(|c: char| is_blank(c) || matches!(c, ',' | ';'))
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once(['=', ':'])?;
            (!key.is_empty() && !value.is_empty()).then(|| (key.to_owned(), value.to_owned()))
        })
        .collect()
}
