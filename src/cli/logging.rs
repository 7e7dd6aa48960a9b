use std::io::IsTerminal;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins to log on standard error, as much as `filter` says. The filter was checked with the configuration.
pub(super) fn begin(filter: &str) {
    let filter: Targets = filter.parse().unwrap_or_default();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
        .with_target(false);
    // A second subscriber, in a test, is of no consequence.
    let _ = tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .try_init();
}
