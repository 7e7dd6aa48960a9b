//! Why moves could not be read, said to the one who wrote them: the move, and why (COMMANDS.md).

use super::illegal::{unmoved, why_not};
use super::names::{either, kind, move_read};
use crate::command::text::Text;
use crate::rules::reading::ReadError;
use crate::rules::{Info, Move, Square, move_text};

/// The most moves that are listed as what can be played instead.
const MOST_LISTED: usize = 12;

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
            there,
            can,
            dice,
        } => {
            let pieces = match kinds.as_slice() {
                [] => "piece".to_owned(),
                kinds => either(kinds.iter().map(|one| kind(info, *one))),
            };
            let why = match (dice, there) {
                (_, false) => format!(": you have no {pieces} on the board."),
                (Some(dice), _) => format!(": {}.", unmoved(info, kinds, dice)),
                (None, true) => format!(": no {pieces} can go to {to}."),
            };
            let way_out = match (others.as_slice(), can.as_slice()) {
                ([], _) if dice.is_some() || !there => Text::new(),
                ([], []) => Text::from(format!(" No {pieces} has a legal move now.")),
                ([], can) if can.len() <= MOST_LISTED => {
                    Text::from(" It can be: ").then(codes(info, can)).plain(".")
                }
                ([], _) => Text::from(" ")
                    .code("/moves")
                    .plain(" lists what is legal."),
                (others, _) => others_there(info, *to, others),
            };
            written(text).plain(why).then(way_out)
        }
        ReadError::NoSuchPiece { named } => no_such_piece(info, named),
        ReadError::Ambiguous { ways, more } => ambiguous(info, ways, *more),
        ReadError::TurnOver { after, rest } => Text::from("The turn is over after ")
            .plain(move_read(info, after))
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

fn others_there(info: &Info, to: Square, others: &[Move]) -> Text {
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
pub(super) fn brief(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut brief: String = text.chars().take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        brief.push('…');
    }
    brief
}
