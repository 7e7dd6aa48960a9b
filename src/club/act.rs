//! Commands on a table that is there, one at a time, all or nothing.

use std::sync::Arc;

use super::settle::Draft;
use super::shelf::Lockable;
use super::{Caller, Club, ClubError, Done, Happened, Sought, Wording};
use crate::ids::{At, PersonId, TableCode};
use crate::rules::Seat;
use crate::store::StoreError;
use crate::table::{Event, Joining, OfferId, RollAsked, Table};

/// What is to be done at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Take a seat.
    Join {
        /// Which, if any in particular.
        seat: Option<Seat>,
        /// A word for the fair dice; may be empty.
        word: String,
    },
    /// Turn an invitation or an open offer down.
    Decline {
        /// Which offer, where a button names one.
        offer: Option<OfferId>,
    },
    /// Reserve a seat for somebody.
    Invite {
        /// For whom.
        person: PersonId,
    },
    /// Take a reservation or a seat back.
    Remove {
        /// Whose.
        person: PersonId,
    },
    /// Leave before the start.
    Leave,
    /// Begin.
    Start,
    /// Close the table, or ask the others to.
    Cancel {
        /// Which offer is agreed to, where a button names one.
        offer: Option<OfferId>,
    },
    /// Throw the dice.
    Roll,
    /// Play moves.
    Move {
        /// As people write them.
        text: String,
    },
    /// Give up the rest of the roll.
    Pass,
    /// Ask to resign, or confirm it.
    Resign {
        /// For which seat; needed where the caller holds several.
        seat: Option<Seat>,
        /// Confirms an earlier request.
        confirm: bool,
    },
    /// Offer to end the game, or agree to it.
    Draw {
        /// Which offer is agreed to, where a button names one.
        offer: Option<OfferId>,
    },
    /// Claim the victory.
    Claim,
    /// Play in the caller's place from now on.
    Here,
}

/// How often a command is decided anew when others change the table meanwhile.
pub(super) const TRIES: usize = 8;

impl Club {
    /// Does something at the table that is named, or meant.
    ///
    /// # Errors
    /// [`ClubError`]; nothing has changed then.
    pub async fn act(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        action: &Action,
        wording: Wording<'_>,
    ) -> Result<Done, ClubError> {
        if let Some(number) = self.handled(caller).await? {
            if self.was_refused(caller).await? {
                // Why it would not be done now either is what there is to say.
                let code = self.which(caller, named, &action.sought()).await?;
                let table = self.load(code).await?;
                self.weigh(&table, caller, action).await?;
                return Ok(Done::RefusedBefore);
            }
            return Ok(self.done_before(caller, named, number).await);
        }
        let done = self.try_act(caller, named, action, wording).await;
        self.remembered(caller, done).await
    }

    async fn try_act(
        &self,
        caller: &Caller,
        named: Option<TableCode>,
        action: &Action,
        wording: Wording<'_>,
    ) -> Result<Done, ClubError> {
        let code = self.which(caller, named, &action.sought()).await?;
        let _seats = match matches!(action, Action::Join { .. }) {
            true => Some(self.locks.lock(Lockable::SeatsOf(caller.person)).await),
            false => None,
        };
        let _table = self.locks.lock(Lockable::Table(code)).await;
        for _ in 0..TRIES {
            let table = self.load(code).await?;
            let happened = self.weigh(&table, caller, action).await?;
            let at = happened.at;
            match self.keep(Some(caller), at, &[&happened], wording).await {
                Ok(()) => return Ok(Done::Now(Box::new(happened))),
                Err(StoreError::Stale { .. }) => self.shelf.forget(code),
                Err(StoreError::Handled { number, .. }) => {
                    return Ok(self.done_before(caller, Some(code), number).await);
                }
                Err(other) => return Err(other.into()),
            }
        }
        Err(ClubError::Busy)
    }

