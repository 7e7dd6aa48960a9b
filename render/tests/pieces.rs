//! The drawings: legible, distinct, and in token colours only.

use ashtapada_render::{Shape, mask};
use image::{Rgb, RgbImage};

/// The smallest square a picture is seen at: the cross at 324 CSS pixels.
const SMALL: u32 = 23;

fn small(shape: Shape) -> RgbImage {
    mask(shape.svg(), SMALL, 1)
}

/// What a pixel mostly shows; none is background.
fn main_paint(weights: &Rgb<u8>) -> Option<usize> {
    let covered: u8 = weights.0.iter().sum();
    (covered >= 2).then(|| {
        (0..3)
            .max_by_key(|&part| weights[part])
            .expect("three parts")
    })
}

#[test]
fn any_two_shapes_differ_in_a_quarter_of_the_pixels_at_23_pixels() {
    for (place, &one) in Shape::ALL.iter().enumerate() {
        for &other in &Shape::ALL[place + 1..] {
            let (a, b) = (small(one), small(other));
            let differing = (a.pixels().zip(b.pixels()))
                .filter(|(a, b)| main_paint(a) != main_paint(b))
                .count();
            let share = differing as f64 / f64::from(SMALL * SMALL);
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
        let mask = mask(shape.svg(), 80, 5);
        let painted = mask.pixels().filter(|weights| weights.0 != [0; 3]).count();
        let covered = painted as f64 / 6400.0;
        assert!(
            (0.2..0.5).contains(&covered),
            "{shape:?} covers {covered:.2}"
        );
        for (x, y, weights) in mask.enumerate_pixels() {
            let outside = !(4..76).contains(&x) || !(4..76).contains(&y);
            assert!(
                !outside || weights.0 == [0; 3],
                "{shape:?} is cut at {x}, {y}"
            );
        }
    }
}

#[test]
fn every_pixel_has_at_most_four_quarters() {
    for shape in Shape::ALL {
        for size in [15, SMALL, 46, 80] {
            let mask = mask(shape.svg(), size, 1);
            assert!(
                mask.pixels()
                    .all(|weights| weights.0.iter().sum::<u8>() <= 4)
            );
        }
    }
}
