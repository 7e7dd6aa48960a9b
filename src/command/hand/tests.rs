use super::*;
use crate::command::trial::{self, Drawn, position};
use crate::rules::reading;

/// Longest text that a button may carry beside what else stands in it.
const ROOM: usize = 80;

fn picks(step: Step) -> Vec<Pick> {
    match step {
        Step::Piece { picks, .. } | Step::Target { picks } | Step::Becomes { picks } => picks,
        Step::Ready { .. } | Step::Nothing => Vec::new(),
    }
}

/// Chooses as drawn until the hand is ready, and looks at everything on the way.
fn moved_by_hand(table: &Table, drawn: &mut Drawn) -> String {
    let mut hand = Hand::default();
    loop {
        let step = hand.next(table);
        if let Step::Ready { moves } = step {
            return moves;
        }
        let picks = picks(step);
        assert!(!picks.is_empty(), "{hand} leads nowhere");
        for pick in &picks {
            let about = pick.about.as_deref().unwrap_or("-");
            for text in [pick.label.as_str(), about] {
                assert!((1..=100).contains(&text.chars().count()), "{text}");
            }
            assert!(pick.value.len() <= ROOM && !pick.value.contains('|'));
            let again: Hand = pick.value.parse().unwrap();
            assert_eq!(again.to_string(), pick.value);
            assert_ne!(again.next(table), Step::Nothing, "{}", pick.value);
        }
        hand = picks[drawn.below(picks.len())].value.parse().unwrap();
    }
}

#[test]
fn by_hand_every_game_is_moved_as_its_rules_allow() {
    trial::tables(2, 40, |table, drawn| {
        let moves = moved_by_hand(table, drawn);
        let read = reading::read(position(table), &moves).unwrap();
        assert_eq!(written(position(table).info(), &read), moves);
    });
}

#[test]
fn by_hand_everything_legal_can_be_reached() {
    trial::tables(1, 25, |table, _| {
        let play = position(table);
        let mut reached = Vec::new();
        for piece in picks(Hand::default().next(table)) {
            let hand: Hand = piece.value.parse().unwrap();
            for target in picks(hand.next(table)) {
                let hand: Hand = target.value.parse().unwrap();
                match hand.next(table) {
                    Step::Becomes { picks } => {
                        reached.extend(picks.into_iter().map(|pick| pick.value));
                    }
                    _ => reached.push(target.value),
                }
            }
        }
        let mut legal: Vec<String> = play.legal().iter().map(|one| play.text(*one)).collect();
        legal.sort();
        reached.sort();
        assert_eq!(reached, legal);
    });
}

#[test]
fn with_dice_left_what_was_chosen_may_be_played_or_gone_on_with() {
    let mut seen = 0;
    trial::tables(2, 30, |table, _| {
        let play = position(table);
        for one in play.legal() {
            let text = play.text(one);
            let hand: Hand = text.parse().unwrap();
            let mut here = play.clone();
            here.apply(&Event::Move(one)).unwrap();
            match hand.next(table) {
                Step::Piece { so_far, .. } => {
                    seen += 1;
                    assert!(goes_on(&here, play));
                    assert_eq!(so_far, Some(text));
                }
                step => assert_eq!(step, Step::Ready { moves: text }),
            }
        }
    });
    assert!(seen > 50, "only {seen}");
}

#[test]
fn a_hand_that_does_not_fit_the_position_leads_nowhere() {
    let info = rules::game("chaturanga").unwrap();
    let mut drawn = Drawn::from(7);
    let mut table = trial::table(info, &mut drawn);
    for text in ["b1d2", "e4", "b1c3,a2", "a7a8=", "a9", "z9z8"] {
        let hand: Hand = text.parse().unwrap();
        assert_eq!(hand.next(&table), Step::Nothing, "{text}");
    }
    trial::play_on(&mut table, &mut drawn);
    // White's Horse is not Black's to move.
    let hand: Hand = "b1".parse().unwrap();
    assert_eq!(hand.next(&table), Step::Nothing);
}

#[test]
fn what_is_no_hand_is_not_read() {
    for text in [
        "b",
        "b1c",
        ",",
        "b1,",
        "b1,a2",
        "a7a8=f",
        "a7a8=FF",
        "a7a8=,b1",
        "b1|c3",
        "é",
        "a1a2,a1a2,a1a2,a1a2,a1a2,a1a2,a1",
    ] {
        assert_eq!(text.parse::<Hand>(), Err(NotAHand(text.to_owned())));
    }
    assert_eq!("".parse::<Hand>(), Ok(Hand::default()));
}

#[test]
fn picks_say_what_is_taken_and_what_is_made() {
    let mut takes = false;
    let mut makes = false;
    trial::tables(3, 120, |table, _| {
        let play = position(table);
        for piece in picks(Hand::default().next(table)) {
            let hand: Hand = piece.value.parse().unwrap();
            for target in picks(hand.next(table)) {
                let at: Square = target.label.parse().unwrap();
                let about = target.about.unwrap_or_default();
                let victim = play.piece_at(at).is_some();
                assert_eq!(about.starts_with("takes "), victim, "{about}");
                takes |= victim;
                makes |= about.contains("becomes a");
            }
        }
    });
    assert!(takes && makes);
}
