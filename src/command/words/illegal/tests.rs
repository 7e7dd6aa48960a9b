//! Every piece of every game with every option, sent to every square: what the answer names as possible is what the rules
//! allow, no less and no more.

use super::*;
use crate::rules::{self, Choices, Event, Move, Options, Phase, Play, Roll};

/// Numbers that look drawn and are the same in every run.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count.max(1)
    }
}

/// The games with each combination of what can be chosen from words; what is drawn is the last there is.
fn every_start() -> Vec<Play> {
    let mut starts = Vec::new();
    for info in rules::games() {
        let mut ways: Vec<Vec<(&str, String)>> = vec![Vec::new()];
        for option in info.options {
            let values: Vec<String> = match option.choices {
                Choices::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
                Choices::Number { least, .. } => vec![least.to_string()],
                Choices::Drawn { count, .. } => vec![(count - 1).to_string()],
            };
            ways = ways
                .iter()
                .flat_map(|way| {
                    values
                        .iter()
                        .map(|value| [way.as_slice(), &[(option.key, value.clone())]].concat())
                })
                .collect();
        }
        for way in ways {
            let options = Options::checked(info, way).unwrap();
            starts.push(Play::new(info, &options).unwrap());
        }
    }
    starts
}

/// Goes on until somebody is to move; `false` when the game is over.
fn until_move(play: &mut Play, drawn: &mut Drawn) -> bool {
    while play.phase() == Phase::Roll {
        let faces: Vec<u8> = (0..play.dice_thrown())
            .map(|_| drawn.below(6) as u8 + 1)
            .collect();
        play.apply(&Event::Roll(Roll::new(&faces).unwrap()))
            .unwrap();
    }
    play.phase() == Phase::Move
}

/// The squares, or the moves, that a sentence names behind some words.
fn named(sentence: &str, behind: &str) -> Vec<String> {
    let Some((_, listed)) = sentence.rsplit_once(behind) else {
        return Vec::new();
    };
    let mut named: Vec<String> = listed
        .replace(" or ", ", ")
        .split(", ")
        .map(str::to_owned)
        .collect();
    named.sort();
    named
}

/// What is wrong with the answer to a move; nothing if it says what is so.
fn check(play: &Play, piece: Piece, to: Square) {
    let info = play.info();
    let Some(why) = play.why_not(Move {
        from: piece.at,
        to,
        promotion: None,
    }) else {
        return;
    };
    let sentence = why_not(info, &why);
    let told = format!("{} {}{to}: {sentence}", info.key, piece.at);
    let mut legal: Vec<String> = play
        .legal()
        .iter()
        .filter(|m| m.from == piece.at)
        .map(|m| m.to.to_string())
        .collect();
    legal.sort();
    legal.dedup();
    let said = match &why {
        WhyNot::CannotReach { .. } => named(&sentence, ": "),
        WhyNot::Check { meets, can, .. } if can.is_empty() && !meets.is_empty() => {
            let mut all: Vec<String> = play
                .legal()
                .iter()
                .map(|m| move_read(info, &play.text(*m)))
                .collect();
            all.sort();
            let said = named(&sentence, "What meets the check: ");
            assert!(said == all || all.len() > MOST_LISTED, "{told}");
            return;
        }
        WhyNot::Promotion { .. } => {
            let mut all: Vec<String> = play
                .legal()
                .iter()
                .filter(|m| (m.from, m.to) == (piece.at, to))
                .map(|m| play.text(*m))
                .collect();
            all.sort();
            assert_eq!(named(&sentence, "write "), all, "{told}");
            return;
        }
        WhyNot::Die { dice, .. } => {
            assert!(legal.is_empty(), "{told}");
            let rule = info.dice.unwrap();
            for (face, kinds) in &dice.moves {
                assert!(play.unused().contains(face), "{told}");
                assert_eq!(
                    kinds.iter().copied().collect::<rules::Kinds>(),
                    rule.allows[usize::from(*face)],
                    "{told}"
                );
            }
            for face in 1..=6_u8 {
                let moves = rule.allows[usize::from(face)].has(piece.kind);
                assert_eq!(dice.needs.contains(&face), moves, "{told}");
                assert!(!moves || sentence.contains(&format!("a {face}")), "{told}");
            }
            return;
        }
        WhyNot::Waiting { .. } => {
            assert!(legal.is_empty() && piece.waiting, "{told}");
            return;
        }
        _ => named(&sentence, "can go to "),
    };
    assert_eq!(said, legal, "{told}");
    assert_eq!(
        legal.is_empty(),
        sentence.contains("has no legal move now"),
        "{told}"
    );
}

