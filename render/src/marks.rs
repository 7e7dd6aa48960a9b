//! What is pointed out on the board: rings, brackets, dots, arrows.

use crate::area::Area;
use crate::geometry::View;
use crate::picture::Picture;
use crate::scene::Mark;
use crate::sprites::{Sign, Sprites, edge};
use crate::squares::Square;
use crate::theme::Coat;

/// Dashes along one side of the dashed ring, gaps included; odd, so that both corners are drawn.
const DASHES: i32 = 9;

/// Whether a mark belongs to one square, and that is `at`.
pub(crate) fn lies_on(mark: &Mark, at: Square) -> bool {
    match *mark {
        Mark::LastFrom(on)
        | Mark::LastTo(on)
        | Mark::Check(on)
        | Mark::Select(on)
        | Mark::Target(on) => on == at,
        Mark::Earlier { .. } => false,
    }
}

/// What of a mark lies under the piece of its square.
pub(crate) fn under(canvas: &mut Picture, area: Area, mark: &Mark, occupied: bool) {
    let colours = canvas.palette.colours();
    let thick = thick(area.width);
    match mark {
        Mark::LastFrom(_) => dashed(canvas, area, thick),
        Mark::LastTo(_) => canvas.border(area, thick, colours.ring),
        Mark::Check(_) => {
            let casing = (thick / 3).max(1);
            canvas.border(area, thick + casing, colours.check.outline);
            canvas.border(area, thick, colours.check.fill);
        }
        Mark::Select(_) => brackets(canvas, area, thick, area.width * 3 / 10),
        Mark::Target(_) if occupied => brackets(canvas, area, thick, area.width / 5),
        Mark::Target(_) => canvas.disc(area.centre(), area.width as f32 * 0.15, colours.ring),
        Mark::Earlier { .. } => {}
    }
}

/// What of a mark lies over the pieces.
pub(crate) fn over(canvas: &mut Picture, sprites: &Sprites, view: &View, mark: &Mark) {
    match *mark {
        Mark::Check(at) => {
            let area = view.area(at);
            let x = area.x + area.width - sprites.badge() as i32 - edge(area.width as u32);
            let coat = canvas.palette.colours().check;
            canvas.paint(
                &sprites.sign(Sign::Check),
                &coat,
                x,
                area.y + edge(area.width as u32),
            );
        }
        Mark::Earlier { from, to, colour } => {
            let coat = canvas.palette.colours().army(colour);
            arrow(
                canvas,
                view.area(from).centre(),
                view.area(to).centre(),
                view.square as f32,
                &coat,
            );
        }
        Mark::LastFrom(_) | Mark::LastTo(_) | Mark::Select(_) | Mark::Target(_) => {}
    }
}

/// Width of a ring: 6 % of the square.
pub(crate) fn thick(square: i32) -> i32 {
    ((square * 6 + 50) / 100).max(2)
}

fn dashed(canvas: &mut Picture, area: Area, thick: i32) {
    let ring = canvas.palette.colours().ring;
    let Area {
        x,
        y,
        width,
        height,
    } = area;
    for dash in (0..DASHES).step_by(2) {
        let (from, to) = (dash * width / DASHES, (dash + 1) * width / DASHES);
        for line in [y, y + height - thick] {
            canvas.fill(Area::new(x + from, line, to - from, thick), ring);
        }
        for line in [x, x + width - thick] {
            canvas.fill(Area::new(line, y + from, thick, to - from), ring);
        }
    }
}

/// The corners of a ring, `long` pixels along each side.
fn brackets(canvas: &mut Picture, area: Area, thick: i32, long: i32) {
    let ring = canvas.palette.colours().ring;
    let Area {
        x,
        y,
        width,
        height,
    } = area;
    for left in [true, false] {
        for top in [true, false] {
            let line_x = if left { x } else { x + width - thick };
            let line_y = if top { y } else { y + height - thick };
            let start_x = if left { x } else { x + width - long };
            let start_y = if top { y } else { y + height - long };
            canvas.fill(Area::new(start_x, line_y, long, thick), ring);
            canvas.fill(Area::new(line_x, start_y, thick, long), ring);
        }
    }
}

/// A thin arrow between the middles of two squares in an army's colours, its outline as casing.
fn arrow(canvas: &mut Picture, from: (f32, f32), to: (f32, f32), square: f32, coat: &Coat) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < square / 2.0 {
        return;
    }
    let (dx, dy) = (dx / length, dy / length);
    let (half, casing) = ((square * 0.03).max(1.0), (square * 0.022).max(1.0));
    let (head, wing) = (square * 0.24, square * 0.13);
    // from within its first square to the edge of the piece on its last
    let (start, tip) = (square * 0.1, length - square * 0.32);
    let neck = tip - head;
    let distance = |x: f32, y: f32| {
        let along = (x - from.0) * dx + (y - from.1) * dy;
        let across = ((x - from.0) * dy - (y - from.1) * dx).abs();
        let shaft = (along - along.clamp(start, neck.max(start))).hypot(across) - half;
        let slope = ((along - tip) * wing + across * head) / head.hypot(wing);
        shaft.min(slope.max(neck - along))
    };
    let pad = wing + casing + 2.0;
    let ends = ((from.0, from.1), (from.0 + dx * tip, from.1 + dy * tip));
    for (colour, grow) in [(coat.outline, casing), (coat.fill, 0.0)] {
        let (top, bottom) = (ends.0.1.min(ends.1.1) - pad, ends.0.1.max(ends.1.1) + pad);
        for y in top as i32..=bottom as i32 {
            let (left, right) = reach(ends, y as f32, pad);
            let row = Area::new(left as i32, y, right as i32 + 1 - left as i32, 1);
            canvas.cover(row, colour, |x, y| distance(x, y) - grow);
        }
    }
}

/// The columns in which a line from a to b, `pad` thick, can touch row `y`.
fn reach((a, b): ((f32, f32), (f32, f32)), y: f32, pad: f32) -> (f32, f32) {
    let rise = b.1 - a.1;
    let at = |row: f32| {
        let part = if rise.abs() < 0.01 {
            0.0
        } else {
            ((row - a.1) / rise).clamp(0.0, 1.0)
        };
        a.0 + (b.0 - a.0) * part
    };
    if rise.abs() < 0.01 {
        return (a.0.min(b.0) - pad, a.0.max(b.0) + pad);
    }
    let (one, other) = (at(y - pad), at(y + pad));
    (one.min(other) - pad, one.max(other) + pad)
}
