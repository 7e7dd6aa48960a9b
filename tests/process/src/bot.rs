//! The bot as a process of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use crate::waiting::{Bell, PATIENCE};

/// What the bot wrote to its log, line by line.
#[derive(Debug, Clone, Default)]
pub struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    bell: Bell,
}

impl Log {
    /// All of it.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock();
        lines.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All of it as one text.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// Whether a line has this in it.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        self.count(text) > 0
    }

    /// How many lines have this in them.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        let lines = self.lines();
        lines.iter().filter(|line| line.contains(text)).count()
    }

    fn push(&self, line: String) {
        let lines = self.lines.lock();
        lines.unwrap_or_else(PoisonError::into_inner).push(line);
        self.bell.ring();
    }
}

/// A running bot. It is killed when this is dropped.
pub struct Bot {
    child: Child,
    /// What it wrote so far.
    pub log: Log,
}

impl Bot {
    /// Starts the program with these arguments and, beside what every program has, only this environment.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(program: &Path, arguments: &[String], environment: &[(String, String)]) -> Bot {
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
            let log = log.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                    log.push(String::from_utf8_lossy(&line).into_owned());
                }
            });
        }
        Bot { child, log }
    }

    /// Waits for a line in the log.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn until_logged(&mut self, text: &str) {
        self.until_logged_times(text, 1).await;
    }

    /// Waits until so many lines have this in them.
    ///
    /// # Panics
    /// When they do not come.
    pub async fn until_logged_times(&mut self, text: &str, times: usize) {
        let (log, child) = (self.log.clone(), &mut self.child);
        let found = log
            .bell
            .within(PATIENCE, || {
                let found = log.count(text) >= times;
                let ended = matches!(child.try_wait(), Ok(Some(_)));
                (found || ended).then_some(found)
            })
            .await;
        // Its last lines may come after its end.
        let found = found == Some(true) || log.count(text) >= times;
        assert!(found, "the bot did not log “{text}”:\n{}", log.text());
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
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -TERM");
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn until_ended(&mut self) -> ExitStatus {
        let (log, child) = (self.log.clone(), &mut self.child);
        let ended = log
            .bell
            .within(PATIENCE, || child.try_wait().ok().flatten())
            .await;
        ended.unwrap_or_else(|| panic!("the bot does not end:\n{}", log.text()))
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.kill();
    }
}