#[test]
fn what_is_named_as_possible_is_what_the_rules_allow() {
    for (number, start) in every_start().into_iter().enumerate() {
        for walk in 0..2_u64 {
            let mut drawn = Drawn(number as u64 * 7 + walk + 1);
            let mut play = start.clone();
            for step in 0..90 {
                if !until_move(&mut play, &mut drawn) {
                    break;
                }
                if step % 15 == 0 {
                    for piece in play.pieces() {
                        if piece.seat == play.mover() {
                            for to in play.info().shape.squares() {
                                check(&play, piece, to);
                            }
                        }
                    }
                }
                let legal = play.legal();
                play.apply(&Event::Move(legal[drawn.below(legal.len())]))
                    .unwrap();
            }
        }
    }
}

fn position(key: &str, setup: &str) -> Play {
    let setup = serde_json::from_str(setup).unwrap();
    Play::from_setup(rules::game(key).unwrap(), &Options::default(), &setup).unwrap()
}

/// The answers to some texts, each in the same position.
fn answers(play: &Play, texts: &[&str]) -> Vec<String> {
    let answer = |text: &&str| {
        let why = rules::reading::read(play, text).unwrap_err();
        super::super::unreadable::unreadable(play.info(), &why)
            .to_plain(|person| person.to_string())
    };
    texts.iter().map(answer).collect()
}

#[test]
fn the_sentences() {
    let start = |key| Play::new(rules::game(key).unwrap(), &Options::default()).unwrap();
    let check = r#"{"board":"4,bR,2,bK/7,bP/8/8/wR,7/8/7,wP/4,wK,3","mover":"white"}"#;
    let pinned = r#"{"board":"4,bR,2,bK/8/8/2,bP,5/8/4,wN,3/wP,7/4,wK,3","mover":"white"}"#;
    let dice = r#"{"board":"yK,7/8/8/8/8/8/rP,rB,6/1,rH,5,kK","mover":"south","dice":[3,5]}"#;
    let partner = r#"{"board":"kK,6,gK/8/8/8/8/8/1,wP,6/rK,wR,wB,5","mover":"south","dice":[4,6]}"#;
    let waits = r#"{"board":"rP,6,yK/8/8/8/8/8/8/rH,rK,5,kK","mover":"south","dice":[3,5],"waiting":["a8"]}"#;
    let promotes = r#"{"board":"9,bK/wP,9/10/10/10/10/10/10/10/wK,9","mover":"white"}"#;
    let mut told = answers(
        &start("chaturanga"),
        &[
            "h2h4", "h4", "c1c3", "g1g2", "a1a3", "e4e5", "a7a6", "a2b3", "Nd5", "i2i3",
            "queen d4", "Qd4", "a2a3=F",
        ],
    );
    told.extend(answers(
        &position("chaturanga", check),
        &["h2h3", "a4a5", "e1e2"],
    ));
    told.extend(answers(&position("chaturanga", pinned), &["e3c4", "c5c4"]));
    told.extend(answers(
        &position("four-handed", dice),
        &["b2d4", "boat d4", "elephant a5"],
    ));
    told.extend(answers(
        &position("partnership", partner),
        &["b2b3", "c1e3", "b1b2"],
    ));
    told.extend(answers(&position("four-handed", waits), &["a8b8"]));
    told.extend(answers(
        &position("maha-chatukanga", promotes),
        &["a9a10", "a9a10=G"],
    ));
    insta::assert_snapshot!(told.join("\n"));
}
