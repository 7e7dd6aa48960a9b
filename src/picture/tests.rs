use std::collections::BTreeSet;

use super::*;
use crate::rules;

#[test]
fn every_kind_of_a_game_has_a_drawing_of_its_own() {
    for info in rules::games() {
        let shapes: BTreeSet<render::Shape> = info
            .kind_ids()
            .map(|(kind, _)| shapes::shape(info, kind))
            .collect();
        assert_eq!(shapes.len(), info.kinds.len(), "{}", info.key);
    }
}

#[test]
fn the_board_has_the_squares_of_its_game() {
    for info in rules::games() {
        let board = board(info.shape);
        assert_eq!(
            (board.files, board.ranks),
            (info.shape.files, info.shape.ranks)
        );
        let squares = usize::from(board.files) * usize::from(board.ranks) - board.holes.len();
        assert_eq!(squares, info.shape.squares().count(), "{}", info.key);
    }
}

#[test]
fn every_game_has_a_guide_to_its_array_and_its_pieces() {
    for info in rules::games() {
        let array = Play::new(info, &rules::Options::default()).unwrap();
        let bytes = guide_png(&array, Theme::default()).unwrap();
        let picture = image::load_from_memory(&bytes).unwrap();
        let rows = u32::try_from(info.kinds.len().div_ceil(3)).unwrap();
        assert_eq!(
            (picture.width(), picture.height()),
            (720, 720 + 240 * rows),
            "{}",
            info.key
        );
    }
}
