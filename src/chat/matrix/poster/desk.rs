//! What the tasks of all places share.

use std::sync::Arc;

use matrix_sdk::ruma::RoomId;
use tokio::sync::{Semaphore, SetOnce, watch};
use tokio::time::Instant;

use super::newest::{self, Newest};
use super::{News, lane, lost};
use crate::chat::matrix::sending::Ended;
use crate::chat::matrix::words::posting::Loss;
use crate::chat::matrix::{Matrix, notes};
use crate::chat::outbox::{self, Outbox};
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
    /// Why nothing can be sent any more.
    pub(super) ended: SetOnce<Ended>,
}

impl Desk {
    pub(super) async fn new(matrix: Arc<Matrix>, stop: watch::Receiver<bool>) -> Desk {
        let outbox = Outbox::new(Platform::Matrix, Arc::clone(&matrix.club), stop);
        Desk {
            mark: outbox.mark().await,
            matrix,
            outbox,
            permits: Semaphore::new(DRAWN),
            ended: SetOnce::new(),
        }
    }

    /// The newest event about a table in a place; `None` when there is none.
    pub(super) async fn newest(&self, code: TableCode, place: &Place) -> Option<Newest> {
        let key = newest::key(code, place);
        let newest = notes::read(&self.matrix.club, &key).await;
        newest
            .inspect_err(|error| tracing::error!("the note {key} cannot be read: {error}"))
            .ok()?
    }
}

impl outbox::Desk for Desk {
    type News = News;

    fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    async fn has_posted(&self, code: TableCode, room: &Place, id: PostId) -> bool {
        let newest = self.newest(code, room).await;
        newest.is_some_and(|newest| newest.has_seen(id))
    }

    async fn post(self: Arc<Self>, place: Place, stop: watch::Receiver<bool>) {
        lane::run(self, place, stop).await;
    }

    async fn hear(self: &Arc<Self>, news: News) {
        match news {
            News::Reason(room) => {
                let lanes = &self.outbox.lanes;
                lanes.reason(|place| Some(is_in(place, &room)), Instant::now());
            }
            News::Gone(room) => {
                self.outbox.drop_all(|place| is_in(place, &room)).await;
                let desk = Arc::clone(self);
                self.outbox.spawn(async move {
                    let lost = Place::room(Platform::Matrix, room.as_str());
                    let tables = desk.outbox.tables_in(&lost).await;
                    let codes: Vec<TableCode> = tables.into_iter().map(|(code, _)| code).collect();
                    lost::tell(&desk, &lost, Loss::Gone, &codes).await;
                });
            }
        }
    }
}

fn is_in(place: &Place, room: &RoomId) -> bool {
    place.platform == Platform::Matrix && place.room == room.as_str()
}
