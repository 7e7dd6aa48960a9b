//! Why moves could not be read, said to the one who wrote them: the move, and why (COMMANDS.md).

use super::illegal::why_not;
use super::names::{either, kind};
use crate::command::text::Text;
use crate::rules::reading::ReadError;
use crate::rules::{Info, KindId, Move, Square, move_text};

/// Why a text is no move, or not a legal one, in a game.
pub(super) fn unreadable(info: &Info, error: &ReadError) -> Text {
    match error {
        ReadError::Empty => Text::from("Name the moves, as in ")
            .code("/move b1c3")
            .plain("."),
        ReadError::TooLong { count } => {
            Text::from(format!("That is too long to be moves: {count} characters."))
        }
        ReadError::Over => Text::from("The game is over."),
        ReadError::MustRoll => Text::from("Throw the dice first: ")
            .code("/roll")
            .plain("."),
        ReadError::NoCastling { .. } => Text::from("There is no castling in this game."),
        ReadError::NotAMove { text } => written(text)
            .plain(" is no move. Write it as ")
            .code("b1c3")
            .plain(" or ")
            .code(example(info))
            .plain("; ")
            .code("/moves")
            .plain(" lists what is legal."),
        ReadError::Illegal { text, why, .. } => {
            written(text).plain(format!(": {}.", why_not(info, why)))
        }
        ReadError::NoneCan {
            text,
            kinds,
            to,
            others,
            dice,
        } => {
            none_can(info, text, kinds, *to, dice.as_deref()).then(others_there(info, *to, others))
        }
        ReadError::Ambiguous { ways, more } => ambiguous(info, ways, *more),
        ReadError::TurnOver { after, rest } => Text::from("The turn is over after ")
            .code(after.clone())
            .plain(", so ")
            .code(brief(rest))
            .plain(" cannot be played. Nothing was played."),
    }
}

/// That the game has no piece of this name, and which it has.
pub(crate) fn no_such_piece(info: &Info, named: &str) -> Text {
    let names = super::names::list(info.kinds.iter().map(|kind| kind.name));
    Text::from(format!(
        "{} has no piece “{}”. Its pieces are {names}.",
        info.name,
        brief(named)
    ))
}

fn written(text: &str) -> Text {
    Text::from(format!("“{}”", brief(text)))
}

/// A move in the game's own letters: the Horse goes to c3.
fn example(info: &Info) -> String {
    let leaper = info
        .kinds
        .iter()
        .find(|kind| kind.step == crate::rules::Step::Knight);
    format!("{}c3", leaper.map_or('N', |kind| kind.letter))
}

fn none_can(info: &Info, text: &str, kinds: &[KindId], to: Square, dice: Option<&[u8]>) -> Text {
    let pieces = match kinds {
        [] => "piece".to_owned(),
        kinds => either(kinds.iter().map(|one| kind(info, *one))),
    };
    let why = match dice {
        Some(dice) => format!(
            ": no {pieces} is moved by {}.",
            super::illegal::either_die(dice)
        ),
        None => format!(": no {pieces} can go to {to}."),
    };
    written(text).plain(why)
}

fn others_there(info: &Info, to: Square, others: &[Move]) -> Text {
    if others.is_empty() {
        return Text::new();
    }
    Text::from(format!(" To {to} can go: "))
        .then(codes(info, others))
        .plain(".")
}

fn ambiguous(info: &Info, ways: &[Vec<Move>], more: bool) -> Text {
    let listed = ways.iter().map(|way| {
        let moves: Vec<String> = way.iter().map(|one| move_text(info, *one)).collect();
        Text::new().code(moves.join(" "))
    });
    let text = Text::from("That can be read in several ways: ").then(Text::join(listed, ", "));
    text.plain(if more {
        " and more. Write one of them."
    } else {
        ". Write one of them."
    })
}

fn codes(info: &Info, moves: &[Move]) -> Text {
    let listed = moves
        .iter()
        .map(|one| Text::new().code(move_text(info, *one)));
    Text::join(listed, ", ")
}

/// The beginning of what somebody wrote.
fn brief(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut brief: String = text.chars().take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        brief.push('…');
    }
    brief
}
