//! From the login to the way out: what runs while the adapter runs, and waiting for the homeserver.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::pause::Pauses;
use super::session::Sessions;
use super::{Matrix, MatrixError, Settings, identity, login, sync};
use crate::chat::address::without_password;
pub(super) use crate::chat::stopping::stopped;
use crate::club::Club;
use crate::table::SealingKey;

/// The longest pause between tries to reach the homeserver at the start.
const LONGEST: Duration = Duration::from_secs(60);

/// How long what runs may take to finish when the program stops.
pub(super) const FINISHING: Duration = Duration::from_secs(5);

pub(super) async fn run(
    settings: Settings,
    club: Arc<Club>,
    key: &SealingKey,
    stop: watch::Receiver<bool>,
) -> Result<(), MatrixError> {
    let mut waiting = Waiting::new(stop.clone());
    let sessions = Sessions::new(&club, key);
    let client = login::logged_in(&settings, &sessions, key, &mut waiting).await?;
    let Some(client) = client else {
        return Ok(());
    };
    let Some(me) = client.user_id().map(ToOwned::to_owned) else {
        return Err(MatrixError::NoCredentials);
    };
    let matrix = Arc::new(Matrix::new(Arc::clone(&club), client, settings, me));
    identity::watch_conflicts(&matrix).await;
    let (ended, ending) = watch::channel(false);
    let mut posting = tokio::spawn(post(Arc::clone(&matrix), ending));
    let mut hearing = tokio::spawn(sync::run(Arc::clone(&matrix), stop.clone()));
    let outcome = tokio::select! {
        outcome = &mut hearing => outcome.map_err(|_| MatrixError::Hearing).flatten(),
        // It ends when it is told to, and that is not yet.
        ended = &mut posting => {
            hearing.abort();
            return match ended {
                Ok(Err(error)) => Err(error),
                Ok(Ok(())) | Err(_) => Err(MatrixError::Poster),
            };
        }
    };
    ended.send_replace(true);
    if tokio::time::timeout(FINISHING, posting).await.is_err() {
        tracing::warn!("matrix: a message was still being posted; it is posted at the next start");
    }
    outcome
}

/// Posts from when on it is known in which rooms the bot still is.
async fn post(matrix: Arc<Matrix>, mut ending: watch::Receiver<bool>) -> Result<(), MatrixError> {
    tokio::select! {
        () = matrix.begun.notified() => {}
        () = stopped(&mut ending) => return Ok(()),
    }
    matrix.poster.run(Arc::clone(&matrix), ending).await
}

/// Waits for a homeserver that cannot be reached, and says so once.
pub(super) struct Waiting {
    stop: watch::Receiver<bool>,
    pauses: Pauses,
}

impl Waiting {
    pub(super) fn new(stop: watch::Receiver<bool>) -> Waiting {
        Waiting {
            stop,
            pauses: Pauses::up_to(LONGEST),
        }
    }

    /// What comes of a future; `None` when the program stops before.
    pub(super) async fn unless_stopped<T>(&mut self, doing: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = doing => Some(done),
            () = stopped(&mut self.stop) => None,
        }
    }

    /// Waits before the next try; false when the program stops meanwhile.
    pub(super) async fn wait(&mut self, server: &str, asked: Option<Duration>) -> bool {
        if self.pauses.is_first() {
            tracing::warn!(
                "matrix: {} cannot be reached, or makes the bot wait; it is tried again until it answers",
                without_password(server)
            );
        }
        let pause = self.pauses.next(asked);
        tracing::debug!("matrix: the next try is in {} s", pause.as_secs());
        self.unless_stopped(tokio::time::sleep(pause))
            .await
            .is_some()
    }

    /// The homeserver has answered.
    pub(super) fn over(&mut self, server: &str) {
        if !self.pauses.is_first() {
            tracing::info!("matrix: {} answers again", without_password(server));
            self.pauses.over();
        }
    }
}
