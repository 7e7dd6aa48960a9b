//! The options of a command as Discord has them, and the way back. People are one option each, and each option of a game is an
//! option of its own.

use super::form::Choice;
use crate::command::catalogue::{Command, CommandOption, DEFAULT, Takes};
use crate::ids::Platform;
use crate::rules::{self, Choices, OptionInfo};

/// Most fixed choices of an option.
const CHOICES: usize = 25;

/// An option as it is offered.
pub(super) struct Spoken {
    pub(super) name: String,
    pub(super) help: String,
    pub(super) required: bool,
    pub(super) kind: Kind,
}

/// What is given for it.
pub(super) enum Kind {
    /// One of these, or any text when there are none.
    Text {
        choices: Vec<Choice>,
    },
    /// A text for which choices are made while it is typed.
    Typed,
    Number,
    YesNo,
    Person,
}

/// The options of a command, in the catalogue's order.
pub(super) fn of(command: &'static Command) -> impl Iterator<Item = Spoken> {
    let options = command.options.iter();
    options
        .filter(|option| option.is_for(Platform::Discord))
        .flat_map(spoken)
}

/// The catalogue's option that is offered by this name: `with-2` is `with`.
pub(in crate::chat::discord) fn option_behind(
    command: &'static Command,
    name: &str,
) -> Option<&'static CommandOption> {
    let (key, number) = match name.rsplit_once('-') {
        Some((key, number)) => (key, number.parse::<usize>().ok()),
        None => (name, None),
    };
    let exact = command.option(name);
    exact
        .filter(|option| option.takes != Takes::GameOptions)
        .or_else(|| {
            let option = command.option(key)?;
            match (option.takes, number) {
                (Takes::People(most), Some(2..)) if number <= Some(most) => Some(option),
                _ => None,
            }
        })
}

fn spoken(option: &'static CommandOption) -> Vec<Spoken> {
    let one = |kind: Kind| Spoken {
        name: option.key.to_owned(),
        help: option.help.to_owned(),
        required: option.required,
        kind,
    };
    match option.takes {
        Takes::People(most) => (1..=most).map(|number| person(option, number)).collect(),
        Takes::GameOptions => of_games(),
        Takes::Person => vec![one(Kind::Person)],
        Takes::Number(..) => vec![one(Kind::Number)],
        Takes::YesNo => vec![one(Kind::YesNo)],
        Takes::Game => vec![one(Kind::Text { choices: games() })],
        Takes::GameOrDefault => vec![one(Kind::Text {
            choices: games().into_iter().chain([alike(DEFAULT)]).collect(),
        })],
        Takes::Table | Takes::Moves | Takes::SquareOrPiece => vec![one(Kind::Typed)],
        Takes::Seat
        | Takes::SeatOrRandom
        | Takes::YesNoOrDefault
        | Takes::Word(_)
        | Takes::Command
        | Takes::Position
        | Takes::Rooms
        | Takes::Prefix
        | Takes::Text(_) => {
            let choices = option.takes.choices();
            vec![one(match choices.len() > CHOICES {
                true => Kind::Typed,
                false => Kind::Text {
                    choices: choices.into_iter().map(alike).collect(),
                },
            })]
        }
    }
}

/// The second and third of several people are options of their own.
fn person(option: &'static CommandOption, number: usize) -> Spoken {
    let (name, help) = match number {
        1 => (option.key.to_owned(), option.help.to_owned()),
        _ => (
            format!("{}-{number}", option.key),
            format!("{} (number {number})", option.help),
        ),
    };
    Spoken {
        name,
        help,
        required: option.required && number == 1,
        kind: Kind::Person,
    }
}

fn games() -> Vec<Choice> {
    rules::games()
        .map(|info| Choice {
            name: info.name.to_owned(),
            name_localizations: None,
            value: info.key.to_owned(),
        })
        .collect()
}

fn alike(word: &str) -> Choice {
    Choice {
        name: word.to_owned(),
        name_localizations: None,
        value: word.to_owned(),
    }
}

/// The options of all games, each once; which game takes which is checked when the table is opened.
fn of_games() -> Vec<Spoken> {
    let mut all: Vec<Spoken> = Vec::new();
    for info in rules::games() {
        for option in info.options {
            let Some(kind) = kind_of(option) else {
                continue;
            };
            let help = format!("{}: {}", info.name, option.help);
            match all.iter_mut().find(|one| one.name == option.key) {
                // Of several games: what it does is the same, the name of the first would mislead.
                Some(one) => {
                    one.help = option.help.to_owned();
                    one.kind = together(&one.kind, kind);
                }
                None => all.push(Spoken {
                    name: option.key.to_owned(),
                    help,
                    required: false,
                    kind,
                }),
            }
        }
    }
    all
}

fn kind_of(option: &OptionInfo) -> Option<Kind> {
    match option.choices {
        Choices::Words(words) => Some(Kind::Text {
            choices: words.iter().copied().map(alike).collect(),
        }),
        Choices::Number { .. } => Some(Kind::Number),
        // Drawn when the table is opened, not chosen.
        Choices::Drawn { .. } => None,
    }
}

/// The same key in two games: the words of both, or a number.
fn together(one: &Kind, other: Kind) -> Kind {
    match (one, other) {
        (Kind::Text { choices }, Kind::Text { choices: more }) => {
            let mut choices = choices.clone();
            for choice in more {
                if !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
            Kind::Text { choices }
        }
        (_, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::catalogue::{Verb, entry};

    #[test]
    fn with_2_is_with_and_an_option_of_a_game_is_none_of_the_catalogues() {
        let new = entry(Verb::New).unwrap();
        for (name, key) in [
            ("with", Some("with")),
            ("with-2", Some("with")),
            ("with-3", Some("with")),
            ("with-4", None),
            ("with-1", None),
            ("game", Some("game")),
            ("game-2", None),
            ("options", None),
            ("corner", None),
        ] {
            let found = option_behind(new, name).map(|option| option.key);
            assert_eq!(found, key, "{name}");
        }
    }
}
