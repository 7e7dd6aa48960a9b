//! Seats by the names people give them: the seat's, the army's, or an unambiguous beginning of either.

use crate::rules::{Info, Seat};

/// The seat of this name in a game; `None` when there is none, or several begin so.
pub fn named(info: &'static Info, text: &str) -> Option<Seat> {
    let text = text.trim().to_lowercase();
    let seats = || info.seats.iter().copied();
    let army = |seat: Seat| info.army(seat).name.to_lowercase();
    seats()
        .find(|seat| seat.name() == text)
        .or_else(|| seats().find(|seat| army(*seat) == text))
        .or_else(|| {
            let begins =
                |seat: &Seat| seat.name().starts_with(&text) || army(*seat).starts_with(&text);
            let mut fitting = seats().filter(begins);
            let first = fitting.next().filter(|_| !text.is_empty());
            first.filter(|_| fitting.next().is_none())
        })
}

/// What the seats of a game are called: `south (Red)`.
pub fn names(info: &'static Info) -> Vec<String> {
    let name = |seat: &Seat| match info.army(*seat).name {
        army if army.eq_ignore_ascii_case(seat.name()) => seat.to_string(),
        army => format!("{seat} ({army})"),
    };
    info.seats.iter().map(name).collect()
}
