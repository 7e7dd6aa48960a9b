//! What a command did at a table, as the message for everybody who plays or watches it.

use super::board_of;
use super::ending::ending;
use super::names::{acting, army, dice, player};
use super::played::{played, scores};
use super::turn::{allowed, whose_turn};
use crate::club::{Change, Happened};
use crate::command::message::{Choice, Message};
use crate::command::text::Text;
use crate::ids::{PersonId, Place};
use crate::rules::{Effect, Phase};
use crate::store::Post;
use crate::table::{Event, Matter, Table};

/// The messages for everybody: one for each place of the table. None when there is nothing to say to others.
pub fn happened(happened: &Happened) -> Vec<Message> {
    let Some(message) = Story::of(happened).message() else {
        return Vec::new();
    };
    // A table that moves is spoken of where it moves to; the place it leaves may be gone.
    let moved = happened
        .changes
        .iter()
        .find_map(|change| match &change.entry.event {
            Event::Placed { place, .. } => Some(place),
            _ => None,
        });
    let own = happened.table.places().iter();
    let own = own.filter(|place| moved.is_none_or(|to| to == *place));
    let elsewhere = happened.elsewhere.iter().map(|(place, _)| place);
    own.chain(elsewhere)
        .map(|place| Message {
            place: place.clone(),
            text: message
                .text
                .clone()
                .quiet_for(|person| !is_notified_in(happened, person, place)),
            ..message.clone()
        })
        .collect()
}

