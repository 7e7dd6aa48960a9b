//! Names, scores and dice beside the board.

use image::Rgb;

use crate::area::Area;
use crate::board::label_size;
use crate::dice;
use crate::font;
use crate::geometry::{Seen, View};
use crate::picture::Picture;
use crate::scene::{PieceState, Scene, SeatLine};
use crate::sprites::{Backdrop, Sprites};

/// The panel at the right of a wide picture.
pub(crate) fn wide(canvas: &mut Picture, scene: &Scene, view: &View) {
    let panel = &scene.panel;
    let colours = canvas.palette.colours();
    let unit = |px: i32| (px * view.extent / 720).max(1);
    let edge = view.top.max(unit(20));
    let (left, right) = (view.extent, canvas.frame.width() as i32 - unit(28));
    let room = right - left;
    let title = font::spelled(&panel.title);
    let size = label_size(view);
    let (lines, size) = match font::fitting(&title, size, room) {
        Some(size) => (vec![title], size),
        None => (font::lines(&title, size, room, 2), size),
    };
    let (leading, base) = (leading(size), (edge + font::capital(size)) / 2);
    for (place, line) in (0..).zip(&lines) {
        canvas.write(line, left, base + place * leading, size, colours.text);
    }

    let (tall, gap) = (unit(90), unit(12));
    let mut y = edge;
    if lines.len() > 1 {
        y += leading + gap;
    }
    for (seat, name) in panel.seats.iter().zip(names(&panel.seats)) {
        seat_card(canvas, scene, seat, &name, Area::new(left, y, room, tall));
        y += tall + gap;
    }
    let size = unit(80);
    for (place, &die) in (0..).zip(&panel.dice) {
        dice::draw(
            canvas,
            Area::square(left + place * (size + gap), y + gap / 2, size),
            die,
        );
    }
    if !panel.dice.is_empty() {
        y += size + 2 * gap;
    }
    note(
        canvas,
        &panel.note,
        Area::new(left, y, room, view.extent - edge - y),
        unit(24) as u32,
    );
}

/// The seats in the empty corners of a cross, each beside its home side, with the dice of the one on turn.
/// Gives whether the dice have been drawn.
pub(crate) fn corners(canvas: &mut Picture, scene: &Scene, view: &View, lines: u8) -> bool {
    let size = i32::from(lines) * view.square;
    let inset = view.square / 5;
    let (right, below) = (
        view.extent - view.left - size,
        view.extent - view.top - size,
    );
    let mut thrown = false;
    let seats = &scene.panel.seats;
    for (seat, name) in seats.iter().zip(names(seats)) {
        let (x, y) = match view.seen(seat.home) {
            Seen::Below => (view.left, below),
            Seen::Left => (view.left, view.top),
            Seen::Above => (right, view.top),
            Seen::Right => (right, below),
        };
        let area = Area::square(x, y, size).inset(inset);
        corner_card(canvas, scene, seat, &name, area);
        thrown |= seat.to_move;
    }
    thrown
}

/// Dice in the corners of the frame of a full board.
pub(crate) fn frame_dice(canvas: &mut Picture, scene: &Scene, view: &View) {
    let size = view.left.min(view.top) * 4 / 5;
    let (near, far) = (
        (view.left.min(view.top) - size) / 2,
        view.extent - size - (view.left.min(view.top) - size) / 2,
    );
    let corners = [(near, near), (far, near), (far, far)];
    for (&die, (x, y)) in scene.panel.dice.iter().zip(corners) {
        dice::draw(canvas, Area::square(x, y, size), die);
    }
}

/// A card: light and ringed for the seat on turn. Gives what is within its border.
fn card(canvas: &mut Picture, scene: &Scene, seat: &SeatLine, area: Area) -> Backdrop {
    let under = Backdrop {
        dark: !seat.to_move,
        lit: false,
    };
    let round = area.width.min(area.height) / 8;
    let line = (scene.width as i32 / 144).max(2);
    if seat.to_move {
        canvas.card(area, round, canvas.palette.colours().ring);
        canvas.card(area.inset(line), round - line, under.colour(canvas.palette));
    } else {
        canvas.card(area, round, under.colour(canvas.palette));
    }
    under
}

fn king(canvas: &mut Picture, scene: &Scene, seat: &SeatLine, area: Area, under: Backdrop) {
    let state = if seat.out {
        PieceState::Dead
    } else {
        PieceState::Live
    };
    let tile =
        Sprites::of(scene.theme, area.width as u32).tile(seat.king, seat.colour, state, under);
    canvas.copy(&tile, area.x, area.y);
}

