//! At a terminal: what is typed in vain ends nothing, and the terminal is left as it was found.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::session::Folder;

/// How long the program may take to show something.
const PATIENCE: Duration = Duration::from_secs(20);

/// A person at a terminal in which the program runs.
struct Sitting {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    screen: String,
    line: OwnedFd,
}

impl Sitting {
    fn down(folder: &Folder) -> Sitting {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keys).unwrap();
        unlockpt(&keys).unwrap();
        let name = ptsname(&keys, Vec::new()).unwrap().into_string().unwrap();
        let line = || {
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(&name)
                .unwrap()
        };
        let child = folder
            .at_terminal(line().into(), line().into())
            .spawn()
            .unwrap();
        let keys = File::from(keys);
        let mut screen = keys.try_clone().unwrap();
        let (show, shown) = mpsc::channel();
        // Ends when nobody has the terminal any more.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                if show.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Sitting {
            child,
            keys,
            shown,
            screen: String::new(),
            line: line().into(),
        }
    }

    /// Waits until something is shown, and gives what came up to it.
    fn sees(&mut self, wanted: &str) -> String {
        loop {
            if let Some(at) = self.screen.find(wanted) {
                let rest = self.screen.split_off(at + wanted.len());
                return std::mem::replace(&mut self.screen, rest);
            }
            let more = self.shown.recv_timeout(PATIENCE);
            let more = more.unwrap_or_else(|_| panic!("no {wanted:?} in {:?}", self.screen));
            self.screen.push_str(&String::from_utf8_lossy(&more));
        }
    }

    fn types(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).unwrap();
    }

    fn is_as_found(&self) -> bool {
        let modes = tcgetattr(&self.line).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }
}

#[test]
fn sigterm_at_the_prompt_leaves_the_terminal_as_it_was_found() {
    let folder = Folder::new();
    let mut sitting = Sitting::down(&folder);
    sitting.sees("you> ");
    kill_process(Pid::from_child(&sitting.child), Signal::TERM).unwrap();
    sitting.sees("\u{1b}[?2004l");
    let ended = sitting.child.wait().unwrap();
    assert!(ended.success(), "{ended}");
    assert!(sitting.is_as_found());
}

#[test]
fn a_byte_that_is_no_utf8_ends_nothing_and_its_line_is_not_carried_out() {
    let folder = Folder::new();
    let mut sitting = Sitting::down(&folder);
    sitting.sees("you> ");
    // As pasted from an old document.
    sitting.types(b"\x1b[200~/help caf\xe9 /help move\r/help roll\x1b[201~");
    let answer = sitting.sees("no UTF-8");
    assert!(!answer.contains("Plays one move"), "{answer}");
    sitting.sees("you> ");
    sitting.types(b"/help draw\r");
    let answer = sitting.sees("Offers to end the game by agreement");
    assert!(!answer.contains("Throws the dice"), "{answer}");
    sitting.types(b"/quit\r");
    assert!(sitting.child.wait().unwrap().success());
    assert!(sitting.is_as_found());
}
