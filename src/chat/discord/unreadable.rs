//! Events of the gateway that serenity cannot read: it passes them over (R10), with a warning that holds the whole event, names,
//! texts and tokens in it. That warning is shown nowhere; it is counted here, and told without them.

use std::sync::atomic::{AtomicU64, Ordering};

use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// How many there were, and how many of them were told of.
static FOUND: AtomicU64 = AtomicU64::new(0);
static TOLD: AtomicU64 = AtomicU64::new(0);

/// Counts what cannot be read, as a part of the program's logging.
pub struct Unreadable;

impl Unreadable {
    /// The layer, which sees those warnings and nothing else.
    pub fn layer<S>() -> impl Layer<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let warnings = Targets::new().with_target("serenity::gateway::ws", LevelFilter::WARN);
        Unreadable.with_filter(warnings)
    }
}

impl<S: Subscriber> Layer<S> for Unreadable {
    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
        FOUND.fetch_add(1, Ordering::Relaxed);
    }
}

/// Tells how many there were, if there were more since the last time.
pub(super) fn tell() {
    let found = FOUND.load(Ordering::Relaxed);
    let told = TOLD.swap(found, Ordering::Relaxed);
    if found > told {
        tracing::warn!(
            "discord: {} events could not be read and were passed over, {found} since the start",
            found - told
        );
    }
}
