//! Contrast in every theme (WCAG 1.4.11: 3 to 1 for graphics, 1.4.3: 4.5 to 1 for writing).

use ashtapada_render::{Board, Colour, Mark, Placed, Scene, Shape, Side, Theme, draw};
use image::{DynamicImage, Rgb, RgbImage, imageops};

/// Light and dark squares, plain and lit.
fn backdrops(theme: Theme) -> [Rgb<u8>; 4] {
    let colours = theme.colours();
    [
        colours.squares[0],
        colours.squares[1],
        colours.lit[0],
        colours.lit[1],
    ]
}

#[test]
fn r121_armies_stand_out_from_every_square_and_highlight() {
    for theme in Theme::ALL {
        let colours = theme.colours();
        let coats = Colour::ALL.map(|colour| (format!("{colour:?}"), colours.army(colour)));
        for (name, coat) in coats.into_iter().chain([("Dead".to_owned(), colours.dead)]) {
            for backdrop in backdrops(theme) {
                let best = contrast(coat.fill, backdrop).max(contrast(coat.outline, backdrop));
                assert!(best >= 3.0, "{theme}: {name} on {backdrop:?} has {best:.1}");
            }
        }
    }
}

#[test]
fn r121_the_ring_of_the_last_move_stands_out_from_every_square_and_highlight() {
    for theme in Theme::ALL {
        for backdrop in backdrops(theme) {
            let contrast = contrast(theme.colours().ring, backdrop);
            assert!(
                contrast >= 4.0,
                "{theme}: ring on {backdrop:?} has {contrast:.1}"
            );
        }
    }
}

#[test]
fn r121_the_last_move_is_drawn_on_light_and_dark_squares() {
    for theme in Theme::ALL {
        let colours = theme.colours();
        for (at, dark) in [((2, 2), 1), ((3, 2), 0)] {
            for (mark, least) in [(Mark::LastTo(at), 0.2), (Mark::LastFrom(at), 0.1)] {
                let seen = shares(theme, mark, at, None);
                assert!(
                    seen(colours.ring) >= least,
                    "{theme}: {mark:?} shows {:.2} of ring",
                    seen(colours.ring)
                );
                assert!(
                    seen(colours.lit[dark]) >= 0.6,
                    "{theme}: {mark:?} has no tint"
                );
            }
        }
    }
}

#[test]
fn r122_check_is_visible_on_dark_squares() {
    for theme in Theme::ALL {
        let check = theme.colours().check;
        for backdrop in backdrops(theme) {
            let best = contrast(check.fill, backdrop).max(contrast(check.outline, backdrop));
            assert!(best >= 3.0, "{theme}: check on {backdrop:?} has {best:.1}");
        }
        for at in [(2, 2), (3, 2)] {
            for colour in Colour::ALL {
                let king = Placed::new(at, Shape::King, colour, Side::South);
                let red = shares(theme, Mark::Check(at), at, Some(king))(check.fill);
                assert!(
                    red >= 0.2,
                    "{theme}: a {colour:?} King in check shows {red:.2} of red"
                );
            }
        }
    }
}

#[test]
fn check_and_last_move_are_told_apart_without_colour() {
    // the badge: a check puts paint where the ring of a move has none
    let scene = |mark| {
        let mut scene = Scene::new(Board::new(8, 8));
        scene.marks.push(mark);
        drawn(&scene)
    };
    let (check, last) = (scene(Mark::Check((0, 0))), scene(Mark::LastTo((0, 0))));
    let (x, y) = (40 + 80 - 16, 600 + 16);
    assert_ne!(check[(x, y)], check[(40 + 40, 600 + 40)]);
    assert_eq!(last[(x, y)], last[(40 + 40, 600 + 40)]);
}

#[test]
fn writing_is_legible() {
    for theme in Theme::ALL {
        let colours = theme.colours();
        assert!(
            contrast(colours.text, colours.frame) >= 7.0,
            "{theme}: coordinates"
        );
        for card in colours.squares {
            assert!(contrast(colours.ink, card) >= 4.5, "{theme}: names");
            assert!(
                contrast(colours.dim, card) >= 3.0,
                "{theme}: names of those who are out"
            );
        }
        for backdrop in backdrops(theme) {
            assert!(
                theme != Theme::ColourBlind || contrast(colours.ink, backdrop) >= 4.5,
                "{theme}: army letters"
            );
        }
    }
}

#[test]
fn themes_are_known_by_their_names() {
    for theme in Theme::ALL {
        assert_eq!(theme.to_string().parse(), Ok(theme));
    }
    assert_eq!(Theme::ColourBlind.to_string(), "colour-blind");
    assert!("sepia".parse::<Theme>().is_err());
}

/// What share of the square `at` a colour takes.
fn shares(
    theme: Theme,
    mark: Mark,
    at: (u8, u8),
    piece: Option<Placed>,
) -> impl Fn(Rgb<u8>) -> f64 {
    let mut scene = Scene::new(Board::new(8, 8));
    scene.theme = theme;
    scene.marks.push(mark);
    scene.pieces.extend(piece);
    let (left, top) = (40 + u32::from(at.0) * 80, 40 + u32::from(7 - at.1) * 80);
    let square = imageops::crop_imm(&drawn(&scene), left, top, 80, 80).to_image();
    move |colour| square.pixels().filter(|&&pixel| pixel == colour).count() as f64 / 6400.0
}

fn drawn(scene: &Scene) -> RgbImage {
    DynamicImage::from(draw(scene).expect("a plain board")).to_rgb8()
}

/// The contrast ratio of WCAG 2, 1 to 21.
fn contrast(one: Rgb<u8>, other: Rgb<u8>) -> f64 {
    let [a, b] = [one, other].map(luminance);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(colour: Rgb<u8>) -> f64 {
    let [red, green, blue] = colour.0.map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
