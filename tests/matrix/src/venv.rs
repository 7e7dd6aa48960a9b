//! Synapse, installed into a Python environment of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed.
const SYNAPSE: &str = "1.163.2";
/// What Synapse leaves open, as it was when this was tried.
const BESIDE: [&str; 5] = [
    "Twisted==26.10.0",
    "pydantic==2.14.4",
    "cryptography==50.0.2",
    "setuptools-rust==1.13.0",
    "Jinja2==3.1.6",
];

/// The environment's Python, after an installation where there was none. It is kept in the target folder; of several
/// processes that want it, one makes it.
///
/// # Panics
/// When it cannot be made; the text says what to install.
pub(crate) fn python() -> PathBuf {
    let folder = target().join(format!("synapse-{SYNAPSE}"));
    fs::create_dir_all(target()).expect("the target folder");
    let lock =
        File::create(target().join("synapse.lock")).expect("a lock file in the target folder");
    lock.lock().expect("a lock on a file of the target folder");
    let python = folder.join("bin/python");
    let whole = folder.join("whole");
    if !whole.exists() {
        // What was begun and not finished is made anew: an environment cannot be moved after it is made.
        let _ = fs::remove_dir_all(&folder);
        let made = Command::new("python3")
            .args(["-m", "venv"])
            .arg(&folder)
            .output();
        let made = made.is_ok_and(|made| made.status.success());
        assert!(
            made && python.exists(),
            "the Matrix scenarios need Python 3.10 or newer with its module venv, to install Synapse: install python3 (Debian and Ubuntu: \
             apt-get install python3 python3-venv) and try again"
        );
        let mut pip = Command::new(&python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .arg(format!("matrix-synapse=={SYNAPSE}"))
        .args(BESIDE);
        let installed = pip
            .output()
            .expect("pip of a fresh environment can be started");
        assert!(
            installed.status.success(),
            "pip cannot install Synapse {SYNAPSE} for the Matrix scenarios (network needed the first time):\n{}",
            String::from_utf8_lossy(&installed.stderr)
        );
        fs::write(&whole, SYNAPSE).expect("a file in the environment");
    }
    python
}

/// The folder that cargo builds into.
fn target() -> PathBuf {
    // The program of the tests is in `<target>/<profile>/deps`.
    let program = std::env::current_exe().expect("the path of the tests' own program");
    let named = |folder: &&Path| folder.file_name().is_some_and(|name| name == "deps");
    let deps = program.ancestors().find(named);
    let target = deps.and_then(|deps| deps.ancestors().nth(2));
    target.map_or_else(std::env::temp_dir, Path::to_owned)
}
