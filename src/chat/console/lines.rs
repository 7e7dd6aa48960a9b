//! Where lines come from: an editor in a terminal, or a script on standard input.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

use super::completing::Completing;

/// The longest line of a script that is read as one, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A source of lines.
pub(super) enum Lines {
    /// A terminal with editing and history.
    Terminal(Box<Editor<Completing, FileHistory>>),
    /// A file or a pipe.
    Script,
}

impl Lines {
    /// The terminal if standard input is one, with the history kept in `history`; else the script.
    pub(super) fn open(history: &Path) -> Lines {
        if !std::io::stdin().is_terminal() {
            return Lines::Script;
        }
        let config = Config::builder()
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .build();
        let Ok(mut editor) = Editor::with_config(config) else {
            return Lines::Script;
        };
        editor.set_helper(Some(Completing));
        // There is no history the first time.
        let _ = editor.load_history(history);
        Lines::Terminal(Box::new(editor))
    }

    /// Whether somebody sits at a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Lines::Terminal(_))
    }

    /// The next line; `None` at the end of input. Waits, so it is not to be called where others must go on.
    pub(super) fn next(&mut self, prompt: &str) -> std::io::Result<Option<String>> {
        match self {
            Lines::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(other) => Err(std::io::Error::other(other)),
            },
            Lines::Script => {
                let mut line = Vec::new();
                let mut input = std::io::Read::take(std::io::stdin().lock(), LONGEST_LINE);
                let read = input.read_until(b'\n', &mut line)?;
                // What is no UTF-8 is still a line, and answered as one.
                Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
            }
        }
    }

    /// Keeps the history.
    pub(super) fn close(self, history: &Path) {
        if let Lines::Terminal(mut editor) = self
            && let Err(error) = editor.save_history(history)
        {
            tracing::debug!("the history was not kept: {error}");
        }
    }
}
