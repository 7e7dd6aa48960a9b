//! The game on a table's board: the position, the roll of this turn, what has been done, and what is pending.

use std::collections::BTreeSet;

use super::agree::Offer;
use super::deed::{Deed, DeedError};
use crate::ids::{At, PersonId};
use crate::rules::{self, Effect, Play, Roll, Seat};

/// A game in progress, or as it stood when the table was closed.
#[derive(Debug, Clone)]
pub struct Game {
    /// The position.
    pub play: Play,
    /// The roll of this turn; none before it is thrown, and in games without dice.
    pub thrown: Option<Thrown>,
    /// How often the dice have been thrown.
    pub rolls: u32,
    /// The drawn order of the back row, where there is one.
    pub order: Option<u32>,
    /// Everything done so far, in order.
    pub steps: Vec<Step>,
    /// Who has moved or passed at least once.
    pub moved: BTreeSet<PersonId>,
    /// What is offered and not yet settled; at most one offer of each matter.
    pub offers: Vec<Offer>,
    /// Who has asked to resign: the seat, and until when it can be confirmed. The latest request of a person counts.
    pub resigning: Vec<(PersonId, Seat, At)>,
}

/// A roll of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thrown {
    /// Which roll of the table, from 1.
    pub n: u32,
    /// The dice, in the order thrown.
    pub dice: Roll,
}

/// Something done in the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The army on turn.
    pub seat: Seat,
    /// What was done.
    pub deed: Deed,
}

impl Game {
    /// A game that begins.
    pub(super) fn new(play: Play, order: Option<u32>) -> Self {
        Self {
            play,
            thrown: None,
            rolls: 0,
            order,
            steps: Vec::new(),
            moved: BTreeSet::new(),
            offers: Vec::new(),
            resigning: Vec::new(),
        }
    }

    /// Does something in the game and writes it down; refused, it changes nothing.
    pub(super) fn act(&mut self, deed: Deed) -> Result<Vec<Effect>, DeedError> {
        let seat = self.play.mover();
        let event = deed.event(&self.play)?;
        let effects = self.play.apply(&event)?;
        self.steps.push(Step { seat, deed });
        if self.play.phase() == rules::Phase::Roll {
            self.thrown = None;
        }
        Ok(effects)
    }

    /// Throws the dice as roll number `n`.
    pub(super) fn roll(&mut self, n: u32, dice: &Roll) -> Result<Vec<Effect>, DeedError> {
        self.thrown = Some(Thrown {
            n,
            dice: dice.clone(),
        });
        self.rolls = n;
        self.act(Deed::Roll(dice.clone()))
    }

    /// The last moves played, newest last, with the armies that played them.
    pub fn last_moves(&self) -> impl DoubleEndedIterator<Item = (Seat, &str)> {
        self.steps.iter().filter_map(|step| match &step.deed {
            Deed::Move(text) => Some((step.seat, text.as_str())),
            _ => None,
        })
    }
}
