//! From a description to an indexed picture.

use image::{DynamicImage, GrayImage, RgbImage};

use crate::board;
use crate::error::RenderError;
use crate::geometry::View;
use crate::palette::Palette;
use crate::panel;
use crate::scene::{Layout, Scene};

/// Corners of a cross this wide hold a seat each.
const ROOMY_CORNER: u8 = 3;

/// A drawn scene: indices and what they stand for. Pictures of one theme share one palette, so the frames of an
/// animation can be compared pixel by pixel.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The palette's indices.
    pub frame: GrayImage,
    /// What they stand for.
    pub palette: &'static Palette,
}

/// Draws a scene.
///
/// # Errors
/// If the description contradicts itself; see [`RenderError`].
pub fn draw(scene: &Scene) -> Result<Picture, RenderError> {
    scene.check()?;
    let palette = Palette::of(scene.theme);
    let width = match scene.layout {
        Layout::Square => scene.width,
        Layout::Wide => scene.width * 3 / 2,
    };
    let mut canvas = Picture::new(width, scene.width, palette, palette.colours().frame);
    let view = View::new(&scene.board, scene.bottom, scene.width);
    board::draw(&mut canvas, scene, &view);
    match scene.layout {
        Layout::Wide => panel::wide(&mut canvas, scene, &view),
        Layout::Square => {
            let corner = scene.board.empty_corner();
            let shown = corner >= ROOMY_CORNER && panel::corners(&mut canvas, scene, &view, corner);
            if !shown {
                panel::frame_dice(&mut canvas, scene, &view);
            }
        }
    }
    Ok(canvas)
}

impl From<Picture> for DynamicImage {
    /// The picture in colours.
    fn from(Picture { frame, palette }: Picture) -> Self {
        // not by `GrayImage::expand_palette`, which leaves out the first pixel (image-rs/image#2918)
        let (width, height) = frame.dimensions();
        let colour = |x, y| palette.rgb(frame[(x, y)].0[0]);
        RgbImage::from_fn(width, height, colour).into()
    }
}
