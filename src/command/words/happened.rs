//! What a command did at a table, as the message for everybody who plays or watches it.

use super::board_of;
use super::ending::ending;
use super::names::{acting, army, dice, player};
use super::played::{played, scores};
use super::turn::{allowed, whose_turn};
use crate::club::{Change, Happened};
use crate::command::message::{Choice, Message};
use crate::command::text::Text;
use crate::ids::PersonId;
use crate::rules::{Effect, Phase};
use crate::store::Post;
use crate::table::{Event, Matter, OfferId, Table};

/// The messages for everybody: one for each place of the table. None when there is nothing to say to others.
pub fn happened(happened: &Happened) -> Vec<Message> {
    let Some(message) = Story::of(happened).message() else {
        return Vec::new();
    };
    let places = happened.table.places().iter();
    places
        .map(|place| Message {
            place: place.clone(),
            ..message.clone()
        })
        .collect()
}

/// The same as the outbox keeps them.
pub fn posts(what: &Happened) -> Vec<Post> {
    let post = |message: Message| Post {
        place: message.place.clone(),
        body: serde_json::json!(message),
    };
    happened(what).into_iter().map(post).collect()
}

/// One message being put together.
pub(super) struct Story<'a> {
    happened: &'a Happened,
    lines: Vec<Text>,
    /// Whether the board looks other than before.
    board: bool,
    pub(super) choices: Vec<Choice>,
}

impl<'a> Story<'a> {
    fn of(happened: &'a Happened) -> Story<'a> {
        let mut story = Story {
            happened,
            lines: Vec::new(),
            board: false,
            choices: Vec::new(),
        };
        for change in &happened.changes {
            story.take(change);
        }
        story.effects_and_turn();
        story
    }

    pub(super) fn table(&self) -> &'a Table {
        &self.happened.table
    }

