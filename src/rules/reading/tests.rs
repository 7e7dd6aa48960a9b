use super::*;
use crate::{Options, Seat, Setup, WhyNot, game};

fn start(key: &str) -> Play {
    let info = game(key).unwrap();
    Play::new(info, &Options::default()).unwrap()
}

fn position(key: &str, board: &str, mover: Seat, dice: &[u8]) -> Play {
    let setup = Setup {
        board: board.into(),
        mover: Some(mover),
        dice: crate::Roll::new(dice).ok(),
        ..Setup::default()
    };
    Play::from_setup(game(key).unwrap(), &Options::default(), &setup).unwrap()
}

fn texts(play: &Play, text: &str) -> Result<Vec<String>, ReadError> {
    read(play, text).map(|moves| moves.into_iter().map(|m| play.text(m)).collect())
}

#[track_caller]
fn reads(play: &Play, text: &str, moves: &[&str]) {
    assert_eq!(
        texts(play, text).as_deref(),
        Ok(moves
            .iter()
            .map(|m| m.to_string())
            .collect::<Vec<_>>()
            .as_slice()),
        "{text}"
    );
}

#[test]
fn all_these_mean_the_same() {
    let play = start("chaturanga");
    for text in [
        "b1c3",
        "b1-c3",
        "b1 c3",
        "B1C3",
        "b1→c3",
        "b1–c3",
        "b1 — c3",
        "b1−c3",
        "Nb1c3",
        "Nb1-c3",
        "Nc3",
        "nc3",
        "NC3",
        "knight c3",
        "horse b1 to c3",
        "Ashva b1 c3",
        "ashva to c3",
        "Nbc3",
        "N1c3",
        "Nc3+",
        "Nb1c3!?",
        "ｂ１ｃ３",
        "b1\u{a0}c3",
        "b1\u{200b}c3",
        " b1c3\r",
        "b1 to c3",
        "horse from b1 to c3",
    ] {
        reads(&play, text, &["b1c3"]);
    }
}

#[test]
fn captures_and_promotions() {
    let play = position(
        "chaturanga",
        "1,bN,5,bK/wP,7/8/8/8/8/8/wK,7",
        Seat::White,
        &[],
    );
    for text in [
        "a7a8=F",
        "a7a8f",
        "a7-a8=Mantri",
        "a8=F",
        "a8",
        "a7a8",
        "a8=mantri",
        "a7a8 = F",
        "pawn a8",
        "a8(F)",
    ] {
        reads(&play, text, &["a7a8=F"]);
    }
    for text in [
        "a7xb8",
        "axb8",
        "a7b8=F",
        "a7×b8",
        "a7:b8",
        "pawn takes b8",
        "axb8=F e.p.",
    ] {
        reads(&play, text, &["a7b8=F"]);
    }
    assert!(matches!(
        read(&play, "a7a8=R"),
        Err(ReadError::Illegal {
            why: WhyNot::Promotion { .. },
            ..
        })
    ));
}

#[test]
fn r80_a_letter_that_is_a_file_and_a_piece() {
    // The pawn on b2 and the Bishop on a1 can both take on c3 by a 5 and a 2.
    let board = "kK,6,gK/8/8/8/8/2,gP,5/1,wP,6/wB,1,rK,1,wK,3";
    let play = position("partnership", board, Seat::South, &[2, 5]);
    reads(&play, "Bc3", &["a1c3"]);
    reads(&play, "b2c3", &["b2c3"]);
    match read(&play, "bc3") {
        Err(ReadError::Ambiguous { ways, more: false }) => assert_eq!(ways.len(), 2),
        other => panic!("{other:?}"),
    }
    let play = position("partnership", board, Seat::South, &[2, 2]);
    reads(&play, "bc3", &["a1c3"]);
    let play = position("partnership", board, Seat::South, &[5, 5]);
    reads(&play, "bc3", &["b2c3"]);
}

