//! Why a move is not legal, and what is, said to the player who wrote it: the rule in the words of `docs/rules.md`, and the
//! way out.

use super::names::{army, either, kind, list, move_read, one, pawn};
use crate::rules::{Info, KindId, Piece, Seat, Square, Step, Unmoved, WhyNot, move_text};

/// The most moves that are listed as the way out of a check.
const MOST_LISTED: usize = 12;

/// Why a move is not legal, in one or two sentences; the last has no full stop.
pub(super) fn why_not(info: &Info, why: &WhyNot) -> String {
    match why {
        WhyNot::Over => "the game is over".to_owned(),
        WhyNot::MustRoll => "the dice must be thrown first: /roll".to_owned(),
        WhyNot::NoSquare(square) => no_square(info, *square),
        WhyNot::Empty(square) => format!("there is nothing on {square}"),
        WhyNot::NotTheirs { piece, mover } => format!(
            "the {} on {} is {}'s, and it is {}'s turn",
            kind(info, piece.kind),
            piece.at,
            army(info, piece.seat),
            army(info, *mover)
        ),
        WhyNot::Waiting { at, becomes } => waiting(info, *at, becomes),
        WhyNot::Die { kind, dice, .. } => unmoved(info, &[*kind], dice),
        WhyNot::InTheWay { piece, by, can } => format!(
            "{} is in the way. {}",
            owned(info, *by, piece.seat),
            can_go(info, *piece, can)
        ),
        WhyNot::Spared { piece, victim, can } => format!(
            "{} may not be taken. {}",
            spared(info, *victim),
            can_go(info, *piece, can)
        ),
        WhyNot::NothingToTake { piece, to, can } => format!(
            "the {} on {} goes diagonally only to take, and there is nothing on {to}. {}",
            kind(info, piece.kind),
            piece.at,
            can_go(info, *piece, can)
        ),
        WhyNot::CannotReach { piece, step, can } => cannot_reach(info, *piece, *step, can),
        WhyNot::Check {
            piece,
            from,
            can,
            meets,
        } => {
            let from = from.iter().map(|man| on(info, *man));
            let from: Vec<String> = from.collect();
            let check = format!(
                "that would leave your {} in check from {}",
                kind(info, KindId::KING),
                list(from.iter().map(String::as_str))
            );
            match meets.len() {
                1..=MOST_LISTED if can.is_empty() => {
                    let meets = meets
                        .iter()
                        .map(|one| move_read(info, &move_text(info, *one)));
                    let meets: Vec<String> = meets.collect();
                    let meets = either(meets.iter().map(String::as_str));
                    format!("{check}. What meets the check: {meets}")
                }
                _ => format!("{check}. {}", can_go(info, *piece, can)),
            }
        }
        WhyNot::Promotion { from, to, choices } => {
            let pieces: Vec<String> = choices.iter().map(|choice| one(info, *choice)).collect();
            let texts: Vec<String> = choices
                .iter()
                .map(|choice| format!("{from}{to}={}", info.kind(*choice).letter))
                .collect();
            format!(
                "the {} becomes {} there: write {}",
                pawn(info),
                either(pieces.iter().map(String::as_str)),
                either(texts.iter().map(String::as_str))
            )
        }
        WhyNot::NoPromotion {
            from,
            to,
            waits: true,
        } => format!(
            "nothing that the {} could become on {to} has been captured yet, so it would wait there: write {from}{to}",
            pawn(info)
        ),
        WhyNot::NoPromotion { from, to, .. } => {
            format!("nothing is promoted on {to}: write {from}{to}")
        }
    }
}

/// What the dice move instead: `the 3 and the 5 move Horse, King and pawns; the Boat needs a 2`.
pub(super) fn unmoved(info: &Info, kinds: &[KindId], unmoved: &Unmoved) -> String {
    let (moving, idle): (Vec<_>, Vec<_>) = unmoved
        .moves
        .iter()
        .partition(|(_, moved)| !moved.is_empty());
    let mut moved: Vec<&str> = Vec::new();
    for kind in moving.iter().flat_map(|(_, moved)| moved) {
        let name = plural_pawn(info, *kind);
        if !moved.contains(&name) {
            moved.push(name);
        }
    }
    let idle: Vec<String> = idle.iter().map(|(face, _)| format!("the {face}")).collect();
    let idle = match idle.as_slice() {
        [] => String::new(),
        idle => format!(", {} nothing", list(idle.iter().map(String::as_str))),
    };
    let faces: Vec<String> = moving
        .iter()
        .map(|(face, _)| format!("the {face}"))
        .collect();
    let verb = if faces.len() == 1 { "moves" } else { "move" };
    let needs: Vec<String> = unmoved
        .needs
        .iter()
        .map(|face| format!("a {face}"))
        .collect();
    format!(
        "{} {verb} {}{idle}; the {} needs {}",
        list(faces.iter().map(String::as_str)),
        list(moved),
        either(kinds.iter().map(|one| kind(info, *one))),
        either(needs.iter().map(String::as_str))
    )
}

