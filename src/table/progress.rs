//! How far a table's position has come, so that what is pressed on an old board is known (R13).

use super::event::Event;
use super::state::Table;

impl Table {
    /// How many events it had when its position, its dice or who plays in it last changed. What a button was made for
    /// stands as long as this is the same; offers, invitations and other places do not change it.
    pub fn position_version(&self) -> u64 {
        self.positioned
    }

    /// How many moves its first `version` events hold.
    pub fn moves_by(&self, version: u64) -> usize {
        let later = self.played.partition_point(|(then, _)| *then <= version);
        let last = later.checked_sub(1).and_then(|at| self.played.get(at));
        last.map_or(0, |(_, moves)| *moves)
    }

    /// Notes how far the position and the moves have come.
    pub(super) fn note_position(&mut self, event: &Event) {
        if !event.changes_position() {
            return;
        }
        self.positioned = self.version;
        let moves = self.game().map_or(0, |game| game.last_moves().count());
        if self.played.last().map_or(0, |(_, before)| *before) < moves {
            self.played.push((self.version, moves));
        }
    }
}

impl Event {
    /// Whether it changes the position, the dice, the phase of the game or who plays in it.
    fn changes_position(&self) -> bool {
        match self {
            Self::Opened(_)
            | Self::Started { .. }
            | Self::Rolled { .. }
            | Self::Moved { .. }
            | Self::Passed
            | Self::Agreed
            | Self::Resigned { .. }
            | Self::Claimed
            | Self::Ended { .. }
            | Self::Cancelled { .. }
            | Self::Expired => true,
            Self::Invited { .. }
            | Self::Uninvited { .. }
            | Self::Declined { .. }
            | Self::Joined(_)
            | Self::Left { .. }
            | Self::Removed { .. }
            | Self::Host { .. }
            | Self::Offered { .. }
            | Self::Accepted { .. }
            | Self::TurnedDown { .. }
            | Self::OfferWithdrawn { .. }
            | Self::ResignAsked { .. }
            | Self::Placed { .. }
            | Self::Rematched { .. } => false,
        }
    }
}
