//! A board as a file: ours against the plain ways, in the same run.
//!
//! `cargo bench -p ashtapada-render --bench board`. The sizes of the files are printed first.

use ashtapada_render::{Picture, Scene, Theme, draw, encode, png};
use divan::Bencher;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, Rgb, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

#[path = "../samples/mod.rs"]
mod samples;

/// Boards of 720 pixels with all their men.
const BOARDS: [&str; 4] = ["two-8x8", "four-handed-8x8", "two-10x10", "cross-14x14"];

fn main() {
    for board in BOARDS {
        let picture = drawn(board);
        let ours = encode(&picture).map_or(0, |bytes| bytes.len());
        let [fast, svg] = [
            by_image(&rgba(board)),
            by_resvg(&as_svg(&scene(board)), &picture),
        ]
        .map(|b| b.len());
        println!(
            "{board}: {ours} bytes; image Fast/Adaptive {fast}; resvg and image Fast/Adaptive {svg}"
        );
    }
    divan::main();
}

#[divan::bench(args = BOARDS)]
fn a_ours_draw_and_encode(bencher: Bencher<'_, '_>, board: &str) {
    let scene = scene(board);
    bencher.bench(|| png(&scene));
}

#[divan::bench(args = BOARDS)]
fn b_ours_draw_only(bencher: Bencher<'_, '_>, board: &str) {
    let scene = scene(board);
    bencher.bench(|| draw(&scene));
}

#[divan::bench(args = BOARDS)]
fn c_image_fast_adaptive_encode_only(bencher: Bencher<'_, '_>, board: &str) {
    let picture = rgba(board);
    bencher.bench(|| by_image(&picture));
}

#[divan::bench(args = BOARDS)]
fn d_resvg_of_one_svg_and_image_fast_adaptive(bencher: Bencher<'_, '_>, board: &str) {
    let picture = drawn(board);
    let svg = as_svg(&scene(board));
    bencher.bench(|| by_resvg(&svg, &picture));
}

fn scene(board: &str) -> Scene {
    let name = format!("{board}-{}", Theme::Light);
    let found = samples::all()
        .into_iter()
        .find(|sample| sample.name == name);
    found.expect("a sample of this name").scene
}

fn drawn(board: &str) -> Picture {
    draw(&scene(board)).expect("a sound scene")
}

fn rgba(board: &str) -> RgbaImage {
    DynamicImage::from(drawn(board)).to_rgba8()
}

fn by_image(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let fast =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
    (picture.write_with_encoder(fast)).expect("encoding into memory");
    bytes
}

fn by_resvg(svg: &str, picture: &Picture) -> Vec<u8> {
    let tree = Tree::from_str(svg, &Options::default()).expect("our own SVG");
    let (width, height) = picture.frame.dimensions();
    let mut pixmap = Pixmap::new(width, height).expect("a size above zero");
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    by_image(&RgbaImage::from_raw(width, height, pixmap.take()).expect("four bytes a pixel"))
}

/// The squares and pieces of a scene (no labels, marks or tabs) as one SVG.
fn as_svg(scene: &Scene) -> String {
    let colours = scene.theme.colours();
    let lines = u32::from(scene.board.files);
    let square = f64::from(scene.width) / (f64::from(lines) + 1.0);
    let place = |(file, rank): (u8, u8)| {
        (
            square * (0.5 + f64::from(file)),
            square * (f64::from(lines) - 0.5 - f64::from(rank)),
        )
    };
    let size = scene.width;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"><rect width="{size}" height="{size}" fill="{}"/>"#,
        hex(colours.frame)
    );
    for rank in 0..scene.board.ranks {
        for file in (0..scene.board.files).filter(|&file| scene.board.has((file, rank))) {
            let ((x, y), fill) = (
                place((file, rank)),
                hex(colours.squares[usize::from((file + rank).is_multiple_of(2))]),
            );
            svg += &format!(
                r#"<rect x="{x:.2}" y="{y:.2}" width="{square:.2}" height="{square:.2}" fill="{fill}"/>"#
            );
        }
    }
    for piece in &scene.pieces {
        let (x, y) = place(piece.at);
        let coat = colours.army(piece.colour);
        let drawing = piece.shape.svg().trim();
        let inner =
            drawing[drawing.find('>').map_or(0, |end| end + 1)..].trim_end_matches("</svg>");
        let painted = inner
            .replace("\"#f00\"", &format!("\"{}\"", hex(coat.fill)))
            .replace("\"#0f0\"", &format!("\"{}\"", hex(coat.outline)))
            .replace("\"#00f\"", &format!("\"{}\"", hex(coat.detail)));
        let (x, y, scale) = (x + 0.06 * square, y + 0.06 * square, 0.88 * square / 100.0);
        svg +=
            &format!(r#"<g transform="translate({x:.2} {y:.2}) scale({scale:.4})">{painted}</g>"#);
    }
    svg + "</svg>"
}

fn hex(Rgb([red, green, blue]): Rgb<u8>) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
