//! PNG files.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

use crate::error::RenderError;
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
    // filter Up and the second level of zlib-rs: the smallest files in about a millisecond, as measured
    write(picture).map_err(|_| RenderError::Encoding)
}

fn write(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let frame = &picture.frame;
    let mut bytes = Vec::with_capacity(64 * 1024);
    let mut encoder = Encoder::new(&mut bytes, frame.width(), frame.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(picture.palette.bytes());
    encoder.set_deflate_compression(DeflateCompression::Level(2));
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(frame.pixels())?;
    writer.finish()?;
    Ok(bytes)
}
