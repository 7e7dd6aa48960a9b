//! A player's turn: rolling, moving, passing, claiming. An army is answered for by its commander alone (FH8).

use std::num::NonZeroU32;

use super::agree::taken_back;
use super::event::Event;
use super::game::Game;
use super::refusal::Refusal;
use super::state::{Phase, Table};
use crate::ids::PersonId;
use crate::rules::reading;
use crate::rules::{self, Play, Roll};

/// What a request to roll comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollAsked {
    /// The dice are to be thrown.
    Throw {
        /// As which roll of the table, from 1.
        n: NonZeroU32,
        /// How many of them.
        dice: usize,
    },
    /// They have been thrown this turn; it is never done twice (R77).
    Stands(Vec<u8>),
}

impl Table {
    /// Whether the dice are to be thrown for this person, or how they lie.
    ///
    /// # Errors
    /// When there is no game, it has no dice, or it is somebody else's turn.
    pub fn roll(&self, person: PersonId) -> Result<RollAsked, Refusal> {
        let game = self.playing()?;
        if self.info().dice.is_none() {
            self.seated(person)?;
            return Err(Refusal::NoDice);
        }
        self.on_turn(game, person)?;
        match (game.play.phase(), &game.thrown) {
            (rules::Phase::Roll, _) => Ok(RollAsked::Throw {
                n: NonZeroU32::MIN.saturating_add(game.rolls),
                dice: game.play.dice_thrown(),
            }),
            (_, Some(thrown)) => Ok(RollAsked::Stands(thrown.dice.faces().to_vec())),
            // A position that was set up with dice on the table.
            (_, None) => Ok(RollAsked::Stands(game.play.unused().to_vec())),
        }
    }

    /// The event of a roll that [`Table::roll`] asked to throw.
    pub fn rolled(n: NonZeroU32, dice: Roll) -> Event {
        Event::Rolled { n: n.get(), dice }
    }

    /// Plays moves as people write them, in order, all of them or none.
    ///
    /// # Errors
    /// When it is not the caller's turn, the dice have not been thrown, or one of the moves is not understood or not legal.
    pub fn moves(&self, person: PersonId, text: &str) -> Result<Vec<Event>, Refusal> {
        let game = self.may_move(person)?;
        let mut ahead = game.play.clone();
        let mut moves = Vec::new();
        // All are of one turn (G6), in which the army on turn stays under one command (FH8).
        for played in reading::read(&game.play, text)? {
            moves.push(ahead.text(played));
            ahead.apply(&rules::Event::Move(played))?;
        }
        let mut events = vec![Event::Moved { moves }];
        events.extend(taken_back(game, person));
        Ok(events)
    }

    /// Gives up the rest of the roll (G6).
    ///
    /// # Errors
    /// When it is not the caller's turn, or the rules allow no pass.
    pub fn pass(&self, person: PersonId) -> Result<Vec<Event>, Refusal> {
        let game = self.may_move(person)?;
        game.play.clone().apply(&rules::Event::Pass)?;
        let mut events = vec![Event::Passed];
        events.extend(taken_back(game, person));
        Ok(events)
    }

    /// Claims the victory (CJ10).
    ///
    /// # Errors
    /// When it is not the caller's turn, or the claim is not justified.
    pub fn claim(&self, person: PersonId) -> Result<Vec<Event>, Refusal> {
        let game = self.playing()?;
        self.on_turn(game, person)?;
        game.play.clone().apply(&rules::Event::Claim)?;
        Ok(vec![Event::Claimed])
    }

    /// The game, if a person is to move in it.
    ///
    /// # Errors
    /// When it is not the person's turn, or the dice have not been thrown.
    pub fn may_move(&self, person: PersonId) -> Result<&Game, Refusal> {
        let game = self.playing()?;
        self.on_turn(game, person)?;
        if game.play.phase() == rules::Phase::Roll {
            return Err(Refusal::RollFirst);
        }
        Ok(game)
    }

    /// The game, if it is being played.
    pub(super) fn playing(&self) -> Result<&Game, Refusal> {
        match self.phase() {
            Phase::Playing(game) => Ok(game),
            Phase::Gathering => Err(Refusal::NotBegun {
                free: self.free_seats().collect(),
            }),
            Phase::Over { .. } => Err(Refusal::Finished),
        }
    }

    fn on_turn(&self, game: &Game, person: PersonId) -> Result<(), Refusal> {
        if self.sitter(game.play.player()) == Some(person) {
            return Ok(());
        }
        self.seated(person)?;
        Err(self.not_your_turn(&game.play))
    }

    fn not_your_turn(&self, play: &Play) -> Refusal {
        Refusal::NotYourTurn {
            seat: play.mover(),
            person: self.sitter(play.player()),
        }
    }
}
