//! Drawings rasterised into weights, so that one rasterisation serves every army, theme and background.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// How much of each paint a pixel takes, in quarters; what is missing from four is the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Weights {
    /// Quarters of fill.
    pub fill: u8,
    /// Quarters of outline.
    pub outline: u8,
    /// Quarters of detail.
    pub detail: u8,
}

/// A square of weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    size: u32,
    weights: Vec<Weights>,
}

/// Quarters in a whole.
pub(crate) const WHOLE: u8 = 4;

impl Mask {
    /// Rasterises a drawing of 100 by 100 in token colours into `size` by `size` pixels, `margin` of them left free
    /// on each side.
    pub fn rasterise(svg: &str, size: u32, margin: u32) -> Self {
        let weights = render(svg, size, margin).map_or_else(
            || vec![Weights::default(); size as usize * size as usize],
            |pixmap| {
                pixmap
                    .pixels()
                    .iter()
                    .map(|p| Weights::of([p.red(), p.green(), p.blue()], p.alpha()))
                    .collect()
            },
        );
        Self { size, weights }
    }

    /// Width and height in pixels.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The rows, top first.
    pub fn rows(&self) -> impl Iterator<Item = &[Weights]> {
        self.weights.chunks_exact(self.size as usize)
    }
}

/// None for a drawing that cannot be read or of no size: then nothing is drawn. Tests read every drawing there is.
fn render(svg: &str, size: u32, margin: u32) -> Option<Pixmap> {
    let tree = Tree::from_str(svg, &Options::default()).ok()?;
    let mut pixmap = Pixmap::new(size, size)?;
    let scale = size.saturating_sub(2 * margin) as f32 / tree.size().width();
    let place = Transform::from_row(scale, 0.0, 0.0, scale, margin as f32, margin as f32);
    resvg::render(&tree, place, &mut pixmap.as_mut());
    Some(pixmap)
}

impl Weights {
    /// From a premultiplied pixel in token colours: red, green and blue are the shares of the three paints.
    fn of(tokens: [u8; 3], alpha: u8) -> Self {
        let quarters = |share: u8| (u16::from(share) * u16::from(WHOLE) + 127) / 255;
        let cover = quarters(alpha);
        let mut parts = tokens.map(quarters);
        // rounding may make or lose a quarter: the largest part bears it, so that covered pixels stay covered
        let largest = (0..3).max_by_key(|&part| tokens[part]).unwrap_or(0);
        let others: u16 = (0..3)
            .filter(|&part| part != largest)
            .map(|part| parts[part])
            .sum();
        parts[largest] = cover.saturating_sub(others);
        let [fill, outline, detail] = parts.map(|part| part as u8);
        Self {
            fill,
            outline,
            detail,
        }
    }

    /// Whether the pixel is all background.
    pub const fn is_clear(self) -> bool {
        self.fill + self.outline + self.detail == 0
    }
}
