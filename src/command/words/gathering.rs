//! What happens at a table before its game begins.

use super::happened::Story;
use super::names::{armies, counted, list_of, player};
use crate::command::text::Text;
use crate::table::{DiceTerms, Joined, Opened};

impl Story<'_> {
    pub(super) fn opened(&mut self, opened: &Opened) {
        let info = self.table().info();
        let mut line = Text::new()
            .person(opened.host)
            .plain(if opened.solo {
                " plays "
            } else {
                " opens a table of "
            })
            .strong(info.name)
            .plain(if opened.solo { " alone, table " } else { ": " })
            .code(opened.code.to_string());
        for (key, value) in &opened.options {
            line = line.plain(", ").code(format!("{key}={value}"));
        }
        if opened.position.is_some() {
            line = line.plain(", from a set-up position");
        }
        if opened.open {
            line = line.plain(", open to other places");
        }
        self.say(line.plain("."));
        match &opened.dice {
            Some(DiceTerms::Fair { commitment, .. }) => self.say(
                Text::from("The dice are committed to: SHA-256 of their secret is ")
                    .code(commitment.to_string())
                    .plain("."),
            ),
            Some(DiceTerms::File) => {
                self.say(Text::from("The dice come from a file: they are not fair."));
            }
            None => {}
        }
        if !opened.solo {
            self.offer_seats();
        }
    }

    pub(super) fn offer_seats(&mut self) {
        if self.choices.is_empty() && self.table().free_seats().next().is_some() {
            self.choose("Join", "join");
            if !self.table().invitations().is_empty() {
                self.choose("Decline", "decline");
            }
        }
    }

    pub(super) fn joined(&mut self, joined: &Joined) {
        let info = self.table().info();
        let armies = armies(info, joined.seats.iter().copied());
        let mut line = Text::new()
            .person(joined.person)
            .plain(format!(" plays {armies}."));
        if matches!(self.table().dice_terms(), Some(DiceTerms::Fair { .. })) {
            line = line
                .plain(" Contribution to the dice: ")
                .code(joined.contribution.to_string())
                .plain(".");
        }
        self.say(line);
        let free = self.table().free_seats().count();
        if free > 0 && self.table().game().is_none() && self.before().is_some() {
            self.say(Text::from(format!("{} to come.", counted(free, "player"))));
            self.offer_seats();
        }
    }

    pub(super) fn started(&mut self) {
        let table = self.table();
        let info = table.info();
        let line = Text::new().strong("The game begins").plain(": ");
        let line = if table.opened().solo {
            line.plain(format!("{}, table ", info.name))
                .code(table.code().to_string())
        } else {
            let players = info.seats.iter().map(|seat| player(table, *seat));
            line.then(list_of(players.collect()))
                .plain(format!(" play {}", info.name))
        };
        self.say(line.plain("."));
    }
}
