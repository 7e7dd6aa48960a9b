//! The picture on a game's page of rules: its array, and below it how each kind of piece moves.

use super::{Look, colour, position, shapes, side};
use crate::rules::{Info, KindId, Play, Seat, Step};
use render::{Board, Layout, Mark, Picture, PieceState, Placed, RenderError, Scene, Theme};

/// Squares on each side of the small boards, which the piece stands in the middle of.
const SIDE: u8 = 7;
const MIDDLE: (i8, i8) = (3, 3);
/// The width of the array and of a small board, in pixels.
const WIDTH: u32 = 720;
const SMALL: u32 = 240;

/// The array of a game and the moves of its pieces, in the order of its card, as the bytes of a PNG file.
///
/// # Errors
/// When the picture cannot be drawn.
pub fn guide_png(array: &Play, theme: Theme) -> Result<Vec<u8>, RenderError> {
    let info = array.info();
    let look = Look {
        from: info.seats.first().copied().unwrap_or(Seat::South),
        theme,
        layout: Layout::Square,
    };
    let mut whole = position(array, look);
    whole.width = WIDTH;
    let mut rows: Vec<Vec<Picture>> = vec![vec![render::draw(&whole)?]];
    let kinds: Vec<KindId> = info.kind_ids().map(|(kind, _)| kind).collect();
    let a_row = usize::try_from(WIDTH / SMALL).unwrap_or(1);
    for kinds in kinds.chunks(a_row) {
        let row = kinds
            .iter()
            .map(|kind| render::draw(&moves_of(info, *kind, theme)));
        rows.push(row.collect::<Result<_, _>>()?);
    }
    match render::sheet(&rows) {
        Some(sheet) => render::encode(&sheet),
        None => render::png(&whole),
    }
}

/// A piece of the first army in the middle of a small board, with where it can go.
fn moves_of(info: &'static Info, kind: KindId, theme: Theme) -> Scene {
    let mut scene = Scene::new(Board::new(SIDE, SIDE));
    scene.theme = theme;
    scene.width = SMALL;
    let step = info.kind(kind).step;
    scene.pieces.extend(piece(info, kind, 0, MIDDLE));
    let mut targets = reached(step);
    if step == Step::Pawn {
        // What it captures stands there.
        for target in &targets {
            scene.pieces.extend(piece(info, kind, 1, *target));
        }
        targets.push((MIDDLE.0, MIDDLE.1 + 1));
    }
    let marks = targets.into_iter().filter_map(square).map(Mark::Target);
    scene.marks = marks.collect();
    scene
}

fn piece(info: &'static Info, kind: KindId, army: usize, at: (i8, i8)) -> Option<Placed> {
    let seat = *info.seats.get(army)?;
    Some(Placed {
        at: square(at)?,
        shape: shapes::shape(info, kind),
        colour: colour(info.army(seat).colour),
        home: side(seat),
        state: PieceState::Live,
    })
}

/// Where a piece in the middle can go on the empty board.
fn reached(step: Step) -> Vec<(i8, i8)> {
    let from_the_middle = |(file, rank): (i8, i8)| (MIDDLE.0 + file, MIDDLE.1 + rank);
    let mut reached: Vec<(i8, i8)> = step.leaps().into_iter().map(from_the_middle).collect();
    let mut slide = |ways: [(i8, i8); 4]| {
        for (file, rank) in ways {
            reached.extend((1..=MIDDLE.0).map(|far| from_the_middle((far * file, far * rank))));
        }
    };
    if step.slides_straight() {
        slide([(0, 1), (1, 0), (0, -1), (-1, 0)]);
    }
    if step.slides_diagonally() {
        slide([(1, 1), (1, -1), (-1, -1), (-1, 1)]);
    }
    reached
}

fn square((file, rank): (i8, i8)) -> Option<render::Square> {
    let within = |line: i8| u8::try_from(line).ok().filter(|line| *line < SIDE);
    Some((within(file)?, within(rank)?))
}