#[test]
fn spaces_join_or_separate() {
    let mut play = start("four-handed");
    play.apply(&Event::Roll(crate::Roll::new(&[1, 3]).unwrap()))
        .unwrap();
    reads(&play, "c1 b3 a2 a3", &["c1b3", "a2a3"]);
    reads(&play, "Hb3, a3", &["c1b3", "a2a3"]);
    reads(&play, "a2a3 horse c1 to d3", &["a2a3", "c1d3"]);
    assert!(matches!(
        read(&play, "a2a3 a3a4"),
        Err(ReadError::Illegal {
            why: WhyNot::Die { .. },
            ..
        })
    ));
}

#[test]
fn one_text_is_one_turn() {
    let play = start("chaturanga");
    assert_eq!(
        read(&play, "a2a3 a7a6"),
        Err(ReadError::TurnOver {
            after: "a2a3".into(),
            rest: "a7a6".into()
        })
    );
}

#[test]
fn a_bare_square_too_far_ahead_is_about_the_pawn_behind_it() {
    let play = start("chaturanga");
    match read(&play, "e4") {
        Err(ReadError::Illegal { meant, .. }) => assert_eq!(play.text(meant), "e2e4"),
        other => panic!("{other:?}"),
    }
    // West's pawns go along their ranks.
    let west = position(
        "chaturaji",
        "rK,6,yK/8/8/1,bP,6/8/8/8/bK,6,gK",
        Seat::West,
        &[],
    );
    match read(&west, "d5") {
        Err(ReadError::Illegal { meant, .. }) => assert_eq!(west.text(meant), "b5d5"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn r79_castling_is_known_and_refused() {
    let play = start("chaturanga");
    for text in ["0-0", "o-o", "O–O", "0-0-0", "O-O-O+"] {
        assert!(
            matches!(read(&play, text), Err(ReadError::NoCastling { .. })),
            "{text}"
        );
    }
}

#[test]
fn r82_marks_behind_a_move_do_not_matter() {
    let play = start("chaturanga");
    for text in ["Nc3+", "Nc3#", "Nc3!!", "Nc3?!", "Nc3+!", "b1xc3"] {
        reads(&play, text, &["b1c3"]);
    }
}

#[test]
fn r83_a_bare_square_is_a_pawns() {
    let play = start("chaturanga");
    reads(&play, "d3", &["d2d3"]);
    assert!(matches!(read(&play, "d5"), Err(ReadError::Illegal { .. })));
}

#[test]
fn the_reason_is_told() {
    let mut play = start("four-handed");
    assert_eq!(read(&play, "c1b3"), Err(ReadError::MustRoll));
    play.apply(&Event::Roll(crate::Roll::new(&[2, 5]).unwrap()))
        .unwrap();
    let why = |text: &str| match read(&play, text) {
        Err(ReadError::Illegal { why, .. }) => why,
        other => panic!("{text}: {other:?}"),
    };
    assert!(matches!(why("c1b3"), WhyNot::Die { dice, .. } if dice.needs == [3]));
    assert!(matches!(why("a2b3"), WhyNot::NothingToTake { .. }));
    assert!(matches!(why("a2a4"), WhyNot::CannotReach { .. }));
    assert!(matches!(why("a1a2"), WhyNot::InTheWay { by, .. } if by.seat == Seat::South));
    assert!(matches!(why("a7b7"), WhyNot::NotTheirs { piece, .. } if piece.seat == Seat::West));
    assert!(matches!(why("e4e5"), WhyNot::Empty(_)));
    assert!(matches!(why("a2a9"), WhyNot::NoSquare(_)));
    let play = position(
        "chaturanga",
        "4,bR,2,bK/7,bP/8/8/wR,7/8/7,wP/4,wK,3",
        Seat::White,
        &[],
    );
    match read(&play, "h2h3") {
        Err(ReadError::Illegal {
            why: WhyNot::Check { from, meets, .. },
            ..
        }) => {
            assert_eq!(from[0].at.to_string(), "e8");
            assert!(meets.iter().all(|m| play.why_not(*m).is_none()) && !meets.is_empty());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn r86_no_text_panics() {
    let play = start("chaturanga");
    for text in [
        "x é",
        "é",
        "b1é",
        "🐘",
        "b1c3🐘",
        "\u{301}",
        "a1\u{301}b2",
        "=",
        "a=",
        "N",
        "Né3",
        "",
        "  ",
        "-",
        "ﬁ1",
        "½½",
        "b①c③",
    ] {
        let _ = read(&play, text);
    }
    assert_eq!(read(&play, " \r\n "), Err(ReadError::Empty));
    assert!(matches!(
        read(&play, &"b1c3 ".repeat(500)),
        Err(ReadError::TooLong { .. })
    ));
}

#[test]
fn r70_the_work_is_bounded() {
    let board = "kK,6,gK/8/8/8/8/2,gP,5/1,wP,6/wB,1,rK,1,wK,3";
    let play = position("partnership", board, Seat::South, &[2, 5]);
    let text = "bc3 ".repeat(90);
    assert!(read(&play, &text).is_err());
}

#[test]
fn legal_moves_are_offered_while_typing() {
    let play = start("chaturanga");
    let offered: Vec<String> = fitting(&play, "nb1")
        .into_iter()
        .map(|m| play.text(m))
        .collect();
    assert_eq!(offered, ["b1a3", "b1c3"]);
    assert_eq!(fitting(&play, "").len(), play.legal().len());
}

#[test]
fn two_squares_never_mean_another_piece() {
    let play = start("chaturanga");
    // The Raja stands on e1; the Elephant (E) of rank 1 is not meant.
    assert!(matches!(
        read(&play, "e1e3"),
        Err(ReadError::Illegal {
            why: WhyNot::CannotReach { .. },
            ..
        })
    ));
    // On this board n1 is no square: the Knight of rank 1.
    reads(&play, "n1c3", &["b1c3"]);
}

#[test]
fn without_a_letter_the_moves_that_fit_are_listed() {
    let board = "bK,7/4,wP,3/8/2,wN,3,wN,1/8/8/8/4,wK,2,wR";
    let play = position("chaturanga", board, Seat::White, &[]);
    match read(&play, "e4") {
        Err(ReadError::NoneCan { others, .. }) => {
            let others: Vec<String> = others.into_iter().map(|m| play.text(m)).collect();
            assert_eq!(others, ["c5e4", "g5e4"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_setup_that_no_game_has_is_refused() {
    use crate::SetupError;
    let info = game("four-handed").unwrap();
    let load = |text: &str| {
        let setup: Setup = serde_json::from_str(text).unwrap();
        Play::from_setup(info, &Options::default(), &setup).map(|_| ())
    };
    let board = r#""board":"3,gK,4/8/8/8/8/8/rP,gP,6/rK,7","mover":"south""#;
    assert_eq!(load(&format!("{{{board}}}")), Ok(()));
    assert_eq!(
        load(&format!(r#"{{{board},"scores":[2147483647,0,0,0]}}"#)),
        Err(SetupError::Points(i32::MAX))
    );
    assert_eq!(
        load(&format!(
            r#"{{{board},"command":["west","west","north","east"]}}"#
        )),
        Err(SetupError::Command(Seat::South))
    );
    assert_eq!(
        load(&format!(r#"{{{board},"bare":[null,3]}}"#)),
        Err(SetupError::Field("bare"))
    );
    assert_eq!(
        load(&format!(r#"{{{board},"quiet":100}}"#)),
        Err(SetupError::Over)
    );
    assert_eq!(
        load(&format!(
            r#"{{{board},"reserve":{{"south":"{}"}}}}"#,
            "K".repeat(33)
        )),
        Err(SetupError::FullReserve(Seat::South))
    );
}
