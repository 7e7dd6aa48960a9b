//! One run of the program on a data folder.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A data folder that goes away with the test.
pub struct Folder {
    dir: TempDir,
}

impl Folder {
    pub fn new() -> Folder {
        Folder {
            dir: TempDir::new().unwrap(),
        }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Writes a file beside the data.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs the program to its end with this input.
    pub fn run(&self, arguments: &[&str], input: &str) -> Output {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        self.run_os(&arguments, input)
    }

    /// The same with arguments that need not be text.
    pub fn run_os(&self, arguments: &[&OsStr], input: &str) -> Output {
        Self::finish(self.program(&[]).args(arguments), input)
    }

    /// The same with some variables in the environment.
    pub fn run_with(&self, set: &[(&str, &str)], arguments: &[&str], input: &str) -> Output {
        Self::finish(self.program(arguments).envs(set.iter().copied()), input)
    }

    fn finish(program: &mut Command, input: &str) -> Output {
        let mut child = program.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_bytes().to_vec();
        // The program may end before it has read everything.
        let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// Runs a script in JSON mode and gives the replies.
    pub fn script(&self, lines: &[&str]) -> Vec<Value> {
        let output = self.run(&["--json"], &lines.join("\n"));
        assert!(output.status.success(), "{}", text(&output.stderr));
        let replies = text(&output.stdout);
        replies
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    pub fn start(&self, arguments: &[&str]) -> Session {
        let mut child = self.program(arguments).arg("--json").spawn().unwrap();
        Session {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// The program at a terminal, not yet started.
    #[cfg(unix)]
    pub fn at_terminal(&self, input: Stdio, output: Stdio) -> Command {
        let mut command = self.program(&[]);
        command.env("TERM", "xterm").stdin(input).stdout(output);
        command
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ashtapada"));
        // Nothing of the environment of whoever runs the tests may change what is tested.
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("ASHTAPADA_") || name_text.starts_with("DISCORD_") {
                command.env_remove(&name);
            }
        }
        command
            .env("ASHTAPADA_DATA_DIR", self.data())
            .env("NO_COLOR", "1")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program running in JSON mode.
pub struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// Somebody whose answers mark the end of what was said before.
const MARKER: &str = "marker";

impl Session {
    /// Says a line and gives the replies to it.
    pub fn say(&mut self, line: &str) -> Vec<Value> {
        self.say_bytes(line.as_bytes())
    }

    /// Says a line that need not be UTF-8.
    pub fn say_bytes(&mut self, line: &[u8]) -> Vec<Value> {
        self.input.write_all(line).unwrap();
        self.input.write_all(b"\n").unwrap();
        writeln!(self.input, "{MARKER}> /help help").unwrap();
        self.input.flush().unwrap();
        let mut replies = Vec::new();
        loop {
            let reply = self.read();
            if reply["to"] == MARKER {
                return replies;
            }
            replies.push(reply);
        }
    }

    /// Says a line and gives its only reply.
    pub fn one(&mut self, line: &str) -> Value {
        let mut replies = self.say(line);
        assert_eq!(replies.len(), 1, "{line}: {replies:#?}");
        replies.remove(0)
    }

    /// Says a line without waiting for an answer.
    pub fn throw(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).unwrap();
        assert!(read > 0, "the program ended: {:?}", self.child.wait());
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Says many lines without waiting, kills the program some time after so many replies, and gives all that came.
    pub fn flood(mut self, lines: Vec<String>, replies: usize, after: Duration) -> Vec<Value> {
        let mut input = self.input;
        let writer = std::thread::spawn(move || {
            // Ends with the lines, or when nobody reads any more.
            let _all = lines.iter().all(|line| writeln!(input, "{line}").is_ok());
            input
        });
        let mut heard = Vec::new();
        while heard.len() < replies {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the program ended"
            );
            heard.push(serde_json::from_str(&line).unwrap());
        }
        let begun = Instant::now();
        while begun.elapsed() < after {
            std::thread::park_timeout(after.saturating_sub(begun.elapsed()));
        }
        self.child.kill().unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.code().is_none(), "it ended by itself: {status}");
        let mut line = String::new();
        // A part of a line without an end was not said.
        while self.output.read_line(&mut line).unwrap() > 0 && line.ends_with('\n') {
            heard.push(serde_json::from_str(&line).unwrap());
            line.clear();
        }
        drop(writer.join().unwrap());
        heard
    }

    /// Kills the program at once, as kill -9 does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the input and waits for the end of the program.
    pub fn end(self) {
        drop(self.input);
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

/// The code of the table a reply is about.
pub fn code(reply: &Value) -> String {
    reply["table"]
        .as_str()
        .unwrap_or_else(|| panic!("no table: {reply}"))
        .to_owned()
}

/// The path of the record that one of the replies hands out.
pub fn record_path(replies: &[Value]) -> PathBuf {
    let path = replies.iter().find_map(|reply| {
        let (told, path) = said(reply).split_once(": ")?;
        told.starts_with("The record of table ").then_some(path)
    });
    PathBuf::from(path.unwrap_or_else(|| panic!("no record: {replies:#?}")))
}

/// The text of a reply.
pub fn said(reply: &Value) -> &str {
    reply["text"].as_str().unwrap()
}
