//! The drawings: legible, distinct, and in token colours only.

use ashtapada_render::{Mask, Shape, Weights};

/// The smallest square a picture is seen at: the cross at 324 CSS pixels.
const SMALL: u32 = 23;

fn mask(shape: Shape) -> Mask {
    Mask::rasterise(shape.svg(), SMALL, 1)
}

fn pixels(mask: &Mask) -> Vec<Weights> {
    mask.rows().flatten().copied().collect()
}

/// What a pixel mostly shows; none is background.
fn main_paint(weights: &Weights) -> Option<usize> {
    let parts = [weights.fill, weights.outline, weights.detail];
    let covered: u8 = parts.iter().sum();
    (covered >= 2).then(|| (0..3).max_by_key(|&part| parts[part]).expect("three parts"))
}

#[test]
fn any_two_shapes_differ_in_a_quarter_of_the_pixels_at_23_pixels() {
    for (place, &one) in Shape::ALL.iter().enumerate() {
        for &other in &Shape::ALL[place + 1..] {
            let (a, b) = (pixels(&mask(one)), pixels(&mask(other)));
            let differing = a
                .iter()
                .zip(&b)
                .filter(|(a, b)| main_paint(a) != main_paint(b))
                .count();
            let share = differing as f64 / a.len() as f64;
            assert!(
                share >= 0.25,
                "{one:?} and {other:?} differ in {share:.2} only"
            );
        }
    }
}

#[test]
fn drawings_hold_no_colour_but_the_three_tokens() {
    for shape in Shape::ALL {
        let svg = shape.svg();
        for (start, _) in svg.match_indices('#') {
            let token = &svg[start..start + 5];
            assert!(
                ["#f00\"", "#0f0\"", "#00f\""].contains(&token),
                "{shape:?}: {token}"
            );
        }
        for attribute in ["fill=\"", "stroke=\""] {
            for (start, _) in svg.match_indices(attribute) {
                let value = &svg[start + attribute.len()..];
                assert!(
                    value.starts_with('#') || value.starts_with("none"),
                    "{shape:?}: {attribute}{value:.8}"
                );
            }
        }
        for foreign in ["opacity", "style", "gradient", "<text", "<image", "href"] {
            assert!(!svg.contains(foreign), "{shape:?} uses {foreign}");
        }
    }
}

#[test]
fn pieces_are_of_like_weight_and_stay_in_their_box() {
    for shape in Shape::ALL {
        let mask = Mask::rasterise(shape.svg(), 80, 5);
        let covered = pixels(&mask)
            .iter()
            .filter(|weights| !weights.is_clear())
            .count() as f64
            / 6400.0;
        assert!(
            (0.2..0.5).contains(&covered),
            "{shape:?} covers {covered:.2}"
        );
        let rows: Vec<_> = mask.rows().collect();
        let border = rows
            .iter()
            .enumerate()
            .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, w)| (x, y, w)));
        for (x, y, weights) in border {
            let outside = !(4..76).contains(&x) || !(4..76).contains(&y);
            assert!(
                !outside || weights.is_clear(),
                "{shape:?} is cut at {x}, {y}"
            );
        }
    }
}

#[test]
fn every_pixel_has_at_most_four_quarters() {
    for shape in Shape::ALL {
        for size in [15, SMALL, 46, 80] {
            let mask = Mask::rasterise(shape.svg(), size, 1);
            assert!(
                mask.rows()
                    .flatten()
                    .all(|weights| weights.fill + weights.outline + weights.detail <= 4)
            );
        }
    }
}
