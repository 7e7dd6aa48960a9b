//! How a table stands, and lists of tables.

use super::ending::ending;
use super::gathering::vacancy;
use super::names::{armies, army, counted, dice, list_of, move_read, seat_name, under_command};
use super::played::{out, scores};
use super::turn::whose_turn;
use crate::command::text::Text;
use crate::ids::{At, PersonId, TableCode};
use crate::rules::{self, Seat};
use crate::store::{Listing, Stage};
use crate::table::{Matter, Phase, Summary, Table};

/// The most moves that the status tells.
const LAST_MOVES: usize = 8;

/// The most tables that a list shows.
const LONGEST_LIST: usize = 20;

/// How a table stands: players, scores, dice left, last moves, offers.
pub(crate) fn status(table: &Table, caller: PersonId, now: At) -> Text {
    let info = table.info();
    let mut lines = vec![headline(table, now)];
    for chair in table.chairs() {
        let line = Text::from(format!("{}: ", seat_name(info, chair.seat)));
        let line = match chair.sitter.as_ref().map(|sitter| sitter.person) {
            Some(person) => line.person(person),
            None => line.then(vacancy(table, chair.seat)),
        };
        let commanded = table.play().map(|play| under_command(play, chair.seat));
        let under = commanded
            .as_deref()
            .and_then(|commanded| commanded.strip_prefix(army(info, chair.seat)));
        lines.push(line.plain(under.unwrap_or_default()));
    }
    match table.phase() {
        Phase::Gathering => {
            for invitation in table.invitations() {
                lines.push(Text::from("Invited: ").person(invitation.person));
            }
        }
        Phase::Playing(game) => {
            if info.points {
                lines.push(Text::from(format!(
                    "Points: {}.",
                    scores(info, game.play.scores())
                )));
            }
            let gone = info
                .seats
                .iter()
                .copied()
                .filter(|seat| !game.play.in_play(*seat));
            lines.push(Text::from(out(info, gone.collect())));
            if let Some(thrown) = &game.thrown {
                lines.push(Text::from(format!(
                    "Roll {}: {}; left: {}.",
                    thrown.n,
                    dice(thrown.dice.faces()),
                    left(&game.play.unused())
                )));
            }
            lines.push(last_moves(table));
            for offer in &game.offers {
                let what = match offer.matter {
                    Matter::Draw => " offers to end the game by agreement.",
                    Matter::Cancel => " asks to close the table.",
                };
                lines.push(Text::new().person(offer.by).plain(what));
            }
            lines.push(whose_turn(table, Some(caller)).quiet());
        }
        Phase::Over { ending: how, .. } => {
            let points = table.play().and_then(rules::Play::scores);
            if points.is_some() {
                lines.push(Text::from(format!("Points: {}.", scores(info, points))));
            }
            lines.push(last_moves(table));
            lines.push(ending(table, how));
        }
    }
    lines.retain(|line| !line.is_empty());
    Text::join(lines, "\n")
}

fn headline(table: &Table, now: At) -> Text {
    let mut line = Text::new()
        .strong(table.info().name)
        .plain(", table ")
        .code(table.code().to_string());
    for (key, value) in table.options().chosen() {
        line = line.plain(", ").code(format!("{key}={value}"));
    }
    line.plain(format!(", last change {}.", ago(now, table.since())))
}

fn left(dice_left: &[u8]) -> String {
    if dice_left.is_empty() {
        "none".to_owned()
    } else {
        dice(dice_left)
    }
}

fn last_moves(table: &Table) -> Text {
    let Some(game) = table.game() else {
        return Text::new();
    };
    let moves: Vec<String> = game
        .last_moves()
        .rev()
        .take(LAST_MOVES)
        .map(|(seat, text)| {
            let info = table.info();
            format!("{} {}", army(info, seat), move_read(info, text))
        })
        .collect();
    if moves.is_empty() {
        return Text::new();
    }
    let moves: Vec<String> = moves.into_iter().rev().collect();
    Text::from(format!("Last moves: {}.", moves.join(", ")))
}

/// Lines of tables with their codes, whose turn it is, and since when.
pub(crate) fn tables(found: &[(TableCode, Listing)], caller: PersonId, now: At) -> Text {
    let shown = found.iter().take(LONGEST_LIST);
    let lines = shown.map(|(code, listing)| table_line(*code, listing, caller, now));
    let lines = Text::join(lines, "\n");
    match found.len().saturating_sub(LONGEST_LIST) {
        0 => lines,
        more => lines.plain(format!("\nand {more} more")),
    }
}

/// A table's line with its code, whose turn it is, and since when.
pub(crate) fn table_line(code: TableCode, listing: &Listing, caller: PersonId, now: At) -> Text {
    Text::new()
        .code(code.to_string())
        .plain(" ")
        .then(line_of(listing, caller))
        .plain(format!(", {}", ago(now, listing.since)))
}

fn line_of(listing: &Listing, caller: PersonId) -> Text {
    let summary = Summary::of(listing);
    let info = summary
        .as_ref()
        .and_then(|summary| rules::game(&summary.game));
    let (Some(summary), Some(info)) = (summary, info) else {
        return Text::from("a table of a newer version");
    };
    let name = Text::from(format!("{}: ", info.name));
    match listing.stage {
        Stage::Gathering => {
            let open = summary.seats.iter().filter(|(_, sitter)| sitter.is_none());
            let open: Vec<Seat> = open.map(|(seat, _)| *seat).collect();
            let invited = listing
                .people
                .iter()
                .filter(|person| !summary.seats(**person));
            let invited: Vec<Text> = invited.map(|person| Text::new().person(*person)).collect();
            let free = open.len().saturating_sub(invited.len());
            let name = name.plain("of ").person(summary.host);
            match (free, invited.is_empty()) {
                (_, true) => name.plain(format!(", free: {}", armies(info, open))),
                (0, false) => name
                    .plain(format!(", {} kept for ", armies(info, open)))
                    .then(list_of(invited)),
                (free, false) => name
                    .plain(format!(
                        ", {free} free of {}, the rest kept for ",
                        armies(info, open)
                    ))
                    .then(list_of(invited)),
            }
        }
        Stage::Playing => {
            let turn = summary.turn.map_or("", |seat| army(info, seat));
            let name = name.plain(format!("{turn} to play"));
            match listing.turn.first() {
                Some(person) if *person == caller => name.plain(" (you)"),
                Some(person) => name.plain(" (").person(*person).plain(")"),
                None => name,
            }
        }
        Stage::Finished => match summary.winners {
            Some(winners) if winners.is_empty() => name.plain("drawn"),
            Some(winners) => name.plain(format!("won by {}", armies(info, winners))),
            None => name.plain("closed"),
        },
    }
}

/// How long ago: `just now`, `5 minutes ago`, `3 days ago`. Durations need no time zone (R64).
pub(crate) fn ago(now: At, then: At) -> String {
    let seconds = now.millis_since(then) / 1000;
    let (number, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!(
        "{} ago",
        counted(usize::try_from(number).unwrap_or(usize::MAX), unit)
    )
}