/// A kind that dice move: `Horse`, `pawns`.
fn plural_pawn(info: &Info, of: KindId) -> &'static str {
    match kind(info, of) {
        "Pawn" => "pawns",
        name => name,
    }
}

fn no_square(info: &Info, square: Square) -> String {
    let shape = info.shape;
    let last = Square::new(shape.files.saturating_sub(1), shape.ranks.saturating_sub(1));
    let corners = match shape.corner {
        0 => "",
        _ => ", without its four corners",
    };
    let (file, rank) = (
        char::from(b'a' + last.file() % 26),
        u16::from(last.rank()) + 1,
    );
    format!(
        "{square} is no square of this board, which has files a to {file} and ranks 1 to {rank}{corners}"
    )
}

fn waiting(info: &Info, at: Square, becomes: &[KindId]) -> String {
    let pawn = pawn(info);
    match becomes {
        [] => format!(
            "the {pawn} on {at} waits for its promotion and cannot move; no piece is left that it could become"
        ),
        kinds => {
            let kinds = kinds.iter().map(|one| kind(info, *one));
            format!(
                "the {pawn} on {at} waits and cannot move: it is promoted when its army's {} is captured",
                either(kinds)
            )
        }
    }
}

/// The rule of a piece, and where it can go: `the Padati on h2 goes one step straight on: h3`.
fn cannot_reach(info: &Info, piece: Piece, step: Step, can: &[Square]) -> String {
    let takes = can.iter().any(|to| !is_straight_on(info, piece, *to));
    let how = match step {
        Step::Pawn if takes || can.is_empty() => {
            "goes one step straight on, and takes one step diagonally forward"
        }
        step => ways(step),
    };
    let rule = format!("the {} on {} {how}", kind(info, piece.kind), piece.at);
    match can {
        [] => format!("{rule}. It has no legal move now"),
        can => format!("{rule}: {}", either_square(can)),
    }
}

/// How a kind of piece moves, as a verb (docs/rules.md, G4, G5 and CG2).
fn ways(step: Step) -> &'static str {
    match step {
        Step::King => "goes one step in any direction",
        Step::Rook => "slides along ranks and files",
        Step::Bishop => "slides along diagonals",
        Step::Knight => "leaps two squares and one aside, over anything",
        Step::Alfil => "leaps exactly two squares diagonally, over anything",
        Step::Dabbaba => "leaps exactly two squares along rank or file, over anything",
        Step::Fers => "goes one step diagonally",
        Step::Silver => "goes one step straight on, or one step diagonally",
        Step::Queen => "slides along ranks, files and diagonals",
        Step::Infanta => "slides along ranks and files, or leaps exactly two squares diagonally",
        Step::Marshal => "slides along ranks and files, or leaps two squares and one aside",
        Step::Kangaroo => "leaps two squares and one aside, or exactly two squares diagonally",
        Step::Pawn => "goes one step straight on",
    }
}

fn is_straight_on(info: &Info, piece: Piece, to: Square) -> bool {
    let forward = info.army(piece.seat).forward;
    info.shape.step(piece.at, forward) == Some(to)
}

fn can_go(info: &Info, piece: Piece, can: &[Square]) -> String {
    let man = format!("The {} on {}", kind(info, piece.kind), piece.at);
    match can {
        [] => format!("{man} has no legal move now"),
        can => format!("{man} can go to {}", either_square(can)),
    }
}

fn either_square(squares: &[Square]) -> String {
    let squares: Vec<String> = squares.iter().map(Square::to_string).collect();
    either(squares.iter().map(String::as_str))
}

/// `the Ratha on e8`.
fn on(info: &Info, piece: Piece) -> String {
    format!("the {} on {}", kind(info, piece.kind), piece.at)
}

/// `your own Padati on g2`, `Black's Ratha on e8`.
fn owned(info: &Info, piece: Piece, mover: Seat) -> String {
    let whose = match piece.seat == mover {
        true => "your own".to_owned(),
        false => format!("{}'s", army(info, piece.seat)),
    };
    let dead = if piece.dead { "dead " } else { "" };
    format!("{whose} {dead}{} on {}", kind(info, piece.kind), piece.at)
}

fn spared(info: &Info, victim: Piece) -> String {
    let man = format!("{} on {}", kind(info, victim.kind), victim.at);
    match info.partners {
        true => format!("your partner's {man}"),
        false => format!(
            "{}'s {man} is under the same command and",
            army(info, victim.seat)
        ),
    }
}

#[cfg(test)]
mod tests;