    /// The table before; none when it was just opened.
    pub(super) fn before(&self) -> Option<&'a Table> {
        self.happened.before.as_deref()
    }

    fn message(self) -> Option<Message> {
        let place = self.table().places().first()?.clone();
        if self.lines.is_empty() {
            return None;
        }
        let mut message = Message::everyone(place, Text::join(self.lines, "\n"));
        message.table = Some(self.happened.table.code());
        message.choices = self.choices;
        if self.board {
            message = board_of(message, &self.happened.table, None);
        }
        Some(message)
    }

    pub(super) fn say(&mut self, line: Text) {
        if !line.is_empty() {
            self.lines.push(line);
        }
    }

    pub(super) fn choose(&mut self, label: &str, command: &str) {
        let code = self.table().code();
        self.choices.push(Choice {
            label: label.to_owned(),
            line: format!("/{command} table:{code}"),
        });
    }

    fn take(&mut self, change: &Change) {
        let by = change.entry.by;
        match &change.entry.event {
            Event::Opened(opened) => self.opened(opened),
            Event::Joined(joined) => self.joined(joined),
            Event::Invited { person, seat } => {
                let kept = seat.map_or(String::new(), |seat| {
                    format!(" to play {}", army(self.table().info(), seat))
                });
                self.say(
                    Text::new()
                        .mention(*person)
                        .plain(format!(" is invited{kept}.")),
                );
                self.offer_seats();
            }
            Event::Uninvited { person } => {
                self.say(
                    Text::from("The invitation of ")
                        .person(*person)
                        .plain(" is taken back."),
                );
            }
            Event::Declined { person } => {
                self.say(
                    Text::new()
                        .person(*person)
                        .plain(" declines. The seat is free."),
                );
                self.offer_seats();
            }
            Event::Left { person } => {
                self.say(Text::new().person(*person).plain(" leaves the table."))
            }
            Event::Removed { person } => {
                self.say(Text::from("The host removes ").mention(*person).plain("."));
            }
            Event::Host { person } => {
                self.say(Text::new().person(*person).plain(" is the host now."));
            }
            Event::Started { .. } => {
                self.board = true;
                self.choices.clear();
                self.started();
            }
            Event::Rolled { dice: thrown, .. } => {
                let line = self.mover().plain(" rolls ");
                self.say(line.strong(dice(thrown.faces())).plain("."));
                if change.effects.iter().any(is_unplayable) {
                    self.board = true;
                    self.say(Text::from("Nothing can be moved with that."));
                }
            }
            Event::Moved { .. } | Event::Passed | Event::Claimed | Event::Resigned { .. } => {
                self.board = true;
                self.acted(change);
            }
            Event::Offered { matter } => self.offered(*matter, by),
            Event::Accepted { matter } => self.answered(*matter, by, "agrees"),
            Event::TurnedDown { matter } => self.answered(*matter, by, "does not agree"),
            Event::OfferWithdrawn { matter } => {
                let what = match matter {
                    Matter::Draw => "The offer of a draw is taken back.",
                    Matter::Cancel => "The request to close the table is taken back.",
                };
                self.say(Text::from(what));
            }
            // Said by what follows it: the result, or to the caller alone.
            Event::Agreed | Event::ResignAsked { .. } => {}
            Event::Ended { .. } | Event::Cancelled { .. } | Event::Expired => self.closed(),
            Event::Rematched { .. } => {}
        }
    }

    /// Who played: the army that was on turn, and who answers for it (FH8).
    fn mover(&self) -> Text {
        let before = self.before().and_then(Table::play);
        let play = before.or_else(|| self.table().play());
        play.map_or(Text::new(), |play| acting(self.table(), play, play.mover()))
    }

    /// Who acted: the line before what it brought about.
    fn acted(&mut self, change: &Change) {
        let told = match &change.entry.event {
            Event::Resigned { seat } => {
                let mut others = change.effects.clone();
                others
                    .retain(|effect| !matches!(effect, Effect::Out { seat: gone } if gone == seat));
                played(self.table().info(), &others)
            }
            _ => played(self.table().info(), &change.effects),
        };
        let line = match &change.entry.event {
            Event::Passed => Some(self.mover().plain(" gives up the rest of the roll.")),
            Event::Claimed => Some(self.mover().plain(" claims the victory.")),
            Event::Resigned { seat } => Some(player(self.table(), *seat).plain(" resigns.")),
            Event::Moved { .. } => {
                self.say(self.mover().plain(format!(": {told}")));
                return;
            }
            _ => None,
        };
        self.say(
            line.unwrap_or_default()
                .plain(if told.is_empty() { "" } else { " " })
                .plain(told),
        );
    }

    fn offered(&mut self, matter: Matter, by: Option<PersonId>) {
        let Some(by) = by else { return };
        let what = match matter {
            Matter::Draw => " offers to end the game by agreement.",
            Matter::Cancel => " asks to close the table without a result.",
        };
        let mut line = Text::new().person(by).plain(what);
        let game = self.table().game();
        let offer = game.and_then(|game| game.offer(matter).map(|offer| (game, offer)));
        if let Some((game, offer)) = offer {
            for person in self.table().awaited(game, offer) {
                line = line.plain(" ").mention(person);
            }
            let command = match matter {
                Matter::Draw => "draw",
                Matter::Cancel => "cancel",
            };
            for (label, command) in [("Agree", command), ("Decline", "decline")] {
                let OfferId(id) = offer.id;
                self.choices.push(Choice {
                    label: label.to_owned(),
                    line: format!("/{command} offer:{id} table:{}", self.table().code()),
                });
            }
        }
        self.say(line);
    }

    fn answered(&mut self, matter: Matter, by: Option<PersonId>, verb: &str) {
        let Some(by) = by else { return };
        let what = match matter {
            Matter::Draw => "to end the game",
            Matter::Cancel => "to close the table",
        };
        self.say(Text::new().person(by).plain(format!(" {verb} {what}.")));
    }

    fn closed(&mut self) {
        let table = self.table();
        if let Some(how) = table.ending() {
            self.say(ending(table, how));
        }
        self.choices.clear();
        if table.game().is_some() {
            self.board = true;
            self.choose("Rematch", "rematch");
            self.choose("Record", "record");
        }
    }

    /// What followed on the board beside moves, and whose turn it is now, if that is not what it was.
    fn effects_and_turn(&mut self) {
        let Some(play) = self.table().play() else {
            return;
        };
        let info = self.table().info();
        if self.board && info.points {
            let points = scores(info, play.scores());
            self.say(Text::from(format!("Points: {points}.")));
        }
        let happened = |event: fn(&Event) -> bool| {
            let mut changes = self.happened.changes.iter();
            changes.any(|change| event(&change.entry.event))
        };
        let rolled = happened(|event| matches!(event, Event::Rolled { .. }));
        if play.phase() == Phase::Over || self.table().ending().is_some() {
            return;
        }
        if rolled && !self.board {
            self.say(allowed(info, play, LONGEST_LIST));
            self.choose("Pass", "pass");
        } else if self.board {
            self.say(whose_turn(self.table(), self.happened.caller));
            match play.phase() {
                Phase::Roll => self.choose("Roll", "roll"),
                Phase::Move if info.dice.is_some() => self.choose("Pass", "pass"),
                Phase::Move | Phase::Over => {}
            }
        }
    }
}

fn is_unplayable(effect: &Effect) -> bool {
    matches!(effect, Effect::Unplayable { .. })
}

/// The most moves that a roll's message lists.
const LONGEST_LIST: usize = 24;
