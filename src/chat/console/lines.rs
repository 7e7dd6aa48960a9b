//! Where lines come from: an editor in a terminal, or a script on standard input.

use std::io::{BufRead, ErrorKind, IsTerminal, Read};
use std::path::Path;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

use super::completing::Completing;
use super::terminal;

/// The longest line of a script that is read as one, in bytes.
pub(super) const LONGEST_LINE: u64 = 1 << 20;

/// What came as one line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line.
    Said(String),
    /// The beginning of a line that is longer than one may be; the rest is passed over.
    TooLong(String),
    /// Something at a terminal that is no UTF-8.
    NoText,
}

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
    pub(super) fn next(&mut self, prompt: &str) -> std::io::Result<Option<Line>> {
        match self {
            Lines::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(Line::Said(line))),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                    // The rest of the line must not be taken for a line of its own.
                    terminal::drop_what_was_typed();
                    Ok(Some(Line::NoText))
                }
                Err(ReadlineError::Io(error)) => Err(error),
                Err(other) => Err(std::io::Error::other(other)),
            },
            Lines::Script => script_line(&mut std::io::stdin().lock()),
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

/// The next line of a script; of one that is too long all is read, so that no part of it is taken for another line.
fn script_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut line = Vec::new();
    // One byte more than a line may have tells whether it is longer.
    let read = input
        .by_ref()
        .take(LONGEST_LINE + 1)
        .read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    let whole = line.ends_with(b"\n") || read as u64 <= LONGEST_LINE;
    // What is no UTF-8 is still a line, and answered as one.
    let text = String::from_utf8_lossy(&line).into_owned();
    if whole {
        return Ok(Some(Line::Said(text)));
    }
    input.skip_until(b'\n')?;
    Ok(Some(Line::TooLong(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_line_that_is_too_long_no_part_is_taken_for_another() {
        let most = LONGEST_LINE as usize;
        for (length, whole) in [
            (most - 1, true),
            (most, true),
            (most + 1, false),
            (3 * most, false),
        ] {
            let mut script = vec![b'x'; length];
            script.extend_from_slice(b" /resign\n/help\n");
            if whole {
                script.splice(length..length + 8, []);
            }
            let mut input = script.as_slice();
            let first = script_line(&mut input).unwrap().unwrap();
            assert_eq!(matches!(first, Line::Said(_)), whole, "{length}");
            let second = script_line(&mut input).unwrap().unwrap();
            assert_eq!(second, Line::Said("/help\n".to_owned()), "{length}");
            assert_eq!(script_line(&mut input).unwrap(), None);
        }
    }
}
