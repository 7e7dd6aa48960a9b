//! Offers that need the others' consent, as the place is told of them.

use super::happened::Story;
use crate::command::message::Choice;
use crate::command::text::Text;
use crate::ids::PersonId;
use crate::table::{Matter, OfferId};

/// What the two answers to an offer are called, so that those to different offers are told apart: to agree, and not to.
pub fn answers(matter: Matter) -> [&'static str; 2] {
    match matter {
        Matter::Draw => ["Agree to a draw", "Decline the draw"],
        Matter::Cancel => ["Agree to close", "Decline to close"],
    }
}

impl Story<'_> {
    pub(super) fn offered(&mut self, matter: Matter, by: Option<PersonId>) {
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
            let [agree, decline] = answers(matter);
            for (label, command) in [(agree, command), (decline, "decline")] {
                let OfferId(id) = offer.id;
                self.choices.push(Choice {
                    label: label.to_owned(),
                    line: format!("/{command} offer:{id} table:{}", self.table().code()),
                });
            }
        }
        self.say(line);
    }

    pub(super) fn answered(&mut self, matter: Matter, by: Option<PersonId>, verb: &str) {
        let Some(by) = by else { return };
        let what = match matter {
            Matter::Draw => "to end the game",
            Matter::Cancel => "to close the table",
        };
        self.say(Text::new().person(by).plain(format!(" {verb} {what}.")));
    }
}
