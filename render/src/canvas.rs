//! What is drawn by: areas, tiles, masks, smooth edges, writing. Beyond the picture nothing is drawn.

use std::array;
use std::collections::HashMap;

use image::{GenericImage, GrayImage, ImageBuffer, Luma, Pixel, Rgb, RgbImage};

use crate::area::Area;
use crate::font;
use crate::mask::WHOLE;
use crate::palette::{Palette, STEPS};
use crate::picture::Picture;
use crate::theme::Coat;

impl Picture {
    /// A picture of one colour.
    pub(crate) fn new(width: u32, height: u32, palette: &'static Palette, colour: Rgb<u8>) -> Self {
        let mut frame = GrayImage::new(width, height);
        frame.fill(palette.index(colour));
        Self { frame, palette }
    }

    /// What of an area is within the picture, row by row.
    fn rows(&mut self, area: Area) -> impl Iterator<Item = &mut [u8]> {
        let within = |from: i32, long: i32, size: u32| {
            let [from, to] = [from, from + long].map(|end| end.clamp(0, size as i32) as usize);
            from..to.max(from)
        };
        let columns = within(area.x, area.width, self.frame.width());
        let rows = within(area.y, area.height, self.frame.height());
        let width = self.frame.width() as usize;
        let lines = self.frame.chunks_exact_mut(width).skip(rows.start);
        lines
            .take(rows.len())
            .map(move |line| &mut line[columns.clone()])
    }

    /// Changes every pixel that another image laid to (x, y) is over, by the other's.
    fn under<P: Pixel>(
        &mut self,
        image: &ImageBuffer<P, Vec<P::Subpixel>>,
        (x, y): (i32, i32),
        mut change: impl FnMut(&mut u8, P),
    ) {
        let area = Area::new(x, y, image.width() as i32, image.height() as i32);
        let [left, top] = [x, y].map(|from| from.min(0).unsigned_abs() as usize);
        for (row, line) in self.rows(area).zip(image.rows().skip(top)) {
            for (pixel, &other) in row.iter_mut().zip(line.skip(left)) {
                change(pixel, other);
            }
        }
    }

    /// Fills an area.
    pub(crate) fn fill(&mut self, area: Area, colour: Rgb<u8>) {
        let colour = self.palette.index(colour);
        for row in self.rows(area) {
            row.fill(colour);
        }
    }

    /// The border of an area, `thick` pixels wide, inside it.
    pub(crate) fn border(&mut self, area: Area, thick: i32, colour: Rgb<u8>) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        for (x, y, width, height) in [
            (x, y, width, thick),
            (x, y + height - thick, width, thick),
            (x, y, thick, height),
            (x + width - thick, y, thick, height),
        ] {
            self.fill(Area::new(x, y, width, height), colour);
        }
    }

    /// Copies a tile to (x, y).
    pub(crate) fn copy(&mut self, tile: &GrayImage, x: i32, y: i32) {
        // whole rows, which `imageops::replace` does not
        let copied = self.frame.copy_from(tile, x as u32, y as u32);
        debug_assert!(copied.is_ok(), "squares and cards are within the picture");
    }

    /// Copies a tile to (x, y) but for its pixels of the colour `through`.
    pub(crate) fn copy_through(&mut self, tile: &GrayImage, x: i32, y: i32, through: Rgb<u8>) {
        let through = self.palette.index(through);
        self.under(tile, (x, y), |pixel, Luma([index])| {
            if index != through {
                *pixel = index;
            }
        });
    }

    /// Paints a drawing in a coat of colours over what is there.
    pub(crate) fn paint(&mut self, mask: &RgbImage, coat: &Coat, x: i32, y: i32) {
        let palette = self.palette;
        let mut known: HashMap<(u8, Rgb<u8>), u8> = HashMap::new();
        self.under(mask, (x, y), |pixel, weights| {
            let mixed =
                |&(under, weights): &_| palette.index(mix(palette.rgb(under), coat, weights));
            if weights.0 != [0; 3] {
                *pixel = *known.entry((*pixel, weights)).or_insert_with_key(mixed);
            }
        });
    }

    /// Colours all pixels of `area` whose middles `distance` says are inside (negative), its edge smoothly.
    /// `distance` is in pixels.
    pub(crate) fn cover(
        &mut self,
        area: Area,
        colour: Rgb<u8>,
        distance: impl Fn(f32, f32) -> f32,
    ) {
        let palette = self.palette;
        let over = palette.index(colour);
        let (left, top) = (area.x.max(0), area.y.max(0));
        for (y, row) in (top..).zip(self.rows(area)) {
            for (x, pixel) in (left..).zip(row) {
                let share = 0.5 - distance(x as f32 + 0.5, y as f32 + 0.5);
                if share > 0.0 {
                    *pixel = palette.blend(*pixel, over, (share * STEPS as f32 + 0.5) as u32);
                }
            }
        }
    }

    /// A disc about (x, y).
    pub(crate) fn disc(&mut self, (x, y): (f32, f32), radius: f32, colour: Rgb<u8>) {
        let reach = radius.ceil() as i32 + 1;
        let area = Area::square(x as i32 - reach, y as i32 - reach, 2 * reach + 1);
        self.cover(area, colour, |px, py| (px - x).hypot(py - y) - radius);
    }

    /// A filled rectangle with round corners.
    pub(crate) fn card(&mut self, area: Area, radius: i32, colour: Rgb<u8>) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        let radius = radius.min(width / 2).min(height / 2).max(0);
        self.fill(Area::new(x, y + radius, width, height - 2 * radius), colour);
        self.fill(Area::new(x + radius, y, width - 2 * radius, height), colour);
        for (top, middle_y) in [(y, y + radius), (y + height - radius, y + height - radius)] {
            for (left, middle_x) in [(x, x + radius), (x + width - radius, x + width - radius)] {
                self.cover(Area::square(left, top, radius), colour, |px, py| {
                    (px - middle_x as f32).hypot(py - middle_y as f32) - radius as f32
                });
            }
        }
    }

    /// Writes `text` from x on, on the base line y; `size` is the em in pixels. Gives the x behind it.
    pub(crate) fn write(&mut self, text: &str, x: i32, y: i32, size: u32, colour: Rgb<u8>) -> i32 {
        let palette = self.palette;
        let over = palette.index(colour);
        let mut pen = x as f32;
        for glyph in font::line(text, size) {
            let place = (pen.round() as i32 + glyph.left, y + glyph.top);
            self.under(&glyph.cover, place, |pixel, Luma([step])| {
                if step > 0 {
                    *pixel = palette.blend(*pixel, over, u32::from(step));
                }
            });
            pen += glyph.advance;
        }
        pen.ceil() as i32
    }
}

fn mix(under: Rgb<u8>, coat: &Coat, weights: Rgb<u8>) -> Rgb<u8> {
    let rest = WHOLE.saturating_sub(weights.0.iter().sum());
    let parts = [coat.fill, coat.outline, coat.detail, under]
        .into_iter()
        .zip(weights.0.into_iter().chain([rest]));
    Rgb(array::from_fn(|channel| {
        let share =
            |(paint, weight): (Rgb<u8>, u8)| u16::from(paint.0[channel]) * u16::from(weight);
        let whole = u16::from(WHOLE);
        // a mean of bytes is a byte
        ((parts.clone().map(share).sum::<u16>() + whole / 2) / whole) as u8
    }))
}
