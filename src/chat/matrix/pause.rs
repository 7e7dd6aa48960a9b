//! Pauses between tries, doubled from the first to the last.

use std::time::Duration;

/// The pauses of one wait.
#[derive(Debug, Clone)]
pub(super) struct Pauses {
    first: Duration,
    next: Duration,
    longest: Duration,
}

impl Pauses {
    /// From a second up to `longest`.
    pub(super) fn up_to(longest: Duration) -> Pauses {
        let first = Duration::from_secs(1);
        Pauses {
            first,
            next: first,
            longest,
        }
    }

    /// The next pause; what the server asks for, if that is longer.
    pub(super) fn next(&mut self, asked: Option<Duration>) -> Duration {
        let pause = self.next;
        self.next = (self.next * 2).min(self.longest);
        asked.map_or(pause, |asked| asked.max(pause))
    }

    /// Whether there was no pause yet since the beginning or the last success.
    pub(super) fn is_first(&self) -> bool {
        self.next == self.first
    }

    /// Begins again after a success.
    pub(super) fn over(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r103_pauses_double_up_to_the_longest_and_heed_the_server() {
        let mut pauses = Pauses::up_to(Duration::from_secs(3600));
        assert!(pauses.is_first());
        let seconds: Vec<u64> = (0..14).map(|_| pauses.next(None).as_secs()).collect();
        assert_eq!(seconds[..4], [1, 2, 4, 8]);
        assert_eq!(seconds[12..], [3600, 3600]);
        assert!(!pauses.is_first());
        pauses.over();
        let asked = Some(Duration::from_secs(30));
        assert_eq!(pauses.next(asked), Duration::from_secs(30));
        assert_eq!(pauses.next(Some(Duration::ZERO)), Duration::from_secs(2));
    }
}
