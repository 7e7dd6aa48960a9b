//! Sample scenes for the gallery, the bench and the tests: boards like those of the games, with everything on them.

use ashtapada_render::{
    Board, Colour, Die, Layout, Mark, Panel, PieceState, Placed, Scene, SeatLine, Shape, Side,
    Square, Theme,
};

/// A scene and the name it goes by.
pub(crate) struct Sample {
    /// Without blanks; good for a file name.
    pub(crate) name: String,
    /// What is on it.
    pub(crate) scene: Scene,
}

type Army = (Colour, Side, &'static str);

const TWO: [Army; 2] = [
    (Colour::White, Side::South, "Ada"),
    (Colour::Black, Side::North, "Bela Chandra"),
];
const PARTNERS: [Army; 4] = [
    (Colour::White, Side::South, "Asha"),
    (Colour::Red, Side::West, "Bo"),
    (Colour::Black, Side::North, "Chen"),
    (Colour::Green, Side::East, "Dara"),
];
const FOUR_HANDED: [Army; 4] = [
    (Colour::Red, Side::South, "Asha"),
    (Colour::Yellow, Side::West, "Bo"),
    (
        Colour::Green,
        Side::North,
        "Wolfeschlegelsteinhausenbergerdorff",
    ),
    (Colour::Black, Side::East, "Dara"),
];
const CROSS: [Army; 4] = [
    (Colour::Red, Side::South, "Asha"),
    (Colour::Blue, Side::West, "Bo"),
    (
        Colour::Yellow,
        Side::North,
        "Wolfeschlegelsteinhausenbergerdorff",
    ),
    (Colour::Green, Side::East, "さくら"),
];

/// All samples, each in every theme.
pub(crate) fn all() -> Vec<Sample> {
    let mut samples = Vec::new();
    for theme in Theme::ALL {
        let scenes = [
            ("two-8x8", two_8x8()),
            ("two-10x10", two_10x10()),
            (
                "partnership-8x8",
                opening_8x8(
                    &PARTNERS,
                    [Shape::Boat, Shape::Horse, Shape::Tower, Shape::King],
                ),
            ),
            (
                "four-handed-8x8",
                opening_8x8(
                    &FOUR_HANDED,
                    [Shape::King, Shape::Elephant, Shape::Horse, Shape::Boat],
                ),
            ),
            ("middle-8x8", middle_8x8()),
            ("cross-14x14", cross_14x14()),
            ("cross-14x14-middle", cross_middle()),
            ("pieces", pieces()),
        ];
        for (name, mut scene) in scenes {
            scene.theme = theme;
            samples.push(Sample {
                name: format!("{name}-{theme}"),
                scene,
            });
        }
    }
    samples
}

fn two_8x8() -> Scene {
    use Shape::{Chariot, Counsellor, Elephant, Horse, King};
    let back = [
        Chariot, Horse, Elephant, Counsellor, King, Elephant, Horse, Chariot,
    ];
    let mut scene = Scene::new(Board::new(8, 8));
    scene.pieces = two_armies(8, &[(0, &back.map(Some)), (1, &[Some(Shape::Pawn); 8])]);
    scene.marks = vec![Mark::LastFrom((4, 2)), Mark::LastTo((4, 1))];
    scene.panel = panel("Chaturanga · K7F2", &TWO);
    for seat in &mut scene.panel.seats {
        seat.score = None;
    }
    scene
}

fn two_10x10() -> Scene {
    use Shape::{Elephant, Horse, Infanta, Kangaroo, King, Marshal};
    let mut corners = [None; 10];
    corners[0] = Some(Shape::Chariot);
    corners[9] = Some(Shape::Chariot);
    let back = [
        Horse, Elephant, Infanta, King, Marshal, Kangaroo, Elephant, Horse,
    ];
    let mut middle = [None; 10];
    for (slot, shape) in middle[1..].iter_mut().zip(back) {
        *slot = Some(shape);
    }
    let mut scene = Scene::new(Board::new(10, 10));
    scene.pieces = two_armies(
        10,
        &[(0, &corners), (1, &middle), (2, &[Some(Shape::Pawn); 10])],
    );
    scene.marks = vec![
        Mark::LastFrom((3, 3)),
        Mark::LastTo((3, 2)),
        Mark::Target((5, 4)),
        Mark::Select((5, 2)),
    ];
    scene.panel = panel("Maha Chatukanga · Q2M8", &TWO);
    scene
}

/// Rows of South's, mirrored for North.
fn two_armies(ranks: u8, rows: &[(u8, &[Option<Shape>])]) -> Vec<Placed> {
    let mut pieces = Vec::new();
    for &(rank, row) in rows {
        for (file, shape) in (0..).zip(row) {
            if let &Some(shape) = shape {
                pieces.push(Placed::new((file, rank), shape, Colour::White, Side::South));
                pieces.push(Placed::new(
                    (file, ranks - 1 - rank),
                    shape,
                    Colour::Black,
                    Side::North,
                ));
            }
        }
    }
    pieces
}

/// A square turned by quarter turns clockwise, as seen from South.
fn turned((file, rank): Square, lines: u8, side: Side) -> Square {
    let last = lines - 1;
    match side {
        Side::South => (file, rank),
        Side::West => (rank, last - file),
        Side::North => (last - file, last - rank),
        Side::East => (last - rank, file),
    }
}

/// Four armies of eight, each given from its corner to the centre.
fn opening_8x8(armies: &[Army], back: [Shape; 4]) -> Scene {
    let mut scene = Scene::new(Board::new(8, 8));
    for &(colour, side, _) in armies {
        for (file, shape) in (0..).zip(back) {
            scene
                .pieces
                .push(Placed::new(turned((file, 0), 8, side), shape, colour, side));
            scene.pieces.push(Placed::new(
                turned((file, 1), 8, side),
                Shape::Pawn,
                colour,
                side,
            ));
        }
        scene.board.marked.push(turned((0, 0), 8, side));
    }
    scene.panel = panel("Four-Handed Chess · M3XV", armies);
    scene.panel.dice = vec![
        Die {
            face: 5,
            used: false,
        },
        Die {
            face: 3,
            used: true,
        },
    ];
    scene
}

fn middle_8x8() -> Scene {
    let mut scene = Scene::new(Board::new(8, 8));
    scene.layout = Layout::Wide;
    let mut put = |at, shape, army: usize, state| {
        let (colour, home, _) = FOUR_HANDED[army];
        scene.pieces.push(Placed {
            at,
            shape,
            colour,
            home,
            state,
        });
    };
    use PieceState::{Dead, Idle, Live, Waiting};
    for (at, shape) in [
        ((0, 0), Shape::King),
        ((4, 4), Shape::Horse),
        ((3, 0), Shape::Boat),
        ((1, 2), Shape::Elephant),
    ] {
        put(at, shape, 0, Live);
    }
    for at in [(0, 1), (1, 1), (2, 3)] {
        put(at, Shape::Pawn, 0, Live);
    }
    put((3, 7), Shape::Pawn, 0, Waiting);
    for (at, shape) in [
        ((1, 6), Shape::King),
        ((0, 6), Shape::Elephant),
        ((0, 5), Shape::Horse),
        ((1, 5), Shape::Pawn),
    ] {
        put(at, shape, 1, Live);
    }
    put((7, 4), Shape::Pawn, 1, Waiting);
    for (at, shape) in [
        ((7, 7), Shape::King),
        ((6, 7), Shape::Elephant),
        ((5, 6), Shape::Pawn),
        ((4, 7), Shape::Boat),
    ] {
        put(at, shape, 2, Idle);
    }
    for (at, shape) in [
        ((7, 0), Shape::King),
        ((7, 1), Shape::Elephant),
        ((6, 3), Shape::Pawn),
        ((5, 2), Shape::Horse),
    ] {
        put(at, shape, 3, if shape == Shape::King { Live } else { Dead });
    }
    scene.board.marked = vec![(0, 0), (0, 7), (7, 7), (7, 0)];
    scene.marks = vec![
        Mark::LastFrom((2, 3)),
        Mark::LastTo((4, 4)),
        Mark::Check((7, 0)),
        Mark::Check((1, 6)),
        Mark::Earlier {
            from: (1, 4),
            to: (0, 6),
            colour: Colour::Yellow,
        },
        Mark::Earlier {
            from: (7, 5),
            to: (7, 4),
            colour: Colour::Yellow,
        },
        Mark::Earlier {
            from: (3, 3),
            to: (5, 2),
            colour: Colour::Black,
        },
        Mark::Earlier {
            from: (1, 7),
            to: (4, 7),
            colour: Colour::Green,
        },
        Mark::Target((5, 5)),
        Mark::Target((3, 5)),
        Mark::Target((5, 6)),
    ];
    scene.marks[0] = Mark::LastFrom((3, 2));
    scene.panel = panel("Four-Handed Chess · M3XV", &FOUR_HANDED);
    scene.panel.dice = vec![
        Die {
            face: 5,
            used: false,
        },
        Die {
            face: 3,
            used: true,
        },
    ];
    "Bo claimed the throne of Dara; Dara's army moves on Bo's turns."
        .clone_into(&mut scene.panel.note);
    scene
}

fn cross_14x14() -> Scene {
    use Shape::{Bishop, Horse, King, Queen, Tower};
    let back = [Tower, Horse, Bishop, Queen, King, Bishop, Horse, Tower];
    let mut scene = Scene::new(Board::cross(14, 3));
    for (colour, side, _) in CROSS {
        for (file, shape) in (3..).zip(back) {
            scene.pieces.push(Placed::new(
                turned((file, 0), 14, side),
                shape,
                colour,
                side,
            ));
            scene.pieces.push(Placed::new(
                turned((file, 1), 14, side),
                Shape::Pawn,
                colour,
                side,
            ));
        }
        scene.board.marked.push(turned((7, 0), 14, side));
    }
    scene.panel = panel("Four-Handed Chess on the cross · ZZ7A", &CROSS);
    scene.panel.dice = vec![
        Die {
            face: 6,
            used: false,
        },
        Die {
            face: 4,
            used: true,
        },
    ];
    scene
}

fn cross_middle() -> Scene {
    let mut scene = cross_14x14();
    scene.layout = Layout::Wide;
    scene.bottom = Side::West;
    for piece in &mut scene.pieces {
        if piece.colour == Colour::Yellow {
            piece.state = PieceState::Dead;
        }
        if piece.colour == Colour::Green {
            piece.state = PieceState::Idle;
        }
    }
    scene.panel.seats[2].out = true;
    scene.marks = vec![
        Mark::LastFrom((1, 5)),
        Mark::LastTo((3, 6)),
        Mark::Check((7, 0)),
        Mark::Earlier {
            from: (9, 1),
            to: (9, 9),
            colour: Colour::Red,
        },
        Mark::Earlier {
            from: (4, 3),
            to: (10, 9),
            colour: Colour::Blue,
        },
    ];
    "Red moves an Elephant or a Pawn. Bo to roll within two days, or the turn passes."
        .clone_into(&mut scene.panel.note);
    scene
}

/// Every shape in every coat: files are the shapes, ranks the coats.
fn pieces() -> Scene {
    let mut scene = Scene::new(Board::new(13, 8));
    scene.width = 1168;
    for (file, shape) in (0..).zip(Shape::ALL) {
        for (rank, colour) in (2..).zip(Colour::ALL) {
            scene.pieces.push(Placed::new(
                (file, rank),
                shape,
                colour,
                Side::ALL[usize::from(file % 4)],
            ));
        }
        let state = [PieceState::Waiting, PieceState::Idle][usize::from(file % 2)];
        scene.pieces.push(Placed {
            state,
            ..Placed::new((file, 1), shape, Colour::Red, Side::South)
        });
        scene.pieces.push(Placed {
            state: PieceState::Dead,
            ..Placed::new((file, 0), shape, Colour::Red, Side::South)
        });
    }
    scene
}

fn panel(title: &str, armies: &[Army]) -> Panel {
    let seats = (0u8..)
        .zip(armies)
        .map(|(place, &(colour, home, name))| SeatLine {
            name: name.to_owned(),
            fallback: format!("{home:?}"),
            colour,
            king: Shape::King,
            home,
            score: Some((12 - place * 3).to_string()),
            to_move: place == 0,
            out: place == 3,
        });
    Panel {
        title: title.to_owned(),
        seats: seats.collect(),
        ..Panel::default()
    }
}
