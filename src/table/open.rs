//! Opening a table, and the rematch of one.

use std::collections::BTreeMap;

use super::dice::Contribution;
use super::event::{DiceTerms, Event, Joined, Opened};
use super::refusal::Refusal;
use super::start::first_position;
use super::state::{Ending, Invitation, Phase, Table};
use crate::ids::{PersonId, Place, TableCode};
use crate::rules::{self, Choices, Info, OptionError, Options, Seat, Setup};

/// With what a table is to be opened. What is drawn comes in.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Its code.
    pub code: TableCode,
    /// The key of the game.
    pub game: String,
    /// The chosen options.
    pub options: BTreeMap<String, String>,
    /// Who opens it.
    pub host: PersonId,
    /// Where.
    pub place: Place,
    /// Who is invited, to any seat or to a certain one.
    pub invited: Vec<Invitation>,
    /// Where the host sits.
    pub seat: SeatWish,
    /// A drawn number, for a seat at random.
    pub drawn: u32,
    /// One person plays all seats.
    pub solo: bool,
    /// It may be joined from other places.
    pub open: bool,
    /// The position to start from, if not the array.
    pub position: Option<Box<Setup>>,
    /// Where its dice come from, in a game with dice.
    pub dice: Option<DiceTerms>,
    /// The id of the message the host asks by.
    pub message: String,
    /// The host's word for the fair dice; may be empty.
    pub word: String,
    /// The table it is a rematch of.
    pub rematch_of: Option<TableCode>,
}

/// Which seat the host wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeatWish {
    /// At random in two-player games, else the first.
    #[default]
    Unsaid,
    /// At random.
    Random,
    /// This one.
    Named(Seat),
}

/// Who sits where in the rematch of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RematchPlan {
    /// The caller's seat in it.
    pub seat: Seat,
    /// The others, each with the seat kept for them.
    pub invited: Vec<Invitation>,
}

impl Opening {
    /// The events by which the table is opened: the opening itself, the host's seat, the invitations.
    ///
    /// # Errors
    /// When game, options, position, seat or invitations do not fit.
    pub fn decide(self) -> Result<Vec<Event>, Refusal> {
        let info = self.checked_game()?;
        self.check_invitations(info.seats.len() - 1)?;
        let seats = if self.solo {
            info.seats.to_vec()
        } else {
            vec![self.host_seat(info.seats)?]
        };
        let joined = Event::Joined(Box::new(Joined {
            person: self.host,
            seats,
            contribution: Contribution::of(self.host, &self.message, &self.word),
            message: self.message,
            place: None,
        }));
        let opened = Event::Opened(Box::new(Opened {
            code: self.code,
            game: self.game,
            options: self.options,
            host: self.host,
            place: self.place,
            open: self.open,
            solo: self.solo,
            position: self.position,
            dice: self.dice,
            rematch_of: self.rematch_of,
        }));
        let invited = self.invited.into_iter().map(|invitation| Event::Invited {
            person: invitation.person,
            seat: invitation.seat,
        });
        Ok([opened, joined].into_iter().chain(invited).collect())
    }

    /// R46: each bad guest is refused with its own reason.
    fn check_invitations(&self, free: usize) -> Result<(), Refusal> {
        if self.solo && !self.invited.is_empty() {
            return Err(Refusal::SoloInvites);
        }
        for (index, invitation) in self.invited.iter().enumerate() {
            let person = invitation.person;
            if person == self.host {
                return Err(Refusal::InvitesSelf);
            }
            let mut before = self.invited[..index].iter();
            if before.any(|other| other.person == person) {
                return Err(Refusal::HasInvitation(person));
            }
        }
        if self.invited.len() > free {
            return Err(Refusal::TooManyInvited { free });
        }
        Ok(())
    }

    fn host_seat(&self, seats: &'static [Seat]) -> Result<Seat, Refusal> {
        let random = self.drawn as usize % seats.len();
        match self.seat {
            SeatWish::Named(seat) if seats.contains(&seat) => Ok(seat),
            SeatWish::Named(seat) => Err(Refusal::NoSuchSeat { seat, seats }),
            SeatWish::Unsaid if seats.len() > 2 => Ok(seats[0]),
            SeatWish::Unsaid | SeatWish::Random => Ok(seats[random]),
        }
    }

    /// The game's card; bad options and positions are refused before anybody sits down at them.
    fn checked_game(&self) -> Result<&'static Info, Refusal> {
        let info =
            rules::game(&self.game).ok_or_else(|| Refusal::UnknownGame(self.game.clone()))?;
        let options = Options::checked(info, &self.options)?;
        check_nothing_drawn(info, &options)?;
        first_position(info, &options, Some(0), self.position.as_deref())?;
        Ok(info)
    }
}

/// What the dice draw is not the host's to choose.
fn check_nothing_drawn(info: &'static Info, options: &Options) -> Result<(), Refusal> {
    let mut chosen = options.chosen();
    let drawn = chosen.find_map(|(key, value)| {
        let option = info.option(key)?;
        matches!(option.choices, Choices::Drawn { .. }).then(|| OptionError::Value {
            key: option.key,
            value: value.to_owned(),
            allowed: "drawn by the dice only".to_owned(),
        })
    });
    match drawn {
        Some(refused) => Err(refused.into()),
        None => Ok(()),
    }
}

impl Table {
    /// Who would sit where in a rematch that this person asks for: the same people, seats moved on by one. There is one
    /// rematch of a table.
    ///
    /// # Errors
    /// When the caller had no seat, the table is not finished or never began, or there has been a rematch already.
    pub fn rematch(&self, person: PersonId) -> Result<RematchPlan, Refusal> {
        self.rematch_after(person, None)
    }

    /// As [`Table::rematch`]; where `earlier`, the rematch there was, came to nothing, there can be another.
    ///
    /// # Errors
    /// As [`Table::rematch`].
    pub fn rematch_after(
        &self,
        person: PersonId,
        earlier: Option<&Table>,
    ) -> Result<RematchPlan, Refusal> {
        self.seated(person)?;
        match &self.phase {
            Phase::Gathering | Phase::Playing(_) => return Err(Refusal::NotFinished),
            Phase::Over { game: None, .. } => return Err(Refusal::NeverBegun),
            Phase::Over { game: Some(_), .. } => {}
        }
        let came_to_nothing = earlier.is_some_and(Table::came_to_nothing);
        if let Some(code) = self.rematch
            && !came_to_nothing
        {
            return Err(Refusal::RematchIs(code));
        }
        let seats = self.info.seats.iter().cycle().skip(1);
        let moved_on: Vec<(PersonId, Seat)> = self
            .chairs
            .iter()
            .zip(seats)
            .filter_map(|(chair, seat)| Some((chair.sitter.as_ref()?.person, *seat)))
            .collect();
        let seat = moved_on
            .iter()
            .find(|(who, _)| *who == person)
            .map(|(_, seat)| *seat)
            .ok_or(Refusal::NotSeated)?;
        let invited = moved_on
            .into_iter()
            .filter(|(who, _)| *who != person)
            .map(|(person, seat)| Invitation {
                person,
                seat: Some(seat),
            })
            .collect();
        Ok(RematchPlan { seat, invited })
    }

    /// Whether it was closed without a result.
    fn came_to_nothing(&self) -> bool {
        match self.ending() {
            Some(Ending::Cancelled { .. } | Ending::Expired) => true,
            Some(Ending::Played { .. }) | None => false,
        }
    }
}
