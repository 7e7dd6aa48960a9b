//! Disks that fail, fill up or take their time.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use ashtapada::ids::TableCode;
use ashtapada::store::{Disk, LocalDisk, Memory, Options, Store, StoreError, Tape, open};

use crate::support::{opened, small, state, step};

/// How a write fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failing {
    /// Nothing is written.
    Append,
    /// Half is written.
    Half,
    /// Everything is written, the sync fails.
    Sync,
    /// Half is written, and nothing works from then on.
    Dead,
}

/// Fails at the write with this number.
#[derive(Debug)]
struct Faulty {
    failing: Failing,
    left: Arc<AtomicU32>,
}

#[derive(Debug)]
struct FaultyTape {
    tape: Box<dyn Tape>,
    failing: Failing,
    left: Arc<AtomicU32>,
}

fn full() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "no space left on device")
}

impl Disk for Faulty {
    fn append_to(&self, path: &Path) -> io::Result<Box<dyn Tape>> {
        let tape = LocalDisk.append_to(path)?;
        Ok(Box::new(FaultyTape {
            tape,
            failing: self.failing,
            left: Arc::clone(&self.left),
        }))
    }
}

impl FaultyTape {
    /// Whether this is the write that fails, or one after it.
    fn fails(&self) -> bool {
        self.left.load(Ordering::SeqCst) == 0
    }
}

impl Tape for FaultyTape {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                Some(left.saturating_sub(1))
            })
            .unwrap_or_default();
        match self.failing {
            Failing::Append if self.fails() => Err(full()),
            Failing::Half | Failing::Dead if self.fails() => {
                self.tape.append(&bytes[..bytes.len() / 2])?;
                Err(full())
            }
            Failing::Append | Failing::Half | Failing::Dead | Failing::Sync => {
                self.tape.append(bytes)
            }
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        match self.failing {
            Failing::Sync | Failing::Dead if self.fails() => Err(full()),
            Failing::Append | Failing::Half | Failing::Dead | Failing::Sync => self.tape.sync(),
        }
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        match self.failing {
            Failing::Dead if self.fails() => Err(full()),
            Failing::Append | Failing::Half | Failing::Dead | Failing::Sync => {
                self.tape.cut(length)
            }
        }
    }
}

#[tokio::test]
async fn r116_a_failed_write_is_refused_leaves_nothing_and_stops_the_store() {
    for failing in [Failing::Append, Failing::Half, Failing::Sync, Failing::Dead] {
        // The first write is the heading; rotation at every fourth line fails too.
        for at in 2..12 {
            let told = format!("{failing:?} at write {at}");
            let dir = tempfile::tempdir().unwrap();
            let disk = Arc::new(Faulty {
                failing,
                left: Arc::new(AtomicU32::new(at)),
            });
            let (store, _) = open(dir.path(), Options { disk, ..small(4) }).unwrap();
            let model = Memory::new();
            let mut refused = None;
            for turn in 0..20 {
                let commit = step(turn % 3, u64::from(turn / 3), 1);
                match store.commit(commit.clone()).await {
                    Ok(committed) => {
                        assert!(refused.is_none(), "{told}: taken after the store stopped");
                        assert_eq!(Ok(committed), model.commit(commit).await);
                    }
                    Err(error) => {
                        assert!(
                            matches!(&error, StoreError::Stopped(why) if why.contains("no space left")),
                            "{told}: {error}"
                        );
                        refused = Some(error);
                    }
                }
            }
            assert!(refused.is_some(), "{told}: nothing failed");
            assert_eq!(
                state(&store, 3).await,
                state(&model, 3).await,
                "{told}: what is read"
            );
            assert!(matches!(store.close().await, Err(StoreError::Stopped(_))));
            drop(store);
            let (store, _) = opened(dir.path(), 4);
            assert_eq!(
                state(&store, 3).await,
                state(&model, 3).await,
                "{told}: after a restart"
            );
            std::fs::remove_dir_all(dir.path().join("sled")).ok();
        }
    }
}

/// Holds every sync back while `held`.
#[derive(Debug, Default)]
struct Gate {
    state: Mutex<(bool, u32)>,
    changed: Condvar,
}

impl Gate {
    fn hold(&self, held: bool) {
        self.state.lock().unwrap().0 = held;
        self.changed.notify_all();
    }

    /// Returns when a sync waits.
    fn until_somebody_waits(&self) {
        let state = self.state.lock().unwrap();
        drop(
            self.changed
                .wait_while(state, |(_, waiting)| *waiting == 0)
                .unwrap(),
        );
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.1 += 1;
        self.changed.notify_all();
        let mut state = self.changed.wait_while(state, |(held, _)| *held).unwrap();
        state.1 -= 1;
    }
}

#[derive(Debug)]
struct Slow(Arc<Gate>);

#[derive(Debug)]
struct SlowTape(Box<dyn Tape>, Arc<Gate>);

impl Disk for Slow {
    fn append_to(&self, path: &Path) -> io::Result<Box<dyn Tape>> {
        Ok(Box::new(SlowTape(
            LocalDisk.append_to(path)?,
            Arc::clone(&self.0),
        )))
    }
}

impl Tape for SlowTape {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.1.pass();
        self.0.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.cut(length)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r115_readers_go_on_while_a_commit_waits_for_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let gate = Arc::new(Gate::default());
    let (store, _) = open(
        dir.path(),
        Options {
            disk: Arc::new(Slow(Arc::clone(&gate))),
            ..small(100)
        },
    )
    .unwrap();
    let store = Arc::new(store);
    let model = Memory::new();
    for version in 0..3 {
        store.commit(step(0, version, 1)).await.unwrap();
        model.commit(step(0, version, 1)).await.unwrap();
    }
    gate.hold(true);
    let writer = Arc::clone(&store);
    let commit = tokio::spawn(async move { writer.commit(step(0, 3, 1)).await });
    let waiting = Arc::clone(&gate);
    tokio::task::spawn_blocking(move || waiting.until_somebody_waits())
        .await
        .unwrap();
    assert_eq!(
        state(store.as_ref(), 2).await,
        state(&model, 2).await,
        "readers see what is safe, at once"
    );
    assert!(
        !commit.is_finished(),
        "the commit was acknowledged before it was safe"
    );
    gate.hold(false);
    commit.await.unwrap().unwrap();
    assert_eq!(
        store
            .table(TableCode::numbered(0))
            .await
            .unwrap()
            .unwrap()
            .version,
        4
    );
}
