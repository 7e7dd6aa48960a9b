use std::collections::BTreeSet;

use super::*;
use crate::command::reading;

/// The README's table of commands stands between these two lines.
const MARKS: (&str, &str) = ("<!-- commands: begin -->\n", "<!-- commands: end -->");

#[test]
fn the_table_in_the_readme_is_made_from_the_catalogue() {
    let readme = include_str!("../../../README.md");
    let table = readme
        .split_once(MARKS.0)
        .and_then(|(_, rest)| rest.split_once(MARKS.1))
        .map(|(table, _)| table);
    assert_eq!(
        table,
        Some(readme_table().as_str()),
        "put the right table between the marks:\n{}",
        readme_table()
    );
}

#[test]
fn names_are_short_plain_and_each_used_once() {
    let plain = |name: &str| {
        (1..=32).contains(&name.len())
            && name
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase()))
    };
    let mut names = BTreeSet::new();
    let mut verbs = BTreeSet::new();
    for command in COMMANDS {
        assert!(
            plain(command.name) && names.insert(command.name),
            "{}",
            command.name
        );
        assert!(verbs.insert(command.verb), "{}", command.name);
        let mut keys = BTreeSet::new();
        for option in command.options {
            assert!(
                plain(option.key) && keys.insert(option.key),
                "{} {}",
                command.name,
                option.key
            );
        }
    }
}

#[test]
fn help_fits_the_platforms() {
    for command in COMMANDS {
        let helps = command.options.iter().map(|option| option.help);
        for help in helps.chain([command.does]) {
            assert!(
                (1..=100).contains(&help.chars().count()),
                "{}: {help}",
                command.name
            );
        }
        for option in command.options {
            // There are more commands than a menu holds: they are completed while they are typed.
            assert!(
                option.takes == Takes::Command || option.takes.choices().len() <= 25,
                "{} {}",
                command.name,
                option.key
            );
        }
    }
}

#[test]
fn the_required_options_come_first() {
    for command in COMMANDS {
        let required: Vec<bool> = command
            .options
            .iter()
            .map(|option| option.required)
            .collect();
        assert!(required.is_sorted_by(|a, b| a >= b), "{}", command.name);
    }
}

#[test]
fn every_example_can_be_read() {
    for command in COMMANDS {
        assert!(!command.examples.is_empty(), "{}", command.name);
        for example in command.examples {
            let read = reading::read(&format!("/{example}"), "!");
            let verb = read.map(|read| read.map(|invocation| invocation.command.verb));
            assert_eq!(verb, Ok(Some(command.verb)), "{example}");
        }
    }
}
