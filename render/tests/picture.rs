//! What is drawn where, and what comes out as a file.

use ashtapada_render::{
    Board, Colour, Die, Layout, Mark, Palette, PieceState, Placed, RenderError, Scene, Shape, Side,
    Theme, draw, png, spelled,
};
use image::{DynamicImage, RgbImage, imageops};

#[path = "../samples/mod.rs"]
mod samples;

fn drawn(scene: &Scene) -> RgbImage {
    DynamicImage::from(draw(scene).expect("a sound scene")).to_rgb8()
}

/// The pixels of the square in a column (from the left) and row (from the top) of an 8x8 board of 720 pixels.
fn square(frame: &RgbImage, column: u32, row: u32) -> RgbImage {
    imageops::crop_imm(frame, 40 + 80 * column, 40 + 80 * row, 80, 80).to_image()
}

fn is_plain(square: &RgbImage) -> bool {
    square.pixels().all(|pixel| pixel == &square[(0, 0)])
}

fn board_with(piece: Placed) -> Scene {
    let mut scene = Scene::new(Board::new(8, 8));
    scene.pieces.push(piece);
    scene
}

#[test]
fn the_board_turns_and_pieces_do_not() {
    let piece = |home| Placed::new((1, 0), Shape::Horse, Colour::Red, home);
    let south = square(&drawn(&board_with(piece(Side::South))), 1, 7);
    for (bottom, column, row) in [
        (Side::South, 1, 7),
        (Side::West, 7, 6),
        (Side::North, 6, 0),
        (Side::East, 0, 1),
    ] {
        // an army whose home is at the bottom looks the same from each side
        let mut scene = board_with(piece(bottom));
        scene.bottom = bottom;
        let frame = drawn(&scene);
        assert_eq!(square(&frame, column, row), south, "{bottom:?}");
        let empty = (0..64)
            .filter(|&place| is_plain(&square(&frame, place % 8, place / 8)))
            .count();
        assert_eq!(empty, 63, "{bottom:?}");
    }
}

#[test]
fn the_seat_tab_lies_on_the_edge_towards_home() {
    let edge = Theme::Light.colours().army(Colour::Red).outline;
    // the middles of the four edges of e4's square
    let places = [
        (Side::South, 400, 439),
        (Side::West, 360, 400),
        (Side::North, 400, 360),
        (Side::East, 439, 400),
    ];
    for (home, ..) in places {
        let frame = drawn(&board_with(Placed::new(
            (4, 3),
            Shape::Pawn,
            Colour::Red,
            home,
        )));
        for (side, x, y) in places {
            assert_eq!(
                frame[(x, y)] == edge,
                side == home,
                "tab of {home:?} at {side:?}"
            );
        }
    }
}

#[test]
fn each_state_of_a_piece_looks_its_own_way() {
    let looks = [
        PieceState::Live,
        PieceState::Dead,
        PieceState::Waiting,
        PieceState::Idle,
    ]
    .map(|state| {
        let pawn = Placed {
            state,
            ..Placed::new((0, 0), Shape::Pawn, Colour::Green, Side::South)
        };
        square(&drawn(&board_with(pawn)), 0, 7)
    });
    for (place, one) in looks.iter().enumerate() {
        assert!(looks[place + 1..].iter().all(|other| other != one));
    }
}

#[test]
fn the_dead_have_neither_tab_nor_colour() {
    let dead = |colour, home| {
        let piece = Placed {
            state: PieceState::Dead,
            ..Placed::new((0, 0), Shape::Horse, colour, home)
        };
        drawn(&board_with(piece))
    };
    assert_eq!(
        dead(Colour::Red, Side::South),
        dead(Colour::Blue, Side::East)
    );
}

#[test]
fn the_colour_blind_theme_puts_the_armys_letter_on_the_square() {
    let mut scene = board_with(Placed::new((0, 0), Shape::Pawn, Colour::Red, Side::South));
    let corner = |scene: &Scene| {
        let frame = drawn(scene);
        (0..20)
            .flat_map(|y| (0..20).map(move |x| (40 + x, 600 + y)))
            .filter(|&(x, y)| frame[(x, y)] != frame[(41, 630)])
            .count()
    };
    assert_eq!(corner(&scene), 0);
    scene.theme = Theme::ColourBlind;
    assert!(corner(&scene) > 40);
}

#[test]
fn holes_show_the_frame() {
    let frame = drawn(&Scene::new(Board::cross(14, 3)));
    let outside = Theme::Light.colours().frame;
    let middle = |column: u32, row: u32| frame[(38 + 46 * column + 23, 38 + 46 * row + 23)];
    for row in 0..14 {
        for column in 0..14 {
            let outer = |line| !(3..11).contains(&line);
            assert_eq!(
                middle(column, row) == outside,
                outer(column) && outer(row),
                "{column}, {row}"
            );
        }
    }
}

#[test]
fn light_squares_are_at_the_right_hand_of_south() {
    let frame = drawn(&Scene::new(Board::new(8, 8)));
    let [light, dark] = Theme::Light.colours().squares;
    assert_eq!(frame[(50, 670)], dark, "a1");
    assert_eq!(frame[(670, 670)], light, "h1");
}

