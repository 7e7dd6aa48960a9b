//! Dice.

use crate::area::Area;
use crate::picture::Picture;
use crate::scene::Die;
use crate::shape::Colour;

/// Draws a die: white, or greyed once it has been played.
pub(crate) fn draw(canvas: &mut Picture, area: Area, die: Die) {
    let colours = canvas.palette.colours();
    let coat = colours.army(Colour::White);
    let size = area.width;
    let round = size / 5;
    let (edge, face, pip) = if die.used {
        (colours.dead.fill, colours.dead.fill, colours.squares[1])
    } else {
        (coat.outline, coat.fill, coat.outline)
    };
    let line = (size / 24).max(1);
    canvas.card(area, round, edge);
    canvas.card(area.inset(line), round - line, face);
    let (x, y) = area.centre();
    let step = size as f32 * 0.25;
    for &(column, row) in pips(die.face) {
        canvas.disc(
            (x + f32::from(column) * step, y + f32::from(row) * step),
            size as f32 * 0.1,
            pip,
        );
    }
}

/// Where the pips are, in steps from the middle.
const fn pips(face: u8) -> &'static [(i8, i8)] {
    match face {
        1 => &[(0, 0)],
        2 => &[(1, -1), (-1, 1)],
        3 => &[(1, -1), (0, 0), (-1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6 => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        _ => &[],
    }
}
