//! What goes wrong on the way, as told.

/// What happens to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// A status with a page of some machine in between, and nothing is done.
    Status(u16),
    /// It is done, and answered with a status of some machine in between.
    StatusAfter(u16),
    /// An error as Matrix words it (`errcode`, `error`), and nothing is done.
    Error(u16, &'static str, &'static str),
    /// Too many requests: come back after so many milliseconds.
    Limited(u64),
    /// It is done, and the answer held back until [`crate::Door::release`].
    HoldAnswer,
    /// It is held back until [`crate::Door::release`], and done then.
    Hold,
    /// It is held back, and nothing is ever done.
    HoldForEver,
}

#[derive(Debug)]
struct Rule {
    pattern: String,
    times: usize,
    fault: Fault,
}

/// The faults that are still to happen.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Rule>);

impl Faults {
    pub(crate) fn add(&mut self, pattern: &str, fault: Fault, times: usize) {
        self.0.push(Rule {
            pattern: pattern.to_owned(),
            times,
            fault,
        });
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn pending(&self) -> usize {
        self.0.iter().map(|rule| rule.times).sum()
    }

    /// The fault for this request, which is then used up.
    pub(crate) fn next(&mut self, method: &str, path: &str) -> Option<Fault> {
        let fitting = |rule: &&mut Rule| rule.times > 0 && fits(&rule.pattern, method, path);
        let rule = self.0.iter_mut().find(fitting)?;
        rule.times -= 1;
        Some(rule.fault.clone())
    }
}

/// Whether a request is meant by a pattern such as `PUT /rooms/*/send/*/*`; `*` is one part of the path.
pub(crate) fn fits(pattern: &str, method: &str, path: &str) -> bool {
    let Some((wanted, pattern)) = pattern.split_once(' ') else {
        return false;
    };
    let (pattern, path) = (pattern.split('/'), path.split('/'));
    let parts: Vec<&str> = pattern.collect();
    let given: Vec<&str> = path.collect();
    let same = |(part, given): (&&str, &&str)| *part == "*" || part == given;
    wanted == method && parts.len() == given.len() && parts.iter().zip(&given).all(same)
}
