//! What everybody may know of a game: its names, seats, armies, pieces, dice and options.

use super::dice::DiceRule;
use super::kind::{KindId, Step};
use super::seat::Seat;
use super::shape::Shape;

/// The card of a game.
#[derive(Debug)]
pub struct Info {
    /// The key people type and records hold, e.g. `four-handed`.
    pub key: &'static str,
    /// The prefix of its rule ids, e.g. `FH`.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Other names people use for it.
    pub synonyms: &'static [&'static str],
    /// The seats in the order of play.
    pub seats: &'static [Seat],
    /// The armies, one a seat.
    pub armies: &'static [Army],
    /// The kinds of pieces: the King first, the pawn last.
    pub kinds: &'static [Kind],
    /// The board.
    pub shape: Shape,
    /// How dice are used, if they are.
    pub dice: Option<DiceRule>,
    /// Whether points decide.
    pub points: bool,
    /// Seats that sit opposite play together.
    pub partners: bool,
    /// Whether a player may claim the win (CJ10).
    pub claims: bool,
    /// Whether armies can come under another's command (FH8).
    pub commands: bool,
    /// Whether captured pieces can be brought back by pawns, which otherwise wait for one (PC6, PC7).
    pub brings_back: bool,
    /// Whether rolls against bare Kings are counted (PC10) instead of what is quiet.
    pub counts_bare: bool,
    /// What can be chosen when a table is opened.
    pub options: &'static [OptionInfo],
}

/// The name and colour of an army, and the way its pawns march.
#[derive(Debug)]
pub struct Army {
    /// The name for people, e.g. `Red`.
    pub name: &'static str,
    /// The letter before a piece's letter in board texts.
    pub letter: char,
    /// The colour to draw it in.
    pub colour: Colour,
    /// Pawns' step in (files, ranks).
    pub forward: (i8, i8),
}

/// The six colours that armies have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// White.
    White,
    /// Black.
    Black,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

/// A kind of piece as a game names it.
#[derive(Debug)]
pub struct Kind {
    /// Its letter in texts.
    pub letter: char,
    /// Its name for people.
    pub name: &'static str,
    /// Other names it goes by in this game, lower-case.
    pub synonyms: &'static [&'static str],
    /// How it moves.
    pub step: Step,
    /// Points for capturing it, 0 in games without points.
    pub worth: u8,
}

/// Something that can be chosen when a table is opened.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key, e.g. `corner`.
    pub key: &'static str,
    /// What may be chosen.
    pub choices: Choices,
    /// What holds if nothing is chosen.
    pub default: &'static str,
    /// One line for people.
    pub help: &'static str,
}

/// The values an option may have.
#[derive(Debug)]
pub enum Choices {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A whole number from `least` to `most`.
    Number {
        /// The smallest that may be chosen.
        least: u32,
        /// The largest that may be chosen.
        most: u32,
    },
    /// A whole number that is drawn, not chosen, when another option asks for it.
    Drawn {
        /// The key of the option that asks for it.
        with: &'static str,
        /// That option's value.
        value: &'static str,
        /// How many numbers there are, from 0.
        count: u32,
    },
}

impl Info {
    /// The kinds with their ids.
    pub fn kind_ids(&self) -> impl Iterator<Item = (KindId, &'static Kind)> {
        (0..).map(KindId).zip(self.kinds)
    }

    /// A kind by its id.
    #[must_use]
    pub fn kind(&self, id: KindId) -> &'static Kind {
        &self.kinds[id.index()]
    }

    /// The kind with a letter, as written.
    #[must_use]
    pub fn kind_of_letter(&self, letter: char) -> Option<KindId> {
        self.kind_ids()
            .find(|(_, kind)| kind.letter == letter)
            .map(|(id, _)| id)
    }

    /// The army of a seat.
    #[must_use]
    pub fn army(&self, seat: Seat) -> &'static Army {
        &self.armies[seat.index()]
    }

    /// Whether the game has the seat.
    #[must_use]
    pub fn has_seat(&self, seat: Seat) -> bool {
        self.seats.contains(&seat)
    }

    /// The option with a key.
    #[must_use]
    pub fn option(&self, key: &str) -> Option<&'static OptionInfo> {
        self.options.iter().find(|option| option.key == key)
    }
}
