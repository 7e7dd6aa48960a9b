//! A table's state, and what can be asked of it.

use super::dice::Contribution;
use super::event::{DiceTerms, Opened};
use super::game::Game;
use super::refusal::Refusal;
use super::secret::Revealed;
use crate::ids::{At, PersonId, Place, TableCode};
use crate::rules::{Info, Options, Outcome, Play, Seat};

/// One game among people.
#[derive(Debug, Clone)]
pub struct Table {
    pub(super) opened: Opened,
    pub(super) info: &'static Info,
    pub(super) options: Options,
    pub(super) host: PersonId,
    pub(super) places: Vec<Place>,
    pub(super) chairs: Vec<Chair>,
    pub(super) invited: Vec<Invitation>,
    pub(super) phase: Phase,
    pub(super) version: u64,
    pub(super) positioned: u64,
    /// After how many events how many moves had been played, where that changed.
    pub(super) played: Vec<(u64, usize)>,
    pub(super) opened_at: At,
    pub(super) joined_at: At,
    pub(super) since: At,
    pub(super) closed_at: Option<At>,
    pub(super) rematch: Option<TableCode>,
}

/// One army's chair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chair {
    /// Whose it is on the board.
    pub seat: Seat,
    /// Who sits there.
    pub sitter: Option<Sitter>,
}

/// Somebody on a chair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitter {
    /// Who.
    pub person: PersonId,
    /// What they add to the fair dice.
    pub contribution: Contribution,
    /// The message they joined by.
    pub message: String,
    /// The place of the table in which they play.
    pub place: Place,
}

/// A seat kept for somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// For whom.
    pub person: PersonId,
    /// A certain seat, or any.
    pub seat: Option<Seat>,
}

/// How far a table has come.
#[derive(Debug, Clone)]
pub enum Phase {
    /// Waiting for players.
    Gathering,
    /// Being played.
    Playing(Game),
    /// Closed, with the game as it stood, if one had begun.
    Over {
        /// The game.
        game: Option<Game>,
        /// How it ended.
        ending: Ending,
    },
}

/// How a table was closed.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// The game came to its end.
    Played {
        /// Who won, and why.
        outcome: Outcome,
        /// The secret of its fair dice.
        secret: Option<Revealed>,
    },
    /// It was closed without a result.
    Cancelled {
        /// The secret of its fair dice.
        secret: Option<Revealed>,
    },
    /// Nobody joined.
    Expired,
}

impl Table {
    /// Its code.
    pub fn code(&self) -> TableCode {
        self.opened.code
    }