fn ink(canvas: &Picture, seat: &SeatLine) -> Rgb<u8> {
    if seat.out {
        canvas.palette.colours().dim
    } else {
        canvas.palette.colours().ink
    }
}

fn seat_card(canvas: &mut Picture, scene: &Scene, seat: &SeatLine, name: &str, area: Area) {
    let under = card(canvas, scene, seat, area);
    let ink = ink(canvas, seat);
    let inset = area.height / 10;
    let crown = Area::square(
        area.x + inset * 3 / 2,
        area.y + inset,
        area.height - 2 * inset,
    );
    king(canvas, scene, seat, crown, under);
    let (large, small) = (
        (area.height * 44 / 100) as u32,
        (area.height * 34 / 100) as u32,
    );
    let mut end = area.x + area.width - 2 * inset;
    if let Some(score) = &seat.score {
        let score = font::fit(&font::spelled(score), large, area.width / 3);
        end -= font::width(&score, large).ceil() as i32;
        canvas.write(&score, end, middle_base(area, large), large, ink);
        end -= inset;
    }
    let start = crown.x + crown.width + inset;
    let (name, small) = font::shrink(name, small, end - start);
    canvas.write(&name, start, middle_base(area, small), small, ink);
}

fn corner_card(canvas: &mut Picture, scene: &Scene, seat: &SeatLine, name: &str, area: Area) {
    let under = card(canvas, scene, seat, area);
    let ink = ink(canvas, seat);
    let inset = area.width / 14;
    let inner = area.inset(inset);
    // a third each for King and score, name, dice
    let crown = Area::square(inner.x, inner.y, inner.height * 45 / 100);
    king(canvas, scene, seat, crown, under);
    let large = (crown.height * 70 / 100) as u32;
    if let Some(score) = &seat.score {
        let score = font::fit(&font::spelled(score), large, inner.width - crown.width);
        let start = inner.x + inner.width - font::width(&score, large).ceil() as i32 - inset / 2;
        canvas.write(&score, start, middle_base(crown, large), large, ink);
    }
    let small = (inner.height * 20 / 100) as u32;
    let first = Area::new(
        inner.x,
        inner.y + crown.height + inset / 2,
        inner.width,
        inner.height * 22 / 100,
    );
    let thrown = seat.to_move && !scene.panel.dice.is_empty();
    // where no dice are, there is room for a second line
    let most = if thrown { 1 } else { 2 };
    let lines = font::lines(name, small, inner.width - inset / 2, most);
    for (place, line) in (0..).zip(&lines) {
        let base = middle_base(first, small) + place * leading(small);
        canvas.write(line, inner.x + inset / 4, base, small, ink);
    }
    if thrown {
        let size = inner.height * 28 / 100;
        for (place, &die) in (0..).zip(&scene.panel.dice) {
            let x = inner.x + place * (size + inset);
            dice::draw(
                canvas,
                Area::square(x, inner.y + inner.height - size, size),
                die,
            );
        }
    }
}

/// Base line that centres figures and capitals in an area.
fn middle_base(area: Area, size: u32) -> i32 {
    area.y + (area.height + font::capital(size)) / 2
}

/// As many lines of `text` as fit.
fn note(canvas: &mut Picture, text: &str, area: Area, size: u32) {
    let colour = canvas.palette.colours().text;
    let leading = leading(size);
    let most = usize::try_from(area.height / leading).unwrap_or(0);
    let lines = font::lines(&font::spelled(text), size, area.width, most);
    for (place, line) in (0..).zip(&lines) {
        let base = area.y + leading * place + leading * 3 / 4;
        canvas.write(line, area.x, base, size, colour);
    }
}

/// From one base line to the next.
const fn leading(size: u32) -> i32 {
    (size * 4 / 3) as i32
}

/// Letters that a shortened name still shows.
const SHOWN: usize = 7;

/// What to write on each card: the name as it can be spelled, after the seat where another's begins alike.
fn names(seats: &[SeatLine]) -> Vec<String> {
    let spelled: Vec<String> = seats.iter().map(|seat| font::spelled(&seat.name)).collect();
    let beginning = |name: &str| name.to_lowercase().chars().take(SHOWN).collect::<String>();
    let alike = |seat: &SeatLine, name: &str| {
        let mut all = seats.iter().zip(&spelled);
        all.any(|(other, same)| other.name != seat.name && beginning(same) == beginning(name))
    };
    let written = |(seat, name): (&SeatLine, &String)| match name.as_str() {
        "" => font::spelled(&seat.fallback),
        name if alike(seat, name) => format!("{} · {name}", font::spelled(&seat.fallback)),
        name => name.to_owned(),
    };
    seats.iter().zip(&spelled).map(written).collect()
}
