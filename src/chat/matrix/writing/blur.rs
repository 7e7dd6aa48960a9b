//! The size of a picture, and what it looks like from far away: its BlurHash.

use std::io::Cursor;

use super::part::Image;

/// How many waves the BlurHash has each way.
const WAVES: u32 = 4;

/// The longest side of the copy that is looked at, in pixels: more brings no other hash.
const COPY: u32 = 32;

/// Why a picture's bytes say nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error(transparent)]
    Png(#[from] png::DecodingError),
    #[error(transparent)]
    Hash(#[from] blurhash::Error),
    #[error("a picture of this size cannot be held")]
    Size,
}

/// The size and BlurHash of a PNG file.
///
/// # Errors
/// When it is none.
pub(super) fn image(file: &[u8]) -> Result<Image, Unreadable> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let size = reader.output_buffer_size().ok_or(Unreadable::Size)?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels)?;
    let samples = frame.color_type.samples();
    let (width, height) = (frame.width, frame.height);
    let copy = |side: u32| side.clamp(1, COPY);
    let (across, down) = (copy(width), copy(height));
    let mut small = Vec::with_capacity(4 * across as usize * down as usize);
    for y in 0..down {
        for x in 0..across {
            // The middle of the part of the picture that this pixel stands for.
            let at = |side: u32, number: u32, parts: u32| (2 * number + 1) * side / (2 * parts);
            let row = at(height, y, down) as usize * frame.line_size;
            let pixel = row + at(width, x, across) as usize * samples;
            let sample = |number: usize| pixels.get(pixel + number).copied().unwrap_or_default();
            let (red, green, blue) = match samples {
                1 | 2 => (sample(0), sample(0), sample(0)),
                _ => (sample(0), sample(1), sample(2)),
            };
            small.extend([red, green, blue, u8::MAX]);
        }
    }
    let blur = blurhash::encode(WAVES, WAVES, across, down, &small)?;
    Ok(Image {
        width,
        height,
        blur,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels: Vec<u8> = all.flat_map(|(x, y)| pixel(x, y)).collect();
        writer.write_image_data(&pixels).unwrap();
        writer.finish().unwrap();
        file
    }

    #[test]
    fn r109_the_size_and_the_colours_are_those_of_the_picture() {
        let file = png(
            90,
            60,
            |x, _| if x < 45 { [250, 0, 0] } else { [0, 0, 250] },
        );
        let image = image(&file).unwrap();
        assert_eq!((image.width, image.height), (90, 60));
        let seen = blurhash::decode(&image.blur, 8, 8, 1.0).unwrap();
        let (left, right) = (&seen[..4], &seen[28..32]);
        assert!(left[0] > 200 && left[2] < 150, "red on the left: {left:?}");
        assert!(
            right[2] > 200 && right[0] < 150,
            "blue on the right: {right:?}"
        );
    }

    #[test]
    fn what_is_no_picture_says_nothing() {
        assert!(matches!(image(b"no picture"), Err(Unreadable::Png(_))));
    }
}
