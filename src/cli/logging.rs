use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Begins to log on standard error, as much as `filter` says. The filter was checked with the configuration.
pub(super) fn begin(filter: &str) {
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
        .with_target(false);
    // A second subscriber, in a test, is of no consequence.
    let _ = builder.try_init();
}
