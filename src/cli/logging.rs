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
    let filter = discreet(&filter.parse().unwrap_or_default());
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

/// As wanted, but the talkative parts say no more than they may.
fn discreet(wanted: &Targets) -> Targets {
    let mut filter = Targets::new();
    if let Some(level) = wanted.default_level() {
        filter = filter.with_default(level);
    }
    for (target, level) in wanted.iter() {
        let most = TALKATIVE.iter().find(|(part, _)| target.starts_with(part));
        filter = filter.with_target(target, most.map_or(level, |(_, most)| level.min(*most)));
    }
    for (part, most) in TALKATIVE {
        let nearest = wanted.iter().filter(|(target, _)| part.starts_with(target));
        let nearest = nearest.max_by_key(|(target, _)| target.len());
        let level = nearest.map(|(_, level)| level).or(wanted.default_level());
        filter = filter.with_target(*part, level.unwrap_or(LevelFilter::OFF).min(*most));
    }
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(filter: &str, target: &str) -> LevelFilter {
        let filter = discreet(&filter.parse().unwrap());
        let levels = [
            LevelFilter::TRACE,
            LevelFilter::DEBUG,
            LevelFilter::INFO,
            LevelFilter::WARN,
            LevelFilter::ERROR,
        ];
        let enabled = |level: &LevelFilter| {
            level
                .into_level()
                .is_some_and(|level| filter.would_enable(target, &level))
        };
        levels.into_iter().find(enabled).unwrap_or(LevelFilter::OFF)
    }

    #[test]
    fn what_is_sent_word_for_word_is_never_logged() {
        for filter in [
            "trace",
            "tungstenite=trace",
            "tungstenite::protocol=trace",
            "warn,serenity=trace,hyper=debug,tungstenite=debug",
        ] {
            for target in [
                "tungstenite::protocol",
                "hyper::proto",
                "serenity::http::client",
            ] {
                let level = level(filter, target);
                assert!(level <= LevelFilter::INFO, "{filter}: {target} at {level}");
            }
        }
    }

    #[test]
    fn the_rest_is_logged_as_wanted() {
        for (filter, target, wanted) in [
            (
                "warn,ashtapada=debug",
                "ashtapada::chat",
                LevelFilter::DEBUG,
            ),
            (
                "warn,ashtapada=debug",
                "serenity::gateway",
                LevelFilter::WARN,
            ),
            (
                "warn,serenity=error",
                "serenity::http::client",
                LevelFilter::ERROR,
            ),
            (
                "warn,serenity=debug",
                "serenity::gateway::shard",
                LevelFilter::DEBUG,
            ),
            ("error", "tungstenite", LevelFilter::ERROR),
            ("off", "hyper", LevelFilter::OFF),
        ] {
            assert_eq!(level(filter, target), wanted, "{filter}: {target}");
        }
    }
}
