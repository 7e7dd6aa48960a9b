//! What happens at a table before its game begins.

use super::happened::Story;
use super::names::{armies, counted, list_of, player};
use crate::command::text::Text;
use crate::ids::{PersonId, TableCode};
use crate::rules::Seat;
use crate::table::{DiceTerms, Joined, Opened, Table};

/// The seats that anybody may take: neither taken nor kept for somebody.
pub(super) fn unreserved(table: &Table) -> Vec<Seat> {
    let kept = |seat: &Seat| {
        let mut invited = table.invitations().iter();
        invited.any(|invitation| invitation.seat == Some(*seat))
    };
    let open: Vec<Seat> = table.free_seats().filter(|seat| !kept(seat)).collect();
    let anywhere = table.invitations().iter();
    let anywhere = anywhere.filter(|invitation| invitation.seat.is_none());
    // Where as many are invited as seats are left, each of these is kept for one of them.
    if anywhere.count() >= open.len() {
        Vec::new()
    } else {
        open
    }
}

/// What an empty seat is: free, or kept for somebody.
pub(super) fn vacancy(table: &Table, seat: Seat) -> Text {
    let mut invited = table.invitations().iter();
    if let Some(own) = invited.find(|invitation| invitation.seat == Some(seat)) {
        return Text::from("kept for ").person(own.person);
    }
    if unreserved(table).contains(&seat) {
        return Text::from("free");
    }
    match table.invitations() {
        [only] => Text::from("kept for ").person(only.person),
        _ => Text::from("kept for one of those invited"),
    }
}

/// That there is an earlier table with the same people and game: `@bob and you also have K7Q2F, …`.
pub(crate) fn twin(table: &Table, first: TableCode, caller: PersonId) -> Text {
    let invited = table.invitations().iter().map(|one| one.person);
    let others = table.people().chain(invited).filter(|one| *one != caller);
    let mut people: Vec<Text> = others.map(|one| Text::new().person(one)).collect();
    people.push(Text::from(match people.is_empty() {
        true => "You",
        false => "you",
    }));
    list_of(people)
        .plain(" also have ")
        .code(first.to_string())
        .plain(", where nobody has moved yet.")
}

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