    /// What the action does to the table as it is, if nothing is against it. Nothing is kept yet.
    async fn weigh(
        &self,
        table: &Arc<Table>,
        caller: &Caller,
        action: &Action,
    ) -> Result<Happened, ClubError> {
        action.check_board(table, caller)?;
        match action {
            Action::Join { .. } if table.seats_of(caller.person).next().is_none() => {
                self.check_seats_of(caller.person).await?;
            }
            // R46: a bot, and somebody who is not there, are refused before the table is asked.
            Action::Invite { person } => self.check_can_play(*person).await?,
            Action::Here => self.check_move(caller, table).await?,
            _ => {}
        }
        let moderates = self.moderates(caller, table, action).await?;
        self.decide(table, caller, action, moderates)
    }

    fn decide(
        &self,
        table: &Arc<Table>,
        caller: &Caller,
        action: &Action,
        moderates: bool,
    ) -> Result<Happened, ClubError> {
        let at = self.clock.now();
        let (events, stands) = self.events(table, caller, action, moderates, at)?;
        let draft = self.drafted(table, caller.person, events, at)?;
        Ok(draft.happened(Some(caller.person), stands))
    }

    /// The events by which a table answers; and the roll that stands, where one is asked for again.
    pub(super) fn events(
        &self,
        table: &Table,
        caller: &Caller,
        action: &Action,
        moderates: bool,
        at: At,
    ) -> Result<(Vec<Event>, Option<Vec<u8>>), ClubError> {
        let person = caller.person;
        let mut stands = None;
        let events = match action {
            Action::Join { seat, word } => table.join(&Joining {
                person,
                place: caller.place.clone(),
                seat: *seat,
                message: caller.message(),
                word: word.clone(),
            })?,
            Action::Decline { offer } => table.decline(person, *offer)?,
            Action::Invite { person: guest } => table.invite(person, *guest)?,
            Action::Remove { person: guest } => table.remove(person, *guest, moderates)?,
            Action::Leave => table.leave(person)?,
            Action::Start => table.start(person)?,
            Action::Cancel { offer } => table.cancel(person, moderates, *offer)?,
            Action::Here => table.here(person, &caller.place, moderates)?,
            Action::Roll => match table.roll(person)? {
                RollAsked::Throw { n, dice } => {
                    vec![Table::rolled(n, self.throw(table, n, dice)?)]
                }
                RollAsked::Stands(faces) => {
                    stands = Some(faces);
                    Vec::new()
                }
            },
            Action::Move { text } => table.moves(person, text)?,
            Action::Pass => table.pass(person)?,
            Action::Resign { seat, confirm } => table.resign(person, *seat, *confirm, at)?,
            Action::Draw { offer } => table.draw(person, *offer)?,
            Action::Claim => table.claim(person)?,
        };
        Ok((events, stands))
    }

    fn drafted(
        &self,
        table: &Arc<Table>,
        person: PersonId,
        events: Vec<Event>,
        at: At,
    ) -> Result<Draft, ClubError> {
        let mut draft = Draft::on(table, at);
        for event in events {
            draft.take(Some(person), event)?;
        }
        self.settle(&mut draft)?;
        Ok(draft)
    }
}

impl Action {
    /// What it looks for where no table is named.
    pub fn sought(&self) -> Sought {
        Sought::To(self.clone())
    }

    /// R13: what was pressed on an old board is not done on the present one.
    fn check_board(&self, table: &Table, caller: &Caller) -> Result<(), ClubError> {
        let on_the_board = match self {
            // Who is asked whether they are sure answers that question, whatever happens on the board meanwhile.
            Self::Resign { confirm, .. } => !confirm,
            Self::Roll | Self::Move { .. } | Self::Pass | Self::Claim => true,
            // An answer names its offer, which lapses by itself (R128); to offer something is meant for a position.
            Self::Draw { offer } | Self::Cancel { offer } => offer.is_none(),
            Self::Join { .. }
            | Self::Decline { .. }
            | Self::Invite { .. }
            | Self::Remove { .. }
            | Self::Leave
            | Self::Start
            | Self::Here => false,
        };
        let now = table.position_version();
        match caller.expects.filter(|then| on_the_board && *then != now) {
            Some(then) => Err(ClubError::OldBoard {
                code: table.code(),
                then: table.moves_by(then),
                now: table.moves_by(now),
            }),
            None => Ok(()),
        }
    }
}
