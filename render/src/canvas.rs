//! A frame with its palette: masks, smooth edges, writing.

use std::collections::HashMap;

use crate::font::{self, Glyph};
use crate::frame::{Area, Frame};
use crate::mask::{Mask, WHOLE, Weights};
use crate::palette::{Palette, STEPS};
use crate::theme::{Coat, Rgb};

pub(crate) struct Canvas<'a> {
    pub(crate) frame: &'a mut Frame,
    pub(crate) palette: &'static Palette,
}

impl Canvas<'_> {
    pub(crate) fn fill(&mut self, area: Area, colour: Rgb) {
        let colour = self.palette.index(colour);
        self.frame.fill(area, colour);
    }

    pub(crate) fn border(&mut self, area: Area, thick: i32, colour: Rgb) {
        let colour = self.palette.index(colour);
        self.frame.border(area, thick, colour);
    }

    /// Paints a drawing in a coat of colours over what is there.
    pub(crate) fn paint(&mut self, mask: &Mask, coat: &Coat, x: i32, y: i32) {
        let palette = self.palette;
        let mut known: HashMap<(u8, Weights), u8> = HashMap::new();
        for (row, line) in (y..).zip(mask.rows()) {
            let (from, span) = self.frame.span(row, x, x + mask.size() as i32);
            for (pixel, &weights) in span.iter_mut().zip(&line[(from - x) as usize..]) {
                if !weights.is_clear() {
                    *pixel =
                        *known
                            .entry((*pixel, weights))
                            .or_insert_with_key(|&(under, weights)| {
                                palette.index(mix(palette.rgb(under), coat, weights))
                            });
                }
            }
        }
    }

    /// Colours all pixels of `area` whose middles `distance` says are inside (negative), its edge smoothly.
    /// `distance` is in pixels.
    pub(crate) fn cover(&mut self, area: Area, colour: Rgb, distance: impl Fn(f32, f32) -> f32) {
        let over = self.palette.index(colour);
        for y in area.y..area.y + area.height {
            self.cover_row(y, area.x, area.x + area.width, over, &distance);
        }
    }

    pub(crate) fn cover_row(
        &mut self,
        y: i32,
        from: i32,
        to: i32,
        over: u8,
        distance: &impl Fn(f32, f32) -> f32,
    ) {
        let palette = self.palette;
        let (from, span) = self.frame.span(y, from, to);
        for (x, pixel) in (from..).zip(span) {
            let share = 0.5 - distance(x as f32 + 0.5, y as f32 + 0.5);
            if share > 0.0 {
                *pixel = palette.blend(*pixel, over, (share * STEPS as f32 + 0.5) as u32);
            }
        }
    }

    /// A disc about (x, y).
    pub(crate) fn disc(&mut self, (x, y): (f32, f32), radius: f32, colour: Rgb) {
        let reach = radius.ceil() as i32 + 1;
        let area = Area::square(x as i32 - reach, y as i32 - reach, 2 * reach + 1);
        self.cover(area, colour, |px, py| (px - x).hypot(py - y) - radius);
    }

    /// A filled rectangle with round corners.
    pub(crate) fn card(&mut self, area: Area, radius: i32, colour: Rgb) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        let radius = radius.min(width / 2).min(height / 2).max(0);
        self.fill(Area::new(x, y + radius, width, height - 2 * radius), colour);
        for top in [y, y + height - radius] {
            self.fill(
                Area::new(x + radius, top, width - 2 * radius, radius),
                colour,
            );
            for left in [x, x + width - radius] {
                let centre_x = (if left == x {
                    x + radius
                } else {
                    x + width - radius
                }) as f32;
                let centre_y = (if top == y {
                    y + radius
                } else {
                    y + height - radius
                }) as f32;
                self.cover(Area::square(left, top, radius), colour, |px, py| {
                    (px - centre_x).hypot(py - centre_y) - radius as f32
                });
            }
        }
    }

    /// Writes `text` from x on, on the base line y; `size` is the em in pixels. Gives the x behind it.
    pub(crate) fn write(&mut self, text: &str, x: i32, y: i32, size: u32, colour: Rgb) -> i32 {
        let over = self.palette.index(colour);
        let mut pen = x as f32;
        for glyph in font::line(text, size) {
            self.glyph(&glyph, pen.round() as i32, y, over);
            pen += glyph.advance;
        }
        pen.ceil() as i32
    }

    fn glyph(&mut self, glyph: &Glyph, x: i32, y: i32, over: u8) {
        let palette = self.palette;
        let left = x + glyph.left;
        for (row, line) in (y + glyph.top..).zip(glyph.rows()) {
            let (from, span) = self.frame.span(row, left, left + line.len() as i32);
            for (pixel, &step) in span.iter_mut().zip(&line[(from - left) as usize..]) {
                if step > 0 {
                    *pixel = palette.blend(*pixel, over, u32::from(step));
                }
            }
        }
    }
}

fn mix(under: Rgb, coat: &Coat, weights: Weights) -> Rgb {
    let whole = u32::from(WHOLE);
    let parts = [
        (coat.fill, weights.fill),
        (coat.outline, weights.outline),
        (coat.detail, weights.detail),
    ];
    let rest = whole
        - parts
            .iter()
            .map(|&(_, weight)| u32::from(weight))
            .sum::<u32>()
            .min(whole);
    let channel = |channel: usize| {
        let paints: u32 = parts
            .iter()
            .map(|&(paint, weight)| u32::from(paint.0[channel]) * u32::from(weight))
            .sum();
        // a mean of bytes is a byte
        ((paints + u32::from(under.0[channel]) * rest + whole / 2) / whole) as u8
    };
    Rgb([channel(0), channel(1), channel(2)])
}
