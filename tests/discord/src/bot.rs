//! The bot as a process of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::double::Double;

/// How long it may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the bot wrote to its log, line by line.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    /// All of it.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Whether a line has this in it.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        self.lines().iter().any(|line| line.contains(text))
    }

    /// How many lines have this in them.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.lines()
            .iter()
            .filter(|line| line.contains(text))
            .count()
    }

    fn push(&self, line: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }
}

/// A running bot. It is killed when this is dropped.
pub struct Bot {
    child: Child,
    /// What it wrote so far.
    pub log: Log,
    double: Double,
}

impl Bot {
    /// Starts the program with these arguments and, beside what every program has, only this environment.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(
        program: &Path,
        arguments: &[String],
        environment: &[(String, String)],
        double: &Double,
    ) -> Bot {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy().to_uppercase();
            // Nothing of the environment of whoever runs the tests may change what is tested.
            if text.starts_with("ASHTAPADA_")
                || text.starts_with("DISCORD_")
                || text.ends_with("_PROXY")
            {
                command.env_remove(&name);
            }
        }
        command
            .args(arguments)
            .env("NO_COLOR", "1")
            .env("RUST_BACKTRACE", "1")
            .envs(environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the bot's program can be started");
        let log = Log::default();
        if let Some(stderr) = child.stderr.take() {
            let (log, double) = (log.clone(), double.clone());
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                    log.push(String::from_utf8_lossy(&line).into_owned());
                    double.changed();
                }
            });
        }
        Bot {
            child,
            log,
            double: double.clone(),
        }
    }

    /// Waits for a line in the log.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn until_logged(&self, text: &str) {
        let log = self.log.clone();
        let found = self
            .double
            .within(PATIENCE, |_| log.has(text).then_some(()))
            .await;
        assert!(
            found.is_some(),
            "the bot did not log “{text}”:\n{}",
            self.log.lines().join("\n")
        );
    }

    /// Kills it at once, as kill -9 does.
    pub fn kill(&mut self) {
        // It may have ended by itself, which the test finds out otherwise.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to stop, as service managers do.
    ///
    /// # Panics
    /// When nothing can be sent to it.
    pub fn ask_to_stop(&self) {
        let sent = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -TERM");
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn until_ended(&mut self) -> ExitStatus {
        let (double, child) = (self.double.clone(), &mut self.child);
        let ended = double
            .within(PATIENCE, |_| child.try_wait().ok().flatten())
            .await;
        ended.unwrap_or_else(|| panic!("the bot does not end:\n{}", self.log.lines().join("\n")))
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.kill();
    }
}
