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
    let (title, size) = font::shrink(drawable(&panel.title, ""), label_size(view), room);
    canvas.write(
        &title,
        left,
        (edge + font::capital(size)) / 2,
        size,
        colours.text,
    );

    let (tall, gap) = (unit(90), unit(12));
    let mut y = edge;
    for seat in &panel.seats {
        seat_card(canvas, scene, seat, Area::new(left, y, room, tall));
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
    for seat in &scene.panel.seats {
        let (x, y) = match view.seen(seat.home) {
            Seen::Below => (view.left, below),
            Seen::Left => (view.left, view.top),
            Seen::Above => (right, view.top),
            Seen::Right => (right, below),
        };
        corner_card(canvas, scene, seat, Area::square(x, y, size).inset(inset));
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

fn seat_card(canvas: &mut Picture, scene: &Scene, seat: &SeatLine, area: Area) {
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
        let score = font::fit(drawable(score, "?"), large, area.width / 3);
        end -= font::width(&score, large).ceil() as i32;
        canvas.write(&score, end, middle_base(area, large), large, ink);
        end -= inset;
    }
    let start = crown.x + crown.width + inset;
    let (name, small) = font::shrink(drawable(&seat.name, &seat.fallback), small, end - start);
    canvas.write(&name, start, middle_base(area, small), small, ink);
}

fn corner_card(canvas: &mut Picture, scene: &Scene, seat: &SeatLine, area: Area) {
    let under = card(canvas, scene, seat, area);
    let ink = ink(canvas, seat);
    let inset = area.width / 14;
    let inner = area.inset(inset);
    // a third each for King and score, name, dice
    let crown = Area::square(inner.x, inner.y, inner.height * 45 / 100);
    king(canvas, scene, seat, crown, under);
    let large = (crown.height * 70 / 100) as u32;
    if let Some(score) = &seat.score {
        let score = font::fit(drawable(score, "?"), large, inner.width - crown.width);
        let start = inner.x + inner.width - font::width(&score, large).ceil() as i32 - inset / 2;
        canvas.write(&score, start, middle_base(crown, large), large, ink);
    }
    let small = (inner.height * 20 / 100) as u32;
    let line = Area::new(
        inner.x,
        inner.y + crown.height + inset / 2,
        inner.width,
        inner.height * 22 / 100,
    );
    let name = font::fit(
        drawable(&seat.name, &seat.fallback),
        small,
        inner.width - inset / 2,
    );
    canvas.write(
        &name,
        inner.x + inset / 4,
        middle_base(line, small),
        small,
        ink,
    );
    if seat.to_move {
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

/// As many lines of `text` as fit, broken at spaces, the last one shortened.
fn note(canvas: &mut Picture, text: &str, area: Area, size: u32) {
    let text = drawable(text, "");
    let colour = canvas.palette.colours().text;
    let leading = (size * 4 / 3) as i32;
    let lines = usize::try_from(area.height / leading).unwrap_or(0);
    let mut rest = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in 0..lines {
        if rest.is_empty() {
            break;
        }
        let last = line + 1 == lines;
        let cut = if last {
            rest.len()
        } else {
            break_at(&rest, size, area.width)
        };
        let (now, later) = rest.split_at(cut);
        let base = area.y + leading * line as i32 + leading * 3 / 4;
        canvas.write(
            &font::fit(now.trim_end(), size, area.width),
            area.x,
            base,
            size,
            colour,
        );
        rest = later.trim_start().to_owned();
    }
}

/// The length of the longest beginning of `text` that fits and ends before a space; a first word too long is
/// taken whole.
fn break_at(text: &str, size: u32, room: i32) -> usize {
    let fits = |end: usize| font::width(&text[..end], size) <= room as f32;
    let ends = || {
        text.match_indices(' ')
            .map(|(end, _)| end)
            .chain([text.len()])
    };
    ends()
        .take_while(|&end| fits(end))
        .last()
        .or_else(|| ends().next())
        .unwrap_or(text.len())
}

/// `text`, or what stands in for it if the font lacks letters of it.
fn drawable<'a>(text: &'a str, fallback: &'a str) -> &'a str {
    if font::covers(text) { text } else { fallback }
}
