//! Why a table does not do what it is asked. The wording for people is the command layer's.

use crate::ids::{PersonId, TableCode};
use crate::rules::reading::ReadError;
use crate::rules::{OptionError, Refused, Seat};

use super::event::Matter;
use super::start::StartError;

/// Why a command was refused; nothing has changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// There is no such game.
    #[error("there is no game {0}")]
    UnknownGame(String),
    /// The options do not fit the game, or the position to start from cannot be loaded.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The game has no such seat.
    #[error("the game has no seat {seat}")]
    NoSuchSeat {
        /// What was asked for.
        seat: Seat,
        /// The game's seats.
        seats: &'static [Seat],
    },
    /// One person plays all seats of a solo table; nobody can be invited to it.
    #[error("nobody can be invited to a solo table")]
    SoloInvites,
    /// The caller invites themselves.
    #[error("the caller invites themselves")]
    InvitesSelf,
    /// A computer player or other bot was invited.
    #[error("person {0} is a bot")]
    InvitesBot(PersonId),
    /// More people were invited than seats are free.
    #[error("{free} seats are free for invitations")]
    TooManyInvited {
        /// How many could be invited.
        free: usize,
    },
    /// The invited person has a seat already.
    #[error("person {0} is seated already")]
    HasSeat(PersonId),
    /// The invited person is invited already.
    #[error("person {0} is invited already")]
    HasInvitation(PersonId),
    /// The caller sits on another seat than the one they ask for.
    #[error("the caller sits at {seat} already")]
    AlreadySeated {
        /// Where the caller sits.
        seat: Seat,
    },
    /// Every seat is taken or reserved.
    #[error("no seat is free")]
    NoFreeSeat,
    /// Somebody else has the seat.
    #[error("{seat} is taken by person {person}")]
    SeatTaken {
        /// Which.
        seat: Seat,
        /// Whose.
        person: PersonId,
    },
    /// The seat is kept for somebody else.
    #[error("{seat} is reserved for person {person}")]
    SeatReserved {
        /// Which.
        seat: Seat,
        /// For whom.
        person: PersonId,
    },
    /// The table is played elsewhere and not open to other places.
    #[error("the table is played elsewhere")]
    Elsewhere,
    /// The caller has no seat here.
    #[error("the caller has no seat at the table")]
    NotSeated,
    /// The person has neither a seat nor an invitation here.
    #[error("person {0} has neither seat nor invitation")]
    NotHere(PersonId),
    /// Only the host may do this.
    #[error("only the host may do this")]
    NotHost {
        /// Who the host is.
        host: PersonId,
    },
    /// The host asks to remove themselves.
    #[error("the host leaves by leaving")]
    RemovesSelf,
    /// A moderator asks to remove the host.
    #[error("person {0} is the host")]
    RemovesHost(PersonId),
    /// The game has begun.
    #[error("the game has begun")]
    Begun,
    /// The game has not begun.
    #[error("the game has not begun; free: {free:?}")]
    NotBegun {
        /// The seats still free.
        free: Vec<Seat>,
    },
    /// The table is finished.
    #[error("the table is finished")]
    Finished,
    /// The table is not finished.
    #[error("the table is not finished")]
    NotFinished,
    /// It is another player's turn.
    #[error("it is {seat}'s turn")]
    NotYourTurn {
        /// Whose turn it is.
        seat: Seat,
        /// Who has to act.
        person: Option<PersonId>,
    },
    /// The dice have not been thrown this turn.
    #[error("the dice have not been thrown")]
    RollFirst,
    /// The game has no dice.
    #[error("the game has no dice")]
    NoDice,
    /// The text names no legal move.
    #[error("the moves cannot be read: {0:?}")]
    Unreadable(ReadError),
    /// The rules do not allow it.
    #[error("the rules refuse it: {0:?}")]
    Rules(Refused),
    /// The caller holds several seats and has to name one.
    #[error("the caller holds several seats: {0:?}")]
    WhichSeat(Vec<Seat>),
    /// The caller does not hold the seat they name.
    #[error("the caller does not hold {0}")]
    NotYourSeat(Seat),
    /// The caller is out of the game.
    #[error("the caller is out of the game")]
    Out,
    /// Nothing is open that could be turned down.
    #[error("nothing is open to be turned down")]
    NothingOpen,
    /// The named offer is not open any more (R128).
    #[error("the offer has lapsed")]
    OfferLapsed,
    /// Several offers are open and none is named.
    #[error("several offers are open: {0:?}")]
    WhichOffer(Vec<Matter>),
    /// Every player has moved, so the table can no longer be closed by consent.
    #[error("every player has moved")]
    TooLateToCancel,
    /// The rematch is there already.
    #[error("the rematch is table {0}")]
    RematchIs(TableCode),
    /// There was no game to play again.
    #[error("the table was closed before it began")]
    NeverBegun,
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error)
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        Self::Rules(refused)
    }
}

impl From<OptionError> for Refusal {
    fn from(error: OptionError) -> Self {
        Self::Start(error.into())
    }
}
