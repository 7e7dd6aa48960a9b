use super::*;
use crate::command::trial::{self, Drawn, after, position};

/// A table of a game at its first move.
fn begun(game: &str, seed: u64) -> Table {
    let info = rules::game(game).unwrap();
    let mut drawn = Drawn::from(seed);
    let mut table = trial::table(info, &mut drawn);
    if position(&table).phase() == Phase::Roll {
        trial::play_on(&mut table, &mut drawn);
    }
    table
}

#[test]
fn r14_r16_every_completion_is_read_as_exactly_the_moves_it_says() {
    trial::tables(2, 40, |table, drawn| {
        let play = position(table);
        let legal = play.legal();
        let one = legal[drawn.below(legal.len())];
        let text = play.text(one);
        let kind = play.info().kind(play.piece_at(one.from).unwrap().kind);
        let typed = [
            String::new(),
            text.chars().take(1 + drawn.below(text.len())).collect(),
            one.to.to_string(),
            format!("{} {}", kind.name, one.to),
            format!("{text} "),
        ];
        for typed in typed {
            let found = moves(table, &typed, 25);
            assert!(found.len() <= 25);
            assert!(!found.is_empty(), "“{typed}” finds nothing in {play:?}");
            for text in found {
                let read = reading::read(play, &text);
                let said: Vec<Move> = text
                    .split(' ')
                    .map(|text| rules::parse_move(play.info(), text).unwrap())
                    .collect();
                assert_eq!(read, Ok(said), "{typed} {text}");
            }
        }
        // All that is legal is found when there is room for it.
        let all = moves(table, "", usize::MAX);
        assert_eq!(all.len(), legal.len());
    });
}

#[test]
fn a_move_that_is_typed_whole_comes_first_and_with_dice_left_the_next_one_after_it() {
    let mut longer = 0;
    trial::tables(2, 30, |table, drawn| {
        let play = position(table);
        let legal = play.legal();
        let text = play.text(legal[drawn.below(legal.len())]);
        let found = moves(table, &text, 25);
        assert_eq!(found.first(), Some(&text));
        let here = after(table, &text);
        if !goes_on(&here, play) {
            return;
        }
        longer += 1;
        let next = here.text(here.legal()[0]);
        let both = moves(table, &format!("{text} {next}"), 25);
        assert_eq!(both.first(), Some(&format!("{text} {next}")));
        let some = moves(table, &format!("{text} {}", &next[..1]), usize::MAX);
        assert!(some.contains(&format!("{text} {next}")), "{some:?}");
    });
    assert!(longer > 20, "only {longer} turns of several moves");
}

#[test]
fn notation_comes_before_targets_and_targets_before_names() {
    let table = begun("chaturanga", 1);
    assert_eq!(moves(&table, "b1", 25), ["b1a3", "b1c3"]);
    // The Horses' letter is a file of no pawn that could be meant.
    assert_eq!(moves(&table, "nc3", 25), ["b1c3"]);
    assert_eq!(moves(&table, "Ｎb1–c3", 25), ["b1c3"]);
    assert_eq!(moves(&table, "horse", 25), ["b1a3", "b1c3", "g1f3", "g1h3"]);
    assert_eq!(moves(&table, "horse to c3", 25), ["b1c3"]);
    // b: the pawn on b2 and the Horse on b1 by notation, then what goes to a square of file b: the same.
    let found = moves(&table, "b", 25);
    assert_eq!(&found[..3], ["b1a3", "b1c3", "b2b3"]);
    // The pawn's own short name, then what else goes there.
    let found = moves(&table, "c3", 25);
    assert_eq!(&found[..2], ["c2c3", "b1c3"]);
    assert!(moves(&table, "Ng9", 25).is_empty());
    assert_eq!(moves(&table, "", 3).len(), 3);
}

#[test]
fn promotions_are_completed_by_what_the_pawn_becomes() {
    let info = rules::game("maha-chatukanga").unwrap();
    let mut seen = 0;
    for seed in 0..6 {
        let mut drawn = Drawn::from(seed);
        let mut table = trial::table(info, &mut drawn);
        for _ in 0..400 {
            if !trial::play_on(&mut table, &mut drawn) {
                break;
            }
            let play = position(&table);
            for one in play.legal() {
                let Some(kind) = one.promotion else { continue };
                seen += 1;
                let text = play.text(one);
                let plain = format!("{}{}", one.from, one.to);
                assert!(moves(&table, &plain, usize::MAX).contains(&text));
                let named = format!("{plain} {}", info.kind(kind).name);
                assert!(moves(&table, &named, usize::MAX).contains(&text));
            }
        }
    }
    assert!(seen > 0, "no pawn was promoted");
}

#[test]
fn what_is_offered_for_moves_is_a_square_or_piece_that_can_move() {
    let table = begun("chaturanga", 1);
    assert_eq!(origins(&table, "b", 25), ["b1", "b2"]);
    assert_eq!(origins(&table, "hor", 25), ["horse", "b1", "g1"]);
    let all = origins(&table, "", 25);
    assert!(all.contains(&"Ashva".to_owned()) && all.contains(&"h2".to_owned()));
    trial::tables(1, 20, |table, _| {
        for text in origins(table, "", 25) {
            let found = pieces::moves_of(position(table), &text);
            assert!(!found.is_empty(), "{text}");
        }
    });
}

#[test]
fn no_typed_text_is_too_odd() {
    let table = begun("four-handed", 1);
    for typed in ["é", "💥", "x", "xx", "= = =", "a1 ".repeat(2000).as_str()] {
        moves(&table, typed, 25);
        origins(&table, typed, 25);
    }
}
