//! Posting what everybody is told: from the outbox to the rooms, in order in each place, until it is there.
//!
//! Nothing is lost: a message leaves the outbox when its room has it, or the bot is not in the room any more. What may have
//! arrived is sent again under the same transaction id, which the homeserver takes once (R101). [`crate::chat::outbox`] keeps
//! the order, [`lane`] is the task of one place.

mod desk;
mod lane;
mod lost;
mod newest;

use std::sync::{Arc, Mutex, PoisonError};

use matrix_sdk::ruma::{OwnedRoomId, RoomId};
use tokio::sync::{mpsc, watch};

use self::desk::Desk;
use super::sending::{Ended, Uploads};
use super::{Matrix, MatrixError};
use crate::chat::outbox;

/// What somebody outside tells the poster.
#[derive(Debug)]
enum News {
    /// Something happened in a room that may let the bot post there again.
    Reason(OwnedRoomId),
    /// The bot is in a room no more.
    Gone(OwnedRoomId),
}

/// The handle by which the poster is told what happens.
pub(super) struct Poster {
    tell: mpsc::UnboundedSender<News>,
    heard: Mutex<Option<mpsc::UnboundedReceiver<News>>>,
    pub(super) uploads: Uploads,
}

impl Default for Poster {
    fn default() -> Poster {
        let (tell, heard) = mpsc::unbounded_channel();
        Poster {
            tell,
            heard: Mutex::new(Some(heard)),
            uploads: Uploads::default(),
        }
    }
}

impl Poster {
    /// Something happened in a room that may let the bot post there again, such as other power levels.
    pub(super) fn reason(&self, room: &RoomId) {
        self.tell(News::Reason(room.to_owned()));
    }

    /// The bot left a room, was kicked or banned.
    pub(super) fn gone(&self, room: &RoomId) {
        self.tell(News::Gone(room.to_owned()));
    }

    fn tell(&self, news: News) {
        // Nobody hears it any more when the program stops.
        let _ = self.tell.send(news);
    }

    /// Posts what waits, and what is still to come, until `stop` says so; what is being sent then is finished.
    ///
    /// # Errors
    /// When the homeserver has logged the device out, or the account cannot be used.
    pub(super) async fn run(
        &self,
        matrix: Arc<Matrix>,
        stop: watch::Receiver<bool>,
    ) -> Result<(), MatrixError> {
        let heard = self.heard.lock();
        let heard = heard.unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut heard) = heard else {
            return Ok(());
        };
        let me = matrix.me.to_string();
        let desk = Arc::new(Desk::new(matrix, stop.clone()).await);
        tokio::select! {
            ended = desk.ended.wait() => Err(match ended {
                Ended::Device => MatrixError::Token,
                Ended::Account => MatrixError::Account(me),
            }),
            () = outbox::desk::run(&desk, &mut heard, stop) => Ok(()),
        }
    }
}
