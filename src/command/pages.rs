//! The rules of each game in a page: how it is won in words of our own, then pieces, dice and options from the game's card.

use super::text::Text;
use crate::rules::{self, Choices, Info, Step};

/// What is special about each game, by key.
const PAGES: &[(&str, &str)] = &[
    ("chaturanga", include_str!("pages/chaturanga.txt")),
    ("maha-chatukanga", include_str!("pages/maha-chatukanga.txt")),
    ("partnership", include_str!("pages/partnership.txt")),
    ("four-handed", include_str!("pages/four-handed.txt")),
    ("chaturaji", include_str!("pages/chaturaji.txt")),
    (
        "four-handed-cross",
        include_str!("pages/four-handed-cross.txt"),
    ),
];

/// The page of a game.
pub fn page(info: &'static Info) -> Text {
    let told = PAGES.iter().find(|(key, _)| *key == info.key);
    let told = told.map_or("", |(_, told)| told.trim_end());
    let mut page = Text::new()
        .strong(info.name)
        .plain(" (")
        .code(info.key)
        .plain(format!(")\n{told}\n\n"))
        .strong("Pieces")
        .plain("\n")
        .block(pieces(info));
    if let Some(rule) = info.dice {
        page = page
            .strong("Dice")
            .plain(format!(": {}\n", dice(info, &rule)));
    }
    for option in info.options {
        if let Choices::Drawn { .. } = option.choices {
            continue;
        }
        page = page
            .code(format!("{}=", option.key))
            .plain(format!("{}: {}; ", option.choices, option.help))
            .code(option.default)
            .plain(" if nothing is said\n");
    }
    page.plain("Begin with ")
        .code(format!("/new {} with:@…", info.key))
}

/// The games to choose from.
pub fn index() -> Text {
    let lines = rules::games().map(|info| {
        let players = match info.seats.len() {
            2 => "two players",
            _ if info.partners => "two against two",
            _ => "four players",
        };
        let dice = if info.dice.is_some() { ", dice" } else { "" };
        Text::new()
            .code(format!("/rules {}", info.key))
            .plain(format!(" {}: {players}{dice}", info.name))
    });
    Text::join(lines, "\n")
}

fn pieces(info: &Info) -> String {
    let widest = info
        .kinds
        .iter()
        .map(|kind| kind.name.chars().count())
        .max();
    let width = widest.unwrap_or_default();
    let lines = info.kinds.iter().map(|kind| {
        let worth = match kind.worth {
            0 => String::new(),
            1 => "; 1 point".to_owned(),
            worth => format!("; {worth} points"),
        };
        format!(
            "{} {:width$} {}{worth}",
            kind.letter,
            kind.name,
            ways(kind.step)
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How a kind of piece moves.
pub fn ways(step: Step) -> &'static str {
    match step {
        Step::King => "one step in any direction",
        Step::Rook => "along ranks and files, any distance",
        Step::Bishop => "along diagonals, any distance",
        Step::Knight => "leaps two squares and one aside",
        Step::Alfil => "leaps exactly two squares diagonally",
        Step::Dabbaba => "leaps exactly two squares straight",
        Step::Fers => "one step diagonally",
        Step::Silver => "one step straight forward, or diagonally",
        Step::Queen => "along ranks, files and diagonals, any distance",
        Step::Infanta => "like the Rook, or leaps two squares diagonally",
        Step::Marshal => "like the Rook or the Knight",
        Step::Kangaroo => "like the Knight, or leaps two squares diagonally",
        Step::Pawn => "one step forward; captures diagonally forward",
    }
}

/// `two are thrown; 1 and 5 King or Pawn, 2 Boat, …`.
fn dice(info: &Info, rule: &rules::DiceRule) -> String {
    let mut meanings: Vec<(Vec<String>, String)> = Vec::new();
    for (face, kinds) in rule.allows.iter().enumerate().skip(1) {
        let names: Vec<&str> = kinds.iter().map(|kind| info.kind(kind).name).collect();
        let meaning = match names.as_slice() {
            [] => "nothing".to_owned(),
            names => names.join(" or "),
        };
        match meanings.iter_mut().find(|(_, other)| *other == meaning) {
            Some((faces, _)) => faces.push(face.to_string()),
            None => meanings.push((vec![face.to_string()], meaning)),
        }
    }
    let meanings: Vec<String> = meanings
        .into_iter()
        .map(|(faces, meaning)| format!("{} {meaning}", faces.join(" and ")))
        .collect();
    format!("{} are thrown; {}", count(rule.thrown), meanings.join(", "))
}

fn count(number: usize) -> &'static str {
    match number {
        2 => "two",
        3 => "three",
        _ => "some",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::words::help::tests::longest_part;

    #[test]
    fn every_game_has_a_page_that_fits_one_message_or_can_be_parted_at_blank_lines() {
        for info in rules::games() {
            let text = page(info).to_plain(|person| person.to_string());
            let told = PAGES
                .iter()
                .any(|(key, told)| *key == info.key && told.len() > 200);
            assert!(told, "{} has no page", info.key);
            let part = longest_part(&page(info));
            assert!(part <= 1900, "{}: {part} characters", info.key);
            assert!(text.chars().count() <= 2000, "{}", info.key);
        }
    }

    #[test]
    fn the_pages() {
        let pages: Vec<String> = rules::games()
            .map(|info| page(info).to_plain(|person| person.to_string()))
            .collect();
        insta::assert_snapshot!(pages.join("\n\n----\n\n"));
    }
}
