//! Discord's ids: the moment they were made in the upper bits.

use std::time::{SystemTime, UNIX_EPOCH};

use twilight_model::util::Timestamp;

/// The first second of 2015, in milliseconds since the Unix epoch.
const EPOCH: u64 = 1_420_070_400_000;

/// Milliseconds since the Unix epoch.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0))
}

/// Makes ids, each greater than the one before.
#[derive(Debug, Default)]
pub(crate) struct Snowflakes {
    last: u64,
}

impl Snowflakes {
    pub(crate) fn next(&mut self) -> u64 {
        self.last = (now().saturating_sub(EPOCH) << 22).max(self.last + 1);
        self.last
    }
}

/// A moment in milliseconds, as Discord writes it.
pub(crate) fn iso(millis: u64) -> String {
    let micros = i64::try_from(millis).unwrap_or(0).saturating_mul(1000);
    Timestamp::from_micros(micros).map_or_else(|_| String::new(), |at| at.iso_8601().to_string())
}