#[test]
fn coordinates_are_three_hundredths_of_the_picture_high_on_four_sides() {
    for board in [Board::new(8, 8), Board::new(10, 10), Board::cross(14, 3)] {
        for width in [324, 480, 720, 1080] {
            let mut scene = Scene::new(board.clone());
            scene.width = width;
            let frame = drawn(&scene);
            let outside = frame[(0, width / 2)];
            let margin = width / 30;
            // below the corner, the first figure from the top on either side
            for columns in [0..margin, width - margin..width] {
                let written: Vec<_> = (0..width)
                    .map(|y| columns.clone().any(|x| frame[(x, y)] != outside))
                    .collect();
                let tall = written
                    .split(|&on| !on)
                    .map(<[bool]>::len)
                    .max()
                    .unwrap_or(0);
                assert!(
                    tall as f64 >= 0.03 * f64::from(width),
                    "{board:?} at {width}: {tall}"
                );
            }
            for rows in [0..margin, width - margin..width] {
                let written = (0..width)
                    .filter(|&x| rows.clone().any(|y| frame[(x, y)] != outside))
                    .count();
                assert!(
                    written > usize::from(board.files) * 3,
                    "{board:?} at {width}: no letters"
                );
            }
        }
    }
}

#[test]
fn an_arrow_runs_in_the_armys_colour_between_its_squares() {
    let mut scene = Scene::new(Board::new(8, 8));
    scene.marks.push(Mark::Earlier {
        from: (0, 0),
        to: (7, 7),
        colour: Colour::Blue,
    });
    scene.marks.push(Mark::Earlier {
        from: (0, 4),
        to: (4, 4),
        colour: Colour::Red,
    });
    let frame = drawn(&scene);
    let fill = |colour| Theme::Light.colours().army(colour).fill;
    assert_eq!(frame[(480, 240)], fill(Colour::Blue));
    assert_eq!(frame[(160, 320)], fill(Colour::Red));
    assert_ne!(frame[(160, 340)], fill(Colour::Red));
    assert!(is_plain(&square(&frame, 6, 6)));
}

#[test]
fn a_palette_leaves_an_index_free_for_transparency() {
    for theme in Theme::ALL {
        let entries = Palette::of(theme).entries().len();
        assert!(entries < 255, "{theme} has {entries} colours");
    }
}

#[test]
fn a_file_decodes_to_the_frame_that_was_drawn() {
    for samples::Sample { name, mut scene } in samples::all() {
        for layout in [Layout::Square, Layout::Wide] {
            scene.layout = layout;
            let bytes = png(&scene).expect("a sound scene");
            let decoded = image::load_from_memory(&bytes).expect("a PNG").to_rgb8();
            assert!(decoded == drawn(&scene), "{name}");
        }
    }
}

#[test]
fn the_same_scene_gives_the_same_file_also_on_many_threads() {
    let samples = samples::all();
    let once: Vec<_> = samples.iter().map(|sample| png(&sample.scene)).collect();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for (sample, before) in samples.iter().zip(&once) {
                    assert_eq!(&png(&sample.scene), before, "{}", sample.name);
                }
            });
        }
    });
}

#[test]
fn boards_full_of_men_take_at_most_40_kilobytes() {
    let full = [
        "two-8x8",
        "two-10x10",
        "partnership-8x8",
        "four-handed-8x8",
        "cross-14x14",
    ];
    let mut seen = 0;
    for samples::Sample { name, scene } in samples::all() {
        let opening = full.iter().any(|board| {
            Theme::ALL
                .iter()
                .any(|theme| name == format!("{board}-{theme}"))
        });
        if opening {
            let bytes = png(&scene).expect("a sound scene").len();
            assert!(bytes <= 40_000, "{name}: {bytes} bytes");
            seen += 1;
        }
    }
    assert_eq!(seen, full.len() * Theme::ALL.len());
}

#[test]
fn r124_the_longest_names_make_no_larger_picture() {
    let mut scene = samples::all().swap_remove(6).scene;
    let ordinary = [Layout::Square, Layout::Wide].map(|layout| {
        scene.layout = layout;
        png(&scene).expect("a sound scene").len()
    });
    for seat in &mut scene.panel.seats {
        seat.name = "Wilhelmina ".repeat(1000);
        seat.fallback = "W".repeat(10_000);
        seat.score = Some("9".repeat(1000));
    }
    scene.panel.title = "M".repeat(10_000);
    scene.panel.note = "a note without end ".repeat(1000);
    for (layout, ordinary) in [Layout::Square, Layout::Wide].into_iter().zip(ordinary) {
        scene.layout = layout;
        let bytes = png(&scene).expect("a sound scene").len();
        assert!(
            bytes <= ordinary + 12_000,
            "{layout:?}: {bytes} bytes, {ordinary} with short names"
        );
    }
    scene.width = 1440;
    assert!(png(&scene).expect("a sound scene").len() <= 200_000);
}

