use std::io::IsTerminal;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Parts that would show what is sent word for word, tokens included, if they said more than this.
const TALKATIVE: &[(&str, LevelFilter)] = &[
    ("h2", LevelFilter::INFO),
    ("hyper", LevelFilter::INFO),
    ("hyper_util", LevelFilter::INFO),
    ("reqwest", LevelFilter::INFO),
    ("rustls", LevelFilter::INFO),
    ("serenity::gateway::ws", LevelFilter::INFO),
    ("serenity::http", LevelFilter::INFO),
    ("tokio_tungstenite", LevelFilter::INFO),
    ("tungstenite", LevelFilter::INFO),
];

/// Begins to log on standard error, as much as `filter` says. The filter was checked with the configuration.
pub(super) fn begin(filter: &str) {
    let filter: Targets = filter.parse().unwrap_or_default();
    let filter = TALKATIVE.iter().fold(filter, |filter, (part, most)| {
        let wanted = filter.iter().find(|(target, _)| target == part);
        let wanted = wanted.map(|(_, level)| level);
        let wanted = wanted.or(filter.default_level()).unwrap_or(*most);
        filter.with_target(*part, wanted.min(*most))
    });
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
