//! What seats, armies, pieces and numbers are called.

use crate::command::text::Text;
use crate::rules::{Info, KindId, Play, Seat, Step, parse_move};
use crate::table::Table;

/// The army of a seat: `Red`.
pub(crate) fn army(info: &Info, seat: Seat) -> &'static str {
    info.army(seat).name
}

/// A seat with its army's name before it: `Red (south)`, or `White` where both are the same.
pub(super) fn seat_name(info: &Info, seat: Seat) -> String {
    let name = army(info, seat);
    if name.eq_ignore_ascii_case(seat.name()) {
        name.to_owned()
    } else {
        format!("{name} ({seat})")
    }
}

/// A kind of piece: `Horse`.
pub(super) fn kind(info: &Info, kind: KindId) -> &'static str {
    info.kind(kind).name
}

/// A kind of piece with its article: `a Horse`, `an Infanta`.
pub(super) fn one(info: &Info, of: KindId) -> String {
    let name = kind(info, of);
    let article = match name.chars().next() {
        Some('A' | 'E' | 'I' | 'O' | 'U') => "an",
        _ => "a",
    };
    format!("{article} {name}")
}

/// A move of a record as people read it: `e7–e6`, `a7–a8=F`.
pub(super) fn move_read(info: &Info, text: &str) -> String {
    let Ok(moved) = parse_move(info, text) else {
        return text.to_owned();
    };
    let promotion = moved.promotion.map(|made| info.kind(made).letter);
    let promotion = promotion.map_or(String::new(), |letter| format!("={letter}"));
    format!("{}–{}{promotion}", moved.from, moved.to)
}

/// What the game calls its pawn: `Pawn`, `Padati`.
pub(super) fn pawn(info: &Info) -> &'static str {
    let mut kinds = info.kinds.iter();
    let pawn = kinds.find(|kind| kind.step == Step::Pawn);
    pawn.map_or("Pawn", |kind| kind.name)
}

/// Who answers for a seat and for which army, without notifying: `@ada (Red)`; the army alone where nobody sits.
pub(super) fn player(table: &Table, seat: Seat) -> Text {
    let name = army(table.info(), seat);
    match table.sitter(seat) {
        Some(person) => Text::new().person(person).plain(format!(" ({name})")),
        None => Text::from(name),
    }
}

/// Who plays an army in a position, without notifying: the player who commands it (FH8), as in
/// `@ada (Green, under Red's command)`.
pub(super) fn acting(table: &Table, play: &Play, seat: Seat) -> Text {
    let name = under_command(play, seat);
    match table.sitter(play.commander(seat)) {
        Some(person) => Text::new().person(person).plain(format!(" ({name})")),
        None => Text::from(name),
    }
}

/// An army, and whose command it is under (FH8): `Red`, or `Green, under Red's command`.
pub(super) fn under_command(play: &Play, seat: Seat) -> String {
    let info = play.info();
    let commander = play.commander(seat);
    if commander == seat {
        army(info, seat).to_owned()
    } else {
        format!(
            "{}, under {}'s command",
            army(info, seat),
            army(info, commander)
        )
    }
}

/// Armies in a row: `Red, Green and Black`.
pub(super) fn armies(info: &Info, seats: impl IntoIterator<Item = Seat>) -> String {
    list(seats.into_iter().map(|seat| army(info, seat)))
}

/// Words in a row, the last joined by "and".
pub(super) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words, "and")
}

/// Words in a row, the last joined by "or".
pub(super) fn either<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words, "or")
}

fn joined<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// Texts in a row, the last joined by "and".
pub(super) fn list_of(texts: Vec<Text>) -> Text {
    let count = texts.len();
    let mut listed = Text::new();
    for (index, text) in texts.into_iter().enumerate() {
        let between = match index {
            0 => "",
            _ if index + 1 == count => " and ",
            _ => ", ",
        };
        listed = listed.plain(between).then(text);
    }
    listed
}

/// `1 point`, `2 points`.
pub(super) fn counted(number: usize, word: &str) -> String {
    if number == 1 {
        format!("1 {word}")
    } else {
        format!("{number} {word}s")
    }
}

/// Dice in a row: `3 and 5`.
pub(super) fn dice(faces: &[u8]) -> String {
    let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
    list(faces.iter().map(String::as_str))
}
