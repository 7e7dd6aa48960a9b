//! What goes wrong, as told.

use std::time::Duration;

/// What happens to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// It is answered so much later, and acted on only then.
    Delay(Duration),
    /// It is acted on at once and answered so much later.
    DelayAnswer(Duration),
    /// An error of the service, and nothing is done.
    Status(u16),
    /// An error with one of Discord's codes, and nothing is done.
    Error(u16, u32),
    /// Too many requests: come back after so many seconds.
    RateLimited(f64),
    /// The connection is cut and nothing is done.
    CutBefore,
    /// It is done, and the connection is cut before the answer.
    CutAfter,
    /// It is held back, and nothing is done, until [`crate::Double::release`].
    Hold,
    /// It is done, and the answer held back until [`crate::Double::release`].
    HoldAnswer,
    /// It is held back, and nothing is ever done.
    HoldForEver,
}

#[derive(Debug, Clone)]
struct Rule {
    pattern: String,
    times: usize,
    fault: Fault,
}

/// The faults that are still to happen.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<Rule>,
    /// How many requests are held.
    pub(crate) held: usize,
    /// How often what was held has been let go.
    pub(crate) released: u64,
}

impl Faults {
    pub(crate) fn add(&mut self, pattern: &str, fault: Fault, times: usize) {
        self.rules.push(Rule {
            pattern: pattern.to_owned(),
            times,
            fault,
        });
    }

    pub(crate) fn clear(&mut self) {
        self.rules.clear();
    }

    pub(crate) fn pending(&self) -> usize {
        self.rules.iter().map(|rule| rule.times).sum()
    }

    /// The fault for this request, which is then used up.
    pub(crate) fn next(&mut self, method: &str, path: &str) -> Option<Fault> {
        let fitting = |rule: &&mut Rule| rule.times > 0 && fits(&rule.pattern, method, path);
        let rule = self.rules.iter_mut().find(fitting)?;
        rule.times -= 1;
        Some(rule.fault.clone())
    }
}

/// Whether a request is meant by a pattern such as `POST /channels/*/messages`; `*` is one part of the path, and as the method
/// any method.
pub(crate) fn fits(pattern: &str, method: &str, path: &str) -> bool {
    let Some((wanted, pattern)) = pattern.split_once(' ') else {
        return false;
    };
    let (mut parts, mut given) = (pattern.split('/'), path.split('/'));
    if wanted != "*" && wanted != method {
        return false;
    }
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part == "*" || part == given => {}
            _ => return false,
        }
    }
}