/// Whether a person is to be notified in a place of the table: where they play, not in each world it is played in. Who has no seat
/// is called where the host is, whose platform the invitation came from.
fn is_notified_in(happened: &Happened, person: PersonId, place: &Place) -> bool {
    let places = happened.table.places();
    if places.len() + happened.elsewhere.len() < 2 {
        return true;
    }
    let mut elsewhere = happened.elsewhere.iter();
    if let Some((own, _)) = elsewhere.find(|(_, people)| people.contains(&person)) {
        return own == place;
    }
    let tables = [Some(&happened.table), happened.before.as_ref()];
    let mut tables = tables.into_iter().flatten();
    let seated = tables.find(|table| table.seats_of(person).next().is_some());
    match seated.and_then(|table| table.place_of(person)) {
        Some(own) if places.contains(own) => own == place,
        Some(own) => own.platform == place.platform,
        None => {
            let host = happened.table.place_of(happened.table.host());
            host.is_none_or(|host| host.platform == place.platform)
        }
    }
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
    pub(super) board: bool,
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
        message = message.about(&self.happened.table);
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
                let by = match by.filter(|by| *by != self.table().host()) {
                    Some(by) => Text::new().person(by),
                    None => Text::from("The host"),
                };
                self.say(by.plain(" removes ").mention(*person).plain("."));
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
            Event::Placed { place, .. } => self.placed(by, place),
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

    fn closed(&mut self) {
        let table = self.table();
        if let Some(how) = table.ending() {
            self.tell_points();
            self.say(ending(table, how));
        }
        self.choices.clear();
        if table.game().is_some() {
            self.board = true;
            self.choose("Rematch", "rematch");
            self.choose("Record", "record");
        }
    }

    fn tell_points(&mut self) {
        let info = self.table().info();
        if let Some(play) = self.table().play().filter(|_| info.points) {
            let points = scores(info, play.scores());
            self.say(Text::from(format!("Points: {points}.")));
        }
    }

    /// What followed on the board beside moves, and whose turn it is now, if that is not what it was.
    fn effects_and_turn(&mut self) {
        let Some(play) = self.table().play() else {
            return;
        };
        let info = self.table().info();
        let over = play.phase() == Phase::Over || self.table().ending().is_some();
        if over {
            return;
        }
        if self.board {
            self.tell_points();
        }
        let happened = |event: fn(&Event) -> bool| {
            let mut changes = self.happened.changes.iter();
            changes.any(|change| event(&change.entry.event))
        };
        let rolled = happened(|event| matches!(event, Event::Rolled { .. }));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ids::{At, Platform};
    use crate::table::{Due, Entry, Joining, Opening, SeatWish};

    const ADA: PersonId = PersonId(1);
    const BOB: PersonId = PersonId(2);
    const CY: PersonId = PersonId(3);

    fn opened_on_discord(invited: &[PersonId]) -> Table {
        let invited = invited.iter().map(|person| crate::table::Invitation {
            person: *person,
            seat: None,
        });
        let opening = Opening {
            code: "K7Q2F".parse().unwrap(),
            game: "chaturanga".to_owned(),
            options: Default::default(),
            host: ADA,
            place: discord(),
            invited: invited.collect(),
            seat: SeatWish::Named(crate::rules::Seat::White),
            drawn: 0,
            solo: false,
            open: true,
            position: None,
            dice: None,
            message: "1".to_owned(),
            word: String::new(),
            rematch_of: None,
        };
        let entries: Vec<Entry> = opening.decide().unwrap().into_iter().map(by_ada).collect();
        Table::fold(&entries).unwrap()
    }

    fn discord() -> Place {
        Place::thread(Platform::Discord, "17", "18")
    }

    fn matrix() -> Place {
        Place::room(Platform::Matrix, "!room:a.org")
    }

    fn by_ada(event: Event) -> Entry {
        Entry::new(At(0), Some(ADA), event)
    }

    /// What is told when somebody's events come to a table, which is afterwards as they leave it.
    fn told(table: &mut Table, by: PersonId, events: Vec<Event>) -> Vec<Message> {
        let before = Arc::new(table.clone());
        let mut changes = Vec::new();
        for event in events {
            let entry = Entry::new(At(0), Some(by), event);
            let effects = table.apply(&entry).unwrap();
            changes.push(Change { entry, effects });
        }
        happened(&Happened {
            before: Some(before),
            table: Arc::new(table.clone()),
            changes,
            stands: None,
            elsewhere: Vec::new(),
            caller: Some(by),
            at: At(0),
        })
    }

    fn mentions(messages: &[Message]) -> Vec<(Place, Vec<PersonId>)> {
        let mentions = messages.iter();
        mentions
            .map(|message| (message.place.clone(), message.mentions()))
            .collect()
    }

    fn begun() -> Table {
        let mut table = opened_on_discord(&[]);
        let joining = Joining {
            person: BOB,
            place: matrix(),
            seat: None,
            message: "2".to_owned(),
            word: String::new(),
        };
        let mut events = table.join(&joining).unwrap();
        events.push(Event::Started { order: None });
        let told = told(&mut table, BOB, events);
        assert_eq!(
            mentions(&told),
            [(discord(), vec![ADA]), (matrix(), vec![])]
        );
        assert_eq!(table.due(), None::<Due>);
        table
    }

    #[test]
    fn who_is_to_move_is_notified_in_their_own_world_and_named_in_the_other() {
        let mut table = begun();
        let moved = table.moves(ADA, "b1c3").unwrap();
        let messages = told(&mut table, ADA, moved);
        assert_eq!(
            mentions(&messages),
            [(discord(), vec![]), (matrix(), vec![BOB])]
        );
        let persons = messages.iter().map(|message| message.text.persons());
        assert_eq!(persons.collect::<Vec<_>>(), [[ADA, BOB], [ADA, BOB]]);
        let moved = table.moves(BOB, "b8c6").unwrap();
        let messages = told(&mut table, BOB, moved);
        assert_eq!(
            mentions(&messages),
            [(discord(), vec![ADA]), (matrix(), vec![])]
        );
    }

    #[test]
    fn an_offer_is_put_to_each_in_their_own_world() {
        let mut table = begun();
        let offered = table.draw(ADA, None).unwrap();
        let messages = told(&mut table, ADA, offered);
        assert_eq!(
            mentions(&messages),
            [(discord(), vec![]), (matrix(), vec![BOB])]
        );
    }

    #[test]
    fn who_is_invited_is_notified_where_the_host_is() {
        let mut table = opened_on_discord(&[]);
        let invited = table.invite(ADA, CY).unwrap();
        let messages = told(&mut table, ADA, invited);
        assert_eq!(mentions(&messages), [(discord(), vec![CY])]);
    }

    #[test]
    fn a_rematch_is_told_in_both_worlds() {
        let table = Arc::new(opened_on_discord(&[BOB]));
        let changes = vec![Change {
            entry: by_ada(Event::Invited {
                person: BOB,
                seat: None,
            }),
            effects: Vec::new(),
        }];
        let messages = happened(&Happened {
            before: None,
            table,
            changes,
            stands: None,
            elsewhere: vec![(matrix(), vec![BOB])],
            caller: Some(ADA),
            at: At(0),
        });
        assert_eq!(
            mentions(&messages),
            [(discord(), vec![]), (matrix(), vec![BOB])]
        );
    }

    #[test]
    fn a_table_in_one_place_notifies_there_whoever_is_meant() {
        let mut table = begun();
        let placed = Event::Placed {
            place: matrix(),
            instead_of: discord(),
        };
        told(&mut table, ADA, vec![placed]);
        assert_eq!(table.places(), [matrix()]);
        let moved = table.moves(ADA, "b1c3").unwrap();
        let messages = told(&mut table, ADA, moved);
        assert_eq!(mentions(&messages), [(matrix(), vec![BOB])]);
    }
}
