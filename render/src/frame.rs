//! A picture of palette indices, and the plain copying that most of a board is made by.

/// Rows of palette indices, top row first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// A rectangle in pixels; may reach beyond the frame, where nothing is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

impl Area {
    pub(crate) const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub(crate) const fn square(x: i32, y: i32, size: i32) -> Self {
        Self::new(x, y, size, size)
    }

    /// The area without a border of `by` pixels.
    pub(crate) const fn inset(self, by: i32) -> Self {
        Self::new(
            self.x + by,
            self.y + by,
            self.width - 2 * by,
            self.height - 2 * by,
        )
    }

    /// The middle, in pixel coordinates (a pixel's own middle is at .5).
    pub(crate) fn centre(self) -> (f32, f32) {
        (
            self.x as f32 + self.width as f32 / 2.0,
            self.y as f32 + self.height as f32 / 2.0,
        )
    }
}

impl Frame {
    /// A frame of one colour.
    pub(crate) fn new(width: u32, height: u32, colour: u8) -> Self {
        Self {
            width,
            height,
            pixels: vec![colour; width as usize * height as usize],
        }
    }

    /// Copies another frame so that its top left corner comes to a place within this one; what does not fit is left out.
    pub(crate) fn paste(&mut self, other: &Self, left: u32, top: u32) {
        let width = other.width.min(self.width.saturating_sub(left)) as usize;
        let height = other.height.min(self.height.saturating_sub(top)) as usize;
        let (from, to) = (other.width as usize, self.width as usize);
        for row in 0..height {
            let start = (top as usize + row) * to + left as usize;
            let source = &other.pixels[row * from..row * from + width];
            self.pixels[start..start + width].copy_from_slice(source);
        }
    }

    /// Width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// All palette indices, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The index at a pixel, if it is within the frame.
    pub fn at(&self, x: u32, y: u32) -> Option<u8> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }

    /// The columns `from..to` of row `y`, cut to the frame, with the column they begin at.
    pub(crate) fn span(&mut self, y: i32, from: i32, to: i32) -> (i32, &mut [u8]) {
        let (width, height) = (self.width as i32, self.height as i32);
        let (from, to) = (from.clamp(0, width), to.clamp(0, width));
        if !(0..height).contains(&y) || from >= to {
            return (from, &mut []);
        }
        let row = y as usize * self.width as usize;
        (
            from,
            &mut self.pixels[row + from as usize..row + to as usize],
        )
    }

    /// Fills an area.
    pub(crate) fn fill(&mut self, area: Area, colour: u8) {
        for y in area.y..area.y + area.height {
            self.span(y, area.x, area.x + area.width).1.fill(colour);
        }
    }

    /// The border of an area, `thick` pixels wide, inside it.
    pub(crate) fn border(&mut self, area: Area, thick: i32, colour: u8) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        self.fill(Area::new(x, y, width, thick), colour);
        self.fill(Area::new(x, y + height - thick, width, thick), colour);
        self.fill(Area::new(x, y + thick, thick, height - 2 * thick), colour);
        self.fill(
            Area::new(x + width - thick, y + thick, thick, height - 2 * thick),
            colour,
        );
    }

    /// Copies `tile` to (x, y). Both are within the frame: a board's squares always are.
    pub(crate) fn copy(&mut self, tile: &Self, x: i32, y: i32) {
        for (row, line) in (y..).zip(tile.pixels.chunks_exact(tile.width as usize)) {
            let (from, span) = self.span(row, x, x + tile.width as i32);
            let skip = (from - x) as usize;
            let width = span.len();
            span.copy_from_slice(&line[skip..skip + width]);
        }
    }

    /// Copies `tile` to (x, y) but for its pixels of the colour `through`.
    pub(crate) fn copy_through(&mut self, tile: &Self, x: i32, y: i32, through: u8) {
        for (row, line) in (y..).zip(tile.pixels.chunks_exact(tile.width as usize)) {
            let (from, span) = self.span(row, x, x + tile.width as i32);
            let skip = (from - x) as usize;
            for (pixel, &colour) in span.iter_mut().zip(&line[skip..]) {
                if colour != through {
                    *pixel = colour;
                }
            }
        }
    }
}
