//! What moves brought about, in the order in which it happened (RULES.md G7).

use super::names::{armies, army, counted, kind, one, pawn};
use crate::rules::{Effect, Info, Points, Seat};

/// What the effects of moves say, without the roll and the end of the game.
pub(super) fn played(info: &Info, effects: &[Effect]) -> String {
    let mut told = Told::default();
    for effect in effects {
        told.take(info, effect);
    }
    told.finish()
}

/// One sentence for each move, then what follows for whole armies.
#[derive(Default)]
struct Told {
    moves: Vec<String>,
    after: Vec<String>,
    /// What comes before the next capture of the same move.
    before_capture: &'static str,
}

impl Told {
    fn take(&mut self, info: &Info, effect: &Effect) {
        match effect {
            Effect::Moved {
                kind: moved,
                from,
                to,
                ..
            } => {
                self.before_capture = " takes";
                self.moves
                    .push(format!("{} {from}–{to}", kind(info, *moved)));
            }
            Effect::Captured {
                seat,
                kind: taken,
                dead,
                at,
                ..
            } => {
                let dead = if *dead { "dead " } else { "" };
                let whose = army(info, *seat);
                let on = if self.ends_on(&at.to_string()) {
                    String::new()
                } else {
                    format!(" on {at}")
                };
                let takes = match self.before_capture {
                    "" => "takes",
                    takes => takes,
                };
                self.add(format!(
                    "{takes} {whose}'s {dead}{}{on}",
                    kind(info, *taken)
                ));
                self.before_capture = ",";
            }
            Effect::Scored { seat, points, why } => self.scored(info, *seat, *points, *why),
            Effect::Triumph { .. } => {
                self.add(", Boat Triumph".to_owned());
                self.before_capture = ": takes";
            }
            Effect::Promoted {
                kind: made,
                waited,
                at,
                seat,
            } => {
                let made = one(info, *made);
                if *waited {
                    let whose = army(info, *seat);
                    let pawn = pawn(info);
                    self.after
                        .push(format!("{whose}'s {pawn} waiting on {at} becomes {made}."));
                } else {
                    self.add(format!(" and becomes {made}"));
                }
            }
            Effect::Waits { .. } => self.add(" and waits there for its promotion".to_owned()),
            Effect::Throne { seat, of, command } => {
                let whose = army(info, *of);
                self.add(format!(", claims the throne of {whose}"));
                if *command {
                    let commander = army(info, *seat);
                    self.after.push(format!(
                        "{whose}'s army is under {commander}'s command now."
                    ));
                }
            }
            Effect::Out { seat } => self.after.push(format!("{} is out.", army(info, *seat))),
            Effect::Unplayable { .. } | Effect::Over { .. } => {}
        }
    }

    fn scored(&mut self, info: &Info, seat: Seat, points: i32, why: Points) {
        match why {
            Points::Capture => self.add(format!(" (+{points})")),
            Points::Checks(kings) => {
                self.add(format!(", attacks {kings} Kings (+{points})"));
            }
            Points::DeadKings => {
                let points = counted(usize::try_from(points).unwrap_or_default(), "point");
                let who = army(info, seat);
                self.after.push(format!(
                    "{who} scores {points} for the Kings still on the board."
                ));
            }
            Points::Perfect => {
                let who = army(info, seat);
                self.after.push(format!(
                    "{who} has taken all three other Kings: {points} points!"
                ));
            }
        }
    }

    /// Goes on with the sentence of the last move; what happens without a move stands by itself.
    fn add(&mut self, words: String) {
        match self.moves.last_mut() {
            Some(sentence) => sentence.push_str(&words),
            None => self
                .after
                .push(words.trim_start_matches([' ', ',']).to_owned()),
        }
    }

    fn ends_on(&self, square: &str) -> bool {
        let last = self.moves.last();
        last.is_some_and(|sentence| {
            sentence
                .split_once('–')
                .is_some_and(|(_, to)| to.split(' ').next() == Some(square))
        })
    }

    fn finish(self) -> String {
        let mut sentences = Vec::new();
        if !self.moves.is_empty() {
            sentences.push(format!("{}.", self.moves.join("; ")));
        }
        sentences.extend(self.after);
        sentences.join(" ").replace("!.", "!")
    }
}

/// The scores: `Red 3, Yellow 0, …`; nothing in games without points.
pub(super) fn scores(info: &Info, scores: Option<Vec<i32>>) -> String {
    let scores = scores.unwrap_or_default();
    let each: Vec<String> = info
        .seats
        .iter()
        .zip(scores)
        .map(|(seat, points)| format!("{} {points}", army(info, *seat)))
        .collect();
    each.join(", ")
}

/// Armies that are out, for the status.
pub(super) fn out(info: &Info, seats: Vec<Seat>) -> String {
    match seats.as_slice() {
        [] => String::new(),
        [one] => format!("{} is out.", army(info, *one)),
        several => format!("{} are out.", armies(info, several.iter().copied())),
    }
}
