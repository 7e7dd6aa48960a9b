//! The double: it listens, and what is in it can be looked at, changed and waited for.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::any;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::door::{self, Authority, Line, Proxied};
use crate::faults::Fault;
use crate::rest;
use crate::world::World;

/// How long something that must come may take. Much longer than it does, for slow machines.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running double. Clones are the same one.
#[derive(Clone)]
pub struct Double {
    shared: Arc<Shared>,
}

struct Shared {
    world: Mutex<World>,
    changed: watch::Sender<u64>,
    address: SocketAddr,
    proxy: SocketAddr,
    authority: Arc<Authority>,
    proxied: Arc<Proxied>,
}

impl Double {
    /// A new one, at an address of its own.
    ///
    /// # Panics
    /// When this machine has no free port.
    pub async fn open() -> Double {
        let listen = || TcpListener::bind("127.0.0.1:0");
        let plain = listen().await.expect("a free port");
        let proxy = listen().await.expect("a free port");
        let authority = Arc::new(Authority::new().expect("a certificate of our own"));
        let proxied = Arc::new(Proxied::default());
        let double = Double {
            shared: Arc::new(Shared {
                world: Mutex::new(World::new()),
                changed: watch::Sender::new(0),
                address: plain.local_addr().expect("it listens"),
                proxy: proxy.local_addr().expect("it listens"),
                authority: authority.clone(),
                proxied: proxied.clone(),
            }),
        };
        let door = door::open(plain, proxy, authority, proxied);
        let router = Router::new()
            .route("/gateway", any(rest::gateway))
            .fallback(rest::serve)
            .with_state(double.clone());
        tokio::spawn(async move {
            let service = router.into_make_service_with_connect_info::<Line>();
            axum::serve(door, service).await
        });
        double
    }

    /// Its address, without `/api`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.shared.address)
    }

    /// The proxy behind which it is the public address.
    #[must_use]
    pub fn proxy(&self) -> String {
        format!("http://{}", self.shared.proxy)
    }

    /// The certificate authority to trust behind the proxy.
    #[must_use]
    pub fn certificate(&self) -> &str {
        &self.shared.authority.pem
    }

    /// How many connections the proxy was asked for.
    #[must_use]
    pub fn proxied(&self) -> u64 {
        self.shared.proxied.asked.load(Ordering::SeqCst)
    }

    pub(crate) fn gateway_url(&self) -> String {
        format!("ws://{}/gateway", self.shared.address)
    }

    /// Looks at what is in it, or changes it.
    pub fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        // A test that failed while it looked fails by itself.
        let mut world = self
            .shared
            .world
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let result = act(&mut world);
        drop(world);
        self.changed();
        result
    }

    /// The same without waking those who wait.
    pub(crate) fn with_quietly<T>(&self, look: impl FnOnce(&World) -> T) -> T {
        let world = self.shared.world.lock();
        look(&world.unwrap_or_else(PoisonError::into_inner))
    }

    /// Wakes those who wait: something outside of the world has changed.
    pub(crate) fn changed(&self) {
        self.shared.changed.send_modify(|count| *count += 1);
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    /// Waits until there is something.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn until<T>(&self, what: &str, mut look: impl FnMut(&World) -> Option<T>) -> T {
        match self.within(PATIENCE, &mut look).await {
            Some(found) => found,
            None => panic!(
                "waited in vain: {what}\n{}",
                self.with(|world| world.story())
            ),
        }
    }

    /// Waits so long at most until there is something.
    pub async fn within<T>(
        &self,
        patience: Duration,
        mut look: impl FnMut(&World) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + patience;
        let mut changes = self.changes();
        loop {
            changes.mark_unchanged();
            let found = self.with_quietly(&mut look);
            if found.is_some() {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            // Some of what is waited for comes with the time alone: look again now and then.
            let _ =
                tokio::time::timeout(left.min(Duration::from_millis(250)), changes.changed()).await;
        }
    }

    /// Lets the next requests that fit the pattern (`POST /channels/*/messages`) fail in this way.
    pub fn fault(&self, pattern: &str, fault: Fault, times: usize) {
        self.with(|world| world.faults.add(pattern, fault, times));
    }

    /// Forgets the faults that have not happened.
    pub fn heal(&self) {
        self.with(|world| world.faults.clear());
    }

    /// Waits until a request is held back.
    pub async fn until_held(&self) {
        self.until("a request that is held back", |world| {
            (world.faults.held > 0).then_some(())
        })
        .await;
    }

    /// Lets go of what is held back.
    pub fn release(&self) {
        self.with(|world| world.faults.released += 1);
    }
}

impl World {
    /// The last requests, for a test that fails.
    pub(crate) fn story(&self) -> String {
        let mut story = String::new();
        for call in self.calls.iter().rev().take(30).rev() {
            let body = call
                .body
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            let body: String = body.chars().take(600).collect();
            let status = call
                .status
                .map_or("cut".to_owned(), |status| status.to_string());
            story.push_str(&format!(
                "{} {} -> {status} {} {body}\n",
                call.method, call.path, call.code
            ));
        }
        for refused in &self.refused {
            story.push_str(&format!("refused: {refused}\n"));
        }
        story
    }

    /// How many faults are still to happen.
    #[must_use]
    pub fn faults_left(&self) -> usize {
        self.faults.pending()
    }
}
