//! What the tasks of all places share.

use std::sync::Arc;

use matrix_sdk::ruma::RoomId;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

use super::newest::{self, Newest};
use super::{News, lane, lost};
use crate::chat::matrix::words::posting::Loss;
use crate::chat::matrix::{Matrix, notes};
use crate::chat::outbox::{New, Outbox, Reader, Waiting};
use crate::command::message::Message;
use crate::ids::{Place, Platform, TableCode};
use crate::store::PostId;

/// How many messages are drawn at a time.
const DRAWN: usize = 16;

/// What the tasks of all places share.
pub(super) struct Desk {
    pub(super) matrix: Arc<Matrix>,
    pub(super) outbox: Outbox,
    pub(super) permits: Semaphore,
    /// What the transaction ids of this store begin with.
    pub(super) mark: String,
    /// The device was logged out.
    pub(super) ended: Notify,
}

impl Desk {
    pub(super) async fn new(matrix: Arc<Matrix>, stop: watch::Receiver<bool>) -> Desk {
        let outbox = Outbox::new(Platform::Matrix, Arc::clone(&matrix.club), stop);
        Desk {
            mark: outbox.mark().await,
            matrix,
            outbox,
            permits: Semaphore::new(DRAWN),
            ended: Notify::new(),
        }
    }

    /// Hands what is new in the outbox to the places. False when the store could not be read to the end.
    pub(super) async fn read(self: &Arc<Self>, reader: &mut Reader) -> bool {
        loop {
            match reader.next(&**self.matrix.club.store()).await {
                Ok(Some(new)) => {
                    for one in new {
                        self.put(one).await;
                    }
                }
                Ok(None) => return true,
                Err(error) => {
                    tracing::error!("matrix: the outbox cannot be read: {error}");
                    return false;
                }
            }
        }
    }

    async fn put(self: &Arc<Self>, new: New) {
        let Some(message) = self.outbox.message(&new).await else {
            return;
        };
        let place = self.place_now(&message, new.post.place, new.id).await;
        let waiting = Waiting {
            id: new.id,
            message: Arc::new(message),
            before: new.before,
        };
        if self.outbox.lanes.add(&place, waiting) {
            self.start(place);
        }
    }

    /// Where a message belongs now: its table may have got a thread in that room meanwhile.
    async fn place_now(&self, message: &Message, place: Place, id: PostId) -> Place {
        let (Some(code), None) = (message.table, &place.thread) else {
            return place;
        };
        // What was posted before the thread was there is done with in the room.
        let newest = self.newest(code, &place).await;
        if newest.is_some_and(|newest| newest.has_seen(id)) {
            return place;
        }
        let thread = self.outbox.thread_now(code, &place).await;
        thread.unwrap_or(place)
    }

    /// The newest event about a table in a place; `None` when there is none.
    pub(super) async fn newest(&self, code: TableCode, place: &Place) -> Option<Newest> {
        let key = newest::key(code, place);
        let newest = notes::read(&self.matrix.club, &key).await;
        newest
            .inspect_err(|error| tracing::error!("the note {key} cannot be read: {error}"))
            .ok()?
    }

    fn start(self: &Arc<Self>, place: Place) {
        let desk = Arc::clone(self);
        self.outbox.spawn(async move {
            let lane = || lane::run(Arc::clone(&desk), place.clone(), desk.outbox.stop());
            desk.outbox.tend(&place, lane).await;
        });
    }

    /// Makes a thread the place of a table that was in the room around it.
    pub(super) async fn settle_in(
        self: &Arc<Self>,
        code: TableCode,
        from: &Place,
        to: &Place,
        but: PostId,
    ) {
        if self.outbox.settle_in(code, from, to, but).await {
            self.start(to.clone());
        }
    }

    pub(super) async fn hear(self: &Arc<Self>, news: News) {
        match news {
            News::Reason(room) => {
                let lanes = &self.outbox.lanes;
                lanes.reason(|place| Some(is_in(place, &room)), Instant::now());
            }
            News::Gone(room) => {
                let cleared = self.outbox.lanes.clear(|place| is_in(place, &room));
                for (_, waiting) in &cleared {
                    let ids: Vec<PostId> = waiting.iter().map(|one| one.id).collect();
                    self.outbox.forget(&ids).await;
                }
                let desk = Arc::clone(self);
                self.outbox.spawn(async move {
                    let lost = Place::room(Platform::Matrix, room.as_str());
                    let tables = desk.outbox.tables_in(&lost).await;
                    let codes: Vec<TableCode> = tables.into_iter().map(|(code, _)| code).collect();
                    lost::tell(&desk.matrix, &lost, Loss::Gone, &codes).await;
                });
            }
        }
    }
}

fn is_in(place: &Place, room: &RoomId) -> bool {
    place.platform == Platform::Matrix && place.room == room.as_str()
}
