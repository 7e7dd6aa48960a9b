//! The course of one message: what is to be tried next, after what came of the tries before. It waits for nothing itself and
//! sends nothing, so every course can be walked in a test.

use std::time::Duration;

use tokio::time::Instant;

use crate::chat::discord::sending::{Again, Fault, Lack};

/// How long Discord is trusted to recognise the nonce of a message that is sent again.
const NONCE_HOLDS: Duration = Duration::from_secs(120);

/// The first pause after a failure; each further one is twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What of a message is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// All of it.
    Whole,
    /// With the board as text in place of its file.
    WithoutFiles,
    /// Its words alone.
    WordsAlone,
}

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Wait until then.
    Wait(Instant),
    /// Look whether an earlier try has arrived.
    Look,
    /// Send it.
    Send(Form),
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is there.
    Posted {
        /// Discord's id of it.
        message: u64,
    },
    /// It waits until the bot may post there.
    Blocked(Lack),
    /// Its place is no more.
    Gone,
    /// It is given up.
    Dropped(String),
}

/// Whether an earlier try may have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unsure {
    No,
    /// Since then; for a while the nonce sees to it that it is not there twice.
    Since(Instant),
    /// An earlier run of the program may have tried, nobody knows when.
    Before,
}

/// One message on its way.
#[derive(Debug)]
pub(super) struct Course {
    form: Form,
    /// The message has a file that can be left out.
    file: bool,
    unsure: Unsure,
    failures: u32,
    not_before: Option<Instant>,
}

impl Course {
    /// The course of a message with or without a file. `before`: an earlier run of the program may have sent it.
    pub(super) fn new(file: bool, before: bool) -> Course {
        Course {
            form: Form::Whole,
            file,
            unsure: if before { Unsure::Before } else { Unsure::No },
            failures: 0,
            not_before: None,
        }
    }

    /// The same where files are known not to be taken.
    pub(super) fn without_files(mut self) -> Course {
        self.form = Form::WithoutFiles;
        self
    }

    /// What is to be done now.
    pub(super) fn next(&self, now: Instant) -> Step {
        if let Some(then) = self.not_before
            && now < then
        {
            return Step::Wait(then);
        }
        match self.unsure {
            Unsure::Before => Step::Look,
            Unsure::Since(then) if now.duration_since(then) >= NONCE_HOLDS => Step::Look,
            Unsure::Since(_) | Unsure::No => Step::Send(self.form),
        }
    }

    /// Takes in what came of sending it; what has become of the message, if that is settled.
    pub(super) fn sent(&mut self, result: Result<u64, Fault>, now: Instant) -> Option<Outcome> {
        let fault = match result {
            Ok(message) => return Some(Outcome::Posted { message }),
            Err(fault) => fault,
        };
        match fault {
            Fault::Again(how) => {
                if how == Again::MayHaveArrived && self.unsure == Unsure::No {
                    self.unsure = Unsure::Since(now);
                }
                self.pause(now);
                None
            }
            // Perhaps only Attach Files is missing.
            Fault::Blocked(Lack::Permissions) if self.form == Form::Whole && self.file => {
                self.form = Form::WithoutFiles;
                None
            }
            Fault::Blocked(lack) => Some(Outcome::Blocked(lack)),
            Fault::Gone => Some(Outcome::Gone),
            Fault::Closed => Some(Outcome::Dropped("they take no direct messages".to_owned())),
            Fault::NotThere => self.refused("what it refers to is not there".to_owned()),
            Fault::Refused { code, why } => self.refused(format!("{code}: {why}")),
        }
    }

    /// Takes in what came of looking for it.
    pub(super) fn looked(
        &mut self,
        result: Result<Option<u64>, Fault>,
        now: Instant,
    ) -> Option<Outcome> {
        match result {
            Ok(Some(message)) => return Some(Outcome::Posted { message }),
            Err(Fault::Again(_)) => self.pause(now),
            Err(Fault::Gone) => return Some(Outcome::Gone),
            // Where the history may not be read, it is sent all the same: at least once.
            Ok(None)
            | Err(Fault::Blocked(_) | Fault::Closed | Fault::NotThere | Fault::Refused { .. }) => {
                self.unsure = Unsure::No;
                self.failures = 0;
            }
        }
        None
    }

    /// There is a reason to try a blocked message again.
    pub(super) fn resume(&mut self) {
        self.form = Form::Whole;
        self.failures = 0;
        self.not_before = None;
    }

    fn refused(&mut self, why: String) -> Option<Outcome> {
        if self.form == Form::WordsAlone {
            return Some(Outcome::Dropped(why));
        }
        self.form = Form::WordsAlone;
        None
    }

    fn pause(&mut self, now: Instant) {
        let longer = 2_u32.saturating_pow(self.failures.min(16));
        let pause = FIRST_PAUSE.saturating_mul(longer).min(LONGEST_PAUSE);
        self.failures += 1;
        self.not_before = Some(now + pause);
    }
}

#[cfg(test)]
mod tests;
