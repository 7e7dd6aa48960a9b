//! Drawings rasterised into weights, so that one rasterisation serves every army, theme and background.

use image::{Rgb, RgbImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Quarters in a whole.
pub(crate) const WHOLE: u8 = 4;

/// Rasterises a drawing of 100 by 100 in token colours into `size` by `size` pixels, `margin` of them left free on each
/// side. Red, green and blue of the mask are how many quarters of a pixel are fill, outline and detail; what is missing
/// from four is the background.
pub fn mask(svg: &str, size: u32, margin: u32) -> RgbImage {
    let mut mask = RgbImage::new(size, size);
    let pixmap = render(svg, size, margin);
    let tokens = pixmap.iter().flat_map(|pixmap| pixmap.pixels());
    for (weights, token) in mask.pixels_mut().zip(tokens) {
        *weights = quarters([token.red(), token.green(), token.blue()], token.alpha());
    }
    mask
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

/// From a premultiplied pixel in token colours: red, green and blue are the shares of the three paints.
fn quarters(tokens: [u8; 3], alpha: u8) -> Rgb<u8> {
    // at most four
    let quarters = |share: u8| ((u16::from(share) * u16::from(WHOLE) + 127) / 255) as u8;
    let mut parts = tokens.map(quarters);
    // rounding may make or lose a quarter: the largest part bears it, so that covered pixels stay covered
    let largest = (0..3).max_by_key(|&part| tokens[part]).unwrap_or(0);
    parts[largest] = 0;
    parts[largest] = quarters(alpha).saturating_sub(parts.iter().sum());
    Rgb(parts)
}
