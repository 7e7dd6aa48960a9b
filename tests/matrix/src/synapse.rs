//! A Synapse as a process of its own.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::admin::Admin;
use crate::venv;

/// The name of our server in the ids of people and rooms.
pub(crate) const NAME: &str = "palace.test";
/// What whoever registers accounts must know.
pub(crate) const SHARED_SECRET: &str = "for these tests alone";

/// It ends when its standard input does, so that none outlives the tests, however they end.
const PROGRAM: &str = "
import os, signal, sys, threading
def wait():
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
threading.Thread(target=wait, daemon=True).start()
from synapse.app.homeserver import main
main()
";

/// The server that most scenarios share.
static SHARED: OnceCell<Arc<Synapse>> = OnceCell::const_new();

/// A running homeserver.
pub struct Synapse {
    port: u16,
    folder: TempDir,
    running: Mutex<Option<Running>>,
    pub(crate) admin: Admin,
}

struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    said: Arc<Mutex<Vec<String>>>,
}

impl Synapse {
    /// The one that most scenarios share. It ends with the tests.
    pub async fn shared() -> Arc<Synapse> {
        SHARED
            .get_or_init(|| async { Arc::new(Synapse::open(true).await) })
            .await
            .clone()
    }

    /// One of one's own, which can be stopped and started again.
    pub async fn own() -> Arc<Synapse> {
        Arc::new(Synapse::open(false).await)
    }

    async fn open(forgetful: bool) -> Synapse {
        let python = tokio::task::spawn_blocking(venv::python);
        python.await.expect("an installed Synapse");
        let port = free_port();
        let folder = TempDir::new().expect("a folder for Synapse");
        let database = match forgetful {
            true => ":memory:".to_owned(),
            false => folder.path().join("db").to_string_lossy().into_owned(),
        };
        let settings = settings(port, folder.path(), &database);
        std::fs::write(folder.path().join("homeserver.yaml"), settings.to_string())
            .expect("Synapse's configuration");
        std::fs::write(folder.path().join("log.yaml"), log().to_string()).expect("Synapse's log");
        let synapse = Synapse {
            port,
            folder,
            running: Mutex::new(None),
            admin: Admin::new(format!("http://127.0.0.1:{port}")),
        };
        synapse.start().await;
        synapse
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts it again on the same port, and waits until it answers.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start(&self) {
        let mut child = Command::new(venv::python())
            .args(["-c", PROGRAM, "--config-path"])
            .arg(self.folder.path().join("homeserver.yaml"))
            .current_dir(self.folder.path())
            .env_remove("PYTHONPATH")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Synapse can be started");
        let said = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let said = said.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    lines(&said).push(line);
                }
            });
        }
        let stdin = child.stdin.take();
        *self.lock() = Some(Running { child, stdin, said });
        // By asking: nothing tells when it is ready.
        for _ in 0..600 {
            if self.admin.answers().await {
                return;
            }
            if self.has_ended() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("Synapse does not come up:\n{}", self.story());
    }

    /// Stops it; who is connected is cut off.
    pub fn stop(&self) {
        if let Some(mut running) = self.lock().take() {
            drop(running.stdin.take());
            let _ = running.child.wait();
        }
    }

    fn has_ended(&self) -> bool {
        let mut running = self.lock();
        let ended = running.as_mut().map(|running| running.child.try_wait());
        !matches!(ended, Some(Ok(None)))
    }

    fn story(&self) -> String {
        let running = self.lock();
        let said = running
            .as_ref()
            .map(|running| lines(&running.said).join("\n"));
        said.unwrap_or_default()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Synapse {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lines(said: &Mutex<Vec<String>>) -> std::sync::MutexGuard<'_, Vec<String>> {
    said.lock().unwrap_or_else(PoisonError::into_inner)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("it listens").port()
}

/// Synapse's configuration: nothing but clients, no limits but those set for single accounts.
fn settings(port: u16, folder: &std::path::Path, database: &str) -> Value {
    let any = json!({"per_second": 100_000, "burst_count": 100_000});
    json!({
        "server_name": NAME,
        "pid_file": folder.join("pid"),
        "listeners": [{
            "port": port, "type": "http", "tls": false, "bind_addresses": ["127.0.0.1"],
            "resources": [{"names": ["client"], "compress": false}],
        }],
        "database": {"name": "sqlite3", "args": {"database": database}},
        "log_config": folder.join("log.yaml"),
        "media_store_path": folder.join("media"),
        "registration_shared_secret": SHARED_SECRET,
        "macaroon_secret_key": "for these tests alone",
        "form_secret": "for these tests alone",
        // The key with which it would sign for other servers, of which there are none.
        "signing_key": "ed25519 a_test YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE",
        "trusted_key_servers": [],
        "suppress_key_server_warning": true,
        "report_stats": false,
        "bcrypt_rounds": 4,
        "presence": {"enabled": false},
        "push": {"enabled": false},
        "user_directory": {"enabled": false},
        "federation_domain_whitelist": [],
        "rc_message": any, "rc_registration": any, "rc_admin_redaction": any, "rc_joins_per_room": any,
        "rc_media_create": any, "rc_room_creation": any, "rc_reports": any, "rc_key_requests": any,
        "rc_login": {"address": any, "account": any, "failed_attempts": any},
        "rc_joins": {"local": any, "remote": any},
        "rc_invites": {"per_room": any, "per_user": any, "per_issuer": any},
        "remote_media_download_per_second": "1G", "remote_media_download_burst_count": "1G",
    })
}

/// Only what goes wrong, on standard error.
fn log() -> Value {
    json!({
        "version": 1,
        "formatters": {"short": {"format": "%(levelname)s %(name)s %(message)s"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "short"}},
        "root": {"level": "ERROR", "handlers": ["console"]},
        "disable_existing_loggers": false,
    })
}
