//! Reading the outbox.

use crate::ids::Platform;
use crate::store::{Post, PostId, Store, StoreError};

/// How many messages are taken from the outbox at once.
const AT_ONCE: usize = 256;

/// Reads the messages of one platform from the outbox, each once.
pub(super) struct Reader {
    platform: Platform,
    after: Option<PostId>,
    /// Everything that was in the outbox at the start has been read.
    caught_up: bool,
}

/// A message that is read for the first time.
pub(super) struct New {
    pub(super) id: PostId,
    pub(super) post: Post,
    /// It was in the outbox when the program started, so an earlier run may have posted it.
    pub(super) before: bool,
}

impl Reader {
    pub(super) fn new(platform: Platform) -> Reader {
        Reader {
            platform,
            after: None,
            caught_up: false,
        }
    }

    /// The next messages, in order; `None` when there are no more, or the store is closed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<New>>, StoreError> {
        let new = match store.outbox(self.after, AT_ONCE).await {
            Ok(new) => new,
            Err(StoreError::Closed) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some((last, _)) = new.last() else {
            self.caught_up = true;
            return Ok(None);
        };
        self.after = Some(*last);
        let before = !self.caught_up;
        let own = new
            .into_iter()
            .filter(|(_, post)| post.place.platform == self.platform);
        Ok(Some(
            own.map(|(id, post)| New { id, post, before }).collect(),
        ))
    }
}