#[test]
fn names_in_any_script_can_be_written() {
    for (name, written) in [
        ("Łukasz Ångström", "Łukasz Ångström"),
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("Анна Ελένη", "Анна Ελένη"),
        ("李小龙", "Li Xiao Long"),
        ("さくら", "sakura"),
        ("김민준", "gimminjun"),
        ("דוד", "dvd"),
        ("عمر", "'mr"),
        ("अर्जुन", "arjun"),
        ("Ａｄａ 𝕬𝖉𝖆", "Ada Ada"),
        ("🌸 Žofie ★", "Žofie"),
        ("🐘", "elephant"),
        ("a\u{202e}b\n", "ab"),
        ("\u{e000}", ""),
    ] {
        assert_eq!(spelled(name), written);
    }
}

#[test]
fn players_whose_names_look_alike_are_told_apart_by_their_seats() {
    let scene = |names: [&str; 2]| {
        let mut scene = samples::all().swap_remove(6).scene;
        scene.layout = Layout::Wide;
        for (seat, name) in scene.panel.seats.iter_mut().zip(names) {
            name.clone_into(&mut seat.name);
        }
        drawn(&scene)
    };
    let written = |names, as_if| scene(names) == scene(as_if);
    assert!(written(["わさび", "李"], ["wasabi", "Li"]));
    assert!(written(["李", "里"], ["South · Li", "West · Li"]));
    assert!(written(
        ["李小龙", "李小玲"],
        ["South · Li Xiao Long", "West · Li Xiao Ling"]
    ));
    assert!(written(["Ada 🐘", "ada"], ["South · Ada", "West · ada"]));
    assert!(written(["\u{e000}", "\u{e001}"], ["South", "West"]));
    // who plays alone needs no telling apart
    assert!(written(["李", "李"], ["Li", "Li"]));
}

#[test]
fn a_title_that_is_long_for_one_line_stands_in_two() {
    let mut scene = Scene::new(Board::new(8, 8));
    scene.layout = Layout::Wide;
    let mut rows = |title: &str| {
        title.clone_into(&mut scene.panel.title);
        let right = imageops::crop_imm(&drawn(&scene), 720, 0, 360, 720).to_image();
        let plain = |row: &[u8]| row.iter().all(|byte| *byte == row[0]);
        right
            .chunks_exact(3 * 360)
            .filter(|row| plain(&row.iter().step_by(3).copied().collect::<Vec<_>>()))
            .count()
    };
    let (short, long) = (rows("K7F2 Chaturanga"), rows("K7F2 Partnership Chaturanga"));
    assert!(short > long + 15, "{short} and {long} rows without writing");
}

#[test]
fn scenes_that_contradict_themselves_are_refused() {
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut scene = samples::all().swap_remove(5).scene;
        change(&mut scene);
        draw(&scene).expect_err("a contradiction")
    };
    let king = |at| Placed::new(at, Shape::King, Colour::Red, Side::South);
    assert_eq!(refused(&|s| s.width = 100_000), RenderError::Width(100_000));
    assert_eq!(
        refused(&|s| s.board.files = 0),
        RenderError::BoardSize {
            files: 0,
            ranks: 14
        }
    );
    assert_eq!(
        refused(&|s| s.pieces.push(king((0, 0)))),
        RenderError::NoSquare((0, 0))
    );
    assert_eq!(
        refused(&|s| s.pieces.push(king((7, 14)))),
        RenderError::NoSquare((7, 14))
    );
    assert_eq!(
        refused(&|s| s.pieces.push(king((7, 0)))),
        RenderError::Crowded((7, 0))
    );
    assert_eq!(
        refused(&|s| s.marks.push(Mark::Check((200, 3)))),
        RenderError::NoSquare((200, 3))
    );
    assert_eq!(refused(&|s| s.panel.dice[0].face = 7), RenderError::Face(7));
    assert_eq!(
        refused(&|s| s.panel.dice = vec![
            Die {
                face: 1,
                used: false
            };
            4
        ]),
        RenderError::Dice(4)
    );
    assert_eq!(
        refused(&|s| s.panel.seats.extend(s.panel.seats.clone())),
        RenderError::Seats(8)
    );
}

#[test]
fn any_size_and_board_can_be_drawn() {
    for (files, ranks) in [(1, 1), (1, 16), (16, 1), (9, 10), (16, 16)] {
        for width in [240, 241, 719, 1440] {
            for bottom in Side::ALL {
                let mut scene = Scene::new(Board::new(files, ranks));
                (scene.width, scene.bottom) = (width, bottom);
                scene.pieces.push(Placed::new(
                    (files - 1, ranks - 1),
                    Shape::Queen,
                    Colour::Blue,
                    Side::East,
                ));
                scene.marks.push(Mark::Check((0, 0)));
                scene.marks.push(Mark::Earlier {
                    from: (0, 0),
                    to: (files - 1, ranks - 1),
                    colour: Colour::White,
                });
                let frame = drawn(&scene);
                assert_eq!(frame.dimensions(), (width, width));
            }
        }
    }
}
