//! Reading the outbox.

use std::sync::Arc;

use super::Desk;
use crate::ids::Platform;
use crate::store::{PostId, StoreError};

/// How many messages are taken from the outbox at once.
const AT_ONCE: usize = 256;

/// Reads the outbox, each message once.
#[derive(Default)]
pub(super) struct Reader {
    after: Option<PostId>,
    /// Everything that was in the outbox at the start has been read.
    caught_up: bool,
}

impl Reader {
    /// Hands what is new to the places. False when the store could not be read to the end.
    pub(super) async fn read(&mut self, desk: &Arc<Desk>) -> bool {
        let store = desk.discord.club.store();
        loop {
            let new = match store.outbox(self.after, AT_ONCE).await {
                Ok(new) => new,
                Err(StoreError::Closed) => return true,
                Err(error) => {
                    tracing::error!("discord: the outbox cannot be read: {error}");
                    return false;
                }
            };
            let Some((last, _)) = new.last() else {
                self.caught_up = true;
                return true;
            };
            self.after = Some(*last);
            for (id, post) in new {
                if post.place.platform == Platform::Discord {
                    desk.put(post, id, !self.caught_up).await;
                }
            }
        }
    }
}
