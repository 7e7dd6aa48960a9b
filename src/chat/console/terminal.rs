//! The terminal itself: left as it was found, and without what was typed in vain.

#[cfg(unix)]
pub(super) use unix::{Found, asked_to_end, drop_what_was_typed};

#[cfg(not(unix))]
pub(super) use other::{Found, asked_to_end, drop_what_was_typed};

#[cfg(unix)]
mod unix {
    use std::io::{self, IsTerminal, Write};
    use std::time::Duration;

    use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};
    use tokio::signal::unix::{SignalKind, signal};

    /// Ends the mode in which a terminal says what is pasted; the editor switches it on.
    const NO_BRACKETED_PASTE: &str = "\x1b[?2004l";

    /// How long the rest of a paste may take to come.
    const REST: Duration = Duration::from_millis(50);

    /// A terminal as it was found.
    pub(in super::super) struct Found(Termios);

    impl Found {
        /// How the terminal on standard input is; `None` if there is none.
        pub(in super::super) fn look() -> Option<Self> {
            let input = io::stdin();
            let found = input.is_terminal().then(|| tcgetattr(&input));
            found.and_then(Result::ok).map(Self)
        }

        /// Makes it so again, from within the editor too.
        pub(in super::super) fn restore(&self) -> io::Result<()> {
            let mut out = io::stdout().lock();
            writeln!(out, "{NO_BRACKETED_PASTE}")?;
            out.flush()?;
            Ok(tcsetattr(io::stdin(), OptionalActions::Now, &self.0)?)
        }
    }

    /// Drops what was typed, or pasted, and is not read yet.
    pub(in super::super) fn drop_what_was_typed() {
        std::thread::sleep(REST);
        // A terminal that cannot do that has nothing to drop.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    }

    /// Resolves when the program is asked to end: by SIGTERM or SIGHUP, or by SIGINT from elsewhere than the keyboard.
    pub(in super::super) fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
        })
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    /// A terminal that the system puts in order by itself.
    pub(in super::super) struct Found;

    impl Found {
        pub(in super::super) fn look() -> Option<Self> {
            None
        }

        pub(in super::super) fn restore(&self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(in super::super) fn drop_what_was_typed() {}

    pub(in super::super) fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
        Ok(std::future::pending())
    }
}
