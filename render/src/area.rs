//! Rectangles in pixels.

/// A rectangle in pixels; may reach beyond the picture, where nothing is drawn.
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