    /// With what it was opened.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The card of its game.
    pub fn info(&self) -> &'static Info {
        self.info
    }

    /// The chosen options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Who may invite, remove, start and close it.
    pub fn host(&self) -> PersonId {
        self.host
    }

    /// Where it is played.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Its chairs in the order of play.
    pub fn chairs(&self) -> &[Chair] {
        &self.chairs
    }

    /// Who is invited and has not answered.
    pub fn invitations(&self) -> &[Invitation] {
        &self.invited
    }

    /// How far it has come.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// How many events it has.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// When it was opened.
    pub fn opened_at(&self) -> At {
        self.opened_at
    }

    /// When it last changed.
    pub fn since(&self) -> At {
        self.since
    }

    /// When it was closed, if it was.
    pub fn closed_at(&self) -> Option<At> {
        self.closed_at
    }

    /// The rematch, once there is one.
    pub fn rematch_code(&self) -> Option<TableCode> {
        self.rematch
    }

    /// Where its dice come from; nowhere in games without dice.
    pub fn dice_terms(&self) -> Option<&DiceTerms> {
        self.opened.dice.as_ref()
    }

    /// The game, being played or as it stood at the end.
    pub fn game(&self) -> Option<&Game> {
        match &self.phase {
            Phase::Gathering => None,
            Phase::Playing(game) => Some(game),
            Phase::Over { game, .. } => game.as_ref(),
        }
    }

    /// The position of the game, if it has begun.
    pub fn play(&self) -> Option<&Play> {
        self.game().map(|game| &game.play)
    }

    /// How it was closed, if it was.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.phase {
            Phase::Gathering | Phase::Playing(_) => None,
            Phase::Over { ending, .. } => Some(ending),
        }
    }

    /// The published secret of its fair dice.
    pub fn secret(&self) -> Option<Revealed> {
        match self.ending()? {
            Ending::Played { secret, .. } | Ending::Cancelled { secret } => *secret,
            Ending::Expired => None,
        }
    }

    /// Who sits on a seat.
    pub fn sitter(&self, seat: Seat) -> Option<PersonId> {
        let chair = self.chairs.iter().find(|chair| chair.seat == seat)?;
        chair.sitter.as_ref().map(|sitter| sitter.person)
    }

    /// Everybody seated, each once, in the order of their first seats.
    pub fn people(&self) -> impl Iterator<Item = PersonId> {
        self.players().map(|sitter| sitter.person)
    }

    /// Everybody seated, each once, in the order of their first seats: the order of the contributions.
    pub fn players(&self) -> impl Iterator<Item = &Sitter> {
        let sitters = || self.chairs.iter().filter_map(|chair| chair.sitter.as_ref());
        sitters().enumerate().filter_map(move |(index, sitter)| {
            let mut before = sitters().take(index);
            before
                .all(|other| other.person != sitter.person)
                .then_some(sitter)
        })
    }

    /// The players' contributions to the fair dice, in the order in which the dice use them.
    pub fn contributions(&self) -> Vec<Contribution> {
        self.players().map(|sitter| sitter.contribution).collect()
    }

    /// The seats of a person, in the order of play.
    pub fn seats_of(&self, person: PersonId) -> impl Iterator<Item = Seat> {
        let own = move |chair: &&Chair| {
            let sitter = chair.sitter.as_ref();
            sitter.is_some_and(|sitter| sitter.person == person)
        };
        self.chairs.iter().filter(own).map(|chair| chair.seat)
    }

    /// The seats nobody sits on, in the order of play.
    pub fn free_seats(&self) -> impl Iterator<Item = Seat> {
        let free = |chair: &&Chair| chair.sitter.is_none();
        self.chairs.iter().filter(free).map(|chair| chair.seat)
    }

    /// Whether anybody has sat down beside the host.
    pub fn was_joined(&self) -> bool {
        self.people().any(|person| person != self.host)
    }

    /// The invitation of a person.
    pub fn invitation(&self, person: PersonId) -> Option<&Invitation> {
        self.invited
            .iter()
            .find(|invitation| invitation.person == person)
    }

    /// Who has to act: who answers for the army on turn (FH8).
    pub fn on_turn_now(&self) -> Option<PersonId> {
        match &self.phase {
            Phase::Playing(game) if game.play.outcome().is_none() => {
                self.sitter(game.play.player())
            }
            Phase::Gathering | Phase::Playing(_) | Phase::Over { .. } => None,
        }
    }

    /// Whether it is played in this place, or in another part of the same room.
    pub fn is_played_in(&self, place: &Place) -> bool {
        let room = place.whole_room();
        self.places.iter().any(|own| own.whole_room() == room)
    }

    /// Whether a person has a seat whose player is still in the game.
    pub fn is_in(&self, game: &Game, person: PersonId) -> bool {
        self.seats_of(person).any(|seat| game.play.in_play(seat))
    }

    pub(super) fn seated(&self, person: PersonId) -> Result<(), Refusal> {
        let mut seats = self.seats_of(person);
        seats.next().map(|_| ()).ok_or(Refusal::NotSeated)
    }

    pub(super) fn still_in(&self, game: &Game, person: PersonId) -> Result<(), Refusal> {
        self.seated(person)?;
        if self.is_in(game, person) {
            Ok(())
        } else {
            Err(Refusal::Out)
        }
    }
}
