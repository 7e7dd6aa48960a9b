//! PNG files.

use std::io::Write;

use image::error::EncodingError;
use image::{ExtendedColorType, ImageEncoder, ImageError, ImageFormat, ImageResult};
use png::{BitDepth, ColorType, DeflateCompression, Filter};

use crate::error::RenderError;
use crate::palette::Palette;
use crate::picture::{Picture, draw};
use crate::scene::Scene;

/// Draws a scene and encodes it.
///
/// # Errors
/// If the description contradicts itself; see [`RenderError`].
pub fn png(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    encode(&draw(scene)?)
}

/// Encodes a picture as an indexed PNG.
///
/// # Errors
/// [`RenderError::Encoding`] if the PNG writer fails.
pub fn encode(picture: &Picture) -> Result<Vec<u8>, RenderError> {
    let mut bytes = Vec::with_capacity(64 * 1024);
    let encoder = IndexedPng {
        file: &mut bytes,
        palette: picture.palette,
    };
    let written = picture.frame.write_with_encoder(encoder);
    written.map_err(|_| RenderError::Encoding)?;
    Ok(bytes)
}

/// An encoder of palette indices, which `image`'s own for PNG would take for shades of grey. The README has what it saves.
struct IndexedPng<W> {
    file: W,
    palette: &'static Palette,
}

impl<W: Write> ImageEncoder for IndexedPng<W> {
    fn write_image(
        self,
        indices: &[u8],
        width: u32,
        height: u32,
        _: ExtendedColorType,
    ) -> ImageResult<()> {
        let mut encoder = png::Encoder::new(self.file, width, height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(self.palette.bytes());
        // the smallest files in about a millisecond, as measured
        encoder.set_deflate_compression(DeflateCompression::Level(2));
        encoder.set_filter(Filter::Up);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(indices)?;
            writer.finish()
        });
        written.map_err(|error| {
            ImageError::Encoding(EncodingError::new(ImageFormat::Png.into(), error))
        })
    }
}
