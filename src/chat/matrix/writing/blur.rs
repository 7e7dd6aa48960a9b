//! The size of a picture, and what it looks like from far away: its BlurHash.

use super::part::Image;

/// How many waves the BlurHash has each way.
const WAVES: u32 = 4;

/// The longest side of the copy that is looked at, in pixels: more brings no other hash.
const COPY: u32 = 32;

/// Why a picture's bytes say nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error(transparent)]
    File(#[from] image::ImageError),
    #[error(transparent)]
    Hash(#[from] blurhash::Error),
}

/// The size and BlurHash of a PNG file.
///
/// # Errors
/// When it is none.
pub(super) fn image(file: &[u8]) -> Result<Image, Unreadable> {
    let picture = image::load_from_memory(file)?;
    let (width, height) = (picture.width(), picture.height());
    let [across, down] = [width, height].map(|side| side.min(COPY));
    let small = picture.thumbnail_exact(across, down).into_rgba8();
    let blur = blurhash::encode(WAVES, WAVES, across, down, &small)?;
    Ok(Image {
        width,
        height,
        blur,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use ::image::{ImageFormat, Rgb, RgbImage};

    #[test]
    fn r109_the_size_and_the_colours_are_those_of_the_picture() {
        let red_and_blue = RgbImage::from_fn(90, 60, |x, _| match x {
            ..45 => Rgb([250, 0, 0]),
            _ => Rgb([0, 0, 250]),
        });
        let mut file = Cursor::new(Vec::new());
        red_and_blue.write_to(&mut file, ImageFormat::Png).unwrap();
        let image = image(file.get_ref()).unwrap();
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
        assert!(matches!(image(b"no picture"), Err(Unreadable::File(_))));
    }
}
