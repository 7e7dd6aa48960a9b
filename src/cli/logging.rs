use std::io::{IsTerminal, Write};

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::Secret;

/// Parts that would show what is sent word for word, tokens included, if they said more than this.
const TALKATIVE: &[(&str, LevelFilter)] = &[
    ("h2", LevelFilter::INFO),
    ("hyper", LevelFilter::INFO),
    ("hyper_util", LevelFilter::INFO),
    // It shows whole events, and keys; its parts' names begin like it.
    ("matrix_sdk", LevelFilter::INFO),
    // It calls every answer an error that is not 200, also where there is nothing yet; the Matrix adapter tells what matters.
    ("matrix_sdk::http_client", LevelFilter::OFF),
    ("reqwest", LevelFilter::INFO),
    ("ruma", LevelFilter::INFO),
    ("rustls", LevelFilter::INFO),
    // It shows whole events when it cannot read them; the Discord adapter counts those.
    ("serenity::gateway::ws", LevelFilter::OFF),
    ("serenity::http", LevelFilter::WARN),
    ("tokio_tungstenite", LevelFilter::INFO),
    ("tungstenite", LevelFilter::INFO),
];

/// Begins to log on standard error, as much as `filter` says. The filter was checked with the configuration.
/// What is secret is shown as hidden, whoever says it: a server may repeat it in an error.
pub(super) fn begin(filter: &str, secrets: &[&Secret]) {
    let secrets: Vec<String> = secrets
        .iter()
        .filter(|secret| secret.reveal().len() >= SHORTEST)
        .map(|secret| secret.reveal().to_owned())
        .collect();
    let filter = discreet(&filter.parse().unwrap_or_default());
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(move || Hiding {
            secrets: secrets.clone(),
        })
        .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
        .with_target(false);
    // A second subscriber, in a test, is of no consequence.
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "discord")]
    let registry = registry.with(crate::chat::discord::Unreadable::layer());
    let _ = registry.try_init();
}

/// What is shorter is no secret, and may stand in any word.
const SHORTEST: usize = 4;

/// Standard error without the secrets. Each line comes whole.
struct Hiding {
    secrets: Vec<String>,
}

impl Hiding {
    fn hidden(&self, line: &[u8]) -> String {
        let line = String::from_utf8_lossy(line).into_owned();
        self.secrets
            .iter()
            .fold(line, |line, secret| line.replace(secret, "(hidden)"))
    }
}

impl Write for Hiding {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        std::io::stderr().write_all(self.hidden(line).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
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
                "matrix_sdk::http_client",
                "matrix_sdk_crypto::machine",
            ] {
                let level = level(filter, target);
                assert!(level <= LevelFilter::INFO, "{filter}: {target} at {level}");
            }
        }
    }

    #[test]
    fn a_secret_that_is_repeated_by_somebody_is_hidden() {
        let hiding = Hiding {
            secrets: vec!["x.y.SECRET".to_owned()],
        };
        let line = hiding.hidden(b"close 4000: Bot x.y.SECRET, x.y.SECRET");
        assert_eq!(line, "close 4000: Bot (hidden), (hidden)");
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
