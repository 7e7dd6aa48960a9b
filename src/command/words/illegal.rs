//! Why a move is not legal, said to the player who wrote it.

use super::names::{army, either, kind, list, one, pawn};
use crate::rules::{Info, KindId, Seat, Square, WhyNot};

/// Why a move is not legal.
pub(super) fn why_not(info: &Info, why: &WhyNot) -> String {
    let king = kind(info, KindId::KING);
    match why {
        WhyNot::Over => "the game is over".to_owned(),
        WhyNot::MustRoll => "the dice must be thrown first: /roll".to_owned(),
        WhyNot::NoSquare(square) => format!("{square} is no square of this board"),
        WhyNot::Empty(square) => format!("nothing stands on {square}"),
        WhyNot::NotTheirs {
            at,
            seat,
            kind: man,
            mover,
        } => format!(
            "the {} on {at} is {}'s, and it is {}'s turn",
            kind(info, *man),
            army(info, *seat),
            army(info, *mover)
        ),
        WhyNot::Waiting(square) => {
            let pawn = pawn(info);
            format!("the {pawn} on {square} waits for its promotion and cannot move")
        }
        WhyNot::Die {
            kind: man,
            at,
            dice,
        } => format!(
            "the {} on {at} is not moved by {}",
            kind(info, *man),
            either_die(dice)
        ),
        WhyNot::Spared {
            at,
            seat,
            kind: man,
            mover,
        } => spared(info, *at, *seat, *man, *mover),
        WhyNot::CannotReach {
            kind: man,
            from,
            to,
        } => {
            format!("the {} on {from} does not reach {to}", kind(info, *man))
        }
        WhyNot::Check { from, already } => {
            let from: Vec<String> = from.iter().map(Square::to_string).collect();
            let from = list(from.iter().map(String::as_str));
            if *already {
                format!("your {king} would still be in check from {from}")
            } else {
                format!("your {king} would be in check from {from}")
            }
        }
        WhyNot::Promotion { choices } => {
            let pieces: Vec<String> = choices.iter().map(|choice| one(info, *choice)).collect();
            format!(
                "the {} must become {}: add it at the end, as in a7a8={}",
                pawn(info),
                either(pieces.iter().map(String::as_str)),
                choices
                    .first()
                    .map_or('?', |choice| info.kind(*choice).letter)
            )
        }
        WhyNot::NoPromotion => "nothing is promoted by this move".to_owned(),
    }
}

fn spared(info: &Info, at: Square, seat: Seat, man: KindId, mover: Seat) -> String {
    let man = kind(info, man);
    if seat == mover {
        format!("{at} is your own {man}")
    } else if info.partners {
        format!("{at} is your partner's {man}, which may not be taken")
    } else {
        format!(
            "{at} is {}'s {man}, under the same command",
            army(info, seat)
        )
    }
}

/// `a 2 or a 5`, each face once.
pub(super) fn either_die(dice: &[u8]) -> String {
    let mut faces = dice.to_vec();
    faces.sort_unstable();
    faces.dedup();
    let faces: Vec<String> = faces.iter().map(|face| format!("a {face}")).collect();
    match faces.as_slice() {
        [] => "any die left".to_owned(),
        faces => either(faces.iter().map(String::as_str)),
    }
}
