//! The store of an installation: a journal that decides, sled as a view of it, one thread that writes.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::oneshot;

use super::causes::Handled;
use super::committer::Committer;
use super::damage::Damage;
use super::open::{self, Options};
use super::opening::{OpenError, Opening};
use super::order::{Answer, Order};
use super::shelf::Shelf;
use super::view::View;
use super::{
    Account, Commit, Committed, Find, Listing, Person, Post, PostId, Store, StoreError, Stored,
    keys, search,
};
use crate::ids::{Cause, PersonId, Platform, TableCode};

/// The store in a data folder, which it keeps for itself until dropped.
#[derive(Debug)]
pub struct Sled {
    shelf: Arc<Shelf>,
    orders: Sender<Order>,
    committer: Mutex<Option<JoinHandle<()>>>,
    last_person: AtomicU64,
}

/// Opens the store in a folder, making it when it is not there and repairing what a kill, a power failure or a bad disk
/// left. Log what [`Opening`] says.
///
/// # Errors
/// [`OpenError`]: another process has the folder, it cannot be read or written, or what is damaged stands nowhere else.
pub fn open(dir: &Path, options: Options) -> Result<(Sled, Opening), OpenError> {
    let (opened, opening) = open::open(dir, &options)?;
    let (orders, receiver) = channel();
    let shelf = Arc::clone(&opened.shelf);
    let last_person = AtomicU64::new(opened.meta.last_person);
    let committer = Committer::new(
        opened,
        options.segment_lines.max(1),
        options.memorable,
        receiver,
        orders.clone(),
    );
    let thread = thread::Builder::new()
        .name("store-committer".to_owned())
        .spawn(move || committer.run())
        .map_err(|error| OpenError::Folder {
            folder: dir.to_owned(),
            error,
        })?;
    let sled = Sled {
        shelf,
        orders,
        committer: Mutex::new(Some(thread)),
        last_person,
    };
    Ok((sled, opening))
}

impl Sled {
    fn read<T>(&self, work: impl FnOnce(&View) -> Result<T, Damage>) -> Result<T, StoreError> {
        self.shelf
            .read(work)
            .map_err(|damage| StoreError::Damaged(damage.to_string()))
    }

    async fn order<T>(&self, order: impl FnOnce(Answer<T>) -> Order) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.orders
            .send(order(answer))
            .map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    fn join(&self) {
        let thread = self
            .committer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            // Its panics are caught inside; there is nothing to learn from the result.
            drop(thread.join());
        }
    }
}

impl Drop for Sled {
    fn drop(&mut self) {
        drop(self.orders.send(Order::Close(None)));
        self.join();
    }
}

#[async_trait]
impl Store for Sled {
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.order(|answer| Order::Commit(Box::new(commit), answer))
            .await
    }

    async fn table(&self, code: TableCode) -> Result<Option<Stored>, StoreError> {
        self.read(|view| view.table(code))
    }

    async fn listing(&self, code: TableCode) -> Result<Option<Listing>, StoreError> {
        self.read(|view| Ok(view.head(code)?.map(|head| head.listing)))
    }

    async fn tables(
        &self,
        find: Find,
        limit: usize,
    ) -> Result<Vec<(TableCode, Listing)>, StoreError> {
        self.read(|view| search::tables(view, &find, limit))
    }

    async fn person(&self, id: PersonId) -> Result<Option<Person>, StoreError> {
        self.read(|view| view.read(&keys::person(id)))
    }

    async fn person_by_account(
        &self,
        platform: Platform,
        account: &str,
    ) -> Result<Option<Person>, StoreError> {
        let key = keys::account(&Account {
            platform,
            account: account.to_owned(),
        });
        self.read(|view| match view.read::<PersonId>(&key)? {
            Some(id) => view.read(&keys::person(id)),
            None => Ok(None),
        })
    }

    async fn next_person(&self) -> Result<PersonId, StoreError> {
        Ok(PersonId(
            self.last_person.fetch_add(1, Ordering::Relaxed) + 1,
        ))
    }

    async fn handled(&self, cause: &Cause) -> Result<Option<u64>, StoreError> {
        self.read(|view| {
            Ok(view
                .read::<Handled>(&keys::cause(&cause.0))?
                .map(|handled| handled.n))
        })
    }

    async fn outbox(
        &self,
        after: Option<PostId>,
        limit: usize,
    ) -> Result<Vec<(PostId, Post)>, StoreError> {
        self.read(|view| search::outbox(view, after, limit))
    }

    async fn posted(&self, ids: &[PostId]) -> Result<(), StoreError> {
        self.order(|answer| Order::Posted(ids.to_vec(), answer))
            .await
    }

    async fn note(&self, key: &str) -> Result<Option<Value>, StoreError> {
        self.read(|view| view.read(&keys::note(key)))
    }

    async fn sync(&self) -> Result<(), StoreError> {
        self.order(Order::Sync).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        let closed = self.order(|answer| Order::Close(Some(answer))).await;
        self.join();
        match closed {
            Ok(()) | Err(StoreError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
