//! What a command looks for: a table at which it can be carried out (COMMANDS.md, “Which table is meant”).

use super::which::{Candidate, is_seated};
use super::{Action, Caller, Club};
use crate::rules;
use crate::store::{Listing, Stage};
use crate::table::{Event, Refusal, RollAsked, Summary, Table};

/// What a command is for. Where it can be carried out at one table, those at which it cannot are not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought {
    /// Something is to be done.
    To(Action),
    /// What is legal is to be listed.
    Moves,
    /// A game that has begun is to be looked at.
    Begun,
    /// How dice are made is asked.
    Dice,
    /// Anything unfinished; where there is none, the game that was finished last.
    Any,
    /// The finished table at which the caller had a seat last.
    Finished,
}

impl Sought {
    /// Whether only somebody with a seat in a game can want it.
    pub(super) fn needs_seat(&self) -> bool {
        match self {
            Self::To(action) => matches!(
                action,
                Action::Roll
                    | Action::Move { .. }
                    | Action::Pass
                    | Action::Claim
                    | Action::Resign { .. }
                    | Action::Draw { .. }
            ),
            Self::Moves | Self::Begun | Self::Dice | Self::Any | Self::Finished => false,
        }
    }

    /// Whether a game that is over is what it is about where no other is there: to say that it is over, at least.
    pub(super) fn reaches_finished(&self) -> bool {
        match self {
            Self::To(action) => match action {
                Action::Join { .. }
                | Action::Invite { .. }
                | Action::Remove { .. }
                | Action::Start
                | Action::Here => false,
                Action::Decline { .. }
                | Action::Leave
                | Action::Cancel { .. }
                | Action::Roll
                | Action::Move { .. }
                | Action::Pass
                | Action::Resign { .. }
                | Action::Draw { .. }
                | Action::Claim => true,
            },
            Self::Moves | Self::Begun | Self::Dice | Self::Any | Self::Finished => true,
        }
    }

    /// What is looked for where this can be done nowhere: who is sure of what was not asked is asked first.
    pub(super) fn lesser(&self) -> Option<Self> {
        match self {
            Self::To(Action::Resign {
                seat,
                confirm: true,
            }) => Some(Self::To(Action::Resign {
                seat: *seat,
                confirm: false,
            })),
            _ => None,
        }
    }

    /// Whether it could be done at a table, by what lists show of it: a table need not be read to tell that it is no game.
    fn fits(&self, caller: &Caller, listing: &Listing) -> Fit {
        let gathering = listing.stage == Stage::Gathering;
        let playing = listing.stage == Stage::Playing;
        let perhaps = match self {
            Self::To(action) => match action {
                Action::Roll | Action::Move { .. } | Action::Pass | Action::Claim => {
                    playing && listing.turn.contains(&caller.person)
                }
                Action::Resign { .. } | Action::Draw { .. } => {
                    playing && is_seated(caller, listing)
                }
                Action::Join { .. }
                | Action::Invite { .. }
                | Action::Remove { .. }
                | Action::Leave
                | Action::Start => gathering,
                Action::Decline { .. } => listing.people.contains(&caller.person),
                Action::Cancel { .. } | Action::Here => true,
            },
            Self::Moves => playing,
            Self::Begun => return Fit::surely(playing),
            Self::Dice => {
                let game = Summary::of(listing).and_then(|summary| rules::game(&summary.game));
                return Fit::surely(game.is_some_and(|info| info.dice.is_some()));
            }
            Self::Any | Self::Finished => return Fit::Surely,
        };
        match perhaps {
            true => Fit::Perhaps,
            false => Fit::No,
        }
    }
}

/// Whether something can be done at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Surely,
    Perhaps,
    No,
}

impl Fit {
    fn surely(fits: bool) -> Self {
        match fits {
            true => Self::Surely,
            false => Self::No,
        }
    }
}

impl Club {
    /// Those of some tables at which it can be carried out for the caller.
    pub(super) async fn fitting(
        &self,
        caller: &Caller,
        sought: &Sought,
        among: &[Candidate],
    ) -> Vec<Candidate> {
        let mut fitting = Vec::new();
        for one in among {
            let fits = match sought.fits(caller, &one.listing) {
                Fit::Surely => true,
                Fit::No => false,
                // A table that cannot be read is not the one at which something can be done.
                Fit::Perhaps => match self.load(one.code).await {
                    Ok(table) => self.can(caller, sought, &table).await,
                    Err(_) => false,
                },
            };
            if fits {
                fitting.push(one.clone());
            }
        }
        fitting
    }

    async fn can(&self, caller: &Caller, sought: &Sought, table: &Table) -> bool {
        let person = caller.person;
        match sought {
            Sought::To(action) => match action {
                Action::Roll => matches!(table.roll(person), Ok(RollAsked::Throw { .. })),
                // Whether the moves are legal tells nothing: who mistypes them must not play at another table.
                Action::Move { .. } => table.may_move(person).is_ok(),
                // As long as there are no computer players, what the host is told is which seats are free.
                Action::Start => matches!(table.start(person), Err(Refusal::NotBegun { .. })),
                Action::Here => {
                    self.check_move(caller, table).await.is_ok()
                        && self.would_change(caller, action, table).await
                }
                Action::Resign { confirm: true, .. } => {
                    let events = self.deciding(caller, action, table).await;
                    let mut events = events.iter();
                    events.any(|event| matches!(event, Event::Resigned { .. }))
                }
                // Which of several seats is asked at the table.
                Action::Resign { seat, confirm } => matches!(
                    table.resign(person, *seat, *confirm, self.clock.now()),
                    Ok(_) | Err(Refusal::WhichSeat(_))
                ),
                Action::Decline { .. } => matches!(
                    table.decline(person, None),
                    Ok(_) | Err(Refusal::WhichOffer(_))
                ),
                _ => self.would_change(caller, action, table).await,
            },
            Sought::Moves => table
                .play()
                .is_some_and(|play| play.phase() == rules::Phase::Move),
            // What lists show tells all of it.
            Sought::Begun | Sought::Dice | Sought::Any | Sought::Finished => true,
        }
    }

    async fn would_change(&self, caller: &Caller, action: &Action, table: &Table) -> bool {
        !self.deciding(caller, action, table).await.is_empty()
    }

    /// The events that an action has now; none where it is refused.
    async fn deciding(&self, caller: &Caller, action: &Action, table: &Table) -> Vec<Event> {
        let Ok(moderates) = self.moderates(caller, table, action).await else {
            return Vec::new();
        };
        let at = self.clock.now();
        let (events, _) = self
            .events(table, caller, action, moderates, at)
            .unwrap_or_default();
        events
    }
}
