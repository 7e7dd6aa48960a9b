//! Squares, pieces, seat tabs and coordinates.

use image::Rgb;

use crate::area::Area;
use crate::font;
use crate::geometry::{Seen, View};
use crate::marks;
use crate::picture::Picture;
use crate::scene::{Mark, PieceState, Placed, Scene};
use crate::sprites::{Backdrop, Sprites};
use crate::squares::Square;
use crate::theme::{Coat, Theme};

/// Draws the board with all that is on it.
pub(crate) fn draw(canvas: &mut Picture, scene: &Scene, view: &View) {
    let sprites = Sprites::of(scene.theme, view.square as u32);
    coordinates(canvas, view);
    let pieces = by_square(scene);
    for rank in 0..scene.board.ranks {
        for file in 0..scene.board.files {
            let at = (file, rank);
            if scene.board.has(at) {
                let piece = pieces[place(scene, at)];
                square(canvas, &sprites, scene, view, at, piece);
            }
        }
    }
    for mark in &scene.marks {
        marks::over(canvas, &sprites, view, mark);
    }
}

fn by_square(scene: &Scene) -> Vec<Option<&Placed>> {
    let mut squares = vec![None; usize::from(scene.board.files) * usize::from(scene.board.ranks)];
    for piece in &scene.pieces {
        squares[place(scene, piece.at)] = Some(piece);
    }
    squares
}

fn place(scene: &Scene, (file, rank): Square) -> usize {
    usize::from(rank) * usize::from(scene.board.files) + usize::from(file)
}

fn square(
    canvas: &mut Picture,
    sprites: &Sprites,
    scene: &Scene,
    view: &View,
    at: Square,
    piece: Option<&Placed>,
) {
    let area = view.area(at);
    let marks = || scene.marks.iter().filter(|mark| marks::lies_on(mark, at));
    let under = Backdrop {
        dark: (at.0 + at.1).is_multiple_of(2),
        lit: marks().any(lights),
    };
    let throne = scene.board.marked.contains(&at);
    let plain = !throne && marks().next().is_none();
    if throne {
        canvas.copy(&sprites.throne(under), area.x, area.y);
    } else if !plain || piece.is_none() {
        canvas.fill(area, under.colour(canvas.palette));
    }
    for mark in marks() {
        marks::under(canvas, area, mark, piece.is_some());
    }
    let Some(piece) = piece else { return };
    let tile = sprites.tile(piece.shape, piece.colour, piece.state, under);
    if plain {
        canvas.copy(&tile, area.x, area.y);
    } else {
        canvas.copy_through(&tile, area.x, area.y, under.colour(canvas.palette));
    }
    if piece.state != PieceState::Dead {
        tab(
            canvas,
            area,
            view.seen(piece.home),
            &canvas.palette.colours().army(piece.colour),
        );
        if scene.theme == Theme::ColourBlind {
            let inset = if plain {
                (area.width / 24).max(1)
            } else {
                marks::thick(area.width)
            };
            letter(
                canvas,
                area.inset(inset),
                under.colour(canvas.palette),
                piece.colour.letter(),
            );
        }
    }
}

const fn lights(mark: &Mark) -> bool {
    matches!(mark, Mark::LastFrom(_) | Mark::LastTo(_) | Mark::Select(_))
}

/// The seat tab: a bar on the edge that faces the army's home, 0.34 by 0.085 of the square.
fn tab(canvas: &mut Picture, area: Area, side: Seen, coat: &Coat) {
    let size = area.width;
    let (long, thick) = ((size * 34 + 50) / 100, ((size * 85 + 500) / 1000).max(3));
    let (x, y) = (area.x + (size - long) / 2, area.y + (size - long) / 2);
    let bar = match side {
        Seen::Below => Area::new(x, area.y + size - thick, long, thick),
        Seen::Above => Area::new(x, area.y, long, thick),
        Seen::Left => Area::new(area.x, y, thick, long),
        Seen::Right => Area::new(area.x + size - thick, y, thick, long),
    };
    let line = (size / 40).max(1);
    canvas.fill(bar, coat.outline);
    canvas.fill(bar.inset(line), coat.fill);
}

/// The army's letter in the upper left corner, with a halo of the background about it.
fn letter(canvas: &mut Picture, area: Area, halo: Rgb<u8>, letter: char) {
    let size = (area.width * 29 / 100).max(9) as u32;
    let ink = canvas.palette.colours().ink;
    let (x, y) = (area.x, area.y + font::capital(size));
    let mut text = [0; 4];
    let text = letter.encode_utf8(&mut text);
    let wide = (area.width / 40).max(1);
    for (dx, dy) in [
        (-1, -1),
        (0, -1),
        (1, -1),
        (-1, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
    ] {
        canvas.write(text, x + dx * wide, y + dy * wide, size, halo);
    }
    canvas.write(text, x, y, size, ink);
}

/// The em of the coordinates: capitals and figures are 3 % of the picture high.
pub(crate) fn label_size(view: &View) -> u32 {
    (view.extent as u32 * 43).div_ceil(1000)
}

fn coordinates(canvas: &mut Picture, view: &View) {
    let size = label_size(view);
    // figures are centred by their height; letters share their base line, so that j and g hang below it
    let drop = font::capital(size) / 2;
    let away = view.margin() / 2;
    let (near_x, far_x) = (
        (view.left - away) as f32,
        (view.extent - view.left + away) as f32,
    );
    let (near_y, far_y) = (view.top - away, view.extent - view.top + away);
    for column in 0..view.columns {
        let middle = view.left as f32 + (f32::from(column) + 0.5) * view.square as f32;
        let label = view.column_label(column);
        for y in [near_y, far_y] {
            self::label(canvas, &label, middle, y + drop, size);
        }
    }
    for row in 0..view.rows {
        let middle = view.top + i32::from(row) * view.square + view.square / 2;
        let label = view.row_label(row);
        for x in [near_x, far_x] {
            self::label(canvas, &label, x, middle + drop, size);
        }
    }
}

/// One label about the middle x; the figures of two close together, to stay clear of the board.
fn label(canvas: &mut Picture, text: &str, middle: f32, base: i32, size: u32) {
    let colour = canvas.palette.colours().text;
    let tight = (size / 12) as i32;
    let gaps = text.len() as i32 - 1;
    let width = font::width(text, size) - (gaps * tight) as f32;
    let mut pen = (middle - width / 2.0).round() as i32;
    for letter in text.chars() {
        pen = canvas.write(letter.encode_utf8(&mut [0; 4]), pen, base, size, colour) - tight;
    }
}
