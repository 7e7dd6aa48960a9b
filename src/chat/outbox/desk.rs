//! What the poster of every platform does alike: it reads the outbox, puts messages where they are posted, and starts a task
//! for each place.

use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use super::{HOURLY, Outbox, PAUSE, Reader, Waiting};
use crate::chat::stopping::stopped;
use crate::ids::{Place, TableCode};
use crate::store::PostId;

/// What the tasks of all places of a platform share.
pub(in crate::chat) trait Desk: Send + Sync + Sized + 'static {
    /// What somebody outside tells the poster.
    type News: Send;

    fn outbox(&self) -> &Outbox;

    /// Whether it is noted of a table that a message about it was posted in a room.
    fn has_posted(
        &self,
        code: TableCode,
        room: &Place,
        id: PostId,
    ) -> impl Future<Output = bool> + Send;

    /// Posts what waits in a place, until nothing does or the program stops.
    fn post(
        self: Arc<Self>,
        place: Place,
        stop: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + Send;

    /// Takes in what somebody outside tells.
    fn hear(self: &Arc<Self>, news: Self::News) -> impl Future<Output = ()> + Send;

    /// An hour has passed.
    fn hourly(&self) {}
}

/// Posts what waits, and what is still to come, until `stop` says so; what is being sent then is finished.
pub(in crate::chat) async fn run<D: Desk>(
    desk: &Arc<D>,
    heard: &mut UnboundedReceiver<D::News>,
    mut stop: watch::Receiver<bool>,
) {
    let outbox = desk.outbox();
    let mut waiting = outbox.club.waiting();
    let mut reader = Reader::new(outbox.platform);
    let mut hourly = tokio::time::interval(HOURLY);
    let mut look = true;
    loop {
        let mut retry = false;
        if std::mem::take(&mut look) {
            waiting.mark_unchanged();
            retry = !read(desk, &mut reader).await;
        }
        tokio::select! {
            () = stopped(&mut stop) => break,
            // Its sender lives as long as the club.
            Ok(()) = waiting.changed() => look = true,
            Some(news) = heard.recv() => {
                look = retry;
                desk.hear(news).await;
            }
            _ = hourly.tick() => {
                look = retry;
                desk.hourly();
            }
            () = tokio::time::sleep(PAUSE), if retry => look = true,
        }
    }
    outbox.finish().await;
}

/// Hands what is new in the outbox to the places. False when the store could not be read to the end.
async fn read<D: Desk>(desk: &Arc<D>, reader: &mut Reader) -> bool {
    let outbox = desk.outbox();
    loop {
        match reader.next(&**outbox.club.store()).await {
            Ok(Some(new)) => {
                for new in new {
                    if let Some((place, waiting)) = outbox.unpacked(new).await {
                        put(desk, place, waiting).await;
                    }
                }
            }
            Ok(None) => return true,
            Err(error) => {
                tracing::error!("{}: the outbox cannot be read: {error}", outbox.platform);
                return false;
            }
        }
    }
}

/// Puts a message where it is posted.
async fn put<D: Desk>(desk: &Arc<D>, place: Place, waiting: Waiting) {
    let place = place_now(desk, place, &waiting).await;
    if desk.outbox().lanes.add(&place, waiting) {
        start(desk, place);
    }
}

/// Where a message belongs now: its table may have got a thread in that room meanwhile.
async fn place_now<D: Desk>(desk: &Arc<D>, place: Place, waiting: &Waiting) -> Place {
    let (Some(code), None) = (waiting.message.table, &place.thread) else {
        return place;
    };
    // What was posted before the thread was there is done with in the room.
    if desk.has_posted(code, &place, waiting.id).await {
        return place;
    }
    let thread = desk.outbox().thread_now(code, &place).await;
    thread.unwrap_or(place)
}

fn start<D: Desk>(desk: &Arc<D>, place: Place) {
    let own = Arc::clone(desk);
    desk.outbox().spawn(async move {
        let outbox = own.outbox();
        let lane = || Arc::clone(&own).post(place.clone(), outbox.stop.clone());
        outbox.tend(&place, lane).await;
    });
}

/// Makes a thread the place of a table that was in the room around it, or in another thread. What waits for the old place, but
/// for the message `but`, goes there before anything that comes later.
pub(in crate::chat) async fn settle_in<D: Desk>(
    desk: &Arc<D>,
    code: TableCode,
    from: &Place,
    to: &Place,
    but: PostId,
) {
    if desk.outbox().settle_in(code, from, to, but).await {
        start(desk, to.clone());
    }
}
